"""Finding the plan with the least loss that keeps to the steward's limits."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet import seeds
from discreet.assessment import LOST
from discreet.digests import digest_of
from discreet.errors import BadParameter, Unreachable
from discreet.headline import HEADLINES, IDENTITY, counts_for
from discreet.intruder import OWNER, Intruder
from discreet.plan import Plan
from discreet.progress import SILENT, Progress
from discreet.searching.front import FailedPlan, TriedPlan, pareto
from discreet.searching.journal import CONFIRMED, Journal
from discreet.searching.question import Question
from discreet.searching.space import PlanSpace, Ranges, goal_of
from discreet.searching.trial import Goal, seed_of, try_plan
from discreet.table import Table

ROUND = 16
"""Plans tried together; what the next ones are depends only on whole rounds, so threads change nothing."""

REPEATS = 3
"""Times a plan is tried before it is chosen, because masking is random."""


MOST_CONFIRMED = 12
"""So many plans, those with the least loss, meet all attacks at the end of a search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What a search found: every point it tried, the front of the best trade-offs, and the chosen point."""

    points: tuple[TriedPlan, ...]
    front: tuple[TriedPlan, ...]
    chosen: TriedPlan
    ceilings: Mapping[str, float]
    floors: Mapping[str, float]
    loss: str = LOST

    def shown(self, point: TriedPlan) -> dict[str, float]:
        """The risks of a point that matter here: those that are limited, or the headline."""
        wanted = [*self.ceilings] or [IDENTITY]
        return {name: point.risks[name] for name in wanted if name in point.risks}

    @classmethod
    def of(
        cls,
        points: Sequence[TriedPlan],
        ceilings: Mapping[str, float],
        floors: Mapping[str, float],
        chosen: TriedPlan | None = None,
        loss: str = LOST,
    ) -> SearchResult | None:
        """The result of so many points, such as those of a search that goes on; None where there is none yet.

        Where no point is said to be chosen, it is the one of least loss that keeps to the limits so far, or else the
        one of least risk.
        """
        if not points:
            return None
        keeping = [each for each in points if each.meets]
        least = (
            min(keeping, key=lambda each: each.loss) if keeping else min(points, key=lambda each: each.risk)
        )
        return cls(
            points=tuple(points),
            front=pareto(points),
            chosen=least if chosen is None else chosen,
            ceilings=ceilings,
            floors=floors,
            loss=loss,
        )

    @property
    def plan(self) -> Plan:
        """The plan with the least loss that keeps to the limits: `protect` runs it as it is."""
        return self.chosen.plan

    def __str__(self) -> str:
        risks = [f"{name} {risk:.1%}" for name, risk in self.shown(self.chosen).items()]
        risks += [f"{name} {level:g}" for name, level in self.chosen.levels.items() if name in self.floors]
        tried = f"of {len(self.points)} plans tried"
        return f"{self.plan}: {self.loss} {self.chosen.loss:.3g}, {', '.join(risks)} ({tried})"

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": 1,
            "chosen": self.chosen.to_dict(),
            "front": [point.to_dict() for point in self.front],
            "points": [point.to_dict() for point in self.points],
            "ceilings": dict(self.ceilings),
            "floors": dict(self.floors),
            "loss": self.loss,
        }


def search(
    table: Table,
    *,
    ceilings: Mapping[str, float] | None = None,
    floors: Mapping[str, float] | None = None,
    methods: Sequence[str] | None = None,
    ranges: Ranges | None = None,
    loss: str | None = None,
    seconds: float | None = None,
    trials: int | None = None,
    journal: str | Path | None = None,
    draw: int = 0,
    intruder: Intruder = OWNER,
    threads: int = 2,
    progress: Progress = SILENT,
) -> SearchResult:
    """The trade-offs between risk and loss for a table, and the plan with the least loss within the limits.

    The loss is `lost`, the headline loss, unless another is named. Half of the plans are drawn from everywhere in the
    space of methods and their usual ranges, the others near the best trade-offs so far. Every plan meets the cheap
    attacks; expensive ones are run only on plans that would be chosen. The search stops after `trials` plans or
    `seconds` (60 when neither is given); with a `journal` file it goes on where it was stopped. The same `draw` and
    number of trials give the same result. Raises Unreachable when no plan keeps to the limits, and Mismatch where
    the journal is of another search: of other values, columns, limits, methods or versions.
    """
    budget = Budget(seconds=60.0 if seconds is None and trials is None else seconds, trials=trials)
    goal = Goal.of(table, ceilings or {}, floors or {}, loss, intruder)
    space = PlanSpace.of(table, methods=methods, ranges=ranges, goal=goal_of(goal.ceilings, goal.floors))
    question = Question(
        table=table,
        ceilings=goal.ceilings,
        floors=goal.floors,
        methods=methods,
        ranges=ranges,
        loss=goal.losses[0],
        draw=draw,
        intruder=intruder,
    )
    book = Journal(None if journal is None else Path(journal), question)
    points: list[TriedPlan] = []
    with ThreadPoolExecutor(max_workers=threads) as pool:
        try:
            for place, plans in enumerate(_rounds(space, points, draw, budget)):
                points += _tried(goal, plans, place, book, draw, pool)
                best = min((point.loss for point in points if point.meets), default=None)
                status = "no plan within the limits yet" if best is None else f"least loss {best:.3g}"
                progress(budget.spent(len(points)), 1.0, f"{len(points)} plans, {status}")
        finally:
            # A search that is stopped does not wait for plans that were not begun.
            pool.shutdown(wait=False, cancel_futures=True)
    chosen = _chosen(goal, points, book, draw)
    if chosen is None:
        tried = [
            each
            for name, each in book.kept.items()
            if isinstance(each, TriedPlan) and name.startswith(CONFIRMED)
        ]
        raise Unreachable(_nearest(points, tried))
    return SearchResult(
        points=tuple(points),
        front=pareto(points),
        chosen=chosen,
        ceilings=goal.ceilings,
        floors=goal.floors,
        loss=goal.losses[0],
    )


class Budget:
    """How long a search may go on."""

    def __init__(self, *, seconds: float | None, trials: int | None) -> None:
        if seconds is not None and not seconds > 0:
            raise BadParameter("search: seconds must be above 0.")
        if trials is not None and trials < 1:
            raise BadParameter("search: trials must be at least 1.")
        self.seconds, self.trials, self.began = seconds, trials, time.monotonic()

    def spent(self, tried: int) -> float:
        """The share of the budget that is used up."""
        by_time = 0.0 if self.seconds is None else (time.monotonic() - self.began) / self.seconds
        by_count = 0.0 if self.trials is None else tried / self.trials
        return min(1.0, max(by_time, by_count))


def _rounds(space: PlanSpace, points: list[TriedPlan], draw: int, budget: Budget) -> Iterator[list[Plan]]:
    """Plans to try next, round by round: half from everywhere, half near the front so far; always one round."""
    proposed, place = 0, 0
    while place == 0 or budget.spent(proposed) < 1:
        generator = seeds.generator(draw, 0, place)
        size = ROUND if budget.trials is None else min(ROUND, budget.trials - proposed)
        front = pareto(points)
        yield [
            space.near(front[int(generator.integers(len(front)))].plan, generator)
            if front and number % 2
            else space.draw(generator)
            for number in range(size)
        ]
        proposed, place = proposed + size, place + 1


def _tried(
    goal: Goal, plans: Sequence[Plan], place: int, book: Journal, draw: int, pool: ThreadPoolExecutor
) -> list[TriedPlan]:
    """The points of one round; what the journal holds already is not tried again."""
    names = [f"{place}.{number}" for number in range(len(plans))]
    fresh = {
        name: pool.submit(try_plan, goal, plan, seed_of(draw, 1, place, number), goal.cheap())
        for number, (name, plan) in enumerate(zip(names, plans, strict=True))
        if name not in book.kept
    }
    for name, future in fresh.items():
        book.add(name, future.result())
    return [point for name in names if isinstance(point := book.kept[name], TriedPlan)]


def _chosen(goal: Goal, points: Sequence[TriedPlan], book: Journal, draw: int) -> TriedPlan | None:
    """The point of least loss that keeps to every limit under all attacks, whatever the seed."""
    candidates = sorted((each for each in points if each.meets), key=lambda each: each.loss)
    for point in candidates[:MOST_CONFIRMED]:
        name = f"{CONFIRMED}{digest_of(point.plan)}"
        if name not in book.kept:
            book.add(name, confirmed(goal, point.plan, draw))
        found = book.kept[name]
        if isinstance(found, TriedPlan) and found.meets:
            return found
    return None


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


def _nearest(points: Sequence[TriedPlan], confirmed: Sequence[TriedPlan]) -> str:
    """How near the plans came; `confirmed` are those that kept to the limits until all attacks were run on them."""
    if confirmed:
        best = min(confirmed, key=lambda point: point.risk)
        return (
            f"search: {len(confirmed)} of {len(points)} plans keep to the limits under the quick attacks, and none "
            f"under all of them; the nearest is {best.plan} with {_risks(best)}{_strongest(best)}. Raise the ceilings, "
            "leave out what that attack uses, or search longer."
        )
    if not points:
        return (
            "search: none of the plans tried can be carried out on this table. Name other methods or ranges."
        )
    best = min(points, key=lambda point: point.risk)
    return (
        f"search: none of {len(points)} plans keeps to the limits; the nearest is {best.plan} with {_risks(best)}. "
        "Raise the ceilings, widen the ranges, or search longer."
    )


def _strongest(point: TriedPlan) -> str:
    """The attack that finds most people, in words; empty where none was run."""
    finding = [name for name in point.risks if name not in HEADLINES and counts_for(IDENTITY, name)]
    best = max(finding, key=lambda name: point.risks[name], default="")
    return f", where {best} finds {point.risks[best]:.1%}" if best else ""


def _risks(point: TriedPlan) -> str:
    headlines = [name for name in point.risks if name in HEADLINES] or list(point.risks)
    risks = [f"{name} {point.risks[name]:.1%}" for name in headlines if name not in point.levels]
    return ", ".join([*risks, *(f"{name} {level:g}" for name, level in point.levels.items())])
