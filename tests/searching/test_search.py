from __future__ import annotations

import itertools
import json
import stat
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.assessment import assess
from discreet.demo import table as census
from discreet.errors import BadParameter, BadTable, Mismatch, NoPlan, UnknownMethod, Unreachable, WrongScale
from discreet.parameters import Parameter, Real, Whole
from discreet.plan import Plan
from discreet.protection import protect
from discreet.registry import Method, methods
from discreet.searching import SearchResult, TriedPlan, budget, pareto, search, trial
from discreet.searching.budget import Budget, TimeUp
from discreet.searching.front import FailedPlan
from discreet.searching.space import PlanSpace, goal_of, tunable
from discreet.searching.trial import Goal, try_plan
from discreet.seeds import generator
from discreet.table import Role, Scale, Table


@pytest.fixture(scope="module")
def numbers() -> Table:
    draws = np.random.default_rng(3)
    common = draws.normal(size=(150, 1))
    return Table.of(
        pl.DataFrame(common + 0.5 * draws.normal(size=(150, 3)), schema=["a", "b", "c"]),
        roles={},
        rest="quasi-identifier",
    )


def point(risk: float, loss: float) -> TriedPlan:
    return TriedPlan(plan=Plan(steps=()), risk=risk, loss=loss, risks={}, meets=True)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_the_front_holds_just_the_points_that_none_beats(pairs: list[tuple[int, int]]) -> None:
    points = [point(risk, loss) for risk, loss in pairs]
    front = {(each.risk, each.loss) for each in pareto(points)}
    unbeaten = {
        (one, two)
        for one, two in pairs
        if not any((a <= one and b <= two) and (a < one or b < two) for a, b in pairs)
    }
    assert front == unbeaten


def test_search_finds_the_known_optimum_of_a_small_case(numbers: Table) -> None:
    """Microaggregation with k from 2 to 9 is tried out in full; the search finds the same best k."""
    tried = {}
    for k, variant in product(range(2, 10), ("mdav", "individual", "zscore", "component", "adaptive")):
        plan = Plan.of([("microaggregate", {"columns": ["a", "b", "c"], "k": k, "variant": variant})])
        found = assess(numbers, protect(numbers, plan, seed=1), attacks=["link"], losses=["sse"])
        tried[k, variant] = (found.risks[0].risk, found.losses[0].loss)
    best = min(loss for risk, loss in tried.values() if risk <= 0.25)
    result = search(
        numbers,
        ceilings={"link": 0.25},
        methods=["microaggregate"],
        ranges={"microaggregate": {"k": (2, 9)}},
        loss="sse",
        trials=160,
    )
    assert result.chosen.loss == pytest.approx(best)


def test_the_plan_found_runs_as_it_is_and_keeps_to_the_limits(numbers: Table) -> None:
    result = search(numbers, ceilings={"link": 0.4}, trials=32, draw=5)
    judged = assess(numbers, protect(numbers, result.plan), attacks=["link"], losses=[])
    assert result.chosen.meets
    assert judged.risks[0].risk <= 0.6
    json.dumps(result.to_dict(), allow_nan=False)
    assert "link" in str(result)


def test_a_floor_for_k_is_kept_by_every_plan_that_is_within_the_limits() -> None:
    people = census(120, seed=1).without(["postcode", "country_of_birth", "occupation", "education"])
    result = search(people, floors={"k_anonymity": 3}, ceilings={"link": 0.9}, trials=8)
    within = [each.levels["k_anonymity"] >= 3 and each.risks["link"] <= 0.9 for each in result.points]
    assert [each.meets for each in result.points] == within
    assert sum(within) > 4
    assert result.chosen.meets


def test_no_plan_is_tried_twice_as_long_as_there_are_others(numbers: Table) -> None:
    result = search(numbers, ceilings={"link": 0.9}, trials=24, methods=["mondrian", "microaggregate"])
    outcomes: list[TriedPlan | FailedPlan] = [*result.points, *result.failed]
    tried = [str(each.plan) for each in outcomes]
    assert len(tried) == 24
    assert len(set(tried)) >= 23


def test_resuming_gives_the_same_front_and_tries_nothing_twice(numbers: Table, tmp_path: Path) -> None:
    whole = search(numbers, ceilings={"link": 0.5}, trials=48, draw=9)
    journal = tmp_path / "journal.jsonl"
    search(numbers, ceilings={"link": 0.5}, trials=16, draw=9, journal=journal)
    with journal.open("a") as file:
        file.write('{"trial": "1.0", "poi')
    resumed = search(numbers, ceilings={"link": 0.5}, trials=48, draw=9, journal=journal)
    assert [each.to_dict() for each in resumed.front] == [each.to_dict() for each in whole.front]
    assert resumed.chosen.to_dict() == whole.chosen.to_dict()
    trials = [json.loads(line).get("trial") for line in journal.read_text().splitlines()]
    assert len(trials) == len(set(trials))
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600


def test_a_journal_of_another_search_is_refused(numbers: Table, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    search(numbers, ceilings={"link": 0.5}, trials=4, journal=journal)
    with pytest.raises(Mismatch, match="journal of another search"):
        search(numbers, ceilings={"link": 0.4}, trials=4, journal=journal)


def test_threads_change_nothing(numbers: Table) -> None:
    one = search(numbers, ceilings={"link": 0.5}, trials=20, threads=1)
    two = search(numbers, ceilings={"link": 0.5}, trials=20, threads=4)
    assert one.to_dict() == two.to_dict()


def test_limits_that_no_plan_keeps_are_unreachable(numbers: Table) -> None:
    with pytest.raises(Unreachable, match=r"none of .* plans keeps to the limits; the nearest is"):
        search(numbers, ceilings={"link": 1e-9}, trials=8)


def test_bad_requests_are_named(numbers: Table) -> None:
    with pytest.raises(UnknownMethod, match="Did you mean 'link'"):
        search(numbers, ceilings={"lnk": 0.5}, trials=1)
    with pytest.raises(BadParameter, match="ceiling of link must be above 0"):
        search(numbers, ceilings={"link": 0}, trials=1)
    with pytest.raises(BadParameter, match="trials"):
        search(numbers, trials=0)
    with pytest.raises(BadParameter, match="seconds"):
        search(numbers, seconds=-1)
    with pytest.raises(BadTable, match="none of the methods named can mask a, b, c"):
        search(numbers, methods=["pram"], trials=1)
    with pytest.raises(BadParameter, match="must rise from above zero"):
        search(numbers, ranges={"rank_swap": {"p": (0, 5)}}, methods=["rank_swap"], trials=1)


def test_time_is_a_budget_too(numbers: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by a little with each look at it: plans are tried until it is late."""
    looks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: 0.01 * next(looks))
    monkeypatch.setattr(budget, "time", clock)
    found = search(numbers, ceilings={"link": 0.9}, methods=["add_noise"], seconds=10.0, threads=1)
    assert 1 <= len(found.points) < 200
    assert found.chosen.meets


def test_a_search_ends_when_its_time_is_up_even_within_its_first_plan(
    numbers: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = itertools.count()
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: float(next(looks))))
    with pytest.raises(NoPlan, match="the time was up before one plan was tried to its end") as told:
        search(numbers, ceilings={"identity": 0.2}, seconds=2.5)
    assert told.value.found is None
    assert next(looks) < 12


def test_a_plan_that_has_not_met_all_attacks_in_time_is_given_back_as_such(
    numbers: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All attacks on a plan take more time than there is."""
    now = [0.0]
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def slow(goal: Goal, plan: Plan, seed: int, attacks: tuple[str, ...]) -> TriedPlan | FailedPlan:
        now[0] += 100.0
        return try_plan(goal, plan, seed, attacks)

    monkeypatch.setattr(trial, "try_plan", slow)
    with pytest.raises(NoPlan, match="the time was up before one of them had met all attacks") as told:
        search(numbers, ceilings={"identity": 0.9}, seconds=10.0)
    found = told.value.found
    assert isinstance(found, SearchResult)
    assert [str(each) for each in found.points] == ["microaggregate k 2"]
    assert found.chosen == found.points[0]
    assert found.chosen.meets
    assert found.chosen.checked != ("identity",)


def test_the_first_plan_within_the_limits_meets_all_attacks_at_once_so_that_more_time_never_finds_less(
    numbers: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All time but that for the first plans and all attacks on one of them goes into plans that come to nothing."""
    now = [0.0]
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: now[0]))
    in_full: list[Plan] = []

    def once(goal: Goal, plan: Plan, seed: int, attacks: tuple[str, ...]) -> TriedPlan | FailedPlan:
        in_full.append(plan)
        if plan != own:
            now[0] += 1000.0
            goal.progress(0, 1, "link")
        return try_plan(goal, plan, seed, attacks)

    def trying(goal: Goal, plan: Plan, seed: int, attacks: tuple[str, ...]) -> TriedPlan | FailedPlan:
        now[0] += 1.0
        return try_plan(goal, plan, seed, attacks)

    monkeypatch.setattr(trial, "try_plan", once)
    monkeypatch.setattr(budget, "try_plan", trying)
    own = Plan.of([("microaggregate", {"columns": ["a", "b", "c"], "k": 40})])
    found = search(numbers, ceilings={"identity": 0.9}, begin=[own], seconds=20.0, threads=1)
    assert in_full[0] == own
    assert len(in_full) > 1
    assert found.plan == own
    assert len(found.points) > 2
    assert any(each.meets and each.loss < found.chosen.loss for each in found.points)


def test_a_plan_at_work_is_given_up_when_the_time_for_trying_is_over_and_later_when_all_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr("discreet.searching.budget.time.monotonic", lambda: now[0])
    ten = Budget(seconds=10.0, trials=None)
    now[0] = 105.9
    ten.check(0, 1, "link")
    now[0] = 106.1
    with pytest.raises(TimeUp):
        ten.check(0, 1, "link")
    ten.is_for_trying = False
    ten.check(0, 1, "link")
    now[0] = 110.1
    with pytest.raises(TimeUp):
        ten.check(0, 1, "link")


def test_a_search_begins_with_the_plans_given_and_then_with_small_groups() -> None:
    people = census(80, seed=1)
    keys = [name for name in people.keys if people[name].scale != Scale.TEXT]
    # Steps that no plan of the space has, and columns in another order than there.
    own = [
        Plan.of([("suppress", {"columns": keys[:2], "k": 3})]),
        Plan.of([("mondrian", {"columns": keys[::-1], "k": 12})]),
    ]
    with pytest.raises(NoPlan) as told:
        search(people, ceilings={"link": 0.1}, floors={"k_anonymity": 81}, begin=own, trials=6)
    found = told.value.found
    assert isinstance(found, SearchResult)
    tried: list[TriedPlan | FailedPlan] = [*found.points, *found.failed]
    assert len(tried) == 6
    assert {str(each) for each in own} <= {str(each.plan) for each in tried}
    assert any(
        step.name == "microaggregate" and step.parameters["k"] == 80
        for each in tried
        for step in each.plan.steps
    )


def test_the_first_groups_are_in_the_ranges_and_of_the_methods_given(numbers: Table) -> None:
    assert [str(each) for each in PlanSpace.of(numbers).begins(7)] == ["microaggregate(columns=a+b+c, k=7)"]
    narrow = PlanSpace.of(numbers, ranges={"microaggregate": {"k": (2.5, 4)}})
    assert [narrow.begins(k)[0].steps[0].parameters["k"] for k in (1, 7)] == [3, 4]
    assert PlanSpace.of(numbers, methods=["add_noise"]).begins(7) == ()
    assert PlanSpace.of(census(80, seed=1), methods=["pram", "rank_swap"]).begins(7) == ()


def test_what_was_tried_is_kept_where_no_plan_keeps_to_the_limits(numbers: Table) -> None:
    with pytest.raises(NoPlan) as told:
        search(numbers, ceilings={"link": 1e-9}, trials=8)
    found = told.value.found
    assert isinstance(found, SearchResult)
    assert found.points
    assert not found.chosen.meets
    assert found.chosen.risk == min(each.risk for each in found.points)


def test_numbers_and_categories_are_masked_in_one_step_by_half_of_the_plans() -> None:
    people = census(80, seed=1)
    space = PlanSpace.of(people)
    drawn = [space.draw(generator(place)) for place in range(200)]
    drawn += [space.near(plan, generator(1, place)) for place, plan in enumerate(drawn)]
    firsts = [set(plan.steps[0].parameters["columns"]) for plan in drawn]
    keys = {name for name in people.keys if people[name].scale != Scale.TEXT}
    assert 0.35 < sum(each == keys for each in firsts) / len(firsts) < 0.65
    assert {plan.steps[0].name for plan, each in zip(drawn, firsts, strict=True) if each == keys} == {
        "generalise",
        "generalise_locally",
        "microaggregate",
        "mondrian",
        "suppress",
    }
    assert PlanSpace.of(people, methods=["pram", "rank_swap"]).together is None


@pytest.fixture(scope="module")
def of_every_scale(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A small table of columns on every scale that can be masked; categories mean something in an ontology."""
    home = tmp_path_factory.mktemp("ontology")
    pets = "dog;mammal;animal\ncat;mammal;animal\neagle;bird;animal\n"
    levels = "bad;poor;level\nfair;poor;level\ngood;well;level\nbest;well;level\n"
    moods = "low;poor;level\neven;well;level\nhigh;well;level\n"
    (home / "pets.csv").write_text(pets)
    (home / "levels.csv").write_text(levels + moods)
    draws = np.random.default_rng(8)
    frame = pl.DataFrame(
        {
            "age": draws.integers(20, 90, 200),
            "income": draws.normal(3000, 900, 200).round(2),
            "health": draws.choice(["bad", "fair", "good", "best"], 200),
            "mood": draws.choice(["low", "even", "high"], 200),
            "pet": draws.choice(["dog", "cat", "eagle"], 200),
            "other_pet": draws.choice(["dog", "cat", "eagle"], 200),
        }
    )
    table = Table.of(
        frame,
        roles={},
        orders={"health": ["bad", "fair", "good", "best"], "mood": ["low", "even", "high"]},
        ontologies={
            "health": "levels.csv",
            "mood": "levels.csv",
            "pet": "pets.csv",
            "other_pet": "pets.csv",
        },
        rest="quasi-identifier",
    )
    return replace(table, home=str(home))


SEARCHED = [each for each in methods("mask") if tunable(each) and each.keeps_rows]


@pytest.mark.parametrize("method", SEARCHED, ids=lambda method: method.name)
def test_every_plan_of_the_space_is_in_the_ranges_and_most_can_be_carried_out(
    of_every_scale: Table, method: Method
) -> None:
    assert method.scales & {Scale.NUMERIC, Scale.ORDINAL, Scale.NOMINAL}
    for scale in sorted(method.scales):
        table = only(of_every_scale, scale)
        space = PlanSpace.of(table, methods=[method.name])
        drawn = [space.draw(generator(1, number)) for number in range(6)]
        drawn += [space.near(plan, generator(2, number)) for number, plan in enumerate(drawn)]
        wide = [each for each in tunable(method, {scale}) if (usual := usual_of(each))[0] < usual[1]]
        assert (len({str(plan) for plan in drawn}) > 1) == bool(wide)
        for plan in drawn:
            in_ranges(plan, method, table)
        done = [plan for plan in drawn if carried_out(table, plan)]
        assert len(done) >= len(drawn) / 2, scale


def only(table: Table, scale: Scale) -> Table:
    """The table with the quasi-identifiers of one scale alone; the others are of no use to an intruder."""
    return replace(
        table,
        columns=tuple(
            each if each.scale == scale else replace(each, role=Role.INSENSITIVE) for each in table.columns
        ),
    )


def in_ranges(plan: Plan, method: Method, table: Table) -> None:
    (step,) = plan.steps
    assert step.name == method.name
    assert step.parameters["columns"] == list(table.keys)
    searched = tunable(method, {table[name].scale for name in table.keys})
    assert searched
    for parameter in searched:
        low, high = usual_of(parameter)
        # Numbers are rounded to three digits.
        assert 0.99 * low <= step.parameters[parameter.name] <= 1.01 * high


def usual_of(parameter: Parameter) -> tuple[float, float]:
    assert isinstance(parameter.kind, Whole | Real)
    assert parameter.kind.usual is not None
    return parameter.kind.usual


def carried_out(table: Table, plan: Plan) -> bool:
    """Whether the table allows the plan; where it does not, an error says so by name."""
    try:
        return len(protect(table, plan, seed=1).table) == len(table)
    except (Unreachable, WrongScale):
        return False


def test_floors_on_k_and_l_are_reached_by_the_plan_that_is_found() -> None:
    draws = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "age": draws.integers(20, 60, 160),
            "sex": draws.choice(["f", "m"], 160),
            "town": draws.choice(["a", "b", "c"], 160),
            "illness": draws.choice(["flu", "cold", "asthma"], 160, p=[0.7, 0.2, 0.1]),
        }
    )
    table = Table.of(frame, roles={"illness": "confidential"}, rest="quasi-identifier")
    found = search(table, floors={"k_anonymity": 5, "l_diversity": 2}, trials=24, draw=1)
    judged = assess(table, protect(table, found.plan), attacks=["k_anonymity", "l_diversity"], losses=[])
    assert {risk.name: float(risk.level or 0) for risk in judged.risks}["k_anonymity"] >= 5
    assert {risk.name: float(risk.level or 0) for risk in judged.risks}["l_diversity"] >= 2
    last = found.plan.steps[-1].parameters
    assert (last["k"], last["l"]) == (5, 2)


def test_limits_become_parameters_of_the_masks_that_reach_them() -> None:
    assert goal_of({"link": 0.1}, {}) == {}
    assert goal_of({}, {"k_anonymity": 5}) == {"k": 5}
    assert goal_of({"t_closeness": 0.2}, {"l_diversity variant=entropy": 1.5}) == {
        "k": 2,
        "l": 1.5,
        "l_variant": "entropy",
        "t": 0.2,
    }


def test_the_space_with_a_goal_holds_every_method_that_reaches_it(numbers: Table) -> None:
    space = PlanSpace.of(numbers, goal={"k": 5, "l": 2})
    drawn = [space.draw(generator(place)) for place in range(200)]
    alone = {plan.steps[0].name for plan in drawn if len(plan.steps) == 1}
    assert alone == {"generalise", "generalise_locally", "mondrian", "suppress"}
    for plan in drawn:
        assert plan.steps[-1].parameters["k"] == 5
        assert plan.steps[-1].parameters["l"] == 2
        assert space.near(plan, generator(1)).steps[-1].parameters["l"] == 2
