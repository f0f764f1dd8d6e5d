"""Measures of loss are nothing on the original itself, grow with k, and say the same as a plain computation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.vectors.small_corpora import invented, some_matrix

from discreet.errors import NotComputable
from discreet.text.vectors.classification import classified, jaccard, nearest, relative_losses
from discreet.text.vectors.clustering import clustering, spherical_k_means
from discreet.text.vectors.groups import MaskedMatrix
from discreet.text.vectors.losses import distances, il, lost, sparsity, weights
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.published import PublishedMatrix, VectorPair
from discreet.text.vectors.queries import KINDS, places, queries, query_rows, ranked_terms
from discreet.text.vectors.spherical_microaggregate import microaggregate


def as_it_is(matrix: DocumentTermMatrix) -> VectorPair:
    published = PublishedMatrix(weights=matrix.weights, vocabulary=matrix.vocabulary)
    return VectorPair(matrix, published, np.arange(len(matrix)), parameters={"k": 2})


def unmasked(matrix: DocumentTermMatrix) -> MaskedMatrix:
    every = np.arange(len(matrix))
    return MaskedMatrix(centres=matrix.weights, groups=every, rows=every, vocabulary=matrix.vocabulary)


@pytest.mark.parametrize("measure", [il, lost, sparsity, weights, distances, queries, clustering])
def test_nothing_is_lost_on_the_original_itself(measure: object) -> None:
    found = measure(as_it_is(some_matrix(1, 30, classes=3)))  # type: ignore[operator]
    assert found.loss == pytest.approx(0.0, abs=1e-9)


def test_documents_that_are_not_published_count_as_lost() -> None:
    rows = some_matrix(2, 20).weights.toarray()
    rows[:5] = 0.0
    matrix = DocumentTermMatrix.of(rows)
    pair = VectorPair.of(matrix, microaggregate(matrix, k=3, rare="keep"))
    assert pair.left_out == 5
    assert lost(pair).loss == pytest.approx(0.25 + 0.75 * il(pair).loss)


def test_more_is_lost_with_a_larger_k() -> None:
    matrix = invented(120)
    found = [il(VectorPair.of(matrix, microaggregate(matrix, k=k))).loss for k in (2, 5, 20)]
    assert found == sorted(found)
    assert 0 < found[0] < found[-1] < 1


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_il_is_sse_by_sse_and_ssa(seed: int) -> None:
    matrix = some_matrix(seed, 15)
    masked = microaggregate(matrix, k=3, rare="keep")
    pair = VectorPair.of(matrix, masked)
    rows, shown = pair.known.toarray(), pair.shown.toarray()
    whole = rows.sum(axis=0) / np.linalg.norm(rows.sum(axis=0))
    sse, ssa = (1 - (rows * shown).sum(axis=1)).sum(), (1 - shown @ whole).sum()
    found = il(pair)
    assert found.loss == pytest.approx(sse / (sse + ssa))
    assert found.details["sse"] == pytest.approx(sse)


def test_the_histogram_of_distances_counts_every_pair_once() -> None:
    matrix = some_matrix(4, 25)
    found = distances(VectorPair.of(matrix, microaggregate(matrix, k=4, rare="keep")))
    assert sum(found.details["before"]) == sum(found.details["after"]) == 25 * 24 // 2
    apart = 1 - (matrix.weights @ matrix.weights.T).toarray()[np.triu_indices(25, 1)]
    assert found.details["before"] == np.histogram(np.clip(apart, 0, 1), bins=20, range=(0, 1))[0].tolist()
    equal = sum(size * (size - 1) // 2 for size in microaggregate(matrix, k=4, rare="keep").group_sizes)
    assert found.details["after"][0] >= equal


def test_places_are_shared_at_the_cut_and_what_is_not_relevant_has_none() -> None:
    relevance = np.array([[0.9, 0.5, 0.5, 0.0], [0.0, 0.0, 0.3, 0.0]])
    assert places(relevance, 2).tolist() == [[1.0, 0.5, 0.5, 0.0], [0.0, 0.0, 1.0, 0.0]]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_query_ranks_every_term_once(kind: str) -> None:
    rows = some_matrix(3, 20).weights
    ranked = ranked_terms(rows, kind)
    assert sorted(ranked.tolist()) == np.flatnonzero(np.bincount(rows.indices, minlength=20)).tolist()
    held = np.bincount(rows.indices, minlength=20)[ranked]
    if kind == "most frequent":
        assert held.tolist() == sorted(held, reverse=True)
    if kind == "least frequent":
        assert held.tolist() == sorted(held)
    asked = query_rows(ranked, 3, 4, 20).toarray()
    assert (asked > 0).sum(axis=1).tolist() == [3] * 4
    assert np.allclose(np.linalg.norm(asked, axis=1), 1.0)


def test_the_f1_of_a_query_is_that_of_the_first_documents() -> None:
    matrix = DocumentTermMatrix.of([[5, 1, 0], [4, 2, 0], [0, 3, 2], [0, 1, 4]])
    swapped = PublishedMatrix(weights=matrix.weights[[3, 2, 1, 0]], vocabulary=matrix.vocabulary)
    found = queries(VectorPair(matrix, swapped, np.arange(4)), first=2)
    # Whoever asks for the first term now finds other documents only.
    assert found.columns["1 term, highest weight"] > 0.5


def test_classifiers_agree_with_themselves_when_nothing_is_masked() -> None:
    found = classified(some_matrix(2, 80, classes=3), unmasked)
    assert set(found.agreement.values()) == {1.0}
    assert len(found.agreement) == 9
    assert all(each == pytest.approx(0.0) for each in relative_losses(found).values())


def test_parts_of_the_corpus_are_masked_separately() -> None:
    matrix = invented(100)
    asked: list[int] = []

    def mask(part: DocumentTermMatrix) -> MaskedMatrix:
        asked.append(len(part))
        return microaggregate(part, k=3, rare="keep")

    found = classified(matrix, mask)
    assert asked == [70, 30]
    assert min(found.original.values()) > 0.9


def test_the_jaccard_index_is_that_of_sets_of_document_and_class() -> None:
    first, second = np.array([0, 1, 1, 2]), np.array([0, 1, 2, 1])
    one, other = (set(enumerate(each.tolist())) for each in (first, second))
    assert jaccard(first, second) == len(one & other) / len(one | other)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_the_nearest_are_the_largest_and_of_equals_the_first(seed: int, many: int) -> None:
    near = np.round(np.random.default_rng(seed).random((4, 5)), 1)
    for row, chosen in zip(near, nearest(near, many), strict=True):
        wanted = np.argsort(-row, kind="stable")[:many]
        assert np.flatnonzero(chosen).tolist() == sorted(wanted.tolist())


def test_classification_needs_two_classes() -> None:
    with pytest.raises(NotComputable, match="no classes"):
        classified(some_matrix(1, 20), unmasked)
    with pytest.raises(NotComputable, match="one class only"):
        classified(some_matrix(1, 20, classes=1), unmasked)


def test_k_means_finds_clusters_that_are_plain_and_the_same_each_time() -> None:
    matrix = invented(80)
    first, second = spherical_k_means(matrix.weights, 4), spherical_k_means(matrix.weights, 4)
    assert first.tolist() == second.tolist()
    assert matrix.classes is not None
    classes = np.array(matrix.classes)
    assert all(len(set(first[classes == each])) == 1 for each in set(matrix.classes))


def test_a_masked_matrix_of_equal_rows_has_no_clusters() -> None:
    matrix = some_matrix(1, 5)
    with pytest.raises(NotComputable, match="all published rows are equal"):
        clustering(VectorPair.of(matrix, microaggregate(matrix, k=3, rare="keep")))
