"""A limit in one line and as JSON: what was asked, what was found, by whom, and what is not known."""

from __future__ import annotations

import pytest

from discreet.assessment import Limit, Score

CEILING = {"name": "identity", "bound": 0.1, "is_floor": False}
FLOOR = {"name": "k_anonymity", "bound": 3, "is_floor": True}


@pytest.mark.parametrize(
    ("given", "said", "status"),
    [
        ({**CEILING, "found": 0.05}, "identity must be at most 10.0%: 5.0%, met", "met"),
        ({**CEILING, "found": 0.1}, "identity must be at most 10.0%: 10.0%, met", "met"),
        (
            {**CEILING, "found": 0.25, "set_by": "link"},
            "identity must be at most 10.0%: 25.0% by link, exceeded",
            "exceeded",
        ),
        (
            {**CEILING, "found": 0.05, "unchecked": "link left out 'age'"},
            "identity must be at most 10.0%: 5.0%, not checked (link left out 'age')",
            "not checked",
        ),
        # What exceeds a limit does so whatever was left out, and needs no excuse.
        (
            {**CEILING, "found": 0.25, "unchecked": "link left out 'age'"},
            "identity must be at most 10.0%: 25.0%, exceeded",
            "exceeded",
        ),
        (
            {**CEILING, "found": None},
            "identity must be at most 10.0%: not checked, could not be computed",
            "not checked",
        ),
        (
            {**CEILING, "found": None, "unchecked": "no keys"},
            "identity must be at most 10.0%: not checked, no keys",
            "not checked",
        ),
        ({**FLOOR, "found": 3.0}, "k_anonymity must be at least 3: 3, met", "met"),
        ({**FLOOR, "found": 2.0}, "k_anonymity must be at least 3: 2, exceeded", "exceeded"),
    ],
)
def test_a_limit_says_how_the_release_stands(given: dict[str, object], said: str, status: str) -> None:
    limit = Limit(**given)  # type: ignore[arg-type]
    assert str(limit) == said
    assert (limit.status, limit.met) == (status, status == "met")
    assert limit.to_dict() == {
        "name": given["name"],
        ("floor" if given["is_floor"] else "ceiling"): given["bound"],
        "found": given["found"],
        "status": status,
        "met": status == "met",
        "set_by": given.get("set_by", ""),
        "unchecked": given.get("unchecked", ""),
    }


def test_a_score_weighs_loss_by_alpha_and_risk_by_the_rest() -> None:
    score = Score(il=40.0, dr=20.0, alpha=0.25)
    assert score.score == 25.0
    assert score.to_dict() == {"il": 40.0, "dr": 20.0, "alpha": 0.25, "score": 25.0}
