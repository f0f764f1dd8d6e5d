"""The semantic sum of squares against brute force, and what it says of masked files."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.small_ontologies import ANIMALS, ONTOLOGIES

from discreet.errors import NotComputable
from discreet.loss import semantic_sse
from discreet.ontology import Ontology, Space, distance, map_values
from discreet.table import Table

TRUE = (st.sampled_from(["dog", "cat", "eagle"]), st.sampled_from(["red", "orange", "blue"]))
PUBLISHED = (
    st.sampled_from(["dog", "mammal", "animal", "bird"]),
    st.sampled_from(["red", "warm", "blue", "colour"]),
)
PAIRS = st.lists(st.tuples(st.tuples(*TRUE), st.tuples(*PUBLISHED)), min_size=2, max_size=12)


def table_of(rows: Any) -> Table:
    frame = pl.DataFrame(rows, schema={"animal": pl.String, "colour": pl.String}, orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier")


def squares(name: str, rows: list[Any], others: list[Any]) -> float:
    total = 0.0
    for one, other in zip(rows, others, strict=True):
        apart = [
            distance(ontology, name)(ontology.concept(a), ontology.concept(b))
            for ontology, a, b in zip(ONTOLOGIES.values(), one, other, strict=True)
        ]
        total += (sum(apart) / len(apart)) ** 2
    return total


def middle(name: str, rows: list[Any]) -> tuple[str, ...]:
    found = []
    for place, ontology in enumerate(ONTOLOGIES.values()):
        values = sorted({row[place] for row in rows})
        space = Space.of(distance(ontology, name), map_values(ontology, values))
        found.append(
            space.texts[space.centroid([sum(row[place] == value for row in rows) for value in values])]
        )
    return tuple(found)


@settings(max_examples=60)
@given(PAIRS, st.sampled_from(["log_sc", "path", "wu_palmer"]))
def test_loss_is_the_sum_of_squares_over_that_to_the_centroid(pairs: list[Any], name: str) -> None:
    rows, others = [one for one, _ in pairs], [other for _, other in pairs]
    total = squares(name, rows, [middle(name, rows)] * len(rows))
    if total == 0:
        with pytest.raises(NotComputable, match="no spread"):
            semantic_sse(table_of(rows), table_of(others), columns=["animal", "colour"], ontology=ONTOLOGIES)
        return
    found = semantic_sse(
        table_of(rows), table_of(others), columns=["animal", "colour"], ontology=ONTOLOGIES, distance=name
    )
    assert found.loss == pytest.approx(100 * squares(name, rows, others) / total)
    assert found.details["sse"] == pytest.approx(squares(name, rows, others))
    assert found.details["sst"] == pytest.approx(total)


def test_the_centroid_for_everybody_loses_a_hundred() -> None:
    rows = [("dog", "red"), ("cat", "orange"), ("cat", "blue"), ("eagle", "red")]
    centre = table_of([middle("log_sc", rows)] * len(rows))
    found = semantic_sse(table_of(rows), centre, columns=["animal", "colour"], ontology=ONTOLOGIES)
    assert found.loss == pytest.approx(100)
    assert found.columns == pytest.approx({"animal": 100.0, "colour": 100.0})


def test_a_suppressed_cell_is_as_far_as_can_be() -> None:
    rows = [("dog", "red"), ("cat", "blue")]
    found = semantic_sse(
        table_of(rows),
        table_of([(None, None), ("cat", "blue")]),
        columns=["animal", "colour"],
        ontology=ONTOLOGIES,
    )
    assert found.details["sse"] == pytest.approx(1.0)


def test_cells_missing_in_the_original_are_left_out_and_counted() -> None:
    rows = [("dog", "red"), ("cat", None), ("eagle", "blue")]
    masked = [("dog", "red"), ("cat", "red"), ("eagle", "blue")]
    found = semantic_sse(table_of(rows), table_of(masked), columns=["animal", "colour"], ontology=ONTOLOGIES)
    assert found.loss == 0
    assert found.left_out == 1


def test_values_that_mean_nothing_are_counted() -> None:
    rows = [("dog", "red"), ("dragon", "blue")]
    found = semantic_sse(
        table_of(rows),
        table_of([("dog", "red"), ("other", "blue")]),
        columns=["animal", "colour"],
        ontology=ONTOLOGIES,
    )
    assert found.details["values_apart"] == 2
    assert found.details["sse"] == pytest.approx(0.25)


def test_a_finer_ontology_forgives_less_than_none() -> None:
    rows = [("dog", "red"), ("cat", "blue"), ("eagle", "red")]
    masked = table_of([("mammal", "red"), ("mammal", "blue"), ("eagle", "red")])
    meaning = semantic_sse(table_of(rows), masked, columns=["animal"], ontology=ANIMALS)
    words: Ontology | None = None
    by_word = semantic_sse(table_of(rows), masked, columns=["animal"], ontology=words, distance="exact")
    assert meaning.details["sse"] < by_word.details["sse"] == 2
