"""Records that agree wherever neither of them is missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Ints
from discreet._kernels.classes import class_sizes

MISSING = 0


def compatible_counts(queries: Ints, rows: Ints, counts: Ints) -> Ints:
    """For each query how many records agree with it in every column in which neither is missing.

    `queries` and `rows` are int64 codes by columns, 0 is missing; row i stands for `counts[i]` records. Rows are taken
    together by which columns they have, so the work grows with the patterns of missing values times the records, not
    with all pairs.
    """
    found = np.zeros(len(queries), np.int64)
    for here, asked in _patterns(queries):
        for there, held in _patterns(rows):
            shared = np.flatnonzero(here & there)
            label = class_sizes(np.vstack([rows[np.ix_(held, shared)], queries[np.ix_(asked, shared)]])).label
            sums = np.bincount(label[: len(held)], weights=counts[held], minlength=int(label.max()) + 1)
            found[asked] += sums[label[len(held) :]].astype(np.int64)
    return found


def _patterns(codes: Ints) -> list[tuple[NDArray[np.bool_], Ints]]:
    """The patterns of present columns, each with the rows that have it."""
    present = codes != MISSING
    label = class_sizes(present.astype(np.int64)).label
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(label[order])) + 1) if len(codes) else []
    return [(present[rows[0]], rows) for rows in parts]
