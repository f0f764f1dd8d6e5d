"""Where a person can have several records, every mask that guarantees k counts people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import Unreachable
from discreet.mask import (
    k_resample,
    microaggregate,
    semantic_microaggregate,
    semantic_recode,
    semantic_resample,
    suppress,
)
from discreet.ontology import of_edges
from discreet.results import Masked
from discreet.table import Table

PLACES = of_edges(
    [("Paris", "France"), ("Lyon", "France"), ("Rome", "Italy"), ("France", "Europe"), ("Italy", "Europe")],
    name="places",
)
ROW = st.tuples(
    st.sampled_from(["Paris", "Lyon", "Rome", None]),
    st.sampled_from(["Rome", "Paris"]),
    st.one_of(st.none(), st.integers(0, 40)),
    st.integers(0, 40),
    st.integers(0, 6),
)
ROWS = st.lists(ROW, min_size=3, max_size=30)
NUMBERS, CATEGORIES = ["x", "y"], ["born", "lives"]
MASKS: dict[str, tuple[Callable[..., Masked], list[str], dict[str, Any]]] = {
    **{
        f"microaggregate {variant}": (microaggregate, NUMBERS, {"variant": variant})
        for variant in ("mdav", "zscore", "component", "adaptive")
    },
    "microaggregate mixed": (microaggregate, ["x", "lives"], {}),
    "k_resample": (k_resample, NUMBERS, {"seed": 3}),
    **{
        f"semantic_microaggregate {variant}": (
            semantic_microaggregate,
            CATEGORIES,
            {"ontology": PLACES, "variant": variant},
        )
        for variant in ("adaptive", "static", "fixed")
    },
    "semantic_recode": (semantic_recode, CATEGORIES, {"ontology": PLACES}),
    "semantic_resample": (semantic_resample, CATEGORIES, {"ontology": PLACES, "seed": 3}),
    "suppress": (suppress, CATEGORIES, {}),
}


def table_of(rows: list[Any], role: str = "person") -> Table:
    schema = {"born": pl.String, "lives": pl.String, "x": pl.Int64, "y": pl.Int64, "who": pl.Int64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return Table.of(frame, roles={"who": role}, rest="quasi-identifier")


@pytest.mark.parametrize("name", MASKS)
@settings(max_examples=60)
@given(rows=ROWS, k=st.integers(2, 4))
def test_every_combination_is_shared_by_k_people(name: str, rows: list[Any], k: int) -> None:
    mask, columns, parameters = MASKS[name]
    table = table_of(rows)
    if table.frame["who"].n_unique() < k:
        with pytest.raises(Unreachable, match="needs at least"):
            mask(table, columns=columns, k=k, **parameters)
        return
    done = mask(table, columns=columns, k=k, **parameters)
    people = done.table.frame.group_by(columns).agg(pl.col("who").n_unique())["who"]
    assert people.min() >= k  # type: ignore[operator]
    for guarantee in done.guarantees:
        guarantee.check(done.table)
    assert "people" in done.guarantees[0].says()


@pytest.mark.parametrize("name", MASKS)
@settings(max_examples=20)
@given(rows=ROWS)
def test_people_with_one_record_each_are_masked_as_records_are(name: str, rows: list[Any]) -> None:
    mask, columns, parameters = MASKS[name]
    once = [(*row[:4], place) for place, row in enumerate(rows)]
    counted = mask(table_of(once), columns=columns, k=3, **parameters)
    plain = mask(table_of(once, role="insensitive"), columns=columns, k=3, **parameters)
    assert counted.table.frame.equals(plain.table.frame)


@settings(max_examples=60)
@given(rows=ROWS, k=st.integers(2, 4))
def test_k_people_match_each_where_missing_matches_anything(rows: list[Any], k: int) -> None:
    table = table_of(rows)
    if table.frame["who"].n_unique() < k:
        with pytest.raises(Unreachable, match="needs at least"):
            suppress(table, columns=CATEGORIES, k=k, missing="any")
        return
    frame = suppress(table, columns=CATEGORIES, k=k, missing="any").table.frame
    cells, who = frame.select(CATEGORIES).rows(), frame["who"].to_list()
    for one in cells:
        alike = {
            person
            for other, person in zip(cells, who, strict=True)
            if all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))
        }
        assert len(alike) >= k
