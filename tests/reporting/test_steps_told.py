"""What a report says about a step: every setting in words, counts of what was done, and no cell."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from tests.conformance.small_farm import FARMERS, farm

import discreet as dc
from discreet.plan import Plan

TABLE = farm(FARMERS)


def step_told(
    name: str, audience: Literal["internal", "external"] = "internal", **given: Any
) -> dict[str, Any]:
    """The only step of a plan as the report tells it."""
    release = dc.protect(TABLE, Plan.of([(name, given)]), seed=3)
    found = dc.assess(TABLE, release, attacks=["k_anonymity"], losses=["il1"])
    (step,) = dc.report(found, audience=audience).to_dict()["done"]["steps"]
    told: dict[str, Any] = step
    return told


@pytest.mark.parametrize(
    ("name", "given", "settings", "facts"),
    [
        (
            "microaggregate",
            {"columns": ["age", "income"], "k": 3},
            {
                "columns": "age and income",
                "k": "3",
                "variant": "mdav",
                "standardise": "yes",
                "weighted": "no",
            },
            ["groups: 4", "suppressed cells: 0"],
        ),
        (
            "recode",
            {"columns": ["town"], "mapping": {"A": "AB", "B": "AB"}},
            {"columns": "town", "mapping": "2 categories into 1"},
            ["recoded: town 9"],
        ),
        (
            "round",
            {"columns": ["income"], "base": 12345.5},
            {"columns": "income", "base": "12,345.5", "variant": "deterministic"},
            [],
        ),
        (
            "recode_numbers",
            {"columns": ["age", "income"], "cuts": [20.0, 40.5]},
            {"columns": "age and income", "cuts": "20; 40.5"},
            ["bins: age 3, income 3"],
        ),
        (
            "suppress",
            {"columns": ["school", "town", "animal"], "k": 2},
            {"columns": "school, town and animal", "k": "2", "missing": "own"},
            None,
        ),
        (
            "pram",
            {
                "columns": ["ill"],
                "variant": "given",
                "matrix": {"yes": {"yes": 0.5, "no": 0.5}, "no": {"no": 1.0}},
            },
            {"columns": "ill", "variant": "given"},
            None,
        ),
    ],
)
def test_settings_and_facts_of_a_step_are_told_in_words(
    name: str, given: dict[str, Any], settings: dict[str, str], facts: list[str] | None
) -> None:
    told = step_told(name, **given)
    said = {each["name"]: each["value"] for each in told["settings"]}
    assert {key: said[key] for key in settings} == settings
    assert told["method"] == name
    if facts is not None:
        assert told["facts"] == facts
    for each in told["settings"]:
        assert each["about"] or each["name"] == "columns"


def test_a_matrix_is_told_by_the_number_of_its_shares() -> None:
    matrix = {"yes": {"yes": 0.5, "no": 0.5}, "no": {"no": 1.0}}
    told = step_told("pram", columns=["ill"], variant="given", matrix=matrix)
    (value,) = [each["value"] for each in told["settings"] if each["name"] == "matrix"]
    assert "yes" not in value
    assert "shares" in value or "categories" in value


def test_what_was_counted_is_for_the_inside_only() -> None:
    assert step_told("recode", audience="external", columns=["animal"], rarest=2)["facts"] == []
    assert step_told("recode", columns=["animal"], rarest=2)["facts"] == ["recoded: animal 7"]
