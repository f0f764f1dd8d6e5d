"""Trying one plan: mask, attack, measure; cheap attacks first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet import seeds
from discreet.asking import asked
from discreet.assessment import Assessment, assess
from discreet.errors import BadParameter, DiscreetError
from discreet.intruder import OWNER, Intruder
from discreet.plan import Plan
from discreet.protection import protect
from discreet.results import Loss
from discreet.searching.front import Point
from discreet.table import Scale, Table

LINKAGE = "link"
"""The attack whose risk is shown where no ceiling is set."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Goal:
    """What a search is after: the least loss among the plans that keep to the limits."""

    table: Table
    ceilings: Mapping[str, float]
    floors: Mapping[str, float]
    losses: tuple[str, ...]
    intruder: Intruder = OWNER

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
            asked("attack", name)
            if not 0 < bound <= 1:
                raise BadParameter(
                    f"search: the ceiling of {name} must be above 0 and at most 1; got {bound:g}."
                )
        for name in floors:
            asked("attack", name)
        losses = (loss,) if loss is not None else _usual_losses(table)
        for name in losses:
            asked("loss", name)
        return cls(
            table=table, ceilings=dict(ceilings), floors=dict(floors), losses=losses, intruder=intruder
        )

    @property
    def attacks(self) -> tuple[str, ...]:
        """The attacks that decide, cheap ones first."""
        named = dict.fromkeys([*self.ceilings, *self.floors] or [LINKAGE])
        return tuple(sorted(named, key=lambda name: asked("attack", name).method.cost == "dear"))

    def cheap(self) -> tuple[str, ...]:
        """The attacks that every plan is tried with."""
        return tuple(name for name in self.attacks if asked("attack", name).method.cost == "cheap") or (
            LINKAGE,
        )


def try_plan(goal: Goal, plan: Plan, seed: int, attacks: tuple[str, ...]) -> Point | None:
    """The point of a plan under these attacks; None where the table does not allow the plan.

    A plan that cannot be carried out (k above the records, nothing to swap) is no point; one whose risk or loss cannot
    be computed is none either, because it could not be told from a safe or a lossless one.
    """
    try:
        release = protect(goal.table, plan, seed=seed)
        found = assess(goal.table, release, attacks=attacks, losses=goal.losses, intruder=goal.intruder)
    except DiscreetError:
        return None
    return _point(goal, plan, found, attacks)


def _point(goal: Goal, plan: Plan, found: Assessment, attacks: tuple[str, ...]) -> Point:
    risks = {risk.name: risk.risk for risk in found.risks}
    levels = {risk.name: risk.level for risk in found.risks if risk.level is not None}
    used = [risks[name] / bound for name, bound in goal.ceilings.items() if name in risks]
    floors = [(levels.get(name, 0.0), bound) for name, bound in goal.floors.items() if name in attacks]
    return Point(
        plan=plan,
        risk=max(used) if used else max(risks.values()),
        loss=sum(_charged(goal.table, each) for each in found.losses) / len(found.losses),
        risks=risks,
        levels=levels,
        meets=all(share <= 1 for share in used) and all(level >= bound for level, bound in floors),
        checked=attacks,
    )


def _usual_losses(table: Table) -> tuple[str, ...]:
    """The loss of numbers, of categories, or both, for what the quasi-identifiers are."""
    scales = {table[name].scale for name in table.keys}
    chosen = ("pil",) if Scale.NUMERIC in scales else ()
    return (*chosen, *(("category_distance",) if scales & {Scale.ORDINAL, Scale.NOMINAL} else ()))


PERCENT = frozenset({"il", "pil", "sse"})


def _charged(table: Table, loss: Loss) -> float:
    """The loss as a share, with every quasi-identifier that the measure left out counted as lost.

    A column that was recoded into bands has no numbers to compare; without the charge such a plan would look lossless.
    """
    share = loss.loss / 100 if loss.name in PERCENT else loss.loss
    left_out = len(loss.details.get("columns_left_out", ()))
    return share + left_out / len(table.keys)


def seed_of(draw: int, *parts: Any) -> int:
    """The seed of one trial: the same for the same search and the same number of the trial."""
    return seeds.derive(draw, *parts)
