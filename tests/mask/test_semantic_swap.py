"""Semantic swapping: what every column keeps, and that near in meaning is near in the order."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import BadParameter, Unreachable
from discreet.loss import semantic_sse
from discreet.mask import semantic_swap
from discreet.mask.semantic_swap import chain
from discreet.ontology import Ontology, Space, distance, map_values
from discreet.table import Table

DISEASES = ["colic", "lumbago", "migraine", "appendicitis", "gastritis", "pain"]
ROWS = st.lists(
    st.tuples(st.one_of(st.none(), st.sampled_from(DISEASES)), st.sampled_from(["f", "m"])),
    min_size=8,
    max_size=40,
)


def table_of(rows: Any) -> Table:
    frame = pl.DataFrame(rows, schema={"disease": pl.String, "sex": pl.String}, orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier")


@settings(max_examples=60)
@given(ROWS, st.sampled_from(["window", "buckets", "distribution"]), st.integers(0, 5))
def test_each_column_keeps_its_values_each_as_often_as_before(
    ontologies: dict[str, Ontology], rows: list[Any], variant: str, seed: int
) -> None:
    table = table_of(rows)
    try:
        done = semantic_swap(
            table,
            columns=["disease"],
            p=30,
            variant=variant,
            within=["sex"],
            ontology=ontologies["disease"],
            seed=seed,
        )
    except Unreachable:
        return
    masked = done.table.frame.rows()
    assert Counter(masked) == Counter(rows)
    assert [row[1] for row in masked] == [row[1] for row in rows]
    assert [row[0] is None for row in masked] == [row[0] is None for row in rows]


def test_the_order_goes_from_the_farthest_always_to_the_nearest(ontologies: dict[str, Ontology]) -> None:
    values = ["appendicitis", "colic", "gastritis", "lumbago", "migraine"]
    space = Space.of(distance(ontologies["disease"], "path"), map_values(ontologies["disease"], values))
    codes = np.repeat(np.arange(5), [1, 1, 1, 3, 2])
    way = sorted(range(5), key=lambda value: chain(space, codes)[value])
    assert [values[each] for each in way][:2] == ["appendicitis", "gastritis"]
    for step, one in enumerate(way[:-1]):
        rest = way[step + 1 :]
        assert space.between[one, way[step + 1]] == min(space.between[one, other] for other in rest)


def test_values_swap_with_like_ones(ontologies: dict[str, Ontology]) -> None:
    generator = np.random.default_rng(1)
    table = table_of([(str(each), "f") for each in generator.choice(DISEASES, 600)])
    near, far = (
        semantic_sse(
            table,
            semantic_swap(table, columns=["disease"], p=p, ontology=ontologies["disease"], seed=1).table,
            columns=["disease"],
            ontology=ontologies["disease"],
        ).loss
        for p in (5, 100)
    )
    assert near < far / 2


def test_swapped_columns_cannot_be_what_partners_share(ontologies: dict[str, Ontology]) -> None:
    table = table_of([("colic", "f")] * 4)
    with pytest.raises(BadParameter, match="'disease' cannot be both"):
        semantic_swap(table, columns=["disease"], within=["disease"], ontology=ontologies["disease"])


def test_a_reach_of_less_than_one_place_is_unreachable(ontologies: dict[str, Ontology]) -> None:
    with pytest.raises(Unreachable, match="less than one place"):
        semantic_swap(
            table_of([("colic", "f")] * 4), columns=["disease"], p=5, ontology=ontologies["disease"]
        )
