"""Trying one plan: mask, attack, measure; cheap attacks first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discreet import seeds
from discreet.assessment import LOST, NOT_CHECKED, Assessment, assess, limits_of
from discreet.caching import Cache
from discreet.digests import digest_of
from discreet.errors import BadParameter, DiscreetError
from discreet.headline import HEADLINES, IDENTITY, checked_name, quick_attacks_of
from discreet.intruder import OWNER, Intruder
from discreet.method_call import MethodCall
from discreet.plan import Plan
from discreet.progress import SILENT, Progress
from discreet.protection import protect
from discreet.release import Release
from discreet.results import Loss, Risk, as_kept
from discreet.searching.front import FailedPlan, TriedPlan
from discreet.table import Table

REPEATS = 3
"""Times a plan is tried before it is chosen, because masking is random."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Goal:
    """What a search is after: the least loss among the plans that keep to the limits.

    Where columns of the table are left out of every release, `whole` is the table that still has them, by which loss is
    measured. Headlines in `shown` are computed too, and not limited.
    `progress` is told of the work on a plan, and can end it.
    """

    table: Table
    ceilings: Mapping[str, float]
    floors: Mapping[str, float]
    losses: tuple[str, ...]
    intruder: Intruder = OWNER
    whole: Table | None = None
    shown: tuple[str, ...] = ()
    progress: Progress = SILENT

    @classmethod
    def of(
        cls,
        table: Table,
        ceilings: Mapping[str, float],
        floors: Mapping[str, float],
        loss: str | None,
        intruder: Intruder = OWNER,
    ) -> Goal:
        """The goal for a table, with the loss named or the usual ones for its columns."""
        for name, bound in ceilings.items():
            checked_name(name)
            if not 0 < bound <= 1:
                raise BadParameter(
                    f"search: the ceiling of {name} must be above 0 and at most 1; got {bound:g}."
                )
        for name in floors:
            checked_name(name)
        losses = (loss or LOST,)
        for name in losses:
            MethodCall.parse("loss", name)
        return cls(
            table=table, ceilings=dict(ceilings), floors=dict(floors), losses=losses, intruder=intruder
        )

    @property
    def attacks(self) -> tuple[str, ...]:
        """The headlines and attacks that decide, cheap ones first; without a ceiling the headline risk is shown."""
        named = dict.fromkeys([*(self.ceilings or [IDENTITY]), *self.floors, *self.shown])
        return tuple(sorted(named, key=_is_expensive))

    def cheap(self) -> tuple[str, ...]:
        """The attacks that every plan is tried with: of a headline those that find most for their time."""
        named = [name for name in self.attacks if not _is_expensive(name)] or [IDENTITY]
        return tuple(
            dict.fromkeys(
                each
                for name in named
                for each in (quick_attacks_of(name, self.table) if name in HEADLINES else [name])
            )
        )


def try_plan(goal: Goal, plan: Plan, seed: int, attacks: tuple[str, ...]) -> TriedPlan | FailedPlan:
    """The point of a plan under these attacks; where the table does not allow the plan, why.

    A plan that cannot be carried out (k above the records, nothing to swap) is no point; one whose risk or loss cannot
    be computed is none either, because it could not be told from a safe or a lossless one. The quick attacks come
    first: what they refuse meets no others, and `checked` says so.
    """
    quick = goal.cheap()
    results = None if attacks == quick else _Remembered()
    try:
        release = protect(goal.table, plan, seed=seed, progress=goal.progress)
        if results is not None:
            point = _point_of(goal, plan, release, quick, results)
            if isinstance(point, TriedPlan) and not point.meets:
                return point
        return _point_of(goal, plan, release, attacks, results)
    except DiscreetError as reason:
        return FailedPlan(plan=plan, reason=str(reason))


class _Remembered(Cache):
    """What was computed for one release, for as long as it is looked at."""

    def __init__(self) -> None:
        self.kept: dict[str, Risk | Loss] = {}

    def get(self, key: str) -> Risk | Loss | None:
        return self.kept.get(key)

    def put(self, key: str, result: Risk | Loss) -> None:
        self.kept[key] = as_kept(result)


def _point_of(
    goal: Goal, plan: Plan, release: Release, attacks: tuple[str, ...], results: Cache | None
) -> TriedPlan | FailedPlan:
    """What these attacks make of a release; losses are measured by the whole table where columns are left out of it."""
    measured = goal.losses if goal.whole is None else ()
    found = assess(
        goal.table,
        release,
        attacks=attacks,
        losses=measured,
        intruder=goal.intruder,
        cache=results,
        progress=goal.progress,
    )
    losses = found.losses
    if goal.whole is not None:
        losses = assess(goal.whole, release, attacks=(), losses=goal.losses, cache=results).losses
    return point_of(goal, plan, found, losses, attacks)


def point_of(
    goal: Goal, plan: Plan, found: Assessment, losses: Sequence[Loss], attacks: tuple[str, ...]
) -> TriedPlan | FailedPlan:
    """The point, or why there is none: a limit that was to be looked at is not checked, or the loss is not known."""
    limits = [
        limit for limit in limits_of(found, goal.ceilings, goal.floors) if limit.name in _answered(found)
    ]
    unchecked = [str(limit) for limit in limits if limit.status == NOT_CHECKED]
    if unchecked:
        return FailedPlan(plan=plan, reason="; ".join(unchecked))
    if not losses:
        return FailedPlan(plan=plan, reason=f"{goal.losses[0]} could not be computed")
    risks = {risk.name: risk.risk for risk in (*found.headlines, *found.risks)}
    levels = {risk.name: risk.level for risk in found.risks if risk.level is not None}
    used = [limit.found / limit.bound for limit in limits if not limit.is_floor and limit.found is not None]
    if not used and found.identity is None:
        return FailedPlan(plan=plan, reason="nothing says how many people are found")
    return TriedPlan(
        plan=plan,
        risk=max(used) if used else risks[IDENTITY],
        loss=losses[0].loss,
        risks=risks,
        levels=levels,
        meets=all(limit.met for limit in limits),
        checked=attacks,
    )


def _answered(found: Assessment) -> set[str]:
    """The headlines and attacks that something was asked about."""
    return {each.name for each in (*found.headlines, *found.risks)} | {each.name for each in found.not_done}


def _is_expensive(name: str) -> bool:
    return name not in HEADLINES and MethodCall.parse("attack", name).method.cost == "expensive"


def seed_of(draw: int, *parts: Any) -> int:
    """The seed of one trial: the same for the same search and the same number of the trial."""
    return seeds.derive(draw, *parts)


def confirmed(goal: Goal, plan: Plan, draw: int) -> TriedPlan | FailedPlan:
    """The worst of several tries of a plan under all attacks, or the first that does not keep to the limits.

    A plan that draws no random numbers is tried once: every masking by it is the same. What is drawn follows from the
    plan, and does not depend on which others were tried before.
    """
    number = int(digest_of(plan), 16)
    tries: list[TriedPlan] = []
    for repeat in range(REPEATS if any(step.method.random for step in plan.steps) else 1):
        again = try_plan(goal, plan, seed_of(draw, 2, number, repeat), goal.attacks)
        if isinstance(again, FailedPlan) or not again.meets:
            return again
        tries.append(again)
    return max(tries, key=lambda each: each.risk)
