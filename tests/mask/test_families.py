"""Families of distributions: fitted to the moments, the extremes or the likelihood of few values, to the last digit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.mask.families import (
    COUNTS,
    DENSITIES,
    Fitted,
    draw_in_order,
    fit_counts,
    fit_density,
    kolmogorov_smirnov,
)

SAMPLES = st.lists(st.integers(1, 400), min_size=4, max_size=30).filter(lambda values: len(set(values)) > 2)


def fitted(family: str, values: list[int]) -> Any:
    ranked = np.sort(np.array(values, dtype=np.float64))
    found = fit_density(ranked, (family,))
    assert isinstance(found, Fitted)
    assert found.family == family
    assert found.distance == kolmogorov_smirnov(ranked, found.density)
    return found.density


@given(SAMPLES)
def test_mean_and_spread_are_those_of_the_values(values: list[int]) -> None:
    for family in ("normal", "logistic", "gumbel", "beta"):
        density = fitted(family, values)
        assert density.mean() == pytest.approx(np.mean(values), rel=1e-6)
        assert density.std() == pytest.approx(np.std(values), rel=1e-6)


@given(SAMPLES)
def test_ends_are_those_of_the_values_where_the_family_has_ends(values: list[int]) -> None:
    for family in ("uniform", "beta"):
        assert fitted(family, values).support() == pytest.approx((min(values), max(values)))
    exponential = fitted("exponential", values)
    assert exponential.support() == (min(values), math.inf)
    assert exponential.mean() == pytest.approx(np.mean(values))


@given(SAMPLES)
def test_a_laplace_density_has_the_median_and_the_mean_distance_from_it(values: list[int]) -> None:
    density = fitted("laplace", values)
    middle = float(np.median(values))
    assert density.median() == pytest.approx(middle)
    # The mean distance from the middle is the scale, and the variance twice its square.
    assert density.var() == pytest.approx(2 * np.mean(np.abs(np.array(values) - middle)) ** 2)


@given(SAMPLES)
def test_the_logarithms_of_a_lognormal_have_the_mean_and_spread_of_those_of_the_values(
    values: list[int],
) -> None:
    logs, density = np.log(values), fitted("lognormal", values)
    assert density.median() == pytest.approx(np.exp(logs.mean()))
    assert density.mean() == pytest.approx(np.exp(logs.mean() + logs.var() / 2))


@given(SAMPLES, st.sampled_from(["gamma", "weibull", "exponential", "laplace"]))
def test_no_neighbouring_parameters_make_the_values_more_likely(values: list[int], family: str) -> None:
    density = fitted(family, values)
    data = np.array(values, dtype=np.float64)

    def likelihood(**change: float) -> float:
        given = {name: value * change.get(name, 1.0) for name, value in density.kwds.items()}
        return float(density.dist.logpdf(data, **given).sum())

    best = likelihood()
    for name in density.kwds:
        if name != "loc":
            for factor in (0.99, 1.01):
                assert likelihood(**{name: factor}) <= best + 1e-7 * abs(best)


def test_families_of_positive_values_fit_no_others_and_equal_values_fit_none() -> None:
    for family in ("lognormal", "gamma", "weibull"):
        for least in (0.0, -1.0):
            assert fit_density(np.array([least, 2.0, 3.0]), (family,)) is None
        assert fit_density(np.array([1e-9, 2.0, 3.0]), (family,)) is not None
    for family in DENSITIES:
        if family not in ("uniform", "beta"):
            assert fit_density(np.array([2.0, 2.0]), (family,)) is None
    assert fit_density(np.array([-1.0, 2.0, 3.0]), ("gamma", "weibull")) is None


def test_the_nearest_family_is_taken_and_of_equally_near_ones_the_first() -> None:
    values = np.sort(np.random.default_rng(4).exponential(3.0, 60))
    each = {family: fit_density(values, (family,)) for family in DENSITIES}
    distances = {family: found.distance for family, found in each.items() if found is not None}
    best = fit_density(values, tuple(DENSITIES))
    assert best is not None
    assert best.distance == min(distances.values())
    assert best.family == min(distances, key=lambda family: distances[family])


class Flat:
    """The density of chances themselves."""

    def cdf(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values

    def ppf(self, chances: NDArray[np.float64]) -> NDArray[np.float64]:
        return chances


def test_the_distance_is_the_largest_step_on_either_side_of_a_value() -> None:
    # Shares 1/4, 1/2, 3/4, 1 after the values, and 0, 1/4, 1/2, 3/4 before them.
    assert kolmogorov_smirnov(np.array([0.1, 0.2, 0.3, 0.4]), Flat()) == pytest.approx(0.6)
    assert kolmogorov_smirnov(np.array([0.6, 0.7, 0.8, 0.9]), Flat()) == pytest.approx(0.6)
    assert kolmogorov_smirnov(np.array([0.125, 0.375, 0.625, 0.875]), Flat()) == pytest.approx(0.125)


@given(st.integers(0, 1000), st.floats(0, 0.4), st.floats(0.5, 1))
def test_draws_are_sorted_and_evenly_spread_between_the_bounds(seed: int, low: float, high: float) -> None:
    free = draw_in_order(Flat(), 50, None, np.random.default_rng(seed))
    bound = draw_in_order(Flat(), 50, (low, high), np.random.default_rng(seed))
    assert (np.diff(free) >= 0).all()
    # The same chances, from the whole line or from what lies between the bounds.
    assert bound == pytest.approx(low + (high - low) * free)


CHANCES: dict[str, Callable[[int, int, float], float]] = {
    "uniform": lambda place, last, mean: 1.0,
    "binomial": lambda place, last, mean: (
        math.comb(last, place) * (mean / last) ** place * (1 - mean / last) ** (last - place)
    ),
    "poisson": lambda place, last, mean: math.exp(-mean) * mean**place / math.factorial(place),
    "geometric": lambda place, last, mean: (1 / (1 + mean)) * (mean / (1 + mean)) ** place,
}


@given(st.lists(st.integers(0, 50), min_size=2, max_size=7).filter(lambda counts: sum(counts) > 0))
def test_places_have_the_chances_of_a_family_with_their_mean_cut_off_at_the_last(counts: list[int]) -> None:
    shares = np.array(counts) / sum(counts)
    last, mean = len(counts) - 1, float(np.arange(len(counts)) @ shares)
    away = {}
    for family in COUNTS:
        name, chances, distance = fit_counts(np.array(counts), (family,))
        plain = np.array([CHANCES[family](place, last, mean) for place in range(last + 1)])
        assert name == family
        assert chances == pytest.approx(plain / plain.sum(), abs=1e-12)
        assert distance == pytest.approx(np.abs(np.cumsum(chances) - np.cumsum(shares)).max())
        away[family] = distance
    name, chances, distance = fit_counts(np.array(counts), COUNTS)
    assert distance == min(away.values())
    assert away[name] == distance
    assert chances == pytest.approx(fit_counts(np.array(counts), (name,))[1])


def test_one_level_alone_has_every_chance() -> None:
    for family in COUNTS:
        assert fit_counts(np.array([7]), (family,))[1].tolist() == [1.0]
