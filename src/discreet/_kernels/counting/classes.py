"""Equivalence classes: records with the same codes in every column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Ints
from discreet._kernels.counting.distinct import Distinct, distinct_rows

DENSE_CELLS_A_RECORD = 4


class Classes(NamedTuple):
    """For each record the size of its class and the label of its class.

    Labels count from 0 in the order in which the classes first appear.
    """

    sizes: Ints
    label: Ints


def class_sizes(codes: Ints) -> Classes:
    """The size and label of the equivalence class of each record of integer codes [records, columns].

    Any 64-bit codes do, negative ones too: a code is only compared with others of its column. With no columns
    all records are one class. Costs time and memory in proportion to the records.
    """
    if codes.ndim != 2 or codes.dtype != np.int64:
        raise ValueError(
            f"class_sizes takes int64 codes by records and columns; got {codes.dtype} {codes.ndim}-d"
        )
    distinct = _by_cell(codes)
    if distinct is None:
        distinct = distinct_rows(codes)
    return Classes(distinct.counts[distinct.labels], distinct.labels)


def class_sums(codes: Ints, weights: Ints) -> Ints:
    """For each record of integer codes the sum of the weights in its equivalence class.

    The sums are exact below 2^53. Costs time and memory in proportion to the records, less than finding labels.
    """
    cells = _cells(codes)
    if cells is None:
        label = distinct_rows(codes).labels
        return np.bincount(label, weights=weights).astype(np.int64)[label]
    key, number = cells
    return np.bincount(key, weights=weights, minlength=number).astype(np.int64)[key]


def _cells(codes: Ints) -> tuple[Ints, int] | None:
    """The cell of each record, where each possible combination has one, and their number; None when too many."""
    count, width = codes.shape
    if count == 0 or width == 0:
        return None
    key = np.zeros(count, np.int64)
    cells = 1
    for j in range(width):
        column = codes[:, j]
        least = int(column.min())
        levels = int(column.max()) - least + 1
        cells *= levels
        if cells > DENSE_CELLS_A_RECORD * count + 1024:
            return None
        key *= levels
        key += column
        key -= least
    return key, cells


def _by_cell(codes: Ints) -> Distinct | None:
    """The classes counted in one cell for each possible combination; None when those are too many."""
    found = _cells(codes)
    if found is None:
        return None
    (key, cells), count = found, len(codes)
    counts = np.bincount(key, minlength=cells)
    firsts = np.full(cells, count)
    firsts[key[::-1]] = np.arange(count - 1, -1, -1)
    seen = np.flatnonzero(counts)
    by_appearance = seen[np.argsort(firsts[seen])]
    label = np.empty(cells, np.int64)
    label[by_appearance] = np.arange(len(by_appearance))
    return Distinct(label[key], firsts[by_appearance], counts[by_appearance].astype(np.int64))
