"""Which masked record belongs to whom: the truth that attacks are marked against and cells are compared by."""

from __future__ import annotations

import numpy as np

from discreet.errors import Mismatch
from discreet.table import Described, IntArray


def true_matches(original: Described, masked: Described, truth: IntArray | None) -> IntArray:
    """For each masked record the row of its original, -1 where it comes from nobody.

    Without a given truth the two tables must have equally many records, and row i belongs to row i.
    """
    if truth is None:
        if len(original) != len(masked):
            raise Mismatch(
                f"the original has {len(original)} records and the masked table {len(masked)}, so rows do not pair up. "
                "Give truth: the original row of each masked record."
            )
        return np.arange(len(masked), dtype=np.int64)
    given = np.asarray(truth, dtype=np.int64)
    if given.shape != (len(masked),) or (len(given) and (given.min() < -1 or given.max() >= len(original))):
        raise Mismatch("truth must hold, for each masked record, a row of the original or -1.")
    return given


def known_matches(owner: IntArray, training: IntArray | None) -> IntArray | None:
    """The masked records in `training` that are somebody's, whose pairs can teach; None where there are none."""
    if training is None:
        return None
    rows = np.asarray(training, dtype=np.int64)
    paired = rows[owner[rows] >= 0]
    return paired if len(paired) else None
