from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from discreet.errors import NotComputable
from discreet.mask import add_noise
from discreet.table import FloatArray, Table

RUNS = 60


@pytest.fixture(scope="module")
def values() -> FloatArray:
    generator = np.random.default_rng(8)
    common = generator.normal(size=(3000, 1))
    return np.hstack([100 + 10 * common, 5 * common + 5 * generator.normal(size=(3000, 1))])


def masked(values: FloatArray, variant: str, p: float, seed: int) -> FloatArray:
    table = Table.of(pl.DataFrame(values, schema=["a", "b"]), roles={}, rest="quasi-identifier")
    return add_noise(table, p=p, variant=variant, seed=seed).table.frame.to_numpy()


def average(values: FloatArray, variant: str, p: float) -> tuple[FloatArray, FloatArray]:
    """The mean and covariance of the masked values, on average over many runs."""
    runs = [masked(values, variant, p, seed) for seed in range(RUNS)]
    return np.mean([run.mean(axis=0) for run in runs], axis=0), np.mean(
        [np.cov(run.T) for run in runs], axis=0
    )


@pytest.mark.parametrize("variant", ["uncorrelated", "correlated", "linear"])
def test_means_are_kept_in_expectation(values: FloatArray, variant: str) -> None:
    mean, _ = average(values, variant, 0.5)
    assert mean == pytest.approx(values.mean(axis=0), abs=0.03)


def test_uncorrelated_noise_adds_p_squared_to_the_variances_only(values: FloatArray) -> None:
    _, covariance = average(values, "uncorrelated", 0.5)
    true = np.cov(values.T)
    assert np.diag(covariance) == pytest.approx(1.25 * np.diag(true), rel=0.02)
    assert covariance[0, 1] == pytest.approx(true[0, 1], rel=0.02)


def test_correlated_noise_scales_the_whole_covariance(values: FloatArray) -> None:
    _, covariance = average(values, "correlated", 0.5)
    assert covariance == pytest.approx(1.25 * np.cov(values.T), rel=0.02)


def test_linear_transformation_keeps_mean_and_covariance_in_expectation(values: FloatArray) -> None:
    mean, covariance = average(values, "linear", 0.5)
    assert mean == pytest.approx(values.mean(axis=0), abs=0.03)
    assert covariance == pytest.approx(np.cov(values.T), rel=0.02)


def test_nonlinear_transformation_keeps_the_distribution_of_a_skewed_column(values: FloatArray) -> None:
    skewed = np.exp(values / 20)
    noisy = masked(skewed, "nonlinear", 0.5, seed=3)
    for place in range(2):
        true, found = np.sort(skewed[:, place]), np.sort(noisy[:, place])
        assert true[0] <= found[0]
        assert found[-1] <= true[-1]
        assert np.quantile(found, [0.1, 0.5, 0.9]) == pytest.approx(
            np.quantile(true, [0.1, 0.5, 0.9]), rel=0.08
        )
    assert np.corrcoef(skewed[:, 0], noisy[:, 0])[0, 1] > 0.7


def test_missing_numbers_stay_missing() -> None:
    table = Table.of(pl.DataFrame({"a": [1.0, None, 3.0, 9.0]}), roles={"a": "quasi-identifier"})
    for variant in ("uncorrelated", "correlated", "linear", "nonlinear"):
        assert add_noise(table, variant=variant, seed=1).table.frame["a"].is_null().to_list() == [
            False,
            True,
            False,
            False,
        ]


def test_one_value_has_no_spread_to_scale_noise_by() -> None:
    table = Table.of(pl.DataFrame({"a": [1.0, None]}), roles={"a": "quasi-identifier"})
    with pytest.raises(NotComputable, match="fewer than two"):
        add_noise(table)


@pytest.mark.parametrize("size", [1e290, 1e-250])
@pytest.mark.parametrize("variant", ["uncorrelated", "correlated", "linear", "nonlinear"])
def test_the_size_of_numbers_does_not_matter(values: FloatArray, variant: str, size: float) -> None:
    power = 2.0 ** np.round(np.log2(size))
    some = values[:200]
    assert (masked(some * power, variant, 0.3, seed=5) == masked(some, variant, 0.3, seed=5) * power).all()


def test_noise_that_makes_numbers_too_large_is_a_named_error(values: FloatArray) -> None:
    with pytest.raises(NotComputable, match="too large to compute with"):
        masked(values * 1e290, "uncorrelated", 1e12, seed=1)
