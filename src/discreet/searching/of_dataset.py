"""Searching a plan for a dataset: plans are tried on a sample of its people, and the best ones on all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from discreet.assessment import assess
from discreet.dataset import Dataset
from discreet.digests import digest_of
from discreet.engine.protecting import refuse_what_cannot_be_masked
from discreet.engine.scratch import scratch_beside
from discreet.errors import BadParameter, DiscreetError, NotSplit
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.searching.budget import TimeUp
from discreet.searching.front import FailedPlan, TriedPlan
from discreet.searching.sample import groups_of, rows_of_sample
from discreet.searching.side_by_side import Outcome, Trial, Workers
from discreet.searching.trial import Goal, point_of, seed_of
from discreet.table import Role, Table

SAMPLE = 20_000
"""So many records of a dataset plans are tried on, or all where there are fewer."""
FEWEST = 100
MOST_WHOLE = 3
"""So many plans, those with the least loss on the sample, are carried out on the whole dataset and judged there."""


def sample_of(dataset: Dataset, records: int, draw: int) -> Table:
    """A table of about so many records of a dataset, with all records of each household or person that is in it."""
    if records < FEWEST:
        raise BadParameter(f"search: sample must be at least {FEWEST} records; got {records}.")
    if len(dataset) <= records:
        return replace(dataset.read(), source=None)
    holders = [*dataset.having(Role.HOUSEHOLD), *dataset.having(Role.PERSON)]
    groups = groups_of(dataset.whole(holders)) if holders else np.arange(len(dataset))
    return dataset.rows(rows_of_sample(groups, records, draw=draw), dataset.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnWhole:
    """Tries plans on a sample, as `few` do it, and the best of them on the whole dataset, in parts."""

    few: Workers
    dataset: Dataset
    engine: Any

    def first(self, goal: Goal, trial: Trial) -> Outcome:
        return self._refused(trial.plan) or self.few.first(goal, trial)

    def tried(self, goal: Goal, trials: Sequence[Trial]) -> Iterator[Outcome]:
        refused = [self._refused(each.plan) for each in trials]
        possible = [each for each, reason in zip(trials, refused, strict=True) if reason is None]
        found = self.few.tried(goal, possible)
        for reason in refused:
            yield next(found) if reason is None else reason

    def confirmed(self, goal: Goal, plans: Sequence[Plan], draw: int) -> Iterator[Outcome]:
        for plan in plans[:MOST_WHOLE]:
            try:
                yield self._on_all(goal, plan, seed_of(draw, 2, int(digest_of(plan), 16), 0))
            except TimeUp:
                yield None

    def _refused(self, plan: Plan) -> FailedPlan | None:
        """Why the dataset cannot be masked by a plan; None where it can."""
        try:
            refuse_what_cannot_be_masked(self.dataset, plan)
        except NotSplit as reason:
            return FailedPlan(plan=plan, reason=str(reason))
        return None

    def _on_all(self, goal: Goal, plan: Plan, seed: int) -> TriedPlan | FailedPlan:
        """What comes of a plan on the whole dataset, under all attacks; the release is gone afterwards."""
        beside = Path(self.dataset.shelves[0].files[0].path).parent
        try:
            with scratch_beside(beside) as scratch:
                folder = scratch / "release"
                release = protect(self.dataset, plan, seed=seed)
                release.save(folder, engine=self.engine, progress=goal.progress)
                found = assess(
                    self.dataset,
                    Release.scan(folder),
                    attacks=goal.attacks,
                    losses=goal.losses,
                    engine=self.engine,
                    progress=goal.progress,
                )
                return point_of(goal, plan, found, found.losses, goal.attacks)
        except DiscreetError as reason:
            return FailedPlan(plan=plan, reason=str(reason))
