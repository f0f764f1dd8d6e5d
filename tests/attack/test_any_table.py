"""What uniqueness, the privacy models and attribute disclosure must do on whatever table."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.demo import table as census
from discreet.errors import BadParameter, BadTable, NotComputable, UnknownParameter
from discreet.registry import Method, methods
from discreet.results import Risk
from discreet.table import Table

FAMILIES = ("uniqueness", "models", "attribute")
ATTACKS = [pytest.param(each, id=each.name) for each in methods("attack") if each.family in FAMILIES]
PEOPLE = census(150, seed=21)
EXTREMES = st.sampled_from([0.0, -0.0, 1.0, -1e300, 1e300, 5e-324, None])
TEXTS = st.sampled_from(["", "x", "ä", None])


@pytest.fixture(params=ATTACKS)
def method(request: pytest.FixtureRequest) -> Method:
    found: Method = request.param
    return found


def run(method: Method, original: Table, masked: Table, **parameters: Any) -> Risk:
    tables = {"original": original, "masked": masked}
    found: Risk = method.function(*(tables[name] for name in method.tables), **parameters)
    return found


def check(found: Risk, records: int) -> None:
    assert 0 <= found.risk <= 1
    assert found.records is not None
    assert found.records.shape == (records,)
    assert ((found.records >= 0) & (found.records <= 1)).all()
    if found.interval is not None:
        low, high = found.interval
        assert 0 <= low <= high <= 1
    assert found.level is None or math.isfinite(found.level)
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_census_gives_a_risk_with_its_records(method: Method) -> None:
    found = run(method, PEOPLE, PEOPLE)
    check(found, len(PEOPLE))
    assert found.name == method.name
    assert found.meaning == method.meaning
    assert "\n" not in str(found)


def test_the_order_of_the_records_does_not_matter(method: Method) -> None:
    rows = np.random.default_rng(1).permutation(len(PEOPLE))
    found, turned = run(method, PEOPLE, PEOPLE), run(method, PEOPLE.take(rows), PEOPLE.take(rows))
    assert turned.risk == pytest.approx(found.risk)
    assert found.records is not None
    assert turned.records == pytest.approx(found.records[rows])


def test_tables_are_unchanged(method: Method) -> None:
    before = PEOPLE.frame.clone()
    run(method, PEOPLE, PEOPLE)
    assert PEOPLE.frame.equals(before, null_equal=True)


def emptied(table: Table) -> Table:
    """The table with every cell missing but those of the weights."""
    gone = [
        pl.lit(None, dtype=dtype).alias(name)
        for name, dtype in table.frame.schema.items()
        if name != "weight"
    ]
    return replace(table, frame=table.frame.with_columns(gone))


ODD = {
    "no records": PEOPLE.take(np.arange(0)),
    "one record": PEOPLE.take(np.arange(1)),
    "constant": PEOPLE.take(np.zeros(20, dtype=np.int64)),
    "all missing": emptied(PEOPLE),
}


@pytest.mark.parametrize("name", list(ODD))
def test_odd_tables_give_a_risk_or_a_named_error(method: Method, name: str) -> None:
    try:
        found = run(method, ODD[name], ODD[name])
    except NotComputable:
        return
    check(found, len(ODD[name]))


@settings(max_examples=40)
@given(rows=st.lists(st.tuples(EXTREMES, TEXTS, EXTREMES, TEXTS), min_size=1, max_size=8))
def test_tables_of_any_content_give_a_risk_or_a_named_error(rows: list[tuple[Any, ...]]) -> None:
    frame = pl.DataFrame(
        {
            "number": pl.Series([row[0] for row in rows], dtype=pl.Float64),
            "word": pl.Series([row[1] for row in rows], dtype=pl.String),
            "income": pl.Series([row[2] for row in rows], dtype=pl.Float64),
            "illness": pl.Series([row[3] for row in rows], dtype=pl.String),
            "flag": pl.Series([row[1] == "x" for row in rows]),
            "weight": pl.Series([2.0] * len(rows)),
            "home": pl.Series([1] * len(rows)),
        }
    )
    roles = {"number": "quasi-identifier", "word": "quasi-identifier", "flag": "quasi-identifier"}
    roles |= {"income": "confidential", "illness": "confidential", "weight": "weight", "home": "household"}
    table = Table.of(frame, roles=roles)
    for parameter in ATTACKS:
        method: Method = parameter.values[0]  # type: ignore[assignment]
        try:
            found = run(method, table, table)
        except NotComputable:
            continue
        check(found, len(rows))


def test_bad_and_unknown_parameters_are_named(method: Method) -> None:
    for parameter in method.parameters:
        with pytest.raises(BadParameter, match=rf"{method.name}: {parameter.name} must be "):
            run(method, PEOPLE, PEOPLE, **{parameter.name: object()})
    with pytest.raises(UnknownParameter, match="Did you mean 'keys'"):
        run(method, PEOPLE, PEOPLE, keyss=["age"])


def test_a_table_without_keys_is_named(method: Method) -> None:
    bare = PEOPLE.without(PEOPLE.keys)
    with pytest.raises(BadTable, match="has no quasi-identifiers"):
        run(method, bare, bare)


def test_facts_are_declared(method: Method) -> None:
    assert method.summary.endswith((".", ":"))
    assert method.missing
    assert method.meaning
    assert method.cites
