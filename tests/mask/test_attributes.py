"""Columns of tuples and their groups: distances, spans and centres, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.mask.attributes import NumberColumn, _span, final_centre, mean_distance

TWENTY = np.arange(20, dtype=np.float64)


def test_a_difference_counts_by_the_span_of_the_middle_nine_tenths_and_at_most_one() -> None:
    column = NumberColumn(TWENTY, np.ones(20, dtype=np.int64), ordinal=False, weight=0.5)
    # One in twenty lies below or at 0, nineteen in twenty below or at 18.
    assert column.span == 18
    assert column.to_centre(0.0)[[0, 9, 19]].tolist() == [0, 0.25, 0.5]
    assert column.to_tuple(9)[[0, 9, 18]] == pytest.approx([0.25, 0, 0.25])


def test_frequent_tuples_weigh_in_the_span_and_few_extremes_do_not() -> None:
    values = np.array([5.0, 0.0, 100.0])
    assert _span(values, np.array([98, 1, 1]), ordinal=False) == 100
    assert _span(values, np.array([50, 49, 1]), ordinal=False) == 5
    assert _span(values, np.array([50, 49, 1]), ordinal=True) == 100
    assert _span(np.array([3.0, 3.0]), np.array([1, 1]), ordinal=False) == 1
    assert _span(np.empty(0), np.empty(0, dtype=np.int64), ordinal=True) == 1


def test_ordered_categories_count_by_their_steps() -> None:
    column = NumberColumn(np.array([0.0, 2.0, 4.0]), np.array([1, 1, 1]), ordinal=True, weight=1.0)
    assert column.to_tuple(0).tolist() == [0, 0.5, 1]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 4)), min_size=1, max_size=6))
def test_centres_are_means_of_numbers_and_lower_medians_of_places(pairs: list[tuple[int, int]]) -> None:
    values = np.array([value for value, _ in pairs], dtype=np.float64)
    counts = np.array([count for _, count in pairs])
    rows = np.arange(len(pairs))
    every = sorted(value for value, count in pairs for _ in range(count))
    numbers = NumberColumn(values, counts, ordinal=False, weight=1.0)
    assert final_centre(numbers, rows, counts) == pytest.approx(np.mean(every))
    places = NumberColumn(values, counts, ordinal=True, weight=1.0)
    assert final_centre(places, rows, counts) == every[(len(every) - 1) // 2]
    # Who has joined and left again was never there.
    for column in (numbers, places):
        group = column.group()
        for row, count in zip(rows.tolist(), counts.tolist(), strict=True):
            group.add(row, count + 3)
            group.remove(row, 3)
        assert group.centre() == pytest.approx(final_centre(column, rows, counts))


def test_the_mean_of_equal_numbers_is_that_number_to_the_last_bit() -> None:
    values = np.array([0.1, 0.1, 0.1])
    column = NumberColumn(values, np.array([1, 1, 1]), ordinal=False, weight=1.0)
    assert final_centre(column, np.arange(3), np.array([1, 1, 1])) == 0.1


def test_distances_of_columns_are_averaged() -> None:
    parts = [np.array([0.0, 1.0]), np.array([0.5, 0.0]), np.array([1.0, 0.5])]
    assert mean_distance(parts) == pytest.approx([0.5, 0.5])
    assert parts[0].tolist() == [0, 1]
