from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.mask import compress
from discreet.mask.compress import TALLEST, through_pictures
from discreet.table import Table

amounts = st.none() | st.integers(-1000, 1000)
records = st.lists(st.tuples(amounts, amounts), max_size=40)


def households(rows: Sequence[tuple[int | None, int | None]]) -> Table:
    frame = pl.DataFrame(
        {
            "age": pl.Series([row[0] for row in rows], dtype=pl.Int64),
            "rent": pl.Series([row[1] for row in rows], dtype=pl.Float64, strict=False),
        }
    )
    return Table.of(frame, roles={}, rest="quasi-identifier")


@given(records, st.integers(1, 100))
def test_no_value_lies_outside_the_smallest_and_the_largest_of_its_column(
    rows: list[tuple[int | None, int | None]], quality: int
) -> None:
    table = households(rows)
    masked = compress(table, quality=quality).table.frame
    for name in table.names:
        before, after = table.frame[name], masked[name]
        assert after.is_null().equals(before.is_null())
        assert after.dtype == before.dtype
        present = before.drop_nulls().to_list()
        assert all(min(present) <= value <= max(present) for value in after.drop_nulls())


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=30), st.integers(1, 100))
def test_a_column_with_a_single_value_stays_as_it_is(rents: list[int], quality: int) -> None:
    table = households([(41, rent) for rent in rents])
    assert compress(table, quality=quality).table.frame["age"].equals(table.frame["age"])


def test_better_quality_changes_less() -> None:
    generator = np.random.default_rng(1)
    frame = pl.DataFrame(generator.normal(size=(400, 6)), schema=list("abcdef"))
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    change = [
        float(np.abs(compress(table, quality=quality).table.numbers(table.names) - frame.to_numpy()).mean())
        for quality in (5, 50, 95)
    ]
    assert change[0] > change[1] > change[2] > 0


def test_tables_taller_than_a_picture_take_several() -> None:
    points = np.random.default_rng(1).integers(0, 256, (TALLEST + 20, 3)).astype(np.uint8)
    seen, size = through_pictures(points, 95)
    assert seen.shape == points.shape
    assert size > 0
    apart, _ = through_pictures(points[TALLEST:], 95)
    assert (seen[TALLEST:] == apart).all()
    assert np.abs(seen.astype(int) - points).mean() < 10


def test_dates_stay_dates() -> None:
    days = [date(2000, 1, 1 + day) for day in range(28)]
    table = Table.of(pl.DataFrame({"born": days}), roles={"born": "quasi-identifier"})
    masked = compress(table, quality=20).table.frame["born"]
    assert masked.dtype == pl.Date
    assert masked.to_list() != days


def test_only_so_many_values_are_left_as_a_picture_has_greys() -> None:
    table = Table.of(
        pl.DataFrame({"x": np.random.default_rng(1).normal(size=5000)}), roles={"x": "quasi-identifier"}
    )
    assert compress(table, quality=100).table.frame["x"].n_unique() <= 256


@pytest.mark.parametrize("count", [0, 1])
def test_hardly_any_records_are_no_trouble(count: int) -> None:
    table = households([(30, 500)] * count)
    assert compress(table).table.frame.equals(table.frame)


@given(st.lists(st.integers(-999, 999), min_size=2, max_size=40), st.integers(0, 2), st.integers(1, 100))
def test_numbers_have_no_more_decimals_than_their_column(
    numbers: list[int], decimals: int, quality: int
) -> None:
    values = [float(f"{number / 10**decimals:.{decimals}f}") for number in numbers]
    table = Table.of(pl.DataFrame({"x": values}), roles={"x": "quasi-identifier"})
    masked = compress(table, quality=quality).table.frame["x"]
    assert (masked == masked.round(decimals)).all()
