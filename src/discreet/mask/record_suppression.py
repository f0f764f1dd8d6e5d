"""Which records lose all their values so that the classes of the others, and their own, reach what is wanted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.households import for_whole_households, household_columns
from discreet.requirement import Holdings, Requirement
from discreet.table import BoolArray, IntArray, Table


def with_company(frequencies: IntArray, label: IntArray, fails: BoolArray, k: int) -> IntArray:
    """How many records of each tuple are suppressed: all of classes that are too small, and others so that k are.

    The others come from the largest class, which keeps k or goes whole.
    """
    gone = np.where(fails[label], frequencies, 0)
    need = k - int(gone.sum())
    if need <= 0 or bool(fails.all()):
        return gone
    held = np.bincount(label, weights=frequencies).astype(np.int64)
    largest = np.flatnonzero(label == label[np.argmax(held[label])])
    if int(held[label[largest[0]]]) - need < k:
        need = int(held[label[largest[0]]])
    for row in largest.tolist():
        gone[row] = min(need, int(frequencies[row]))
        need -= int(gone[row])
    return gone


class RecordSuppression:
    """Suppression of whole records where it matters whose they are and what they hold.

    Where a key is that of a household, all its members are suppressed together: the others would tell it.
    """

    def __init__(
        self,
        table: Table,
        columns: Sequence[str],
        wanted: Requirement,
        allowed: int,
        times: IntArray | None = None,
    ) -> None:
        self.households = table.households() if household_columns(table, columns) else None
        self.allowed = allowed
        self.holdings = Holdings(table, wanted, times=times)

    @property
    def needed(self) -> bool:
        """Whether counting records is not enough."""
        return not self.holdings.plain or self.households is not None

    def records(self, label: IntArray, empty: int, fails: BoolArray) -> BoolArray | None:
        """Which records lose their values where some classes fall short; None where they are more than allowed.

        `empty` is the class of records that have no value to lose; they and the suppressed ones are one class.
        """
        blank = int(label.max()) + 1
        label = np.where(label == empty, blank, label)
        gone: BoolArray = np.append(fails, empty >= 0 and bool(fails[empty]))[label]
        while True:
            if self.households is not None:
                gone = for_whole_households(gone, self.households)
            if int(self.holdings.records[gone].sum()) > self.allowed:
                return None
            classes, now = np.unique(np.where(gone, blank, label), return_inverse=True)
            short = self.holdings.standing(now).fails
            if not short.any():
                return gone
            more = (short & (classes != blank))[now]
            if not more.any():
                company = self._company(classes, now, blank, int(self.holdings.records[gone].sum()))
                if company is None:
                    return None
                more = company
            gone = gone | more

    def _company(self, classes: IntArray, now: IntArray, blank: int, gone: int) -> BoolArray | None:
        """The records of the fewest small classes with which the suppressed ones reach what is wanted; None if none."""
        held = np.bincount(now, weights=self.holdings.records)
        order = np.argsort(held, kind="stable")
        order = order[classes[order] != blank]
        most = int(np.searchsorted(np.cumsum(held[order]), self.allowed - gone, side="right"))
        suppressed = classes[now] == blank

        def with_first(number: int) -> BoolArray:
            return np.asarray(suppressed | np.isin(now, order[:number]))

        if not self.holdings.reaches(np.flatnonzero(with_first(most))):
            return None
        low, high = 0, most
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (
                (low, middle) if self.holdings.reaches(np.flatnonzero(with_first(middle))) else (middle, high)
            )
        return with_first(high)
