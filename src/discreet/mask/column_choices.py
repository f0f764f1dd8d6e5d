"""Which sets of columns are worth taking cells from: all of a size while there are few, else the likely ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np

from discreet._kernels.counting.classes import class_sums
from discreet.table import BoolArray, IntArray

ColumnSet = IntArray
"""Some of the columns, by their places."""

MOST = 130
"""So many sets of columns of one size are all tried: every one up to nine columns."""
MOST_IN_ALL = 2**9
SOURCES = (20, 600)
"""How many rows that stand out tell which sets of columns are likely, at least and at most."""
COMPARED = 2_000_000
"""So many rows are compared with those, roughly, for one size."""


def choices_of(rows: IntArray, counts: IntArray, rare: IntArray, k: int, size: int) -> list[ColumnSet]:
    """The sets of so many columns to try: all, or those that put some of the rare rows among k, commonest first."""
    width = rows.shape[1]
    if comb(width, size) <= MOST:
        return [np.array(each) for each in combinations(range(width), size)]
    sources = min(len(rare), int(np.clip(COMPARED // len(rows), *SOURCES)))
    some = rare[np.linspace(0, len(rare) - 1, sources).astype(np.int64)]
    likely = Counter(
        tuple(next(each for each, records in _company(rows, counts, row) if records >= k).tolist())
        for row in some.tolist()
    )
    return [np.array(each) for each, _ in likely.most_common() if len(each) == size]


def choices_for(row: int, rows: IntArray, counts: IntArray) -> list[ColumnSet]:
    """Sets of columns of any size, without which others are like a row; the last one makes all rows alike."""
    width = rows.shape[1]
    if 2**width <= MOST_IN_ALL:
        return [np.array(each) for size in range(1, width + 1) for each in combinations(range(width), size)]
    return [each for each, _ in _company(rows, counts, row) if len(each)]


def _company(rows: IntArray, counts: IntArray, row: int) -> Iterator[tuple[ColumnSet, int]]:
    """Growing sets of columns, each with how many records are like a row without them; the nearest rows join first."""
    differ = rows != rows[row]
    taken: BoolArray = np.zeros(rows.shape[1], dtype=bool)
    while True:
        wanting = differ[:, ~taken].sum(axis=1)
        alike = wanting == 0
        yield np.flatnonzero(taken), int(counts[alike].sum())
        if alike.all():
            return
        taken |= differ[int(np.argmin(np.where(alike, rows.shape[1] + 1, wanting)))]


def cells_needed(rows: IntArray, counts: IntArray, k: int) -> int:
    """A number of cells that no suppression can do with less of, where missing is a value of its own.

    Whoever is among k at last agrees with k records in the cells that are kept. So each row loses at least as many
    cells as it must for that, whatever the others lose. Sets of columns are tried by size while there are few enough.
    """
    width = rows.shape[1]
    rows = np.asfortranarray(rows)
    blank = rows == 0
    needed = np.zeros(len(rows), dtype=np.int64)
    waiting: BoolArray = np.ones(len(rows), dtype=bool)
    for size in range(width + 1):
        needed[waiting] = np.maximum(0, size - blank[waiting].sum(axis=1))
        if comb(width, size) > MOST:
            break
        for each in combinations(range(width), size):
            others = np.setdiff1d(np.arange(width), each)
            enough = class_sums(rows[:, others], counts) >= k
            waiting &= ~(enough & ~blank[:, others].any(axis=1))
        if not waiting.any():
            break
    return int(needed @ counts)
