"""Distinct tuples with their frequencies, against counting in a dictionary."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.counting.tuples import tuples_of

ROWS = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 40)), max_size=60)


@given(ROWS)
def test_tuples_are_sorted_counted_and_lead_back_to_the_rows(rows: list[tuple[int, int]]) -> None:
    codes = np.array(rows, dtype=np.int64).reshape(len(rows), 2)
    found = tuples_of(codes)
    expected = sorted(Counter(rows).items())
    assert [tuple(each) for each in found.codes.tolist()] == [each for each, _ in expected]
    assert found.frequencies.tolist() == [count for _, count in expected]
    assert found.codes[found.which].tolist() == codes.tolist()


def test_rows_without_columns_are_one_tuple() -> None:
    found = tuples_of(np.empty((3, 0), dtype=np.int64))
    assert found.frequencies.tolist() == [3]
    assert found.which.tolist() == [0, 0, 0]
