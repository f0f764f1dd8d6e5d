"""The two files on one scale: each column in standard deviations from its own file's mean."""

from __future__ import annotations

import numpy as np

from discreet.attack.points import Scaling
from discreet.errors import BadValues, Mismatch
from discreet.table import FloatArray

BLUR = 1e-12
"""In standard deviations: a difference of two values may be off by so much. A win that this could undo is none.

Standardising leaves an error of some 1e-16 in each, however far from zero the column lies, so that differences that are
equal on paper are equal to within the blur, with room to spare; and no published value means anything to twelve digits.
"""


def standardise(values: FloatArray) -> FloatArray:
    """The columns less their means, over their standard deviations; a constant column is only centred.

    Rows that are equal to the last bit stay so, which is what keeps the members of a masked group tied.
    """
    return np.column_stack([Scaling.of(column).zscores(column) for column in values.T])


def check_aligned(original: FloatArray, masked: FloatArray) -> None:
    """Raises when row i of `masked` cannot be the masked row i of `original`, or a value is not a finite number.

    Further masked rows, after those of the original, belong to nobody: they are only rivals.
    """
    two_dimensional = original.ndim == 2 and masked.ndim == 2
    if not two_dimensional or original.shape[1] != masked.shape[1] or len(masked) < len(original):
        raise Mismatch(
            "learned linkage needs a masked row for every original one, with the same columns; got shapes "
            f"{original.shape} and {masked.shape}."
        )
    if len(original) < 1 or len(masked) < 2 or original.shape[1] < 1:
        raise BadValues(
            "learned linkage needs at least one record, two masked records and one column; got shapes "
            f"{original.shape} and {masked.shape}."
        )
    for name, values in (("original", original), ("masked", masked)):
        bad = int((~np.isfinite(values)).any(axis=1).sum())
        if bad:
            raise BadValues(
                f"learned linkage needs complete numbers: {bad} records of the {name} file have a missing or "
                "infinite value. Leave those records or columns out."
            )
