"""Which cells to suppress where a missing value is a value of its own: few of them, for classes of at least k.

Codes are whole numbers from 1; 0 is missing. The work is done on distinct rows of codes with the number of records
each stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from discreet._kernels.counting.classes import class_sizes, class_sums
from discreet._kernels.counting.tuples import Tuples
from discreet.mask.column_choices import ColumnSet, choices_for, choices_of
from discreet.progress import Progress
from discreet.table import BoolArray, FloatArray, IntArray


def suppressed_cells(
    distinct: Tuples, k: int, progress: Progress, importance: FloatArray | None = None
) -> BoolArray:
    """Which cells each record loses so that every row of codes is shared by at least k records."""
    items = suppressed_items(distinct.codes, distinct.frequencies, k, progress, importance)
    return items.by_record(distinct.which)


def suppressed_items(
    codes: IntArray,
    frequencies: IntArray,
    k: int,
    progress: Progress,
    importance: FloatArray | None = None,
) -> Items:
    """Distinct rows with the cells set to missing by which every row is shared by at least k records.

    Rare rows lose one cell where that is enough, else two, and so on; among the choices of equally many columns the one
    that helps most records goes first; with the `importance` of the columns, first of all the choice of those that
    matter least. Where a few records are wanting, rows of classes larger than k lose the same
    cells to keep rare ones company, if that costs less than one more cell for each rare record. In the end a column is
    given back to a class whose records all had the same value in it.
    """
    items = Items(codes, frequencies, importance)
    width = codes.shape[1]
    for size in range(1, width + 1):
        progress(size - 1, width, "suppress")
        rare = np.flatnonzero(items.sizes() < k)
        if not len(rare):
            break
        choices = choices_of(items.codes, items.counts, rare, k, size)
        choices.sort(key=lambda choice: float(items.importance[choice].sum()))
        items.suppress_together(choices, k)
        for choice in choices:
            items.borrow(choice, k, most=(size + 1) / size)
    items.borrow_whatever_it_costs(k)
    items.give_back()
    progress(width, width, "suppress")
    return items


class _Group(NamedTuple):
    """Rare items that would be alike without some columns, and how many more records they need for k."""

    rare: IntArray
    others: IntArray
    need: int


class Items:
    """Rows of codes with cells taken away. The records of one row can be in several items, once some were lent."""

    def __init__(self, rows: IntArray, counts: IntArray, importance: FloatArray | None = None) -> None:
        self.rows = rows
        self.importance = np.ones(rows.shape[1]) if importance is None else importance
        self.origin = np.arange(len(rows))
        self.counts = counts.copy()
        # Column by column, as classes are formed.
        self.codes = rows.copy(order="F")
        self._lent: list[tuple[int, int, ColumnSet]] = []

    def sizes(self) -> IntArray:
        """How many records are in the class of each item."""
        return class_sums(self.codes, self.counts)

    def suppress_together(self, choices: list[ColumnSet], k: int) -> None:
        """Takes the columns of a choice from the rare items that this puts among k, the most helpful choice first."""
        while True:
            sizes = self.sizes()
            helped = [int(self.counts[self._helped(choice, sizes, k)].sum()) for choice in choices]
            if not any(helped):
                return
            price = np.array([self.importance[choice].sum() for choice in choices])
            for place in np.lexsort((-np.array(helped), price)).tolist():
                now = self._helped(choices[place], sizes, k)
                if len(now):
                    self.codes[np.ix_(now, choices[place])] = 0
                    sizes = self.sizes()

    def _helped(self, choice: ColumnSet, sizes: IntArray, k: int) -> IntArray:
        """The rare items that are among k or more once the columns of the choice are missing in them."""
        rare = sizes < k
        blank = (self.codes[:, choice] == 0).all(axis=1)
        active = np.flatnonzero(rare | blank)
        trial = self.codes[active]
        trial[:, choice] = 0
        enough = class_sums(trial, self.counts[active]) >= k
        return active[enough & rare[active]]

    def borrow(self, choice: ColumnSet, k: int, *, most: float) -> None:
        """Lets rare items join others that lose the same columns for it: `most` records for a rare one at the most."""
        for group in self._wanting(choice, k, most):
            self._lend(group, choice, k, whole=False)
        self._split_lent()

    def borrow_whatever_it_costs(self, k: int) -> None:
        """Lets what is still rare join others for the fewest cells, whole classes given where no surplus is left."""
        while True:
            sizes = self.sizes()
            rare = np.flatnonzero(sizes < k)
            if not len(rare):
                return
            first = int(rare[0])
            choices = choices_for(first, self.codes, self.counts)
            offers = [(each, self._group_of(first, each, sizes, k)) for each in choices]
            offers = [(each, group) for each, group in offers if self._can_lend(group)]
            choice, group = min(offers, key=lambda offer: self._cost(*offer))
            self._lend(group, choice, k, whole=True)
            self._split_lent()

    def _cost(self, choice: ColumnSet, group: _Group) -> float:
        return float(self.importance[choice].sum()) * (
            int(self.counts[group.rare].sum()) + max(0, group.need)
        )

    def _can_lend(self, group: _Group) -> bool:
        return group.need <= int(self.counts[group.others].sum())

    def _wanting(self, choice: ColumnSet, k: int, most: float) -> Iterator[_Group]:
        """The rare items by what is left of them without the columns, where they need records, and not too many."""
        rare = self.sizes() < k
        if not rare.any():
            return
        trial = self.codes.copy()
        trial[:, choice] = 0
        blank = (self.codes[:, choice] == 0).all(axis=1)
        own = class_sums(trial, np.where(rare, self.counts, 0))
        need = k - class_sums(trial, np.where(rare | blank, self.counts, 0))
        order = np.flatnonzero((own > 0) & (need > 0) & (own + need <= most * own))
        if not len(order):
            return
        label = class_sizes(trial[order]).label
        by_label = np.argsort(label, kind="stable")
        order = order[by_label]
        ends = np.flatnonzero(np.diff(label[by_label], append=-1)) + 1
        for start, end in zip(np.append(0, ends[:-1]).tolist(), ends.tolist(), strict=True):
            members = order[start:end]
            yield self._group(members, rare[members], blank[members], k)

    def _group_of(self, item: int, choice: ColumnSet, sizes: IntArray, k: int) -> _Group:
        """The group of one rare item under a choice."""
        others = np.setdiff1d(np.arange(self.codes.shape[1]), choice)
        members = np.flatnonzero((self.codes[:, others] == self.codes[item, others]).all(axis=1))
        blank = (self.codes[np.ix_(members, choice)] == 0).all(axis=1)
        return self._group(members, sizes[members] < k, blank, k)

    def _group(self, members: IntArray, rare: BoolArray, blank: BoolArray, k: int) -> _Group:
        need = k - int(self.counts[members[rare | blank]].sum())
        return _Group(members[rare], members[~rare & ~blank], need)

    def _lend(self, group: _Group, choice: ColumnSet, k: int, *, whole: bool) -> None:
        """Takes the columns from the rare items and from as many records of others as they need.

        Classes give what they have above k. Where that is too little, nothing happens, or with `whole` classes are
        given whole, so that nobody new becomes rare.
        """
        label = class_sizes(self.codes[group.others]).label if len(group.others) else group.others
        held = _sums(label, self.counts[group.others])
        surplus = np.maximum(0, held - k)
        if int(surplus.sum()) >= group.need:
            self._lend_surplus(group.others, label, surplus, choice, group.need)
        elif not whole:
            return
        else:
            fitting = np.flatnonzero(held >= group.need)
            given = (
                fitting[np.argsort(held[fitting], kind="stable")[:1]] if len(fitting) else np.argsort(-held)
            )
            given = given[: int(np.searchsorted(np.cumsum(held[given]), group.need)) + 1]
            self.codes[np.ix_(group.others[np.isin(label, given)], choice)] = 0
        self.codes[np.ix_(group.rare, choice)] = 0

    def _lend_surplus(
        self, others: IntArray, label: IntArray, surplus: IntArray, choice: ColumnSet, need: int
    ) -> None:
        """Splits off so many records of the other items, none from a class beyond its surplus."""
        left = surplus.copy()
        for item, its_class in zip(others.tolist(), label.tolist(), strict=True):
            taken = min(need, int(left[its_class]), int(self.counts[item]))
            if taken <= 0:
                continue
            left[its_class] -= taken
            need -= taken
            if taken == self.counts[item]:
                self.codes[item, choice] = 0
            else:
                self.counts[item] -= taken
                self._lent.append((item, taken, choice))

    def _split_lent(self) -> None:
        """Makes items of the records that were split off."""
        if not self._lent:
            return
        items = np.array([item for item, _, _ in self._lent])
        fresh = self.codes[items]
        for row, (_, _, choice) in enumerate(self._lent):
            fresh[row, choice] = 0
        self.origin = np.append(self.origin, self.origin[items])
        self.counts = np.append(self.counts, [taken for _, taken, _ in self._lent])
        self.codes = np.asfortranarray(np.vstack([self.codes, fresh]))
        self._lent = []

    def give_back(self) -> None:
        """Returns a column to every class whose records all had the same value in it."""
        for column in range(self.codes.shape[1]):
            original = self.rows[self.origin, column]
            taken = (self.codes[:, column] == 0) & (original > 0)
            label = class_sizes(self.codes).label
            number = int(label.max(initial=-1)) + 1
            least, most = np.full(number, np.iinfo(np.int64).max), np.zeros(number, dtype=np.int64)
            np.minimum.at(least, label, original)
            np.maximum.at(most, label, original)
            same = taken & (least[label] == most[label])
            self.codes[same, column] = original[same]

    def by_record(self, which: IntArray) -> BoolArray:
        """Which cells each record loses; the records of a row go to its items in the order of the file."""
        by_origin = np.argsort(self.origin, kind="stable")
        item = np.repeat(by_origin, self.counts[by_origin])
        gone: BoolArray = np.empty((len(which), self.codes.shape[1]), dtype=bool)
        gone[np.argsort(which, kind="stable")] = self.lost[item]
        return gone

    @property
    def lost(self) -> BoolArray:
        """Which cells of each item were taken away."""
        lost: BoolArray = (self.codes == 0) & (self.rows[self.origin] != 0)
        return lost


def _sums(label: IntArray, counts: IntArray) -> IntArray:
    """The counts added up by label."""
    return np.bincount(label, weights=counts).astype(np.int64) if len(label) else np.zeros(0, dtype=np.int64)
