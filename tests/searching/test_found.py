"""What a search says it found, in one line and as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from discreet.plan import Plan
from discreet.searching.finding import Budget, SearchResult, _nearest
from discreet.searching.front import TriedPlan


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


def test_where_no_plan_keeps_to_the_limits_the_one_with_the_least_risk_is_named() -> None:
    message = _nearest([OTHER, ONE], [])
    assert (
        f"none of 2 plans keeps to the limits; the nearest is {ONE.plan} with identity 12.5%, k_anonymity 4."
        in message
    )
    linked = point(3.0, 0.3, 1.0, risks={"identity": 0.3, "link": 0.3, "link_probabilistic": 0.1})
    message = _nearest([OTHER, ONE, linked], [OTHER, linked])
    assert "2 of 3 plans keep to the limits under the quick attacks" in message
    assert f"the nearest is {linked.plan} with identity 30.0%, where link finds 30.0%." in message
    assert "none of the plans tried can be carried out" in _nearest([], [])


def test_the_budget_is_spent_by_trials_or_by_time_whichever_is_sooner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr("discreet.searching.finding.time.monotonic", lambda: now[0])
    both, trials, seconds = (
        Budget(seconds=10.0, trials=20),
        Budget(seconds=None, trials=20),
        Budget(seconds=10.0, trials=None),
    )
    now[0] += 2.5
    assert (both.spent(2), both.spent(10), both.spent(40)) == (0.25, 0.5, 1.0)
    assert (trials.spent(5), seconds.spent(5)) == (0.25, 0.25)
    now[0] += 100
    assert seconds.spent(0) == 1.0
