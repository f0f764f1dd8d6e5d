"""Finding the plan with the least loss that keeps to the steward's limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from discreet import seeds
from discreet.assessment import LOST
from discreet.dataset import Dataset
from discreet.digests import digest_of
from discreet.errors import NoPlan
from discreet.headline import HEADLINES, IDENTITY, counts_for
from discreet.intruder import OWNER, Intruder
from discreet.plan import Plan
from discreet.progress import SILENT, Progress
from discreet.reading.scan import digest_of_files
from discreet.searching.budget import Budget
from discreet.searching.front import FailedPlan, TriedPlan, pareto
from discreet.searching.journal import CONFIRMED, Journal
from discreet.searching.of_dataset import SAMPLE, OnWhole, sample_of
from discreet.searching.question import Question
from discreet.searching.side_by_side import Trial, Workers, working
from discreet.searching.space import PlanSpace, Ranges, first_k, goal_of
from discreet.searching.trial import Goal, seed_of
from discreet.table import Table

ROUND = 16
"""Plans tried together; what the next ones are depends only on whole rounds, so threads change nothing."""

MOST_CONFIRMED = 12
"""So many plans, those with the least loss, meet all attacks at the end of a search."""
DRAWS = 8
"""So often a plan is drawn, at most, to get one that was not proposed before."""
Tell = Callable[[str], None]
"""What is told of the plans that meet all attacks, one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What a search found: every point it tried, the front of the best trade-offs, and the chosen point.

    `failed` are plans that could not be carried out, or not be judged, each with the reason. Plans for a dataset of so
    many `records` were tried on a `sample` of them, and the chosen one was carried out and judged on all.
    """

    points: tuple[TriedPlan, ...]
    front: tuple[TriedPlan, ...]
    chosen: TriedPlan
    ceilings: Mapping[str, float]
    floors: Mapping[str, float]
    loss: str = LOST
    failed: tuple[FailedPlan, ...] = ()
    sample: int = 0
    records: int = 0

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
        if self.sample:
            tried += f" on {self.sample:,} records; this one on all {self.records:,}"
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
            **({"sample": self.sample, "records": self.records} if self.sample else {}),
        }


def search(
    table: Table | Dataset,
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
    sample: int = SAMPLE,
    engine: Any = None,
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
    the search goes on where it was stopped. The same `draw` and number of trials give the same result, on the workers
    of an `engine` too, such as a Cluster, which tries plans side by side.

    Plans for a dataset are tried on a `sample` of its records, all of each household or person in it. In a sample
    records have fewer others like them, so that risks are mostly larger than in the whole. The three plans with the
    least loss are then carried out on the whole dataset and judged in parts, until one keeps to the limits there.

    Raises NoPlan, which holds what was found with the best plan so far as the chosen one, when no plan keeps to the
    limits or the time was up before one had met all attacks, and Mismatch where the journal is of another search: of
    other values, columns, limits, methods or versions.
    """
    budget = Budget(seconds=60.0 if seconds is None and trials is None else seconds, trials=trials)
    whole = table if isinstance(table, Dataset) else None
    few = sample_of(table, sample, draw) if isinstance(table, Dataset) else table
    goal = Goal.of(few, ceilings or {}, floors or {}, loss, intruder)
    goal = replace(goal, progress=budget.check)
    space = PlanSpace.of(few, methods=methods, ranges=ranges, goal=goal_of(goal.ceilings, goal.floors))
    question = Question(
        table=few,
        sample="" if whole is None else f"{sample} of {digest_of_files(whole)}",
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
    with working(engine, threads, budget, _place_of(table, journal)) as workers:
        if whole is not None:
            workers, space = OnWhole(few=workers, dataset=whole, engine=engine), space.in_parts()
        first = [*begin, *space.begins(first_k(few, goal.ceilings, goal.floors))]
        for place, plans in enumerate(_rounds(space, first, points, draw, budget)):
            for outcome in _tried(goal, plans, place, book, draw, workers):
                if isinstance(outcome, FailedPlan):
                    failed.append(outcome)
                else:
                    points.append(outcome)
                tried = len(points) + len(failed)
                progress(budget.spent(tried), 1.0, _told(outcome, tried, points))
            if whole is None:
                tell = partial(progress, budget.spent(len(points) + len(failed)), 1.0)
                with budget.whole_time():
                    _secure(goal, points, book, draw, workers, tell)
        budget.is_for_trying = False
        chosen = _chosen(goal, points, book, draw, workers, partial(progress, 1.0, 1.0))
    found = _result(goal, points, failed, chosen)
    if found is not None and whole is not None:
        found = replace(found, sample=len(few), records=len(whole))
    if chosen is None or found is None:
        raise NoPlan(_nearest(goal, points, failed, book, in_time=not budget.is_up), found=found)
    return found


def _place_of(table: Table | Dataset, journal: str | Path | None) -> Path:
    """Beside what workers of a cluster find the table they try plans on: all of them see that folder."""
    if journal is not None:
        return Path(journal)
    if isinstance(table, Dataset):
        return Path(table.shelves[0].files[0].path).parent
    file = None if table.source is None else Path(table.source.path)
    return file if file is not None and file.parent.is_dir() else Path(gettempdir()) / "discreet-search"


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
    workers: Workers,
) -> Iterator[TriedPlan | FailedPlan]:
    """What comes of the plans of one round, for which there is time; what the journal holds is not tried again."""
    names = [f"{place}.{number}" for number in range(len(plans))]
    trials = [Trial(plan, seed_of(draw, 1, place, number)) for number, plan in enumerate(plans)]
    if place == 0 and names[0] not in book.kept:
        # Alone, so that it is quick, and with all of the time, so that there is an answer where one can be had.
        outcome = workers.first(goal, trials[0])
        if outcome is None:
            return
        book.add(names[0], outcome)
    fresh = [name not in book.kept for name in names]
    found = workers.tried(goal, [each for each, new in zip(trials, fresh, strict=True) if new])
    for name, new in zip(names, fresh, strict=True):
        if new and (outcome := next(found)) is not None:
            book.add(name, outcome)
        if name in book.kept:
            yield book.kept[name]


def _secure(
    goal: Goal, points: Sequence[TriedPlan], book: Journal, draw: int, workers: Workers, tell: Tell
) -> None:
    """Has the best plan so far meet all attacks, unless one has: a search that is cut short then has an answer."""
    if not _cleared(book):
        waiting = [each for each in points if each.meets and _confirming(each) not in book.kept]
        best = sorted(waiting, key=lambda each: each.loss)[:1]
        for _ in _in_full(goal, best, book, draw, workers, tell):
            pass


def _chosen(
    goal: Goal, points: Sequence[TriedPlan], book: Journal, draw: int, workers: Workers, tell: Tell
) -> TriedPlan | None:
    """The point of least loss that keeps to every limit under all attacks, whatever the seed; None if none is known."""
    candidates = sorted((each for each in points if each.meets), key=lambda each: each.loss)
    for found in _in_full(goal, candidates[:MOST_CONFIRMED], book, draw, workers, tell):
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


def _in_full(
    goal: Goal, points: Sequence[TriedPlan], book: Journal, draw: int, workers: Workers, tell: Tell
) -> Iterator[TriedPlan | FailedPlan]:
    """What comes of the plans of points under all attacks, until the time is up; what the journal holds is kept."""
    fresh = [each.plan for each in points if _confirming(each) not in book.kept]
    found = workers.confirmed(goal, fresh, draw)
    for name in map(_confirming, points):
        if name not in book.kept:
            outcome = next(found, None)
            if outcome is None:
                return
            book.add(name, outcome)
            tell(_told_in_full(outcome))
        yield book.kept[name]


def _confirming(point: TriedPlan) -> str:
    """What the journal calls the trial of a plan under all attacks."""
    return f"{CONFIRMED}{digest_of(point.plan)}"


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
    unconfirmed = [
        each
        for name, each in book.kept.items()
        if isinstance(each, FailedPlan) and name.startswith(CONFIRMED)
    ]
    if unconfirmed and not in_full:
        return (
            f"search: {within} of {len(points)} plans keep to the limits under the quick attacks, and none of the "
            f"{len(unconfirmed)} tried under all of them is known to: {unconfirmed[0].reason}"
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
