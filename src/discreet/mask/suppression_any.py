"""Which cells to suppress where a missing value matches anything: few of them, for at least k matches each.

Codes are whole numbers from 1; 0 is missing. The work is done on distinct rows of codes with the number of records
each stands for.
"""

from __future__ import annotations

import numpy as np

from discreet._kernels.counting.classes import class_sizes
from discreet._kernels.counting.compatible import compatible_counts
from discreet._kernels.counting.tuples import Tuples
from discreet.mask.column_choices import ColumnSet, choices_of
from discreet.progress import Progress
from discreet.table import BoolArray, IntArray


def suppressed_cells_any(distinct: Tuples, k: int, progress: Progress) -> BoolArray:
    """Which cells to set to missing so that at least k records agree with each record wherever neither is missing.

    Records with too few matches lose one cell where that is enough, else two, and so on; among the choices of equally
    many columns the one that helps most records goes first. Of records that would match each other without the same
    columns only so many lose them as the others need for their k.
    """
    rows, counts = distinct.codes.copy(), distinct.frequencies
    width = distinct.codes.shape[1]
    for size in range(1, width + 1):
        progress(size - 1, width, "suppress")
        rare, _ = _rare(rows, counts, k)
        if not len(rare):
            break
        _suppress_by_size(rows, counts, k, choices_of(rows, counts, rare, k, size))
    progress(width, width, "suppress")
    gone: BoolArray = ((rows == 0) & (distinct.codes != 0))[distinct.which]
    return gone


def _suppress_by_size(rows: IntArray, counts: IntArray, k: int, choices: list[ColumnSet]) -> None:
    """Takes the columns of a choice from rows that then have k matches, until no choice helps; changes the rows."""
    while True:
        rare, matches = _rare(rows, counts, k)
        helped = [int(counts[_helped(rows, counts, k, rare, choice)].sum()) for choice in choices]
        if not any(helped):
            return
        for place in np.argsort(-np.array(helped), kind="stable").tolist():
            choice = choices[place]
            now = _helped(rows, counts, k, rare, choice)
            if len(now):
                chosen = _needed(rows[now], counts[now], matches[np.searchsorted(rare, now)], choice, k)
                rows[np.ix_(now[chosen], choice)] = 0
                rare, matches = _rare(rows, counts, k)


def _rare(rows: IntArray, counts: IntArray, k: int) -> tuple[IntArray, IntArray]:
    """The rows with fewer than k matches, and how many they have."""
    # A row that is shared by k records has its matches already, so only the others are counted.
    few = np.flatnonzero(counts < k)
    matches = compatible_counts(rows[few], rows, counts)
    return few[matches < k], matches[matches < k]


def _helped(rows: IntArray, counts: IntArray, k: int, rare: IntArray, choice: ColumnSet) -> IntArray:
    """The rare rows that have k matches or more without the columns of the choice."""
    trial = rows[rare]
    trial[:, choice] = 0
    return rare[compatible_counts(trial, rows, counts) >= k]


def _needed(rows: IntArray, counts: IntArray, matches: IntArray, choice: ColumnSet, k: int) -> BoolArray:
    """Which of the rows must lose the columns: of those alike without them, the rest gain a match from each.

    Those with the fewest matches go first; a row that has its k with the matches gained so far keeps its cells.
    """
    trial = rows.copy()
    trial[:, choice] = 0
    label = class_sizes(trial).label
    order = np.lexsort((matches, label))
    ends = np.flatnonzero(np.diff(label[order], append=-1)) + 1
    needed = np.zeros(len(rows), dtype=bool)
    for start, end in zip(np.append(0, ends[:-1]).tolist(), ends.tolist(), strict=True):
        gained = 0
        for row in order[start:end].tolist():
            if matches[row] + gained >= k:
                break
            needed[row] = True
            gained += int(counts[row])
    return needed
