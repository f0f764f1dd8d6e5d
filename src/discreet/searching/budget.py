"""How long a search may go on, and the work on one plan within that time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from discreet.errors import BadParameter
from discreet.plan import Plan
from discreet.searching.front import FailedPlan, TriedPlan
from discreet.searching.trial import Goal, try_plan

FOR_TRYING = 0.6
"""The share of the seconds of a search for trying plans; the rest is for all attacks on those with the least loss."""


class TimeUp(Exception):
    """Raised in the midst of the work on a plan when the time of a search is up; it never leaves the search."""


class Budget:
    """How long a search may go on. The last part of its time is kept for all attacks on what would be chosen."""

    def __init__(self, *, seconds: float | None, trials: int | None) -> None:
        if seconds is not None and not seconds > 0:
            raise BadParameter("search: seconds must be above 0.")
        if trials is not None and trials < 1:
            raise BadParameter("search: trials must be at least 1.")
        self.seconds, self.trials, self.began = seconds, trials, time.monotonic()
        self.is_for_trying = True
        self.longest = 0.0
        """The seconds of the plan that took longest."""

    def spent(self, tried: int) -> float:
        """The share of the budget for trying that is used up."""
        by_time = 0.0 if self.seconds is None else self._gone / (self.seconds * FOR_TRYING)
        by_count = 0.0 if self.trials is None else tried / self.trials
        return min(1.0, max(by_time, by_count))

    @property
    def _gone(self) -> float:
        return time.monotonic() - self.began

    @property
    def is_up(self) -> bool:
        """Whether all of the time is gone."""
        return self.seconds is not None and self._gone >= self.seconds

    @property
    def has_room(self) -> bool:
        """Whether another plan would be done in time, by what the longest one took; the first is always begun."""
        if self.seconds is None or self.longest == 0 or not self.is_for_trying:
            return True
        return self._gone + self.longest <= self.seconds * FOR_TRYING

    def until(self) -> float | None:
        """The time of the clock at which the time is up, or that for trying; None where there is no such one."""
        if self.seconds is None:
            return None
        share = FOR_TRYING if self.is_for_trying else 1.0
        return time.time() + self.seconds * share - self._gone

    def check(self, done: float, total: float, what: str) -> None:
        """As the progress of the work on a plan: ends it when the time is up, or that for trying."""
        if self.is_up or (self.is_for_trying and self.spent(0) >= 1):
            raise TimeUp

    @contextmanager
    def whole_time(self) -> Iterator[None]:
        """What is done within it may take the time that is kept for all attacks too."""
        before, self.is_for_trying = self.is_for_trying, False
        try:
            yield
        finally:
            self.is_for_trying = before

    def first(self, goal: Goal, plan: Plan, seed: int) -> TriedPlan | FailedPlan | None:
        """What comes of the first plan under the cheap attacks, which may take all of the time."""
        with self.whole_time():
            return self.timed(goal, plan, seed, goal.cheap())

    def timed(
        self, goal: Goal, plan: Plan, seed: int, attacks: tuple[str, ...]
    ) -> TriedPlan | FailedPlan | None:
        """What comes of a plan; None where there is no time for it."""
        if not self.has_room:
            return None
        began = time.monotonic()
        try:
            return try_plan(goal, plan, seed, attacks)
        except TimeUp:
            return None
        finally:
            self.longest = max(self.longest, time.monotonic() - began)
