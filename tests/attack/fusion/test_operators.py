"""Aggregation operators by what is known of them, and the errors of releases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attack.fusion.operators import (
    Mean,
    checked_weights,
    owa,
    quasi_arithmetic_mean,
    weighted_mean,
    wowa,
)
from discreet.attack.fusion.precision import error_variances
from discreet.errors import BadParameter, NotComputable
from discreet.table import FloatArray

WEIGHTS = st.lists(st.floats(0.01, 10), min_size=4, max_size=4).map(lambda each: np.array(each) / sum(each))
VALUES = st.lists(
    st.lists(st.one_of(st.floats(-100, 100), st.just(float("nan"))), min_size=4, max_size=4),
    min_size=1,
    max_size=6,
).map(np.array)
EVEN = np.full(4, 0.25)


def between(values: FloatArray, fused: FloatArray) -> None:
    """Every mean lies between the least and the largest value that is known, and is unknown where all are."""
    for row, found in zip(values, fused, strict=True):
        known = row[~np.isnan(row)]
        if len(known) == 0:
            assert np.isnan(found)
        else:
            assert known.min() - 1e-9 <= found <= known.max() + 1e-9


@given(VALUES, WEIGHTS, WEIGHTS)
def test_every_operator_lies_between_the_least_and_the_largest(
    values: FloatArray, weights: FloatArray, order_weights: FloatArray
) -> None:
    between(values, weighted_mean(values, weights))
    between(values, owa(values, order_weights))
    between(values, wowa(values, weights, order_weights))
    positive = np.abs(values) + 1
    means: tuple[Mean, ...] = ("arithmetic", "geometric", "harmonic", "quadratic")
    for mean in means:
        between(positive, quasi_arithmetic_mean(positive, weights, mean))


@given(VALUES, WEIGHTS)
def test_wowa_with_equal_order_weights_is_the_weighted_mean(values: FloatArray, weights: FloatArray) -> None:
    assert wowa(values, weights, EVEN) == pytest.approx(weighted_mean(values, weights), nan_ok=True)


@given(VALUES, WEIGHTS)
def test_wowa_with_equal_weights_is_the_ordered_average(
    values: FloatArray, order_weights: FloatArray
) -> None:
    found = wowa(values, EVEN, order_weights)
    for row, fused in zip(values, found, strict=True):
        if not np.isnan(row).any():
            assert fused == pytest.approx(np.sort(row)[::-1] @ order_weights)


def wowa_of_one(known: list[tuple[float, float]], order_weights: FloatArray) -> float:
    """The weighted OWA of values and their weights, one gain of the quantifier after the other."""

    def quantifier(share: float) -> float:
        place = min(int(share * len(order_weights)), len(order_weights) - 1)
        part = share * len(order_weights) - place
        return float(order_weights[:place].sum() + part * order_weights[place])

    total, reached, fused = sum(weight for _, weight in known), 0.0, 0.0
    for value, weight in sorted(known, key=lambda each: -each[0]):
        fused += value * (quantifier(min(1.0, reached + weight / total)) - quantifier(reached))
        reached = min(1.0, reached + weight / total)
    return fused


@given(VALUES, WEIGHTS, WEIGHTS)
def test_wowa_is_its_definition_over_the_values_that_are_known(
    values: FloatArray, weights: FloatArray, order_weights: FloatArray
) -> None:
    for row, found, plain in zip(
        values, wowa(values, weights, order_weights), owa(values, order_weights), strict=True
    ):
        known = [(value, weight) for value, weight in zip(row, weights, strict=True) if not np.isnan(value)]
        if known:
            assert found == pytest.approx(wowa_of_one(known, order_weights), abs=1e-9)
            evenly = [(value, 1.0) for value, _ in known]
            assert plain == pytest.approx(wowa_of_one(evenly, order_weights), abs=1e-9)


def test_order_weights_pick_the_largest_the_smallest_or_the_middle() -> None:
    values = np.array([[3.0, 9.0, 5.0], [np.nan, 2.0, 8.0]])
    assert owa(values, np.array([1.0, 0, 0])).tolist() == [9, 8]
    assert owa(values, np.array([0, 0, 1.0])).tolist() == [3, 2]
    assert owa(values, np.array([0, 1.0, 0])).tolist() == [5, 5]


def test_means_are_what_their_names_say() -> None:
    values, even = np.array([[1.0, 4.0]]), np.array([0.5, 0.5])
    assert quasi_arithmetic_mean(values, even, "geometric") == pytest.approx([2.0])
    assert quasi_arithmetic_mean(values, even, "harmonic") == pytest.approx([1.6])
    assert quasi_arithmetic_mean(values, even, "quadratic") == pytest.approx([np.sqrt(8.5)])
    with pytest.raises(NotComputable, match="numbers above zero, and 2 are not"):
        quasi_arithmetic_mean(np.array([[0.0, -1.0, np.nan, 2.0]]), EVEN, "geometric")
    with pytest.raises(NotComputable, match="numbers at least zero, and 1 are not"):
        quasi_arithmetic_mean(np.array([[0.0, -1.0, np.nan, 2.0]]), EVEN, "quadratic")


@pytest.mark.parametrize("bad", [[1.0], [1.0, -1.0], [0.0, 0.0], [1.0, float("nan")]])
def test_weights_that_are_none_are_refused(bad: list[float]) -> None:
    with pytest.raises(BadParameter, match="weights must be 2 numbers"):
        checked_weights(bad, 2, "weights")


def test_errors_show_in_how_far_releases_are_apart() -> None:
    rng = np.random.default_rng(8)
    true = rng.normal(size=20_000)
    spreads = np.array([0.1, 0.3, 0.6])
    values = true[:, None] + rng.normal(size=(20_000, 3)) * spreads
    assert error_variances(values, [None, None, None]) == pytest.approx(spreads**2, rel=0.05, abs=0.003)
    assert error_variances(values[:, :2], [0.01, None]) == pytest.approx([0.01, 0.09], rel=0.05)
    with pytest.raises(NotComputable, match="a third release"):
        error_variances(values[:, :2], [None, None])


def test_no_release_is_taken_as_exact() -> None:
    values = np.array([[1.0, 1.0], [2.0, 2.0], [5.0, 5.0]])
    assert (error_variances(values, [None, 0.0]) > 0).all()
    assert (error_variances(np.ones((3, 2)), [0.0, 0.0]) > 0).all()
