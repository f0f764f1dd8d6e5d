"""Movie reviews and Reuters lie where the published curves do; the whole run is experiments/corpora.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiments.corpora import movie_reviews, reuters

from discreet.text.vectors.losses import il
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.published import VectorPair
from discreet.text.vectors.spherical_microaggregate import microaggregate


def losses(matrix: DocumentTermMatrix, k: int) -> tuple[float, float]:
    """The information loss of the spherical and of the Euclidean centre."""
    spherical = microaggregate(matrix, k=k, rare="keep")
    euclidean = microaggregate(matrix, k=k, rare="keep", centre="euclidean")
    return il(VectorPair.of(matrix, spherical)).loss, il(VectorPair.of(matrix, euclidean)).loss


def test_reuters_loses_less_than_half_up_to_k_20_and_less_than_the_euclidean_centre(
    reference_data: Path,
) -> None:
    matrix = reuters(reference_data)
    assert len(matrix) == pytest.approx(7346, rel=0.05)
    assert matrix.terms_a_document == pytest.approx(29.4, rel=0.15)
    low, high = losses(matrix, 2), losses(matrix, 20)
    assert low == pytest.approx((0.17, 0.31), abs=0.06)
    assert high[0] < 0.5 < high[1] < 0.95


def test_movie_reviews_lose_less_than_half_up_to_k_10(reference_data: Path) -> None:
    matrix = movie_reviews(reference_data)
    assert len(matrix) == 2000
    assert matrix.terms_a_document == pytest.approx(186.5, rel=0.15)
    ten, twenty = losses(matrix, 10), losses(matrix, 20)
    assert ten[0] < 0.5 < twenty[0]
    assert twenty == pytest.approx((0.65, 0.95), abs=0.06)
