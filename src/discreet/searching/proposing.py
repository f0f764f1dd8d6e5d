"""A plan for a file that nobody has masked yet, tried before it is proposed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import Any

from discreet import registry
from discreet.headline import ATTRIBUTE, IDENTITY
from discreet.method_call import MethodCall
from discreet.plan import Plan
from discreet.progress import SILENT, Progress
from discreet.searching.front import FailedPlan, TriedPlan
from discreet.searching.sample import groups_of, rows_of_sample
from discreet.searching.space import first_k, least_k, people_of, rare_weights_joined
from discreet.searching.trial import Goal, confirmed, seed_of, try_plan
from discreet.table import Role, Scale, Table

USUAL_CEILINGS: Mapping[str, float] = {IDENTITY: 0.10}
USUAL_FLOORS: Mapping[str, float] = {"k_anonymity": 5}
"""The limits that are proposed where none are given."""
SHOWN = (IDENTITY, ATTRIBUTE)
"""The headlines that are told of every plan; the second where there is something confidential to learn."""
TRIALS = 30
"""Plans tried by the quick attacks before the best of them meet all attacks."""
MOST_CONFIRMED = 6
MARGIN = 0.95
"""The part of a ceiling that a proposed plan may use up: what is judged in the end is a file that was read again."""
AIM, NEAR = 0.93, 0.85
"""The part of a ceiling aimed at when k is chosen anew, and the part from which on it is near enough."""
MUCH_ROOM = 0.5
"""Where a plan uses up less of a ceiling than this in a large table, a smaller k is tried there too."""
TUNED = 3
"""Of the ways to mask, so many of those with the least loss have their k chosen anew."""
TELLING = 3
"""So many columns that a plan leaves little of are tried left out altogether."""
ENOUGH = 4000
"""Of more records than these the first trials are made on a sample, whole persons and households; the last on all."""
NOT_WORTH_A_SAMPLE = 0.25
"""Of so many records more no sample is taken: little would be saved, and a k found on all records needs no mending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A plan that was tried, the columns it leaves out beside those with a role that does, and what came of it.

    `outcome` is the point it reached, or why there is none. `in_full` says whether all usual attacks were run on all
    records, and not the quick ones, or on a sample. `charge` is what households and weights that are left out add to
    the loss, each as much as any other column: no measure of loss counts them.
    """

    plan: Plan
    outcome: TriedPlan | FailedPlan
    left_out: tuple[str, ...] = ()
    in_full: bool = False
    charge: float = 0.0

    @property
    def meets(self) -> bool:
        return isinstance(self.outcome, TriedPlan) and self.outcome.meets

    @property
    def cost(self) -> float:
        """The loss with its charge, in percent; infinite where the plan reached nothing."""
        return self.outcome.loss + self.charge if isinstance(self.outcome, TriedPlan) else float("inf")

    def risk(self, name: str) -> float | None:
        """The headline risk of this name, where it was computed."""
        return self.outcome.risks.get(name) if isinstance(self.outcome, TriedPlan) else None

    def to_dict(self) -> dict[str, Any]:
        kind = "failed" if isinstance(self.outcome, FailedPlan) else "point"
        return {
            "plan": self.plan.to_dict(),
            "left_out": list(self.left_out),
            "in_full": self.in_full,
            "charge": self.charge,
            kind: self.outcome.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedProposal:
    """A plan that was tried and the limits it was tried for; `chosen` is None where nothing could be tried.

    `tried` is everything in the order it was tried. `sample` is the number of records of the first trials where these
    were not all of them. `cut_short` says whether the time was up before everything was tried that would have been.
    """

    chosen: Attempt | None
    tried: tuple[Attempt, ...]
    ceilings: Mapping[str, float] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)
    sample: int | None = None
    cut_short: bool = False

    @property
    def meets(self) -> bool:
        """Whether the plan is known to keep to all limits under all usual attacks."""
        return self.chosen is not None and self.chosen.in_full and self.chosen.meets

    def __str__(self) -> str:
        if self.chosen is None:
            return "no plan: no column has the role quasi-identifier, or there are too few records"
        verdict = "keeps to the limits" if self.meets else "does not keep to the limits"
        return f"{self.chosen.plan}: {verdict} ({len(self.tried)} plans tried)"

    def to_dict(self) -> dict[str, Any]:
        return {
            "meets": self.meets,
            "chosen": None if self.chosen is None else self.chosen.to_dict(),
            "tried": [each.to_dict() for each in self.tried],
            "ceilings": dict(self.ceilings),
            "floors": dict(self.floors),
            "sample": self.sample,
            "cut_short": self.cut_short,
        }


def propose_plan(
    table: Table,
    *,
    ceilings: Mapping[str, float] = USUAL_CEILINGS,
    floors: Mapping[str, float] = USUAL_FLOORS,
    trials: int = TRIALS,
    seconds: float | None = None,
    progress: Progress = SILENT,
) -> TriedProposal:
    """One plan for all quasi-identifiers together that keeps to the limits, with the least loss of those tried.

    Numbers and categories are masked in one step by each method that can do so, with as small a k as the limits allow.
    Tried as well are releases without the number of the household, and without columns of which masking leaves little.
    The first trials run the quick attacks, in large tables on a sample; what is proposed has met all usual attacks on
    all records. Where nothing else keeps to the limits all records become one class.

    The same table gives the same proposal: what is tried depends on `trials` and not on the clock, unless `seconds` are
    given and are up before; `cut_short` says so. Where no column is a quasi-identifier, or there are so few people that
    a guess among all of them is beyond the limits, there is nothing to try and no plan.
    """
    keys = [name for name in table.keys if table[name].scale != Scale.TEXT]
    if not keys or people_of(table) < fewest_people(ceilings, floors):
        return TriedProposal(chosen=None, tried=())
    work = _Work(
        table=table,
        part=_sample(table),
        ceilings={name: MARGIN * bound for name, bound in ceilings.items()},
        floors=floors,
        trials=trials,
        until=None if seconds is None else time.monotonic() + seconds,
        progress=progress,
    )
    _quickly(work)
    chosen = _in_full(work)
    return TriedProposal(
        chosen=chosen,
        tried=tuple(work.tried),
        ceilings=ceilings,
        floors=floors,
        sample=len(work.part) if len(work.part) < len(table) else None,
        cut_short=work.cut_short,
    )


def fewest_people(
    ceilings: Mapping[str, float] = USUAL_CEILINGS, floors: Mapping[str, float] = USUAL_FLOORS
) -> int:
    """How many people a table must have for any plan to keep to the limits: with fewer, a guess is beyond them."""
    ceiling = ceilings.get(IDENTITY)
    by_guess = 2 if ceiling is None else ceil(1 / (MARGIN * ceiling))
    return max(by_guess, ceil(floors.get("k_anonymity", 2)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """A way to mask all keys in one step, for any k, with columns left out."""

    method: str
    parameters: Mapping[str, Any]
    left_out: tuple[str, ...] = ()

    def plan(self, table: Table, k: int) -> Plan:
        """The plan for a table without the columns left out; weights by which people are found are joined."""
        keys = [name for name in table.keys if table[name].scale != Scale.TEXT]
        if not keys:
            return Plan.of(rare_weights_joined(table))
        step = MethodCall.of("mask", self.method, {"columns": keys, "k": k, **self.parameters})
        return Plan.of([step, *rare_weights_joined(table)])


class _Work:
    """What is being tried, and everything that has been."""

    def __init__(
        self,
        *,
        table: Table,
        part: Table,
        ceilings: Mapping[str, float],
        floors: Mapping[str, float],
        trials: int,
        until: float | None,
        progress: Progress,
    ) -> None:
        self.table, self.part, self.ceilings, self.floors = table, part, ceilings, floors
        self.trials, self.until, self.progress = trials, until, progress
        self.tried: list[Attempt] = []
        self.ways: list[tuple[_Way, int]] = []
        self.cut_short = False

    @property
    def least_cost(self) -> float:
        """The least cost of the plans so far that keep to the limits; infinite where none does."""
        return min((made.cost for made in self.tried if made.meets), default=float("inf"))

    @property
    def is_over(self) -> bool:
        """Whether no further plan is to be tried quickly."""
        if self.until is not None and time.monotonic() >= self.until:
            self.cut_short = True
        return self.cut_short or len(self.tried) >= self.trials

    def attempt(self, way: _Way, k: int, *, in_full: bool = False) -> Attempt:
        """What comes of masking in this way with this k."""
        whole = self.table if in_full else self.part
        table = _without(whole, way.left_out)
        goal = replace(
            Goal.of(table, self.ceilings, self.floors, None),
            whole=whole if way.left_out else None,
            shown=SHOWN if table.having(Role.CONFIDENTIAL, registry.ANY_SCALE) else SHOWN[:1],
        )
        plan = way.plan(table, k)
        self.progress(len(self.tried), self.trials + MOST_CONFIRMED, self._told(plan, in_full))
        outcome = confirmed(goal, plan, 0) if in_full else try_plan(goal, plan, seed_of(0, 3), goal.cheap())
        charge = sum(whole[name].role in _UNMEASURED for name in way.left_out) * 100 / (1 + _measured(whole))
        made = Attempt(plan=plan, outcome=outcome, left_out=way.left_out, in_full=in_full, charge=charge)
        self.tried.append(made)
        self.ways.append((way, k))
        return made

    def _told(self, plan: Plan, in_full: bool) -> str:
        step = plan.steps[0] if plan.steps else None
        what = "leaving columns out" if step is None else f"{step.name} k={step.parameters.get('k')}"
        return f"plan {len(self.tried) + 1}: {what}{', all attacks' if in_full else ''}"


_UNMEASURED = (Role.HOUSEHOLD, Role.WEIGHT)
"""Roles of columns that are published and that no measure of loss counts."""


def _measured(table: Table) -> int:
    roles = (Role.KEY, Role.CONFIDENTIAL, Role.INSENSITIVE, Role.STRATUM)
    return sum(each.role in roles and each.scale != Scale.TEXT for each in table.columns)


def _without(table: Table, names: Sequence[str]) -> Table:
    """The table in which these columns are left out of every release."""
    columns = [replace(each, role=Role.IDENTIFIER) if each.name in names else each for each in table.columns]
    return replace(table, columns=tuple(columns))


def _sample(table: Table) -> Table:
    """The table, or of a large one a part with whole persons and households, always the same."""
    if len(table) <= ENOUGH * (1 + NOT_WORTH_A_SAMPLE):
        return table
    return table.take(rows_of_sample(groups_of(table), ENOUGH, draw=0))


def _quickly(work: _Work) -> None:
    """Tries plans with the quick attacks: first every way to mask once, then the best of them with other k."""
    homes = work.table.having(Role.HOUSEHOLD)
    ways = [
        _Way(method=each.name, parameters=given, left_out=homes)
        for each in registry.methods("mask")
        for given in each.searched.jointly
    ]
    first = first_k(work.part, work.ceilings, work.floors)
    began = [(way, work.attempt(way, first)) for way in ways if not work.is_over]
    best = sorted((pair for pair in began if pair[1].cost < float("inf")), key=lambda pair: pair[1].cost)[
        :TUNED
    ]
    for way, _ in best:
        _tune(work, way, first)
    if homes:
        for way, made in best:
            kept = replace(way, left_out=())
            # With the number of the household more people are found: the same groups lose as much and keep less safe.
            if not work.is_over and made.cost - made.charge < work.least_cost:
                work.attempt(kept, first)
                _tune(work, kept, first)
    _leave_out_telling(work)


def _tune(work: _Work, way: _Way, first: int) -> None:
    """Tries the way with other k until the least one that keeps to the limits is near; its first try has been made.

    What is lost by a larger k is no less, and by a smaller one no less than its share: where the best plan so far costs
    no more than that, the way is left.
    """
    done = {k: made for (other, k), made in zip(work.ways, work.tried, strict=True) if other == way}
    k = first
    for _ in range(3):
        outcome = done[k].outcome
        if isinstance(outcome, FailedPlan) or (outcome.meets and outcome.risk >= NEAR):
            return
        # Between the largest k that is too small and the least that is not, where this one's risk points to.
        fails = max((each for each, made in done.items() if not made.meets), default=least_k(work.floors) - 1)
        meets = min((each for each, made in done.items() if made.meets), default=people_of(work.part) + 1)
        if meets - fails < 2 or work.is_over:
            return
        wanted = k * outcome.risk / AIM
        tried, k = k, min(max(floor(wanted) if outcome.meets else ceil(wanted), fails + 1), meets - 1)
        if done[tried].cost * min(1.0, k / tried) >= work.least_cost:
            return
        done[k] = work.attempt(way, k)


def _leave_out_telling(work: _Work) -> None:
    """Tries the best way again without the columns that tell most, for as long as less is lost by that."""
    best, (way, k) = min(zip(work.tried, work.ways, strict=True), key=lambda pair: _rank(pair[0]))
    if isinstance(best.outcome, FailedPlan):
        return
    keys = [name for name in work.part.keys if work.part[name].scale != Scale.TEXT]
    telling = sorted(keys, key=lambda name: -_values_per_person(work.part, name))
    for name in telling[: min(TELLING, len(keys) - 1)]:
        if work.is_over:
            return
        fewer = replace(way, left_out=(*way.left_out, name))
        if _rank(work.attempt(fewer, k)) < _rank(best):
            _tune(work, fewer, k)
            best, (way, k) = min(zip(work.tried, work.ways, strict=True), key=lambda pair: _rank(pair[0]))


def _values_per_person(table: Table, name: str) -> float:
    """How many different values a column has; of numbers, which can be averaged, less is lost by joining many."""
    distinct = table.frame[name].n_unique() / max(1, len(table))
    return distinct if table[name].scale == Scale.NOMINAL else distinct / 2


def _rank(made: Attempt) -> tuple[bool, float, int, float]:
    """Plans within the limits first, by their cost; of others those that come nearest.

    Of plans that cost the same the one that leaves more columns out: what they would publish of these says nothing.
    """
    risk = made.outcome.risk if isinstance(made.outcome, TriedPlan) else float("inf")
    cost = round(made.cost, 1) if made.meets else risk
    return (not made.meets, cost, -len(made.left_out), made.cost)


def _in_full(work: _Work) -> Attempt | None:
    """The plan of least cost that keeps to the limits under all attacks on all records, or the nearest one."""
    made: list[Attempt] = []
    for way, k in _candidates(work):
        found = work.attempt(way, k, in_full=True)
        made.append(found)
        while not found.meets and isinstance(found.outcome, TriedPlan) and len(made) < MOST_CONFIRMED:
            k, before = min(people_of(work.table), max(k + 1, ceil(k * found.outcome.risk / AIM))), k
            if k == before:
                break
            found = work.attempt(way, k, in_full=True)
            made.append(found)
        if found.meets:
            return min(found, _smaller(work, way, k, found), key=_rank)
    return min(made, key=_rank, default=None)


def _smaller(work: _Work, way: _Way, k: int, found: Attempt) -> Attempt:
    """What a smaller k comes to, where the whole table leaves much more room below the limits than its sample."""
    assert isinstance(found.outcome, TriedPlan)
    nearer = max(least_k(work.floors), floor(k * found.outcome.risk / AIM))
    room = found.outcome.risk < MUCH_ROOM and nearer < k and len(work.part) < len(work.table)
    return work.attempt(way, nearer, in_full=True) if room else found


def _candidates(work: _Work) -> Iterator[tuple[_Way, int]]:
    """What is worth all attacks: the best plans so far, then one class of everybody."""
    ranked = sorted(zip(work.tried, work.ways, strict=True), key=lambda pair: _rank(pair[0]))
    yield from [way for made, way in ranked if isinstance(made.outcome, TriedPlan)][:2]
    everybody = people_of(work.table)
    unmeasured = tuple(each.name for each in work.table.columns if each.role in _UNMEASURED)
    one_class = _Way(method="microaggregate", parameters={}, left_out=unmeasured)
    yield one_class, everybody
