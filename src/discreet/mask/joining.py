"""Rare combinations that join the one for which it costs least, both brought to what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from discreet._kernels.counting.tuples import Tuples
from discreet.progress import Progress
from discreet.requirement import Holdings
from discreet.table import FloatArray, IntArray

Cost = Callable[[IntArray, IntArray], FloatArray]
"""What it costs one record to go from a node up to another."""


class Joining:
    """Combinations of nodes that join each other; a combination that has joined another has no records any more.

    `above[j]` has for each node of column j (rows) its ancestor at each depth (columns), itself from its own depth on.
    """

    def __init__(
        self, distinct: Tuples, holdings: Holdings, above: Sequence[IntArray], costs: Sequence[Cost]
    ) -> None:
        self.nodes = distinct.codes.copy()
        self.counts = distinct.frequencies.copy()
        self.holdings = holdings
        self.fails = holdings.standing(np.arange(len(self.nodes))).fails
        self.members = [[place] for place in range(len(self.nodes))]
        self.becomes = np.arange(len(self.nodes))
        self.above, self.costs = above, costs
        self.place = {row.tobytes(): number for number, row in enumerate(self.nodes)}
        self.steps = 0

    def join_all(self, progress: Progress) -> None:
        """Joins the rarest combination that falls short to its cheapest partner until none does."""
        while True:
            present = np.flatnonzero(self.counts)
            short = present[self.fails[present]]
            if not len(short) or len(present) == 1:
                return
            rarest = int(short[np.argmin(self.counts[short])])
            progress(self.steps, self.steps + len(present), "generalise")
            self._join(rarest, *self._cheapest(rarest, present[present != rarest]))

    def _cheapest(self, one: int, others: IntArray) -> tuple[int, IntArray]:
        """The partner for which joining costs least, and what both become."""
        total = np.zeros(len(others))
        common = np.empty((len(others), self.nodes.shape[1]), dtype=np.int64)
        for place, (above, cost) in enumerate(zip(self.above, self.costs, strict=True)):
            own, theirs = self.nodes[one, place], self.nodes[others, place]
            shared = (above[theirs] == above[own]).sum(axis=1)
            common[:, place] = above[own, shared - 1]
            total += self.counts[one] * cost(np.full(len(others), own), common[:, place])
            total += self.counts[others] * cost(theirs, common[:, place])
        best = int(np.argmin(total))
        return int(others[best]), common[best]

    def _join(self, one: int, other: int, common: IntArray) -> None:
        self.steps += 1
        for row in (one, other):
            self.place.pop(self.nodes[row].tobytes(), None)
        self._move(one, other)
        self.nodes[other] = common
        same = self.place.setdefault(common.tobytes(), other)
        if same != other:
            self._move(other, same)
        if self.holdings.plain:
            self.fails[same] = self.counts[same] < self.holdings.requirement.k
        else:
            self.fails[same] = not self.holdings.reaches(np.array(self.members[same]))

    def _move(self, one: int, other: int) -> None:
        self.counts[other] += self.counts[one]
        self.counts[one] = 0
        self.becomes[one] = other
        self.members[other] += self.members[one]
        self.members[one] = []

    def final(self) -> IntArray:
        """What each combination has become."""
        target = self.becomes
        while True:
            further = target[target]
            if (further == target).all():
                return np.asarray(self.nodes[target])
            target = further
