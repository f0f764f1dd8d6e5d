"""Loss of values: how far cells are from the true ones, as a share of these (IL1)."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.loss.cell_changes import CELLS_MISSING, average_cell_change
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Table

MEANING = (
    "how far the published values are from the true ones, as a share of the true value, on average over cells"
)


@registry.loss(
    family="statistics",
    title="Values (IL1)",
    unit=registry.SHARE,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.NUMERIC,
    missing=CELLS_MISSING,
    meaning=MEANING,
    cites=("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",),
)
def il1(
    original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS, truth: IntArray | None = None
) -> Loss:
    """The mean over all cells of the relative change; where the true value is zero, relative to the column's spread.

    It explodes where true values are near zero; `il1s` does not. A changed zero in a column of zeros has no scale at
    all: such cells are left out and counted. Raises NotComputable where no cell can be compared.

    IL1 of Domingo-Ferrer and Torra (2001): the mean of |x_ij - y_ij| / |x_ij|.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.il1(table, masked))
    il1: 0.1587
    """
    return average_cell_change(
        "il1", MEANING, original, masked, columns=columns, truth=truth, scaling=_true_value
    )


def _true_value(true: FloatArray, deviation: FloatArray) -> FloatArray:
    # IL1, Domingo-Ferrer and Torra 2001: the mean over i, j of |x_ij - y_ij| / |x_ij|; ours where x_ij = 0: / sd_j.
    return np.where(true != 0, np.abs(true), deviation)
