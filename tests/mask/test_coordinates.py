from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.mask import impute, k_resample, synthesise_copula, synthesise_trees
from discreet.mask.coordinates import mean_and_spread, standardised
from discreet.table import Table

columns = st.lists(st.integers(-1000, 1000) | st.just(np.nan), min_size=1, max_size=20)


@given(columns, st.sampled_from([-900, -300, 0, 300, 900]))
def test_standardising_does_not_depend_on_the_unit(values: list[float], exponent: int) -> None:
    points = np.array(values, dtype=np.float64)[:, None]
    plain, scaled = standardised(points), standardised(np.ldexp(points, exponent))
    assert np.array_equal(plain, scaled, equal_nan=True)


@given(columns)
def test_standardised_columns_have_mean_zero_and_spread_one_or_are_zero(values: list[float]) -> None:
    points = standardised(np.array(values, dtype=np.float64)[:, None])[:, 0]
    present = points[~np.isnan(points)]
    if len(present) == 0:
        return
    assert present.mean() == pytest.approx(0, abs=1e-9)
    assert present.std() == pytest.approx(1) or (present == 0).all()


@given(columns, st.sampled_from([0, 900]))
def test_mean_and_spread_are_those_of_the_values_present(values: list[float], exponent: int) -> None:
    numbers = np.array(values, dtype=np.float64)
    present = numbers[~np.isnan(numbers)]
    mean, spread = mean_and_spread(np.ldexp(numbers, exponent))
    expected = (present.mean(), present.std()) if len(present) else (0.0, 0.0)
    assert np.ldexp([mean, spread], -exponent) == pytest.approx(expected)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_very_small_and_very_large_numbers_are_no_trouble(size: float) -> None:
    generator = np.random.default_rng(1)
    frame = pl.DataFrame({"a": generator.normal(size=80) * size, "b": generator.normal(size=80) * size})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    for method in (impute, k_resample, synthesise_trees, synthesise_copula):
        masked = method(table, seed=1).table.numbers(["a", "b"])
        assert np.abs(masked).max() <= np.abs(frame.to_numpy()).max()
