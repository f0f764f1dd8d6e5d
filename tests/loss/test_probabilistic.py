"""The probabilistic loss: bounded, and uniform where the masked table is no more than another sample."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import loss
from discreet.errors import NotComputable
from discreet.loss import moments as sums
from discreet.loss.moments import moments, shares
from discreet.loss.quantiles import quantiles, quantiles_and_deviations
from discreet.table import FloatArray, Table

Maker = Callable[..., Table]
KINDS = ("quantiles", "means", "variances", "covariances", "correlations")


def population(count: int, seed: int = 1) -> FloatArray:
    """Correlated columns of which one is skewed."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(count, 3)) @ np.array([[1.0, 0.7, -0.3], [0.0, 0.7, 0.2], [0.0, 0.0, 0.9]])
    return np.column_stack([base[:, :2] * [3.0, 400.0] + 10.0, np.exp(base[:, 2] / 3)])


def test_a_sample_of_the_original_is_as_far_off_as_chance_puts_it(
    matrix: Callable[[FloatArray], Table],
) -> None:
    rng = np.random.default_rng(7)
    people = population(4000)
    original = matrix(people)
    found = [loss.pil(original, matrix(people[rng.integers(0, 4000, 1000)])).details for _ in range(80)]
    for kind in KINDS:
        chances = np.array([each[kind] for each in found])
        # A chance that is uniform from 0 to 100 has the mean 50; averages over three columns narrow its spread.
        assert abs(chances.mean() - 50) < 8, kind
        assert chances.std() > 8, kind


def test_kinds_are_averaged_first(matrix: Callable[[FloatArray], Table]) -> None:
    people = population(200)
    found = loss.pil(matrix(people), matrix(people + np.random.default_rng(3).normal(size=people.shape)))
    assert set(found.details) == set(KINDS)
    assert found.loss == pytest.approx(np.mean(list(found.details.values())))
    assert set(found.columns) == {"a", "b", "c"}


def test_the_chance_of_a_mean_is_that_of_the_definition(numeric: Maker) -> None:
    rng = np.random.default_rng(4)
    true = rng.normal(size=100)
    shifted = true + 0.05
    found = loss.pil(numeric({"a": true.tolist()}), numeric({"a": shifted.tolist()}))
    steps = 0.05 / (true.std(ddof=1) / math.sqrt(100))
    assert found.details["means"] == pytest.approx(100 * math.erf(steps / math.sqrt(2)))
    assert found.details["variances"] == pytest.approx(0, abs=1e-6)
    assert "correlations" not in found.details


def test_a_statistic_that_cannot_vary_is_kept_or_lost(numeric: Maker) -> None:
    original = numeric({"a": [5.0] * 20, "b": list(map(float, range(20)))})
    kept = loss.pil(original, original)
    lost = loss.pil(original, numeric({"a": [6.0] * 20, "b": list(map(float, range(20)))}))
    assert kept.loss == 0
    assert kept.left_out == 1
    assert lost.columns["a"] == pytest.approx(100 * np.mean([1, 1, 0, 0]))


def test_too_few_values_have_no_spread_to_compare_with(numeric: Maker) -> None:
    with pytest.raises(NotComputable, match="two values"):
        loss.pil(numeric({"a": [5.0]}), numeric({"a": [5.0]}))


@given(
    st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=12),
    st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=12),
)
def test_it_is_always_from_0_to_100(old: list[tuple[int, int]], new: list[tuple[int, int]]) -> None:
    import polars as pl

    def table(rows: list[tuple[int, int]]) -> Table:
        frame = pl.DataFrame(rows, schema=["a", "b"], orient="row")
        return Table.of(frame, roles={}, rest="quasi-identifier")

    found = loss.pil(table(old), table(new))
    assert 0 <= found.loss <= 100
    assert all(0 <= each <= 100 + 1e-9 for each in (*found.details.values(), *found.columns.values()))


def test_weighted_quantiles_are_those_of_repeated_values() -> None:
    rng = np.random.default_rng(9)
    values, times = rng.normal(size=(50, 2)), rng.integers(0, 5, 50)
    levels = np.arange(5, 100, 5) / 100
    by_weight = quantiles(values, shares(values, times.astype(float)), levels)
    repeated = np.repeat(values, times, axis=0)
    for place in range(2):
        ordered = np.sort(repeated[:, place])
        expected = [ordered[math.ceil(round(level * len(ordered), 9)) - 1] for level in levels]
        assert by_weight[:, place].tolist() == expected


def test_quantiles_vary_as_the_normal_density_says() -> None:
    rng = np.random.default_rng(6)
    values = rng.normal(size=(200_000, 1))
    middle, found = quantiles_and_deviations(
        values, shares(values, None), np.array([0.5]), np.array([1000.0])
    )
    assert middle[0, 0] == np.sort(values[:, 0])[99_999]
    assert found[0, 0] == pytest.approx(math.sqrt(math.pi / 2 / 1000), rel=0.05)


@pytest.mark.parametrize("rows", [1, 7, 300])
def test_sums_over_some_records_at_a_time_are_those_over_all(
    monkeypatch: pytest.MonkeyPatch, rows: int, matrix: Callable[[FloatArray], Table]
) -> None:
    rng = np.random.default_rng(5)
    people = population(300)
    people[rng.random(people.shape) < 0.1] = np.nan
    people[:100, 0] = np.nan
    weights = rng.integers(0, 4, 300).astype(np.float64)
    other = matrix(people + rng.normal(size=people.shape))
    whole, lost = moments(people, weights), loss.pil(matrix(people), other)
    monkeypatch.setattr(sums, "ROWS_AT_ONCE", rows)
    found = moments(people, weights)
    for name in ("records", "mean", "size", "constant", "covariance", "correlation"):
        np.testing.assert_allclose(getattr(found, name), getattr(whole, name), rtol=1e-12, err_msg=name)
    assert loss.pil(matrix(people), other).loss == pytest.approx(lost.loss, rel=1e-9)
    there = ~np.isnan(people[:, 1])
    covariance = np.cov(people[there, 1], fweights=weights[there].astype(int))
    assert found.mean[1] == pytest.approx(np.average(people[there, 1], weights=weights[there]))
    assert float(found.variance[1]) == pytest.approx(float(covariance), rel=0.02)
