"""Attacks on vectors find what they should, no more than one in as many as there are equal rows, and count ties."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.vectors.small_corpora import invented, some_matrix

from discreet.errors import DoesNotApply, NotComputable
from discreet.results import Risk
from discreet.text.vectors import linking
from discreet.text.vectors.attacks import (
    class_learned,
    k_anonymity,
    link_cosine,
    link_rare,
    link_semantic,
    vocabulary,
)
from discreet.text.vectors.learned_link import link_learned
from discreet.text.vectors.linking import chance, some_words
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.published import PublishedMatrix, VectorPair
from discreet.text.vectors.spherical_microaggregate import microaggregate

SEEDS = st.integers(0, 10**6)
LINKING: list[Callable[[VectorPair], Risk]] = [
    link_cosine,
    link_rare,
    link_learned,
    partial(link_cosine, words=3),
    partial(link_rare, words=3),
    partial(link_learned, words=3),
]


def masked_pair(seed: int, count: int = 40, k: int = 4, rare: str = "keep") -> VectorPair:
    matrix = some_matrix(seed, count)
    return VectorPair.of(matrix, microaggregate(matrix, k=k, rare=rare))


def unmasked_pair(matrix: DocumentTermMatrix) -> VectorPair:
    published = PublishedMatrix(weights=matrix.weights, vocabulary=matrix.vocabulary)
    return VectorPair(matrix, published, np.arange(len(matrix)))


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(2, 5))
def test_no_attack_that_links_finds_more_than_one_in_k(seed: int, k: int) -> None:
    pair = masked_pair(seed, k=k)
    assert k_anonymity(pair).level >= k  # type: ignore[operator]
    for attack in LINKING:
        found = attack(pair)
        assert found.records is not None
        assert found.records.max() <= 1 / k + 1e-12
        assert found.risk == pytest.approx(found.records.mean())
        assert found.interval is not None
        assert found.interval[0] <= found.risk <= found.interval[1]
        assert found.baseline == 1 / 40


def test_everyone_is_found_by_the_cosine_when_nothing_is_masked() -> None:
    matrix = some_matrix(1, 60, terms=30, held=6)
    pair = unmasked_pair(matrix)
    assert link_cosine(pair).risk == pytest.approx(1.0)
    assert k_anonymity(pair).level == 1
    assert link_rare(pair).risk > 0.9


def test_knowing_fewer_words_finds_no_more_on_average() -> None:
    matrix = invented(200)
    pair = VectorPair.of(matrix, microaggregate(matrix, k=4))
    assert link_cosine(pair, words=2).risk < link_cosine(pair, words=8).risk < link_cosine(pair).risk


def test_a_learned_weighting_finds_at_least_what_the_cosine_finds_on_invented_notes() -> None:
    matrix = invented(200)
    pair = VectorPair.of(matrix, microaggregate(matrix, k=4))
    assert link_learned(pair).risk >= link_cosine(pair).risk


def test_ties_share_the_chance_and_nothing_shared_is_a_guess() -> None:
    near = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.2, 0.9, 0.1]])
    found = chance(near, np.array([0, 2, 0]), np.array([2, 3, 5]))
    assert found.tolist() == pytest.approx([1 / 5, 1 / 10, 0.0])


def test_a_term_of_few_documents_counts_as_a_risk_and_dropping_it_removes_that() -> None:
    rows = np.ones((8, 3))
    rows[0, 1] = rows[1, 1] = 3.0
    rows[2:, 1] = 0.0
    matrix = DocumentTermMatrix.of(rows + np.arange(8)[:, None] * np.array([0.1, 0.0, 0.0]))
    kept = VectorPair.of(matrix, microaggregate(matrix, k=3, rare="keep"))
    dropped = VectorPair.of(matrix, microaggregate(matrix, k=3, rare="drop"))
    found = vocabulary(kept)
    assert found.risk == pytest.approx(2 * (1 / 2) / 8)
    assert found.details["terms_of_fewer_than_k_documents"] == 1
    assert vocabulary(dropped).risk == 0.0


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_dropped_rare_terms_leave_nothing_to_the_vocabulary(seed: int) -> None:
    assert vocabulary(masked_pair(seed, rare="drop")).risk == 0.0


def test_published_classes_are_learned_and_others_are_not_asked_about() -> None:
    matrix = some_matrix(5, 60, classes=2)
    with_class = VectorPair.of(matrix, microaggregate(matrix, k=4, rare="keep", publish_classes=True))
    found = class_learned(with_class)
    assert found.risk > found.baseline  # type: ignore[operator]
    with pytest.raises(DoesNotApply):
        class_learned(VectorPair.of(matrix, microaggregate(matrix, k=4, rare="keep")))
    with pytest.raises(DoesNotApply):
        link_semantic(with_class)


def test_a_sample_is_looked_for_in_large_files_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = masked_pair(3)
    assert not link_cosine(pair).of_a_sample
    monkeypatch.setattr(linking, "MOST_TRIED", 10)
    found = link_cosine(pair)
    assert found.of_a_sample
    assert found.attempts == 10
    assert found.records is not None
    assert int(np.isnan(found.records).sum()) == 30


def test_nothing_is_learned_from_too_few_documents() -> None:
    matrix = some_matrix(1, 6)
    with pytest.raises(NotComputable, match="learned from 10 documents"):
        link_learned(VectorPair.of(matrix, microaggregate(matrix, k=2, rare="keep")))


@given(SEEDS, st.integers(1, 8))
def test_some_words_are_words_of_the_document_as_many_as_are_known(seed: int, many: int) -> None:
    rows = some_matrix(seed, 10).weights
    found = some_words(rows, many)
    assert np.diff(found.tocsr().indptr).tolist() == np.minimum(np.diff(rows.indptr), many).tolist()
    assert ((found.toarray() == rows.toarray()) | (found.toarray() == 0)).all()
