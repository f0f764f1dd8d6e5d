"""Trials of a search side by side: in threads of this process, or on the workers of a cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol

from discreet.engine.running import Engine
from discreet.engine.scratch import scratch_beside
from discreet.plan import Plan
from discreet.progress import SILENT
from discreet.searching.budget import Budget, TimeUp
from discreet.searching.front import FailedPlan, TriedPlan
from discreet.searching.trial import Goal, confirmed, try_plan

Outcome = TriedPlan | FailedPlan | None
"""What comes of a plan; None where there was no time for it."""


class Trial(NamedTuple):
    """A plan to be tried, and the seed by which it draws."""

    plan: Plan
    seed: int


class Workers(Protocol):
    """Whatever tries plans side by side."""

    def first(self, goal: Goal, trial: Trial) -> Outcome:
        """What comes of the first plan of all under the cheap attacks, which may take all of the time."""

    def tried(self, goal: Goal, trials: Sequence[Trial]) -> Iterator[Outcome]:
        """What comes of plans under the cheap attacks, in their order."""

    def confirmed(self, goal: Goal, plans: Sequence[Plan], draw: int) -> Iterator[Outcome]:
        """What comes of plans under all attacks, in their order; those that nobody asks for need not be tried."""


@contextmanager
def working(engine: Engine | None, threads: int, budget: Budget, place: Path) -> Iterator[Workers]:
    """Whatever tries plans while the block runs; what workers of an engine share lies beside a place."""
    if engine is not None:
        with scratch_beside(place) as scratch:
            yield OnEngine(engine=engine, scratch=scratch, budget=budget)
        return
    pool = ThreadPoolExecutor(max_workers=threads)
    try:
        yield InThreads(pool=pool, budget=budget)
    finally:
        # A search that is stopped does not wait for plans that were not begun.
        pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class InThreads:
    """Threads of this process."""

    pool: ThreadPoolExecutor
    budget: Budget

    def first(self, goal: Goal, trial: Trial) -> Outcome:
        return self.budget.first(goal, trial.plan, trial.seed)

    def tried(self, goal: Goal, trials: Sequence[Trial]) -> Iterator[Outcome]:
        futures = [
            self.pool.submit(self.budget.timed, goal, plan, seed, goal.cheap()) for plan, seed in trials
        ]
        for future in futures:
            yield future.result()

    def confirmed(self, goal: Goal, plans: Sequence[Plan], draw: int) -> Iterator[Outcome]:
        for plan in plans:
            try:
                yield confirmed(goal, plan, draw)
            except TimeUp:
                yield None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnEngine:
    """The workers of an engine, which get the table through a file in a folder that all of them see."""

    engine: Engine
    scratch: Path
    budget: Budget

    def first(self, goal: Goal, trial: Trial) -> Outcome:
        return self.budget.first(goal, trial.plan, trial.seed)

    def tried(self, goal: Goal, trials: Sequence[Trial]) -> Iterator[Outcome]:
        work = Trying(goal=replace(goal, progress=SILENT), until=self.budget.until())
        yield from self.engine.each(work, trials, scratch=self.scratch, progress=SILENT, what="search")

    def confirmed(self, goal: Goal, plans: Sequence[Plan], draw: int) -> Iterator[Outcome]:
        work = Confirming(goal=replace(goal, progress=SILENT), draw=draw, until=self.budget.until())
        yield from self.engine.each(work, plans, scratch=self.scratch, progress=SILENT, what="search")


class Until(NamedTuple):
    """As the progress of the work on a plan: ends it at a time of the clock."""

    clock: float | None

    def __call__(self, done: float, total: float, what: str) -> None:
        if self.clock is not None and time.time() >= self.clock:
            raise TimeUp


@dataclass(frozen=True, slots=True, kw_only=True)
class Trying:
    """Tries a plan under the cheap attacks, on whatever worker; None where the time is up before it is done."""

    goal: Goal
    until: float | None

    def __call__(self, trial: Trial) -> Outcome:
        goal = replace(self.goal, progress=Until(self.until))
        try:
            goal.progress(0, 1, "search")
            return try_plan(goal, trial.plan, trial.seed, goal.cheap())
        except TimeUp:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirming:
    """Tries a plan under all attacks, on whatever worker; None where the time is up before it is done."""

    goal: Goal
    draw: int
    until: float | None

    def __call__(self, plan: Plan) -> Outcome:
        goal = replace(self.goal, progress=Until(self.until))
        try:
            goal.progress(0, 1, "search")
            return confirmed(goal, plan, self.draw)
        except TimeUp:
            return None
