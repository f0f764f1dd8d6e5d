"""Finding the plan with the least loss that keeps to the steward's limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from discreet import seeds
from discreet.assessment import LOST
from discreet.digests import digest_of
from discreet.errors import NoPlan
from discreet.headline import HEADLINES, IDENTITY, counts_for
from discreet.intruder import OWNER, Intruder
from discreet.plan import Plan
from discreet.progress import SILENT, Progress
from discreet.searching.budget import Budget, TimeUp
from discreet.searching.front import FailedPlan, TriedPlan, pareto
from discreet.searching.journal import CONFIRMED, Journal
from discreet.searching.question import Question
from discreet.searching.space import PlanSpace, Ranges, first_k, goal_of
from discreet.searching.trial import Goal, seed_of, try_plan
from discreet.table import Table

ROUND = 16
"""Plans tried together; what the next ones are depends only on whole rounds, so threads change nothing."""

REPEATS = 3
"""Times a plan is tried before it is chosen, because masking is random."""


MOST_CONFIRMED = 12
"""So many plans, those with the least loss, meet all attacks at the end of a search."""
DRAWS = 8
"""So often a plan is drawn, at most, to get one that was not proposed before."""
Tell = Callable[[str], None]
"""What is told of the plans that meet all attacks, one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What a search found: every point it tried, the front of the best trade-offs, and the chosen point.

    `failed` are plans that could not be carried out, or not be judged, each with the reason.
    """

    points: tuple[TriedPlan, ...]
    front: tuple[TriedPlan, ...]
    chosen: TriedPlan
    ceilings: Mapping[str, float]
    floors: Mapping[str, float]
    loss: str = LOST
    failed: tuple[FailedPlan, ...] = ()

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
            "failed": [each.to_dict() for each in self.failed],
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
    begin: Sequence[Plan] = (),
    draw: int = 0,
    intruder: Intruder = OWNER,
    threads: int = 2,
    progress: Progress = SILENT,
) -> SearchResult:
    """The trade-offs between risk and loss for a table, and the plan with the least loss within the limits.

    The loss is `lost`, the headline loss, unless another is named. The first plans are those to `begin` with, such as
    the one that you have, and one with groups of the least size that can keep to the limits. Half of the others are
    drawn from everywhere in the space of methods and their usual ranges, half near the best trade-offs so far; half of
    them mask numbers and categories in one step. Every plan meets the cheap attacks; expensive ones are run only on
    plans that would be chosen. As soon as a plan keeps to the limits under the cheap ones it meets all of them, so that
    a search that is cut short has an answer. The search stops after `trials` plans or `seconds` (60 when neither is
    given), of which two fifths are kept for all attacks on the best plans; the first plan may take all of it. A plan
    that would not be done in time is not begun, and one at work when the time is up is given up. With a `journal` file
    the search goes on where it was stopped. The same `draw` and number of trials give the same result.

    Raises NoPlan, which holds what was found with the best plan so far as the chosen one, when no plan keeps to the
    limits or the time was up before one had met all attacks, and Mismatch where the journal is of another search: of
    other values, columns, limits, methods or versions.
    """
    budget = Budget(seconds=60.0 if seconds is None and trials is None else seconds, trials=trials)
    goal = Goal.of(table, ceilings or {}, floors or {}, loss, intruder)
    goal = replace(goal, progress=budget.check)
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
        begin=begin,
    )
    book = Journal(None if journal is None else Path(journal), question)
    points: list[TriedPlan] = []
    failed: list[FailedPlan] = []
    with ThreadPoolExecutor(max_workers=threads) as pool:
        try:
            first = [*begin, *space.begins(first_k(table, goal.ceilings, goal.floors))]
            for place, plans in enumerate(_rounds(space, first, points, draw, budget)):
                for outcome in _tried(goal, plans, place, book, draw, pool, budget):
                    if isinstance(outcome, FailedPlan):
                        failed.append(outcome)
                    else:
                        points.append(outcome)
                    tried = len(points) + len(failed)
                    progress(budget.spent(tried), 1.0, _told(outcome, tried, points))
                with budget.whole_time(), suppress(TimeUp):
                    tell = partial(progress, budget.spent(len(points) + len(failed)), 1.0)
                    _secure(goal, points, book, draw, tell)
        finally:
            # A search that is stopped does not wait for plans that were not begun.
            pool.shutdown(wait=False, cancel_futures=True)
    budget.is_for_trying = False
    chosen = _chosen(goal, points, book, draw, partial(progress, 1.0, 1.0))
    found = _result(goal, points, failed, chosen)
    if chosen is None or found is None:
        raise NoPlan(_nearest(goal, points, failed, book, in_time=not budget.is_up), found=found)
    return found


def _result(
    goal: Goal, points: Sequence[TriedPlan], failed: Sequence[FailedPlan], chosen: TriedPlan | None
) -> SearchResult | None:
    """What was found, with the best plan so far where none was chosen; None where there is no point at all."""
    found = SearchResult.of(points, goal.ceilings, goal.floors, chosen, goal.losses[0])
    return None if found is None else replace(found, failed=tuple(failed))


def _told(outcome: TriedPlan | FailedPlan, tried: int, points: Sequence[TriedPlan]) -> str:
    """What came of the plan that was tried last, and the best so far."""
    best = min((point.loss for point in points if point.meets), default=None)
    so_far = "none within the limits yet" if best is None else f"least loss within the limits {best:.3g}"
    if isinstance(outcome, FailedPlan):
        return f"plan {tried}: not possible: {outcome.reason} ({so_far})"
    return f"plan {tried}: {outcome}, loss {outcome.loss:.3g}, {_risks(outcome)} ({so_far})"


def _told_in_full(outcome: TriedPlan | FailedPlan) -> str:
    """What came of a plan under all attacks."""
    if isinstance(outcome, FailedPlan):
        return f"all attacks: not possible: {outcome.reason}"
    verdict = "within the limits" if outcome.meets else "not within the limits"
    return f"all attacks on {outcome}: {verdict}, {_risks(outcome)}"


def _rounds(
    space: PlanSpace, first: Sequence[Plan], points: list[TriedPlan], draw: int, budget: Budget
) -> Iterator[list[Plan]]:
    """Plans to try next, round by round: half from everywhere, half near the front so far; always one round.

    Each of the plans to begin with is a round of its own, as far as there is a budget for it. A plan that was proposed
    before is drawn anew, as long as a few draws give another.
    """
    proposed, place = 0, 0
    known = {digest_of(plan) for plan in first}
    for plan in first:
        if place == 0 or budget.spent(proposed) < 1:
            yield [plan]
            proposed, place = proposed + 1, place + 1
    while place == 0 or budget.spent(proposed) < 1:
        generator = seeds.generator(draw, 0, place)
        size = ROUND if budget.trials is None else min(ROUND, budget.trials - proposed)
        front = pareto(each for each in points if space.holds(each.plan))
        drawn = []
        for number in range(size):
            for _ in range(DRAWS):
                plan = (
                    space.near(front[int(generator.integers(len(front)))].plan, generator)
                    if front and number % 2
                    else space.draw(generator)
                )
                if digest_of(plan) not in known:
                    break
            known.add(digest_of(plan))
            drawn.append(plan)
        yield drawn
        proposed, place = proposed + size, place + 1


def _tried(
    goal: Goal,
    plans: Sequence[Plan],
    place: int,
    book: Journal,
    draw: int,
    pool: ThreadPoolExecutor,
    budget: Budget,
) -> Iterator[TriedPlan | FailedPlan]:
    """What comes of the plans of one round, for which there is time; what the journal holds is not tried again."""
    names = [f"{place}.{number}" for number in range(len(plans))]
    if place == 0 and names[0] not in book.kept:
        # Alone, so that it is quick, and with all of the time, so that there is an answer where one can be had.
        with budget.whole_time():
            outcome = budget.timed(goal, plans[0], seed_of(draw, 1, place, 0), goal.cheap())
        if outcome is None:
            return
        book.add(names[0], outcome)
    fresh = {
        name: pool.submit(budget.timed, goal, plan, seed_of(draw, 1, place, number), goal.cheap())
        for number, (name, plan) in enumerate(zip(names, plans, strict=True))
        if name not in book.kept
    }
    for name in names:
        if name in fresh and (outcome := fresh[name].result()) is not None:
            book.add(name, outcome)
        if name in book.kept:
            yield book.kept[name]


def _secure(goal: Goal, points: Sequence[TriedPlan], book: Journal, draw: int, tell: Tell) -> None:
    """Has the best plan so far meet all attacks, unless one has: a search that is cut short then has an answer."""
    if _cleared(book):
        return
    waiting = [each for each in points if each.meets and _confirming(each) not in book.kept]
    if waiting:
        _met_by(goal, min(waiting, key=lambda each: each.loss), book, draw, tell)


def _chosen(
    goal: Goal, points: Sequence[TriedPlan], book: Journal, draw: int, tell: Tell
) -> TriedPlan | None:
    """The point of least loss that keeps to every limit under all attacks, whatever the seed; None if none is known."""
    candidates = sorted((each for each in points if each.meets), key=lambda each: each.loss)
    with suppress(TimeUp):
        for point in candidates[:MOST_CONFIRMED]:
            found = _met_by(goal, point, book, draw, tell)
            if isinstance(found, TriedPlan) and found.meets:
                return found
    return min(_cleared(book), key=lambda each: each.loss, default=None)


def _cleared(book: Journal) -> list[TriedPlan]:
    """The points that have kept to every limit under all attacks."""
    return [
        each
        for name, each in book.kept.items()
        if name.startswith(CONFIRMED) and isinstance(each, TriedPlan) and each.meets
    ]


def _met_by(goal: Goal, point: TriedPlan, book: Journal, draw: int, tell: Tell) -> TriedPlan | FailedPlan:
    """What comes of the plan of a point under all attacks; what the journal holds is not tried again."""
    name = _confirming(point)
    if name not in book.kept:
        book.add(name, confirmed(goal, point.plan, draw))
        tell(_told_in_full(book.kept[name]))
    return book.kept[name]


def _confirming(point: TriedPlan) -> str:
    """What the journal calls the trial of a plan under all attacks."""
    return f"{CONFIRMED}{digest_of(point.plan)}"


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


def _nearest(
    goal: Goal, points: Sequence[TriedPlan], failed: Sequence[FailedPlan], book: Journal, *, in_time: bool
) -> str:
    """How near the plans came, why some were no plans for this table, and what can be done."""
    in_full = [
        each for name, each in book.kept.items() if isinstance(each, TriedPlan) and name.startswith(CONFIRMED)
    ]
    wider = f"{_easier(goal)}widen the ranges, or search longer."
    why = _why_failed(failed)
    if not points:
        if not failed:
            return "search: the time was up before one plan was tried to its end. Give it more seconds."
        return f"search: none of the plans tried can be carried out on this table. {why} Name other methods or ranges."
    within = sum(point.meets for point in points)
    if within and not in_time and not in_full:
        return (
            f"search: {within} of {len(points)} plans keep to the limits under the quick attacks, and the time was up "
            "before one of them had met all attacks. Search longer, with --journal to go on from here."
        )
    if in_full:
        best = min(in_full, key=lambda point: point.risk)
        return (
            f"search: {within} of {len(points)} plans keep to the limits under the quick attacks, and none of the "
            f"{len(in_full)} tried under all of them; the nearest is {best.plan} with {_risks(best)}"
            f"{_strongest(best)}. {_easier(goal)}leave out what that attack uses, or search longer."
        )
    best = min(points, key=lambda point: point.risk)
    told = f"none of {len(points)} plans keeps to the limits; the nearest is {best.plan} with {_risks(best)}."
    return " ".join(filter(None, [f"search: {told}", why, wider[0].upper() + wider[1:]]))


def _easier(goal: Goal) -> str:
    """What limits could be eased, of those that were set."""
    eased = [
        *(["raise the ceilings"] if goal.ceilings else []),
        *(["lower the floors"] if goal.floors else []),
    ]
    return f"{' or '.join(eased).capitalize()}, " if eased else ""


def _why_failed(failed: Sequence[FailedPlan]) -> str:
    """How many plans could not be carried out, and the reason of most of them."""
    if not failed:
        return ""
    reason, times = Counter(each.reason for each in failed).most_common(1)[0]
    return f"{len(failed)} plans could not be carried out, {times} of them because: {reason}"


def _strongest(point: TriedPlan) -> str:
    """The attack that finds most people, in words; empty where none was run."""
    finding = [name for name in point.risks if name not in HEADLINES and counts_for(IDENTITY, name)]
    best = max(finding, key=lambda name: point.risks[name], default="")
    return f", where {best} finds {point.risks[best]:.1%}" if best else ""


def _risks(point: TriedPlan) -> str:
    headlines = [name for name in point.risks if name in HEADLINES] or list(point.risks)
    risks = [f"{name} {point.risks[name]:.1%}" for name in headlines if name not in point.levels]
    return ", ".join([*risks, *(f"{name} {level:g}" for name, level in point.levels.items())])
