"""What each result looks like at a prompt: one line that says whose it is, word for word."""

from __future__ import annotations

import pytest

import discreet as dc
from discreet.demo import table as census
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.table import Table


@pytest.fixture(scope="module")
def people() -> Table:
    return census(60, seed=3)


@pytest.fixture(scope="module")
def release(people: Table) -> Release:
    plan = Plan.of([("add_noise", {"columns": ["age"]}), ("round", {"columns": ["income"], "base": 100})])
    return protect(people, plan, seed=1)


def test_tables_plans_and_releases(people: Table, release: Release) -> None:
    assert repr(people) == "<table 'census': 60 records, 21 columns>"
    assert repr(Plan.of([("round", {"base": 5})])) == "<plan: round>"
    assert repr(Plan.of([])) == "<plan: nothing>"
    assert repr(release) == "<release of 'census': 60 records, add_noise | round>"
    assert repr(protect(people, Plan.of([]), seed=1)) == "<release of 'census': 60 records, nothing masked>"


def test_risks_losses_and_assessments(people: Table, release: Release) -> None:
    found = dc.assess(people, release, attacks=["link"], losses=["il"])
    assert repr(found) == f"<assessment of 'census': {found.verdict}; {repr(found).split('; ', 1)[1]}"
    for each in (*found.risks, *found.losses):
        assert repr(each) == f"<{each}>"


def test_methods() -> None:
    one = dc.methods("mask")[0]
    assert repr(one) == f"<mask.{one.name}: {one.summary}>"
    kinds = {kind: len(dc.methods(kind)) for kind in ("mask", "attack", "loss")}
    told = ", ".join(f"{many} of kind {kind}" for kind, many in kinds.items())
    assert repr(dc.methods()) == f"<methods: {told}>"
