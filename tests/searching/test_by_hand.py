"""The parts of a search, each by itself: which plans are tried, by which attacks, and what is chosen."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, Unreachable
from discreet.intruder import Intruder
from discreet.parameters import Real, Whole
from discreet.plan import Plan
from discreet.registry import find, methods
from discreet.searching import FailedPlan, TriedPlan, budget, finding, search, trial
from discreet.searching.budget import Budget
from discreet.searching.finding import MOST_CONFIRMED, ROUND
from discreet.searching.journal import Journal
from discreet.searching.question import Question, differences
from discreet.searching.side_by_side import InThreads
from discreet.searching.space import PlanSpace, goal_of, rare_weights_joined, tunable
from discreet.searching.trial import REPEATS, Goal, seed_of, try_plan
from discreet.seeds import derive, generator
from discreet.table import Column, Role, Scale, Table


@pytest.fixture(scope="module")
def numbers() -> Table:
    frame = pl.DataFrame(np.random.default_rng(3).normal(size=(40, 2)), schema=["a", "b"])
    return Table.of(frame, roles={}, rest="quasi-identifier")


def rounded(base: float) -> Plan:
    return Plan.of([("round", {"columns": ["a"], "base": base})])


def point(base: float, *, risk: float = 0.5, loss: float = 1.0, meets: bool = True) -> TriedPlan:
    return TriedPlan(plan=rounded(base), risk=risk, loss=loss, risks={"identity": risk}, meets=meets)


def test_a_tried_plan_says_its_methods_and_numbers_without_the_columns() -> None:
    plan = Plan.of(
        [
            ("rank_swap", {"columns": ["a"], "p": 5}),
            ("microaggregate", {"columns": ["b"], "k": 3, "variant": "mdav"}),
        ]
    )
    tried = TriedPlan(plan=plan, risk=0.1, loss=2.0, risks={}, meets=False)
    assert str(tried) == "rank_swap p 5, then microaggregate k 3 variant mdav"


# What is drawn.


@pytest.mark.parametrize(
    ("ceilings", "floors", "goal"),
    [
        ({"identity": 0.1, "link": 0.2}, {}, {}),
        ({}, {"k_anonymity": 1}, {}),
        ({}, {"k_anonymity": 2.2}, {"k": 3}),
        ({"k_anonymity": 0.2}, {}, {}),
        ({}, {"l_diversity": 1}, {}),
        ({"l_diversity": 0.5}, {}, {}),
        (
            {},
            {"k_anonymity": 4, "l_diversity variant=recursive c=2 columns=ill": 3},
            {"k": 4, "l": 3, "l_variant": "recursive", "c": 2, "confidential": ["ill"]},
        ),
        ({"t_closeness": 1}, {}, {}),
        ({"t_closeness columns=ill": 0.3}, {}, {"k": 2, "t": 0.3, "confidential": ["ill"]}),
        ({}, {"t_closeness": 0.3}, {}),
    ],
)
def test_limits_on_classes_are_goals_and_others_are_not(
    ceilings: dict[str, float], floors: dict[str, float], goal: dict[str, Any]
) -> None:
    assert goal_of(ceilings, floors) == goal


@given(st.integers(0, 500), st.floats(0.001, 10), st.floats(1.0, 1000))
def test_what_is_drawn_and_moved_stays_in_the_range_that_was_given(
    seed: int, low: float, times: float
) -> None:
    table = Table.of(pl.DataFrame({"a": [1.0, 2.0, 5.0]}), roles={}, rest="quasi-identifier")
    high = low * times
    space = PlanSpace.of(table, methods=["round"], ranges={"round": {"base": (low, high)}})
    plan = space.draw(generator(seed))
    for place in range(3):
        plan = space.near(plan, generator(seed, place))
        base = plan.steps[0].parameters["base"]
        assert 0.995 * low <= base <= 1.005 * high
        # Three digits, so that a plan can be read.
        assert float(f"{base:.3g}") == base


def test_numbers_are_drawn_evenly_in_logarithms_and_moved_a_little() -> None:
    table = Table.of(pl.DataFrame({"a": [1.0, 2.0, 5.0]}), roles={}, rest="quasi-identifier")
    space = PlanSpace.of(table, methods=["round"], ranges={"round": {"base": (1.0, 10_000.0)}})
    drawn = [space.draw(generator(1, place)).steps[0].parameters["base"] for place in range(400)]
    assert np.mean(np.array(drawn) < 100) == pytest.approx(0.5, abs=0.08)
    moved = [
        space.near(rounded(100.0), generator(2, place)).steps[0].parameters["base"] for place in range(400)
    ]
    steps = np.log(np.array(moved) / 100) / np.log(10_000)
    # Most are moved by less than twice the spread of 0.15; few, those drawn anew, by more.
    assert np.mean(np.abs(steps) < 0.3) == pytest.approx(0.85 * 0.954 + 0.15 * 0.6, abs=0.05)
    assert np.mean(steps) == pytest.approx(0, abs=0.05)


def test_near_a_plan_one_step_alone_is_another() -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0, 5.0] * 4, "c": ["x", "y", "z"] * 4})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    space = PlanSpace.of(table, methods=["add_noise", "round", "pram"])
    assert [[each.name for each in slot.methods] for slot in space.slots] == [
        ["add_noise", "round"],
        ["pram"],
    ]
    assert [slot.columns for slot in space.slots] == [("a",), ("c",)]
    plan = space.draw(generator(0))
    changed: Counter[tuple[bool, ...]] = Counter()
    for place in range(100):
        other = space.near(plan, generator(1, place))
        changed[tuple(one != two for one, two in zip(plan.steps, other.steps, strict=True))] += 1
    assert set(changed) <= {(True, False), (False, True), (False, False)}
    assert min(changed[True, False], changed[False, True]) > 30


def test_with_a_goal_three_plans_in_ten_are_one_step_that_reaches_it(numbers: Table) -> None:
    space = PlanSpace.of(numbers, goal={"k": 3})
    drawn = [space.draw(generator(place)) for place in range(400)]
    alone = [plan for plan in drawn if len(plan.steps) == 1]
    assert len(alone) / len(drawn) == pytest.approx(0.3, abs=0.07)
    others = [plan for plan in drawn if len(plan.steps) > 1]
    assert {plan.steps[-1].name for plan in others} == {"suppress"}
    for place, plan in enumerate(alone[:20]):
        assert plan.steps[0].parameters["columns"] == ["a", "b"]
        assert len(space.near(plan, generator(1, place)).steps) == 1
    narrow = PlanSpace.of(numbers, methods=["mondrian"], goal={"k": 3})
    assert {each.name for each in narrow.alone} == {"mondrian"}


def test_weights_that_few_share_are_joined_at_the_end_of_every_plan() -> None:
    def weighted(weights: list[float]) -> Table:
        frame = pl.DataFrame({"a": range(len(weights)), "w": weights})
        return Table.of(frame, roles={"w": "weight"}, rest="quasi-identifier")

    own = weighted([1.0 + place for place in range(60)])
    (step,) = rare_weights_joined(own)
    assert (step.name, dict(step.parameters)) == ("microaggregate", {"columns": ["w"], "k": 20})
    assert dict(rare_weights_joined(weighted([1.0, 2.0, 3.0, 4.0, 5.0]))[0].parameters)["k"] == 2
    assert rare_weights_joined(weighted([1.0, 2.0, 3.0])) == ()
    assert rare_weights_joined(weighted([1.0, 2.0] * 30)) == ()
    assert rare_weights_joined(own.without(["w"])) == ()
    # A household of three has one weight: twenty records would be seven households, whose weight would still be rare.
    together = replace(
        weighted([1.0 + place // 3 for place in range(240)]).with_values(
            {"a": pl.Series([place // 3 for place in range(240)])}
        ),
        columns=(
            Column(name="a", role=Role.HOUSEHOLD, scale=Scale.NOMINAL),
            Column(name="w", role=Role.WEIGHT, scale=Scale.NUMERIC),
        ),
    )
    assert dict(rare_weights_joined(together)[0].parameters)["k"] == 40
    for goal in ({}, {"k": 3}):
        space = PlanSpace.of(own, goal=goal)
        drawn = [space.draw(generator(place)) for place in range(20)]
        drawn += [space.near(plan, generator(1, place)) for place, plan in enumerate(drawn)]
        assert all(plan.steps[-1] == step for plan in drawn)
        assert all(plan.steps.count(step) == 1 for plan in drawn)


def test_a_range_that_does_not_rise_from_above_zero_is_refused(numbers: Table) -> None:
    for low, high in ((0, 1), (-1, 1), (2, 1)):
        space = PlanSpace.of(numbers, methods=["round"], ranges={"round": {"base": (low, high)}})
        with pytest.raises(BadParameter, match="the range of round base must rise from above zero"):
            space.draw(generator(0))
    single = PlanSpace.of(numbers, methods=["round"], ranges={"round": {"base": (2, 2)}})
    assert single.draw(generator(0)).steps[0].parameters["base"] == 2


def test_variants_that_are_not_searched_are_never_drawn(numbers: Table) -> None:
    space = PlanSpace.of(numbers, methods=["microaggregate"])
    kind: Any = find("mask", "microaggregate").parameter("variant").kind
    drawn = {space.draw(generator(place)).steps[0].parameters["variant"] for place in range(200)}
    assert drawn == set(kind.among) - set(kind.not_searched)


def test_parameters_whose_range_begins_at_zero_stay_as_they_are() -> None:
    for method in methods("mask"):
        for parameter in tunable(method):
            assert isinstance(parameter.kind, Real | Whole)
            assert parameter.kind.usual is not None
            assert parameter.kind.usual[0] > 0


# How plans are tried.


def test_attacks_are_the_limits_and_every_plan_meets_the_quick_ones(numbers: Table) -> None:
    def goal(ceilings: dict[str, float], floors: dict[str, float]) -> Goal:
        return Goal.of(numbers, ceilings, floors, None)

    assert goal({}, {}).attacks == ("identity",)
    assert goal({}, {"k_anonymity": 2}).attacks == ("identity", "k_anonymity")
    assert goal({"link": 0.5}, {"k_anonymity": 2}).attacks == ("link", "k_anonymity")
    both = goal({"learned": 0.5, "link": 0.5}, {})
    assert both.attacks == ("link", "learned")
    assert both.cheap() == ("link",)
    # A search whose only limit is on an expensive attack tries every plan with the quick ones for identity.
    assert goal({"learned": 0.5}, {}).cheap() == goal({}, {}).cheap()
    assert "link" in goal({}, {}).cheap()
    assert goal({"identity": 0.2, "link": 0.1}, {}).cheap().count("link") == 1
    assert goal({}, {}).losses == ("lost",)
    assert Goal.of(numbers, {}, {}, "il1").losses == ("il1",)
    for bound in (0.0, 1.5, -1.0):
        with pytest.raises(BadParameter, match="the ceiling of link must be above 0 and at most 1"):
            goal({"link": bound}, {})
    assert goal({"link": 1.0}, {}).ceilings == {"link": 1.0}


def test_a_point_holds_the_largest_share_of_a_ceiling_that_is_used_up(numbers: Table) -> None:
    given = Goal.of(numbers, {"link": 0.5, "interval_disclosure": 1.0}, {"k_anonymity": 2}, "il1")
    found = try_plan(given, rounded(0.5), 7, given.attacks)
    assert isinstance(found, TriedPlan)
    assert found.risk == pytest.approx(max(found.risks["link"] / 0.5, found.risks["interval_disclosure"]))
    assert set(found.levels) == {"k_anonymity"}
    assert found.levels["k_anonymity"] == 1
    assert not found.meets
    assert found.checked == given.attacks
    free = Goal.of(numbers, {}, {}, None)
    found = try_plan(free, rounded(0.5), 7, ("link", "identity"))
    assert isinstance(found, TriedPlan)
    assert found.risk == found.risks["identity"]
    assert found.meets
    assert found.loss > 0


def test_a_plan_that_cannot_be_carried_out_or_measured_is_no_point(numbers: Table) -> None:
    goal = Goal.of(numbers, {"link": 0.5}, {}, None)
    too_many = Plan.of([("microaggregate", {"columns": ["a"], "k": 41})])
    assert "k" in refused(try_plan(goal, too_many, 1, goal.attacks))
    categories = Goal.of(numbers, {"link": 0.5}, {}, "category_distance")
    assert "category_distance" in refused(try_plan(categories, rounded(0.5), 1, categories.attacks))
    diverse = Goal.of(numbers, {"l_diversity": 0.5}, {}, None)
    assert "no confidential columns" in refused(try_plan(diverse, rounded(0.5), 1, diverse.attacks))


def refused(outcome: TriedPlan | FailedPlan) -> str:
    """Why a plan is no point."""
    assert isinstance(outcome, FailedPlan)
    return outcome.reason


def test_half_of_each_round_is_near_the_front_and_no_more_than_asked_are_tried(numbers: Table) -> None:
    space = PlanSpace.of(numbers, methods=["round"], ranges={"round": {"base": (1.0, 10.0)}})
    points: list[TriedPlan] = []
    sizes, odd = [], []
    for plans in finding._rounds(space, (), points, 3, Budget(seconds=None, trials=ROUND + 5)):
        sizes.append(len(plans))
        odd.append([plan.steps[0].parameters["base"] for plan in plans][1::2])
        points.append(
            replace(point(0.001), plan=Plan.of([("round", {"columns": ["a", "b"], "base": 0.001})]))
        )
    assert sizes == [ROUND, 5]
    # Near the only point of the front, whose base is below the range: moved ones lie at its lower end.
    assert np.mean(np.array(odd[1]) < 2) > 0.4
    drawn = finding._rounds(space, (), [], 3, Budget(seconds=None, trials=ROUND))
    assert [len(plans) for plans in drawn] == [ROUND]


def test_a_round_tries_each_plan_once_with_a_seed_of_its_own(
    numbers: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    goal = Goal.of(numbers, {"link": 0.5}, {}, None)
    asked: list[tuple[str, int, tuple[str, ...]]] = []

    def tried(goal: Goal, plan: Plan, seed: int, attacks: tuple[str, ...]) -> TriedPlan | FailedPlan:
        asked.append((str(plan), seed, attacks))
        if plan == rounded(3.0):
            return FailedPlan(plan=plan, reason="too wide")
        return point(plan.steps[0].parameters["base"])

    monkeypatch.setattr(budget, "try_plan", tried)
    book = journal(numbers, tmp_path / "j")
    plans = [rounded(1.0), rounded(2.0), rounded(3.0)]
    with ThreadPoolExecutor(1) as pool:
        workers = InThreads(pool=pool, budget=Budget(seconds=None, trials=3))
        first, again = ([*finding._tried(goal, plans, 4, book, 9, workers)] for _ in range(2))
    assert [str(each.plan) for each in first] == [str(plan) for plan in plans] == [str(e.plan) for e in again]
    assert asked == [(str(plan), derive(9, 1, 4, number), ("link",)) for number, plan in enumerate(plans)]
    assert list(book.kept) == ["4.0", "4.1", "4.2"]
    assert refused(journal(numbers, tmp_path / "j").kept["4.2"]) == "too wide"


def alone() -> InThreads:
    return InThreads(pool=ThreadPoolExecutor(1), budget=Budget(seconds=None, trials=3))


def journal(table: Table, path: Path | None = None) -> Journal:
    question = Question(
        table=table,
        ceilings={},
        floors={},
        methods=None,
        ranges=None,
        loss="lost",
        draw=0,
        intruder=Intruder(),
    )
    return Journal(path, question)


def test_the_plan_of_least_loss_that_keeps_to_the_limits_every_time_is_chosen(
    numbers: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal = Goal.of(numbers, {"link": 0.5}, {}, None)
    asked: list[tuple[float, int]] = []
    heard: list[str] = []
    risks = {1.0: [0.2, 0.9, 0.1], 2.0: [0.3, 0.5, 0.4], 3.0: [0.1, 0.1, 0.1]}

    def tried(goal: Goal, plan: Plan, seed: int, attacks: tuple[str, ...]) -> TriedPlan:
        base = plan.steps[0].parameters["base"]
        risk = risks[base][sum(1 for each, _ in asked if each == base)]
        asked.append((base, seed))
        assert attacks == goal.attacks
        return point(base, risk=risk, meets=risk < 0.8)

    monkeypatch.setattr(trial, "try_plan", tried)
    points = [
        point(3.0, loss=3.0),
        point(1.0, loss=1.0),
        point(2.0, loss=2.0),
        point(9.0, loss=0.5, meets=False),
    ]
    chosen = finding._chosen(goal, points, journal(numbers), 0, alone(), heard.append)
    # The first fails its second try and is not tried a third time; the worst try of the next one stands for it.
    assert [base for base, _ in asked] == [1.0] * 2 + [2.0] * REPEATS
    assert len({seed for _, seed in asked}) == 5
    assert len(heard) == 2
    assert chosen is not None
    assert (str(chosen.plan), chosen.risk) == (str(rounded(2.0)), 0.5)


def test_so_many_plans_at_most_are_confirmed(numbers: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    goal = Goal.of(numbers, {"link": 0.5}, {}, None)
    asked: list[float] = []
    heard: list[str] = []

    def tried(goal: Goal, plan: Plan, seed: int, attacks: tuple[str, ...]) -> TriedPlan:
        asked.append(plan.steps[0].parameters["base"])
        return point(asked[-1], meets=False)

    monkeypatch.setattr(trial, "try_plan", tried)
    points = [point(base, loss=base) for base in range(1, 21)]
    book = journal(numbers)
    assert finding._chosen(goal, points, book, 0, alone(), heard.append) is None
    assert asked == list(range(1, MOST_CONFIRMED + 1))
    assert all(name.startswith("confirm.") for name in book.kept)
    assert finding._chosen(goal, points, book, 0, alone(), heard.append) is None
    assert len(asked) == MOST_CONFIRMED


def test_a_search_tells_how_far_it_is_and_what_it_has(numbers: Table) -> None:
    told: list[tuple[float, float, str]] = []
    search(
        numbers,
        ceilings={"link": 1.0},
        methods=["round"],
        trials=ROUND + 4,
        progress=lambda done, total, what: told.append((done, total, what)),
    )
    # By plan, not by round.
    by_plan = [done for done, _, what in told if what.startswith("plan ")]
    assert by_plan == pytest.approx([each / (ROUND + 4) for each in range(1, ROUND + 5)])
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    in_full = [what for _, _, what in told if what.startswith("all attacks on round base")]
    assert in_full
    assert all(": within the limits, identity " in what for what in in_full)
    assert told[0][2].startswith("plan 1: round base")
    assert all("least loss within the limits" in what for _, _, what in told if what.startswith("plan "))
    with pytest.raises(Unreachable):
        search(
            numbers,
            ceilings={"link": 1e-9},
            methods=["round"],
            trials=2,
            progress=lambda done, total, what: told.append((done, total, what)),
        )
    assert told[-1][:2] == (1.0, 1.0)
    assert told[-1][2].startswith("plan 2: round base")
    assert told[-1][2].endswith("(none within the limits yet)")


def test_without_a_budget_a_search_takes_a_minute(numbers: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[Any, Any]] = []

    class Asked(Budget):
        def __init__(self, *, seconds: float | None, trials: int | None) -> None:
            given.append((seconds, trials))
            super().__init__(seconds=None, trials=2)

    monkeypatch.setattr(finding, "Budget", Asked)
    for more in ({}, {"trials": 1}, {"seconds": 5.0}, {"seconds": 5.0, "trials": 1}):
        search(numbers, ceilings={"link": 1.0}, methods=["round"], **more)
    assert given == [(60.0, None), (None, 1), (5.0, None), (5.0, 1)]


def test_another_draw_is_another_search_and_seeds_follow_from_it(numbers: Table) -> None:
    assert seed_of(3, 1, 2) == derive(3, 1, 2) != seed_of(4, 1, 2)
    one, two = (search(numbers, ceilings={"link": 1.0}, trials=4, draw=draw) for draw in (1, 2))
    assert one.to_dict() != two.to_dict()
    assert one.loss == "lost"
    assert search(numbers, ceilings={"link": 1.0}, trials=2, loss="il1").loss == "il1"


def test_what_the_intruder_knows_is_what_plans_are_tried_against(numbers: Table) -> None:
    given: dict[str, Any] = {"ceilings": {"link": 1.0}, "methods": ["round"], "trials": 3}
    everything = search(numbers, **given)
    half = search(numbers, **given, intruder=Intruder(columns=("a",)))
    assert [each.loss for each in half.points] == [each.loss for each in everything.points]
    assert [each.risks["link"] for each in half.points] != [each.risks["link"] for each in everything.points]


# The journal.


REFUSED = FailedPlan(plan=rounded(9.0), reason="too few records")


def test_a_journal_keeps_points_and_refusals_line_by_line(numbers: Table, tmp_path: Path) -> None:
    path = tmp_path / "new" / "j.jsonl"
    book = journal(numbers, path)
    book.add("0.0", point(1.0))
    book.add("0.1", REFUSED)
    head, *lines = path.read_text().splitlines()
    assert differences(json.loads(head), json.loads(head)) == []
    assert [json.loads(line) for line in lines] == [
        {"trial": "0.0", "point": point(1.0).to_dict()},
        {"trial": "0.1", "failed": {"plan": rounded(9.0).to_dict(), "reason": "too few records"}},
    ]
    with path.open("a") as file:
        file.write('{"trial": "0.2", "po')
    again = journal(numbers, path)
    assert list(again.kept) == ["0.0", "0.1"]
    kept = again.kept["0.0"]
    assert kept.to_dict() == point(1.0).to_dict()
    assert again.kept["0.1"] == REFUSED
    assert path.read_text().splitlines() == [head, *lines]
    again.add("0.2", REFUSED)
    assert list(journal(numbers, path).kept) == ["0.0", "0.1", "0.2"]
    alone = journal(numbers)
    alone.add("0.0", REFUSED)
    assert alone.kept == {"0.0": REFUSED}


def test_an_empty_file_becomes_a_journal(numbers: Table, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.touch()
    journal(numbers, path).add("0.0", REFUSED)
    assert len(path.read_text().splitlines()) == 2


def test_columns_that_came_went_or_changed_are_named() -> None:
    now = {"format": 2, "made_with": {"discreet": "2"}, "columns": {"a": "1", "b": "2"}}
    rest = dict.fromkeys(
        ("values", "files", "ceilings", "floors", "methods", "ranges", "loss", "draw", "intruder", "begin"),
        "x",
    )

    def told(**other: Any) -> list[str]:
        return differences({**now, **rest, **other}, {**now, **rest})

    assert told() == []
    assert told(columns={"a": "1", "b": "3"}) == [
        "what is said of the column 'b' (role, scale, order or meaning)"
    ]
    assert told(columns={"a": "1", "c": "2"}) == [
        "what is said of the columns 'c', 'b' (role, scale, order or meaning)"
    ]
    assert told(columns=None) == ["what is said of the columns 'a', 'b' (role, scale, order or meaning)"]
    assert told(made_with={}) == ["the version of discreet, unknown then and 2 now"]
    assert told(made_with={"discreet": "1"}, draw="y") == [
        "the version of discreet, 1 then and 2 now",
        "the draw",
    ]
    assert told(format=1) == ["the form of the journal, which another version of discreet wrote"]


def test_the_strongest_attack_is_named_where_one_finds_people() -> None:
    tried = point(1.0)
    assert finding._strongest(tried) == ""
    assert finding._strongest(replace(tried, risks={"k_anonymity": 0.9, "interval_disclosure": 0.9})) == ""
    both = replace(tried, risks={"identity": 0.5, "link": 0.25, "link_probabilistic": 0.5})
    assert finding._strongest(both) == ", where link_probabilistic finds 50.0%"
