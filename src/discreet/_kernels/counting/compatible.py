"""Records that agree wherever neither of them is missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Ints
from discreet._kernels.compile import compiled
from discreet._kernels.counting.classes import class_sizes

MISSING = 0
SETUP = 2_000
"""Taking two patterns together costs as much as so many rows more."""
PAIRS = 10
"""So many pairs are compared in the time of one row of a pattern."""


def compatible_counts(queries: Ints, rows: Ints, counts: Ints) -> Ints:
    """For each query how many records agree with it in every column in which neither is missing.

    `queries` and `rows` are int64 codes by columns, 0 is missing; row i stands for `counts[i]` records. Rows are taken
    together by which columns they have, so the work grows with the patterns of missing values times the records; where
    there are more patterns than that is worth, all pairs are compared.
    """
    query_patterns, row_patterns = _patterns(queries), _patterns(rows)
    compared = len(query_patterns) * len(rows) + len(row_patterns) * len(queries)
    by_pattern = compared + SETUP * len(query_patterns) * len(row_patterns)
    if len(queries) * len(rows) < PAIRS * by_pattern:
        return compare_all(np.ascontiguousarray(queries), np.ascontiguousarray(rows), counts)
    found = np.zeros(len(queries), np.int64)
    for here, queried in query_patterns:
        for there, held in row_patterns:
            shared = np.flatnonzero(here & there)
            label = class_sizes(
                np.vstack([rows[np.ix_(held, shared)], queries[np.ix_(queried, shared)]])
            ).label
            sums = np.bincount(label[: len(held)], weights=counts[held], minlength=int(label.max()) + 1)
            found[queried] += sums[label[len(held) :]].astype(np.int64)
    return found


@compiled
def compare_all(queries: Ints, rows: Ints, counts: Ints) -> Ints:
    """For each query how many records agree with it, by comparing it with every row."""
    found = np.zeros(len(queries), np.int64)
    width = queries.shape[1]
    for i in range(len(queries)):
        for j in range(len(rows)):
            agree = True
            for column in range(width):
                mine, other = queries[i, column], rows[j, column]
                if mine != other and mine != 0 and other != 0:
                    agree = False
                    break
            if agree:
                found[i] += counts[j]
    return found


def _patterns(codes: Ints) -> list[tuple[NDArray[np.bool_], Ints]]:
    """The patterns of present columns, each with the rows that have it."""
    present = codes != MISSING
    label = class_sizes(present.astype(np.int64)).label
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(label[order])) + 1) if len(codes) else []
    return [(present[rows[0]], rows) for rows in parts]
