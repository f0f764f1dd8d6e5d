"""The lattice of generalisations: one level for each column, searched for the one that loses least.

A combination of levels is at least as coarse as another where no level is lower. Coarser combinations leave no more
records below k, and their values no less vague; both let whole parts of the lattice be left out, so that the best is
found without trying all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from discreet.table import FloatArray

Levels = tuple[int, ...]
AT_ONCE = 1 << 14


class Outcome(NamedTuple):
    """What a combination of levels gives: the records below k, the loss, and how many records are suppressed.

    The loss is infinite where too many would be suppressed. `below` may leave out what is not sure to be so in every
    finer combination too: values that are not diverse enough, say.
    """

    below: int
    loss: float
    suppressed: int = 0


class BestLevels(NamedTuple):
    """The best combination, its outcome, and how many combinations were tried."""

    levels: Levels
    outcome: Outcome
    tried: int


def least_loss(
    losses: list[FloatArray], allowed: int, outcome_of: Callable[[Levels], Outcome]
) -> BestLevels | None:
    """The combination of levels with the least loss of those with at most `allowed` records below k; None if none.

    `losses[j][l]` is what level l of column j loses over all records: their sum is the least that a combination and all
    coarser ones can lose, because a suppressed record loses more than a generalised one. Combinations are taken by
    growing sum until that is no less than the best loss found. Where too many records are below k, a way up to the top
    is halved for the coarsest combination of which that is still so; all below that are left out. What is coarser than
    a combination that needs no suppression is left out too.
    """
    search = _Search(losses, allowed, outcome_of)
    for levels, bound in search.open_by_growing_bound():
        if search.best is not None and bound > search.best[0]:
            break
        if search.outcome(levels).below > allowed:
            search.rule_out(levels)
        else:
            search.leave_out(levels)
    if search.best is None:
        return None
    return BestLevels(search.best[1], search.outcome(search.best[1]), len(search.known))


class _Search:
    """The lattice, and what is known of it."""

    def __init__(
        self, losses: list[FloatArray], allowed: int, outcome_of: Callable[[Levels], Outcome]
    ) -> None:
        # What values lose never falls on the way up.
        self.losses = [np.maximum.accumulate(each) for each in losses]
        self.allowed = allowed
        self.outcome_of = outcome_of
        self.top = tuple(len(each) - 1 for each in losses)
        self.known: dict[Levels, Outcome] = {}
        self.best: tuple[float, Levels] | None = None
        self.bounds = sum(np.ix_(*self.losses), start=np.zeros(()))
        self.open = np.ones(self.bounds.shape, dtype=bool)

    def open_by_growing_bound(self) -> Iterator[tuple[Levels, float]]:
        """The combinations that are not left out when their turn comes, those that can lose least first."""
        order = np.argsort(self.bounds, axis=None, kind="stable")
        is_open, bounds = self.open.reshape(-1), self.bounds.reshape(-1)
        for start in range(0, len(order), AT_ONCE):
            turn = order[start : start + AT_ONCE]
            while True:
                turn = turn[is_open[turn]]
                if not len(turn):
                    break
                is_open[turn[0]] = False
                places = np.unravel_index(int(turn[0]), self.bounds.shape)
                yield tuple(int(place) for place in places), float(bounds[turn[0]])

    def outcome(self, levels: Levels) -> Outcome:
        if levels not in self.known:
            found = self.known[levels] = self.outcome_of(levels)
            if found.below <= self.allowed and found.loss < np.inf:
                self.best = min(self.best or (np.inf, levels), (found.loss, levels))
        return self.known[levels]

    def rule_out(self, levels: Levels) -> None:
        """Finds the last combination that fails on a way from one that does to the top, and leaves out all below it."""
        way = [levels]
        while way[-1] != self.top:
            way.append(min(self._one_up(way[-1]), key=lambda each: (float(self.bounds[each]), each)))
        low, high = 0, len(way)
        while high - low > 1:
            middle = (low + high) // 2
            if self.outcome(way[middle]).below > self.allowed:
                low = middle
            else:
                high = middle
        self.open[tuple(slice(level + 1) for level in way[low])] = False

    def leave_out(self, levels: Levels) -> None:
        """Leaves out all that is coarser than a combination that will do as it is: it loses no less."""
        outcome = self.outcome(levels)
        if outcome.loss < np.inf and outcome.suppressed == 0:
            self.open[tuple(slice(level, None) for level in levels)] = False

    def _one_up(self, levels: Levels) -> list[Levels]:
        return [
            (*levels[:place], level + 1, *levels[place + 1 :])
            for place, level in enumerate(levels)
            if level < self.top[place]
        ]
