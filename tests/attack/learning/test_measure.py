"""Fuzzy measures and what is read off them."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.attack.learning import measure as fuzzy
from discreet.attack.learning.cones import concave, into_submodular


def random_measure(seed: int, columns: int = 4) -> NDArray[np.float64]:
    return fuzzy.monotone(np.random.default_rng(seed).uniform(size=1 << columns))


def test_sets_are_numbered_with_the_first_column_as_the_highest_bit() -> None:
    assert sum(fuzzy.bit(k, 5) for k in (0, 2, 4)) == 21
    assert fuzzy.membership(5)[21].tolist() == [True, False, True, False, True]


@given(seed=st.integers(0, 10**6))
def test_zeta_undoes_moebius(seed: int) -> None:
    measure = random_measure(seed)
    assert np.allclose(fuzzy.zeta(fuzzy.moebius(measure)), measure)


def test_moebius_is_the_alternating_sum_over_subsets() -> None:
    measure = random_measure(3, 3)
    size = fuzzy.sizes(3)
    for large in range(8):
        subsets = [small for small in range(8) if small & ~large == 0]
        expected = sum((-1.0) ** (size[large] - size[small]) * measure[small] for small in subsets)
        assert fuzzy.moebius(measure)[large] == pytest.approx(expected)


@given(seed=st.integers(0, 10**6))
def test_shapley_values_are_the_mean_gain_over_all_orders_and_sum_to_one(seed: int) -> None:
    measure = random_measure(seed)
    gains = np.zeros(4)
    for order in permutations(range(4)):
        seen = 0
        for k in order:
            gains[k] += measure[seen | fuzzy.bit(k, 4)] - measure[seen]
            seen |= fuzzy.bit(k, 4)
    assert np.allclose(fuzzy.shapley(measure), gains / factorial(4))
    assert fuzzy.shapley(measure).sum() == pytest.approx(1.0)


@given(seed=st.integers(0, 10**6))
def test_interaction_is_the_weighted_second_difference(seed: int) -> None:
    measure = random_measure(seed)
    size = fuzzy.sizes(4)
    one, two = fuzzy.bit(0, 4), fuzzy.bit(2, 4)
    total = 0.0
    for rest in range(16):
        if rest & (one | two) == 0:
            share = factorial(4 - size[rest] - 2) * factorial(size[rest]) / factorial(3)
            total += share * (
                measure[rest | one | two] - measure[rest | one] - measure[rest | two] + measure[rest]
            )
    found = fuzzy.interaction(measure)
    assert found[0, 2] == pytest.approx(total)
    assert np.allclose(found, found.T)
    assert (np.diag(found) == 0).all()


def test_an_additive_measure_has_its_weights_as_shapley_values_and_no_interaction() -> None:
    weights = np.array([0.5, 0.3, 0.2])
    assert np.allclose(fuzzy.shapley(fuzzy.additive(weights)), weights)
    assert np.allclose(fuzzy.interaction(fuzzy.additive(weights)), 0)


@given(seed=st.integers(0, 10**6))
def test_made_monotone_a_measure_never_falls_when_a_column_joins(seed: int) -> None:
    measure = fuzzy.monotone(np.random.default_rng(seed).normal(size=16))
    assert (fuzzy.monotone_rows(4) @ measure[1:] >= 0).all()
    assert (measure[0], measure[-1]) == (0.0, 1.0)


def test_what_is_nowhere_above_zero_becomes_the_measure_that_counts_columns() -> None:
    assert fuzzy.monotone(np.full(8, -1.0)).tolist() == pytest.approx(fuzzy.sizes(3) / 3)
    assert fuzzy.monotone(np.array([5.0, -1.0, 0.5, 0.25])).tolist() == [0.0, 0.0, 1.0, 1.0]


@given(seed=st.integers(0, 10**6))
def test_made_submodular_a_measure_meets_the_definition(seed: int) -> None:
    measure = into_submodular(random_measure(seed, 3))
    for a in range(8):
        for b in range(8):
            assert measure[a] + measure[b] >= measure[a | b] + measure[a & b] - 1e-12


def test_the_concave_measure_is_well_inside_the_submodular_ones() -> None:
    assert (fuzzy.submodular_rows(4) @ concave(4)[1:] > 0.01).all()
    assert (fuzzy.monotone_rows(4) @ concave(4)[1:] > 0.01).all()
