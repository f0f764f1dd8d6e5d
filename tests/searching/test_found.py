"""What a search says it found, in one line and as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from discreet.intruder import OWNER
from discreet.plan import Plan
from discreet.searching.budget import Budget, TimeUp
from discreet.searching.finding import SearchResult, _nearest
from discreet.searching.front import FailedPlan, TriedPlan
from discreet.searching.journal import Journal
from discreet.searching.question import Question
from discreet.searching.trial import Goal
from discreet.table import Table


def point(base: float, risk: float, loss: float, **more: Any) -> TriedPlan:
    plan = Plan.of([("round", {"columns": ["x"], "base": base})])
    given: dict[str, Any] = {
        "risks": {"identity": risk},
        "levels": {},
        "meets": True,
        "checked": ("link",),
        **more,
    }
    return TriedPlan(plan=plan, risk=risk, loss=loss, **given)


ONE = point(5.0, 0.125, 12.3456, levels={"k_anonymity": 4.0})
OTHER = point(2.0, 0.5, 3.0, meets=False)


def found(**more: Any) -> SearchResult:
    given: dict[str, Any] = {"ceilings": {"identity": 0.2}, "floors": {}, **more}
    return SearchResult(points=(ONE, OTHER), front=(ONE,), chosen=ONE, **given)


def test_a_search_says_its_plan_what_it_loses_and_what_is_limited() -> None:
    plan = str(ONE.plan)
    assert str(found()) == f"{plan}: lost 12.3, identity 12.5% (of 2 plans tried)"
    assert (
        str(found(floors={"k_anonymity": 3.0}))
        == f"{plan}: lost 12.3, identity 12.5%, k_anonymity 4 (of 2 plans tried)"
    )
    assert found().plan is ONE.plan
    assert found(ceilings={}).shown(ONE) == {"identity": 0.125}
    assert found(ceilings={"link": 0.1}).shown(ONE) == {}


def test_a_search_as_json_holds_every_point() -> None:
    payload = found(floors={"k_anonymity": 3.0}, loss="il1").to_dict()
    assert payload["chosen"] == ONE.to_dict()
    assert payload["front"] == [ONE.to_dict()]
    assert payload["points"] == [ONE.to_dict(), OTHER.to_dict()]
    assert (payload["ceilings"], payload["floors"], payload["loss"]) == (
        {"identity": 0.2},
        {"k_anonymity": 3.0},
        "il1",
    )


@pytest.mark.parametrize("each", [ONE, OTHER])
def test_a_point_is_read_as_it_was_written(each: TriedPlan) -> None:
    again = TriedPlan.from_dict(each.to_dict())
    assert again.to_dict() == each.to_dict()
    for name in ("risk", "loss", "risks", "levels", "meets", "checked"):
        assert getattr(again, name) == getattr(each, name)
    assert str(again.plan) == str(each.plan)


def said(
    points: list[TriedPlan],
    in_full: list[TriedPlan] | None = None,
    failed: list[FailedPlan] | None = None,
    *,
    in_time: bool = True,
    **limits: Any,
) -> str:
    """What is said where no plan was chosen."""
    frame = pl.DataFrame({"x": range(20)})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    goal = Goal.of(table, limits.get("ceilings", {"identity": 0.2}), limits.get("floors", {}), None)
    question = Question(
        table=table,
        ceilings={},
        floors={},
        methods=None,
        ranges=None,
        loss="lost",
        draw=0,
        intruder=OWNER,
    )
    book = Journal(None, question)
    for number, each in enumerate(in_full or []):
        book.add(f"confirm.{number}", each)
    return _nearest(goal, points, failed or [], book, in_time=in_time)


def test_where_no_plan_keeps_to_the_limits_the_one_with_the_least_risk_is_named() -> None:
    message = said([OTHER, replace(ONE, meets=False)])
    assert (
        f"none of 2 plans keeps to the limits; the nearest is {ONE.plan} with identity 12.5%, k_anonymity 4."
        in message
    )
    assert message.endswith("Raise the ceilings, widen the ranges, or search longer.")
    linked = point(3.0, 0.3, 1.0, risks={"identity": 0.3, "link": 0.3, "link_probabilistic": 0.1})
    message = said([OTHER, ONE, linked], [OTHER, linked])
    assert (
        "2 of 3 plans keep to the limits under the quick attacks, and none of the 2 tried under all"
        in message
    )
    assert f"the nearest is {linked.plan} with identity 30.0%, where link finds 30.0%." in message


def test_only_limits_that_were_set_are_to_be_eased() -> None:
    floors = said([OTHER], ceilings={}, floors={"k_anonymity": 5})
    assert "Lower the floors, widen" in floors
    assert "ceilings" not in floors
    assert "Raise the ceilings or lower the floors, widen" in said([OTHER], floors={"k_anonymity": 5})


def test_why_plans_could_not_be_carried_out_is_told() -> None:
    short = [FailedPlan(plan=ONE.plan, reason="too few records.")] * 2
    none = said([], failed=[*short, FailedPlan(plan=ONE.plan, reason="nothing to swap.")])
    assert "3 plans could not be carried out, 2 of them because: too few records. Name other" in none
    assert "2 plans could not be carried out, 2 of them because: too few records. Raise" in said(
        [OTHER], failed=short
    )


def test_a_search_without_time_for_all_attacks_does_not_say_that_limits_are_beyond_reach() -> None:
    message = said([ONE], in_time=False)
    assert "1 of 1 plans keep to the limits under the quick attacks, and the time was up" in message
    assert "Raise" not in message
    assert "the time was up before one plan was tried" in said([], in_time=False)


def test_the_budget_is_spent_by_trials_or_by_time_whichever_is_sooner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr("discreet.searching.budget.time.monotonic", lambda: now[0])
    both, trials, seconds = (
        Budget(seconds=10.0, trials=20),
        Budget(seconds=None, trials=20),
        Budget(seconds=10.0, trials=None),
    )
    now[0] += 2.5
    # Six of the ten seconds are for trying.
    assert both.spent(2) == pytest.approx(2.5 / 6)
    assert (both.spent(10), both.spent(40)) == (0.5, 1.0)
    assert trials.spent(5) == 0.25
    assert seconds.spent(5) == pytest.approx(2.5 / 6)
    assert not seconds.is_up
    room = []
    for longest in (0.0, 4.0, 3.0):
        seconds.longest = longest
        room.append(seconds.has_room)
    assert room == [True, False, True]
    seconds.check(0, 1, "link")
    now[0] += 100
    assert seconds.spent(0) == 1.0
    assert trials.has_room
    assert not trials.is_up
    with pytest.raises(TimeUp):
        seconds.check(0, 1, "link")


def test_a_plan_that_is_cut_short_is_no_plan_and_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("discreet.searching.budget.time.monotonic", lambda: now[0])
    table = Table.of(pl.DataFrame({"x": range(20)}), roles={}, rest="quasi-identifier")
    budget = Budget(seconds=1.0, trials=None)
    goal = replace(Goal.of(table, {"link": 1.0}, {}, None), progress=budget.check)
    assert isinstance(budget.timed(goal, ONE.plan, 1, ("link",)), TriedPlan)
    now[0] = 2.0
    budget.longest = 0.0
    assert budget.timed(goal, ONE.plan, 1, ("link",)) is None
