"""Which cells to suppress where it matters whose records are alike and what they hold: few, for all to reach it.

Codes are whole numbers from 1; 0 is missing, a value of its own. Records with the same codes lose the same cells.
"""

from __future__ import annotations

import numpy as np

from discreet._kernels.counting.classes import class_sizes
from discreet._kernels.counting.tuples import Tuples, tuples_of
from discreet.mask.column_choices import ColumnSet, choices_of
from discreet.mask.joining import Joining
from discreet.progress import Progress
from discreet.requirement import Holdings
from discreet.table import BoolArray, FloatArray, IntArray


def suppressed_cells_for(distinct: Tuples, everything: Holdings, progress: Progress) -> BoolArray:
    """Which cells to set to missing so that all records with the same row of codes reach what is wanted together.

    Rows that fall short lose one cell where that is enough, else two, and so on; among the choices of equally many
    columns the one that helps most records goes first. What is left joins, the rarest first, the class for which
    that costs fewest cells: both lose the columns in which they differ. In the end a column is given back to a class
    whose records all had the same value in it.
    """
    rows = _Rows(distinct, everything)
    width = distinct.codes.shape[1]
    for size in range(1, width + 1):
        progress(size - 1, width, "suppress")
        short = np.flatnonzero(rows.short())
        if not len(short):
            break
        k = everything.requirement.k
        rows.suppress_together(choices_of(rows.codes, distinct.frequencies, short, k, size))
    rows.join_rest(progress)
    rows.give_back()
    progress(width, width, "suppress")
    lost: BoolArray = ((rows.codes == 0) & (distinct.codes != 0))[distinct.which]
    return lost


class _Rows:
    """Distinct rows of codes with cells taken away."""

    def __init__(self, distinct: Tuples, everything: Holdings) -> None:
        self.distinct, self.everything = distinct, everything
        self.holdings = everything.among(np.arange(len(distinct.which)), distinct.which)
        self.codes = distinct.codes.copy()

    def short(self) -> BoolArray:
        """Which rows are in a class that falls short."""
        return self._fails(self.codes)

    def _fails(self, codes: IntArray) -> BoolArray:
        label = class_sizes(codes).label
        return self.holdings.standing(label).fails[label]

    def suppress_together(self, choices: list[ColumnSet]) -> None:
        """Takes the columns of a choice from short rows that reach it then, the most helpful choice first."""
        counts = self.distinct.frequencies
        while True:
            short = self.short()
            helped = [int(counts[self._helped(choice, short)].sum()) for choice in choices]
            if not any(helped):
                return
            for place in np.argsort(-np.array(helped), kind="stable").tolist():
                now = self._helped(choices[place], short)
                if len(now):
                    self.codes[np.ix_(now, choices[place])] = 0
                    short = self.short()

    def _helped(self, choice: ColumnSet, short: BoolArray) -> IntArray:
        """The short rows whose class reaches what is wanted once the columns of the choice are missing in them."""
        blank = (self.codes[:, choice] == 0).all(axis=1)
        active = np.flatnonzero(short | blank)
        trial = self.codes[active]
        trial[:, choice] = 0
        label = class_sizes(trial).label
        fails = self.holdings.standing(label, active).fails[label]
        return active[~fails & short[active]]

    def join_rest(self, progress: Progress) -> None:
        """Joins each class that still falls short to the one for which that costs fewest cells."""
        now = tuples_of(self.codes)
        counts = np.bincount(now.which, weights=self.distinct.frequencies).astype(np.int64)
        everyone = np.arange(len(self.distinct.which))
        joining = Joining(
            now._replace(frequencies=counts),
            self.everything.among(everyone, now.which[self.distinct.which]),
            [_value_or_missing(int(column.max(initial=0))) for column in self.codes.T],
            [_one_cell] * self.codes.shape[1],
        )
        joining.join_all(progress)
        self.codes = joining.final()[now.which]

    def give_back(self) -> None:
        """Returns a column to every class whose records all had the same value in it, where nobody falls short then."""
        for column in range(self.codes.shape[1]):
            original = self.distinct.codes[:, column]
            label = class_sizes(self.codes).label
            number = int(label.max(initial=-1)) + 1
            least, most = np.full(number, np.iinfo(np.int64).max), np.zeros(number, dtype=np.int64)
            np.minimum.at(least, label, original)
            np.maximum.at(most, label, original)
            trial = self.codes.copy()
            trial[:, column] = np.where(least[label] == most[label], original, trial[:, column])
            if not self._fails(trial).any():
                self.codes = trial


def _value_or_missing(most: int) -> IntArray:
    """For each code what it is in two steps from the top: missing, and itself."""
    return np.column_stack([np.zeros(most + 1, dtype=np.int64), np.arange(most + 1)])


def _one_cell(low: IntArray, high: IntArray) -> FloatArray:
    return np.where(low != high, 1.0, 0.0)
