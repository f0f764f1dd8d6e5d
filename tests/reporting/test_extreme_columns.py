"""Tables of extreme numbers, from the inspection of the file to the report's page: an answer or a named error."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.errors import DiscreetError
from discreet.reporting import charts
from discreet.reporting.document import Audience

AUDIENCES: tuple[Audience, ...] = ("internal", "external")
TINY = (0.0, 5e-324, -5e-324, 1e-310, 2.3e-308)
SMALL = (1e-300, 1e-160, -1e-150, 1e-20)
LARGE = (1e16, 1e16 + 2, 1e150, -1e155, 1e300, -1e300)
Column = Sequence[float | None]
Steps = list[tuple[str, dict[str, Any]]]
PLANS: dict[str, Steps] = {
    "nothing": [],
    "noise": [("add_noise", {"columns": ["x"], "p": 0.1})],
    "groups": [("microaggregate", {"columns": ["x"], "k": 2})],
    "bands": [("recode_numbers", {"columns": ["x"], "bins": 3})],
}


@st.composite
def extremes(draw: st.DrawFn, size: int) -> Column:
    """A column of one kind of extreme numbers, of several kinds, of one value, or of nothing."""
    kinds: list[st.SearchStrategy[float | None]] = [st.sampled_from(each) for each in (TINY, SMALL, LARGE)]
    kinds += [st.sampled_from(TINY + SMALL + LARGE), st.floats(-1e300, 1e300), st.none()]
    value = draw(st.sampled_from(kinds))
    if draw(st.integers(0, 4)) == 0:
        value = st.just(draw(value))
    if draw(st.integers(0, 2)) == 0:
        value = st.none() | value
    return draw(st.lists(value, min_size=size, max_size=size))


@st.composite
def tables(draw: st.DrawFn) -> dc.Table:
    """Two extreme keys, an extreme confidential column and a sex, of one to thirty people."""
    size = draw(st.sampled_from([1, 2, 3, 8, 30]))
    given = {name: pl.Series(draw(extremes(size)), dtype=pl.Float64) for name in ("x", "y", "z")}
    return table_of({**given, "sex": ["f" if place % 2 else "m" for place in range(size)]})


def table_of(columns: dict[str, Any]) -> dc.Table:
    return dc.Table.of(pl.DataFrame(columns), roles={"z": "confidential"}, rest="quasi-identifier")


def small(x: Column) -> dc.Table:
    values = {name: pl.Series(x, dtype=pl.Float64) for name in ("x", "y", "z")}
    return table_of({**values, "sex": ["m"] * len(x)})


def assessed(table: dc.Table, plan: Steps) -> dc.Assessment | None:
    """The assessment of the masked table, or None where there is a named error."""
    try:
        release = dc.protect(table, dc.Plan.of(plan), seed=1)
        return dc.assess(table, release, attacks=["k_anonymity", "link"])
    except DiscreetError:
        return None


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@settings(max_examples=20)
@given(table=tables())
def test_a_report_on_extreme_columns_is_made_in_numbers_of_few_digits(plan: Steps, table: dc.Table) -> None:
    assessment = assessed(table, plan)
    if assessment is None:
        return
    json.dumps(assessment.to_dict(), allow_nan=False)
    for audience in AUDIENCES:
        facts = dc.report(assessment, audience=audience).facts
        json.dumps(facts.to_dict(), allow_nan=False)
        told = [*facts.summary, *(each.shown for each in facts.risks + facts.losses)]
        told += [
            words for each in facts.losses for words in (*each.notes, *(value for _, value in each.by_column))
        ]
        assert not [words for words in told if re.search(r"[0-9,.]{30}|\bnan\b|\binf\b", words)]
        for column in facts.columns:
            if column.bars:
                charts.distribution(column).to_dict()


@pytest.mark.parametrize("plan", ["nothing", "noise"])
@pytest.mark.parametrize(
    "values", [[0.0, 0.0, 5e-324], [5e-324] * 8, [1e300, -1e300] * 8, [1e-300, 1e16, 1e150] * 4, [None] * 4]
)
def test_the_page_of_extreme_columns_is_drawn(values: Column, plan: str) -> None:
    table = small(values)
    assessment = assessed(table, PLANS[plan]) or assessed(table, [])
    assert assessment is not None
    page = dc.report(assessment).html()
    assert not [word for word in ("NaN", "Infinity", "nan%", "inf%") if word in page]


@given(tables())
def test_a_file_of_extreme_columns_is_inspected(table: dc.Table) -> None:
    proposal = dc.inspect(table.frame)
    assert [each.name for each in proposal.columns] == list(table.names)
    assert all(f"[columns.{name}]" in proposal.to_toml() for name in table.names)
