"""What spherical microaggregation guarantees, in its own words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.vectors.small_corpora import some_matrix

from discreet.errors import BadParameter, Unreachable
from discreet.text.vectors.losses import euclidean_spread, spherical_spread
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.published import PublishedMatrix
from discreet.text.vectors.spherical_microaggregate import microaggregate

SEEDS = st.integers(0, 10**6)


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 6), st.integers(6, 50), st.sampled_from(["spherical", "euclidean"]))
def test_every_row_of_the_result_occurs_at_least_k_times(seed: int, k: int, count: int, centre: str) -> None:
    masked = microaggregate(some_matrix(seed, count), k=k, centre=centre, rare="keep")  # type: ignore[arg-type]
    sizes = np.bincount(PublishedMatrix.of(masked).equal_rows())
    assert sizes.min() >= k


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 6), st.integers(6, 50))
def test_every_group_has_at_most_2k_minus_1_documents(seed: int, k: int, count: int) -> None:
    masked = microaggregate(some_matrix(seed, count), k=k, rare="keep")
    assert k <= masked.group_sizes.min() <= masked.group_sizes.max() <= 2 * k - 1


@given(SEEDS)
def test_the_same_matrix_always_gives_the_same_groups(seed: int) -> None:
    first, second = (microaggregate(some_matrix(seed, 20), k=3) for _ in range(2))
    assert first.groups.tolist() == second.groups.tolist()
    assert first.centres.data.tobytes() == second.centres.data.tobytes()


@settings(max_examples=30)
@given(SEEDS)
def test_the_centre_is_the_row_of_least_total_distance(seed: int) -> None:
    matrix = some_matrix(seed, 12)
    masked = microaggregate(matrix, k=3, rare="keep")
    used = [matrix.vocabulary.index(word) for word in masked.vocabulary]
    centres, rows = masked.centres.toarray(), matrix.weights.toarray()[:, used]
    assert np.allclose(np.linalg.norm(centres, axis=1), 1.0)
    draw = np.random.default_rng(seed)
    for group, centre in enumerate(centres):
        members = rows[masked.groups == group]
        best = (1 - members @ centre).sum()
        other = np.abs(centre + 0.1 * draw.normal(size=len(centre)))
        assert best <= (1 - members @ (other / np.linalg.norm(other))).sum() + 1e-12


def test_both_centres_make_the_same_groups_and_the_mean_is_not_of_length_one() -> None:
    matrix = some_matrix(1, 40)
    round_, plain = (
        microaggregate(matrix, k=4, centre=each, rare="keep") for each in ("spherical", "euclidean")
    )
    assert round_.groups.tolist() == plain.groups.tolist()
    rows = matrix.weights.toarray()[:, [matrix.vocabulary.index(word) for word in plain.vocabulary]]
    mean = rows[plain.groups == 0].mean(axis=0)
    assert np.allclose(plain.centres.toarray()[0], mean)
    assert np.linalg.norm(mean) < 1


@given(SEEDS, st.integers(2, 5))
def test_terms_in_fewer_than_k_documents_are_left_out(seed: int, k: int) -> None:
    matrix = some_matrix(seed, 15, terms=40, held=4)
    try:
        masked = microaggregate(matrix, k=k)
    except Unreachable:
        return
    held = dict(zip(matrix.vocabulary, matrix.document_counts, strict=True))
    assert all(held[term] >= k for term in masked.vocabulary)
    assert masked.facts["rare_terms_left_out"] == int((matrix.document_counts < k).sum())


def test_published_classes_are_equal_within_each_group() -> None:
    matrix = some_matrix(3, 60, classes=3)
    masked = microaggregate(matrix, k=4, rare="keep", publish_classes=True)
    assert masked.classes is not None
    for group in range(len(masked.group_sizes)):
        assert len({masked.classes[row] for row in np.flatnonzero(masked.groups == group)}) == 1
    assert np.bincount(PublishedMatrix.of(masked).equal_rows()).min() >= 4


def test_classes_of_fewer_than_k_documents_are_not_published() -> None:
    matrix = DocumentTermMatrix.of(np.eye(5) + 0.1, classes=["a", "a", "a", "b", "b"])
    with pytest.raises(Unreachable, match="1 of 2 have fewer"):
        microaggregate(matrix, k=3, publish_classes=True)
    with pytest.raises(BadParameter, match="no classes"):
        microaggregate(some_matrix(1, 10), k=3, publish_classes=True)


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 5))
def test_information_loss_is_a_share_by_either_distance(seed: int, k: int) -> None:
    matrix = some_matrix(seed, 20, terms=10)
    masked = microaggregate(matrix, k=k, rare="keep")
    means = microaggregate(matrix, k=k, centre="euclidean", rare="keep")
    for spread in (
        spherical_spread(matrix.weights, masked.centres, masked.groups),
        euclidean_spread(matrix.weights, means.centres, means.groups),
    ):
        assert 0 <= spread.il <= 1
    # Sums of squares within and between groups make up those of all rows.
    within = euclidean_spread(matrix.weights, means.centres, means.groups)
    rows = matrix.weights.toarray()
    assert within.sse + within.ssa == pytest.approx(((rows - rows.mean(axis=0)) ** 2).sum())


def test_bad_parameters_are_refused_by_name() -> None:
    matrix = some_matrix(1, 10)
    for wrong, name in (
        ({"k": 1}, "k must"),
        ({"k": True}, "k must"),
        ({"k": 3, "rare": "x"}, "rare"),
        ({"k": 3, "centre": "x"}, "centre"),
    ):
        with pytest.raises(BadParameter, match=name):
            microaggregate(matrix, **wrong)
