"""Semantic recoding: brute force, and what it guarantees."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.mask.patients import DISEASES, PATIENTS, TREATMENTS, table_of

from discreet.mask import semantic_recode
from discreet.ontology import Ontology, distance
from discreet.table import Table

Rows = list[tuple[str | None, ...]]


def masked_rows(rows: Any, ontologies: dict[str, Ontology], **parameters: Any) -> Rows:
    table = table_of(rows)
    return semantic_recode(table, columns=table.names, ontology=ontologies, **parameters).table.frame.rows()


def apart(ontologies: dict[str, Ontology], one: Any, other: Any) -> float:
    return sum(
        distance(ontology)(ontology.concept(a), ontology.concept(b))
        for ontology, a, b in zip(ontologies.values(), one, other, strict=True)
    ) / len(ontologies)


def naive(ontologies: dict[str, Ontology], rows: Rows, k: int) -> Rows:
    """The recoding as its definition reads; where all are equally rare, one by one."""
    current = list(rows)
    while True:
        counts = Counter(current)
        least = min(counts.values())
        if least >= k:
            return current
        rarest = sorted(each for each, count in counts.items() if count == least)
        outside = [each for each in counts if each not in rarest]
        becomes: dict[Any, Any] = {}
        live = Counter(counts)
        for one in rarest:
            if live[one] != least:
                continue
            targets = outside or [each for each in live if live[each] > 0 and each != one]
            weights = counts if outside else live
            becomes[one] = min(
                sorted(targets, key=lambda each: (weights[each], each)),
                key=lambda each: round(weights[each] * apart(ontologies, one, each), 9),
            )
            live[becomes[one]] += live.pop(one)
        current = [becomes.get(each, each) for each in current]


@settings(max_examples=60)
@given(PATIENTS, st.integers(2, 5))
def test_recoding_is_that_of_the_definition(ontologies: dict[str, Ontology], rows: Rows, k: int) -> None:
    if len(rows) >= k:
        assert masked_rows(rows, ontologies, k=k) == naive(ontologies, rows, k)


@pytest.mark.parametrize("variant", ["weighted", "nearest"])
@given(rows=PATIENTS, k=st.integers(2, 4))
@settings(max_examples=30)
def test_every_combination_is_shared_by_k_and_was_there_before(
    ontologies: dict[str, Ontology], rows: Rows, k: int, variant: str
) -> None:
    masked = masked_rows(rows, ontologies, k=k, variant=variant)
    assert min(Counter(masked).values()) >= k
    assert set(masked) <= set(rows)
    becomes: dict[Any, Any] = {}
    for row, fresh in zip(rows, masked, strict=True):
        assert becomes.setdefault(row, fresh) == fresh


def test_nothing_changes_where_nobody_is_rare(ontologies: dict[str, Ontology]) -> None:
    rows = [("colic", "aspirin")] * 3 + [("gastritis", "antibiotic")] * 4
    assert masked_rows(rows, ontologies, k=3) == rows


def test_nearest_does_not_put_everybody_in_one_combination_that_occurs_twice(
    ontologies: dict[str, Ontology],
) -> None:
    rows = [(disease, treatment) for disease in DISEASES for treatment in TREATMENTS] + [("colic", "aspirin")]
    assert len(set(masked_rows(rows, ontologies, k=2, variant="weighted"))) == 1
    assert len(set(masked_rows(rows, ontologies, k=2, variant="nearest"))) > 6


def test_missing_values_stay_missing(ontologies: dict[str, Ontology]) -> None:
    rows: Rows = [("colic", "aspirin")] * 3 + [("pain", "aspirin"), (None, "aspirin"), (None, "antibiotic")]
    masked = masked_rows(rows, ontologies, k=2)
    assert [row[0] for row in masked[4:]] == [None, None]
    assert min(Counter(masked).values()) >= 2


def test_ordered_columns_stay_ordered(ontologies: dict[str, Ontology]) -> None:
    order = ["colic", "pain", "lumbago"]
    frame = pl.DataFrame({"disease": ["colic", "colic", "pain", "lumbago", "lumbago"]})
    table = Table.of(frame, roles={}, rest="quasi-identifier", orders={"disease": order})
    done = semantic_recode(
        table, columns=["disease"], k=2, ontology={"disease": ontologies["disease"]}, distance="path"
    )
    assert done.table["disease"].order == tuple(order)
    assert done.facts["combinations_after"] == 2
