"""Clusters by meaning: what keeps them, what mixes them, and what cannot be compared."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from discreet.errors import NotComputable
from discreet.loss import clustering, semantic_clustering
from discreet.loss.partitions import crossed, partition_distance
from discreet.ontology import distance, of_edges
from discreet.table import Table

ANIMALS = of_edges(
    [
        ("dog", "mammal"), ("cat", "mammal"), ("cow", "mammal"), ("mammal", "animal"),
        ("eagle", "bird"), ("owl", "bird"), ("hen", "bird"), ("bird", "animal"),
    ],
    name="animals",
)  # fmt: skip
WORDS = ["dog", "cat", "cow", "eagle", "owl", "hen"]


def table_of(values: list[Any]) -> Table:
    frame = pl.DataFrame({"animal": pl.Series(values, dtype=pl.String)})
    return Table.of(frame, roles={}, rest="quasi-identifier")


def lost(original: list[Any], masked: list[Any], **options: Any) -> float:
    given = {"columns": ["animal"], "ontology": ANIMALS, "clusters": 2, **options}
    return semantic_clustering(table_of(original), table_of(masked), **given).loss


def test_words_for_likes_leave_the_groups_as_they_are_and_others_do_not() -> None:
    original = ["dog", "cat", "cow", "eagle", "owl", "hen"] * 5
    by_meaning = ["mammal"] * 3 + ["bird"] * 3
    assert lost(original, by_meaning * 5) == pytest.approx(0.0)
    assert lost(original, ["dog", "hen", "dog", "hen", "dog", "hen"] * 5) > 0.8


def test_meaning_sees_groups_that_words_alone_do_not() -> None:
    original = ["dog", "cat", "cow", "eagle", "owl", "hen"] * 5
    masked = (["mammal"] * 3 + ["bird"] * 3) * 5
    words = clustering(table_of(original), table_of(masked), columns=["animal"], clusters=2)
    assert lost(original, masked) < words.loss


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=4, max_size=12), st.data())
def test_groups_are_those_of_average_linkage_over_all_records(values: list[str], data: st.DataObject) -> None:
    masked = [data.draw(st.sampled_from(WORDS)) for _ in values]
    groups = []
    measured = distance(ANIMALS)
    for each in (values, masked):
        matrix = np.array([[measured(ANIMALS.concept(a), ANIMALS.concept(b)) for b in each] for a in each])
        tree = linkage(squareform(matrix, checks=False), "average")
        if (
            len(np.unique(np.round(tree[:, 2], 9))) < np.count_nonzero(tree[:, 2] > 1e-9) + 1
            and len(set(each)) > 2
        ):
            return
        groups.append(np.unique(fcluster(tree, 2, "maxclust"), return_inverse=True)[1])
    if len(set(values)) < 2:
        return
    assert lost(values, masked) == pytest.approx(partition_distance(crossed(*groups)))


def test_records_that_are_all_alike_have_no_groups() -> None:
    with pytest.raises(NotComputable, match="no groups to find"):
        lost(["dog"] * 4, ["dog"] * 4)


def test_a_missing_value_is_like_a_missing_value() -> None:
    original = ["dog", "cat", None, None]
    assert lost(original, original) == 0.0
    assert lost(original, ["dog", None, "cat", None]) > 0.5


def test_too_many_combinations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("discreet.loss.semantic_clustering")
    monkeypatch.setattr(module, "MOST_TUPLES", 2)
    with pytest.raises(NotComputable, match="3 different combinations"):
        lost(["dog", "cat", "owl"], ["dog", "cat", "owl"])
