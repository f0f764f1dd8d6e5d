from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attack.learning.standard import BLUR
from discreet.attack.points import ScaledColumn, Scaling, centre_and_spread
from discreet.comparing import AxisColumn
from discreet.table import FloatArray

EIGHTHS = st.lists(st.integers(-8000, 8000).map(lambda each: each / 8), min_size=2, max_size=40).filter(
    lambda values: min(values) < max(values)
)


def zscores(values: FloatArray) -> FloatArray:
    return Scaling.of(values).zscores(values)


@given(EIGHTHS, st.sampled_from([1e3, 1e9, -1e9, 2.0**45]))
def test_a_column_moved_as_a_whole_is_standardised_alike(values: list[float], shift: float) -> None:
    here = np.array(values)
    moved = here + shift
    assert (moved - shift == here).all()
    assert zscores(moved) == pytest.approx(zscores(here), abs=BLUR / 100, rel=BLUR / 100)


def scaled(known: list[float], low: list[float], high: list[float] | None = None) -> ScaledColumn:
    mine, begin, end = (np.array(each) for each in (known, low, low if high is None else high))
    return ScaledColumn.of(AxisColumn(name="v", known=mine, known_high=mine, low=begin, high=end))


@given(EIGHTHS)
def test_the_order_of_the_records_does_not_change_a_bit(values: list[float]) -> None:
    ordered = np.array(values) + 0.1
    order = np.random.default_rng(len(values)).permutation(len(values))
    assert (zscores(ordered)[order] == zscores(ordered[order])).all()


def test_numbers_at_both_ends_of_the_range_are_zscores() -> None:
    assert zscores(np.array([-1.7e308, 1.7e308])) == pytest.approx([-1.0, 1.0])
    assert zscores(np.array([0.0, 5e-324])) == pytest.approx([-1.0, 1.0])


def test_missing_numbers_stay_missing_and_equal_ones_stand_at_the_mean() -> None:
    np.testing.assert_array_equal(zscores(np.array([1.0, np.nan, 3.0])), [-1.0, np.nan, 1.0])
    np.testing.assert_array_equal(zscores(np.array([0.1, 0.1, np.nan])), [0.0, 0.0, np.nan])
    assert centre_and_spread(np.array([0.1, 0.1, np.nan])) == (0.1, 1.0)
    assert centre_and_spread(np.array([np.nan])) == (0.0, 1.0)


def test_published_numbers_go_by_their_own_mean_and_deviation() -> None:
    found = scaled([1.0, 3.0], [12.0, np.nan, 16.0])
    assert found.known_low.tolist() == [-1.0, 1.0]
    assert np.nan_to_num(found.low, nan=9.0).tolist() == [-1.0, 9.0, 1.0]


@pytest.mark.parametrize(("low", "high"), [([3.0, 3.0, 1.0], None), ([1.0, 4.0], [2.0, 5.0])])
def test_bands_and_values_that_are_all_known_go_by_the_known_table(
    low: list[float], high: list[float] | None
) -> None:
    found = scaled([1.0, 3.0], low, high)
    assert found.low.tolist() == [each - 2.0 for each in low]
    assert found.high.tolist() == [each - 2.0 for each in high or low]
