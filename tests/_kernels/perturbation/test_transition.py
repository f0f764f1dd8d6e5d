from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet._kernels.perturbation.transition import (
    alike_matrix,
    invariant_matrix,
    kept_by_frequency,
    move_alike,
    move_back,
    move_by_matrix,
)

counts_of_categories = st.lists(st.integers(1, 500), min_size=1, max_size=8)
amounts = st.floats(0.01, 0.99)


def shares_of(counts: list[int]) -> NDArray[np.float64]:
    return np.array(counts, dtype=np.float64) / sum(counts)


def observed(before: NDArray[np.int64], after: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """The share of each category that became each other one."""
    joint = np.zeros((count, count))
    np.add.at(joint, (before, after), 1.0)
    share: NDArray[np.float64] = joint / joint.sum(axis=1, keepdims=True)
    return share


@given(counts_of_categories, amounts)
def test_frequency_matrix_is_the_published_one(counts: list[int], theta: float) -> None:
    matrix = alike_matrix(kept_by_frequency(shares_of(counts), theta))
    size, least = len(counts), min(counts)
    for k, frequency in enumerate(counts):
        for other in range(size):
            if size == 1:
                expected = 1.0
            elif k == other:
                expected = 1 - theta * least / frequency
            else:
                expected = theta * least / ((size - 1) * frequency)
            assert matrix[k, other] == pytest.approx(expected, abs=1e-12)


@given(counts_of_categories, amounts)
def test_frequency_matrix_keeps_frequencies_in_expectation(counts: list[int], theta: float) -> None:
    shares = shares_of(counts)
    matrix = alike_matrix(kept_by_frequency(shares, theta))
    assert matrix.sum(axis=1) == pytest.approx(np.ones(len(counts)))
    assert shares @ matrix == pytest.approx(shares)


@given(st.integers(1, 6), st.integers(0, 2**32))
def test_any_matrix_can_be_made_invariant(size: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    matrix = generator.dirichlet(np.ones(size), size)
    shares = generator.dirichlet(np.ones(size))
    made = invariant_matrix(matrix, shares)
    assert (made >= 0).all()
    assert made.sum(axis=1) == pytest.approx(np.ones(size))
    assert shares @ made == pytest.approx(shares)


def test_categories_that_nothing_reaches_keep_a_row_that_adds_up_to_one() -> None:
    made = invariant_matrix(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, 0.0]))
    assert made.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_draws_follow_the_matrix() -> None:
    generator = np.random.default_rng(5)
    shares = np.array([0.5, 0.3, 0.2])
    codes = generator.choice(3, size=200_000, p=shares)
    theta = 0.4
    kept = kept_by_frequency(shares, theta)
    given_matrix = np.array([[0.2, 0.0, 0.8], [0.1, 0.9, 0.0], [0.3, 0.3, 0.4]])
    assert observed(codes, move_alike(codes, kept, generator), 3) == pytest.approx(
        alike_matrix(kept), abs=0.01
    )
    moved = move_by_matrix(codes, given_matrix, generator)
    assert observed(codes, moved, 3) == pytest.approx(given_matrix, abs=0.01)


def test_draws_there_and_back_follow_the_invariant_matrix() -> None:
    generator = np.random.default_rng(6)
    shares = np.array([0.6, 0.25, 0.15])
    codes = generator.choice(3, size=200_000, p=shares)
    theta = 0.5
    away = move_alike(codes, np.full(3, 1 - theta), generator)
    back = move_back(away, theta, shares, generator)
    expected = invariant_matrix(alike_matrix(np.full(3, 1 - theta)), shares)
    assert observed(codes, back, 3) == pytest.approx(expected, abs=0.01)


def test_a_matrix_never_gives_a_category_without_a_chance() -> None:
    third = 1 / 3
    matrix = np.array([[third, third, third, 0.0], *np.eye(4)[1:]])
    codes = np.zeros(50_000, dtype=np.int64)
    assert set(move_by_matrix(codes, matrix, np.random.default_rng(1)).tolist()) == {0, 1, 2}


def test_a_single_category_stays() -> None:
    codes, generator = np.zeros(5, dtype=np.int64), np.random.default_rng(0)
    assert move_alike(codes, np.ones(1), generator).tolist() == [0] * 5
    assert move_back(codes, 0.5, np.ones(1), generator).tolist() == [0] * 5
    assert move_by_matrix(codes, np.ones((1, 1)), generator).tolist() == [0] * 5
