from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.mask.decimals import decimals_of, written_like


@given(st.lists(st.integers(-10_000, 10_000), min_size=1, max_size=20), st.integers(0, 4))
def test_numbers_have_no_more_decimals_than_their_column(values: list[int], places: int) -> None:
    column = np.round(np.array(values, dtype=np.float64) / 10**places, places)
    found = decimals_of(column)
    assert found is not None
    assert found <= places
    fresh = written_like(column, np.linspace(-3, 3, 50))
    assert (np.round(fresh, found) == fresh).all()


def test_measurements_without_steps_are_left_as_they_are() -> None:
    values = np.array([np.pi, np.nan])
    assert decimals_of(values) is None
    assert written_like(values, np.array([np.e])).tolist() == [np.e]


def test_a_column_without_values_has_no_decimals() -> None:
    assert decimals_of(np.array([np.nan])) == 0
