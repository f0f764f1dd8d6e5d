from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, NotComputable
from discreet.mask import mondrian, recode_numbers
from discreet.table import Table

NUMBERS = st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6, allow_nan=False)), min_size=1, max_size=40)


def numbers(values: Sequence[float | None]) -> Table:
    return Table.of(pl.DataFrame({"x": pl.Series(values, dtype=pl.Float64)}), roles={"x": "quasi-identifier"})


@given(NUMBERS, st.lists(st.integers(-50, 50), min_size=1, max_size=5, unique=True).map(sorted))
def test_each_value_becomes_the_interval_that_holds_it(values: list[float | None], cuts: list[int]) -> None:
    masked = recode_numbers(numbers(values), cuts=cuts).table
    for value, label in zip(values, masked.frame["x"].to_list(), strict=True):
        if value is None:
            assert label is None
        else:
            assert label == masked["x"].order[sum(value >= cut for cut in cuts)]


def test_bins_have_equal_width_or_equally_many_records() -> None:
    table = numbers([float(value) for value in range(8)] + [1000.0])
    width = recode_numbers(table, bins=2).table.frame["x"].value_counts().sort("count")["count"].to_list()
    quantile = (
        recode_numbers(table, bins=3, variant="quantile").table.frame["x"].value_counts()["count"].to_list()
    )
    assert width == [1, 8]
    assert quantile == [3, 3, 3]
    with pytest.raises(NotComputable, match="fewer than two distinct"):
        recode_numbers(numbers([1.0, 1.0]), bins=2)
    with pytest.raises(BadParameter, match="rising"):
        recode_numbers(table, cuts=[3, 1])


def inside(value: float, label: str) -> bool:
    if label.startswith("<"):
        return value < float(label[2:])
    if label.startswith(">="):
        return value >= float(label[3:])
    low, high = label[1:-1].split(", ")
    return float(low) <= value < float(high)


@given(
    st.lists(st.integers(0, 40), min_size=2, max_size=30),
    st.sampled_from([1.0, 1e-12, 1 / 3, 1e20]),
    st.integers(2, 6),
    st.sampled_from(["width", "quantile"]),
)
def test_each_interval_as_written_holds_its_values(
    steps: list[int], unit: float, bins: int, variant: str
) -> None:
    values = [1.0 + step * unit for step in steps]
    if len(set(values)) < 2:
        return
    masked = recode_numbers(numbers(values), bins=bins, variant=variant).table
    assert len(set(masked["x"].order)) == len(masked["x"].order)
    assert all(inside(value, label) for value, label in zip(values, masked.frame["x"].to_list(), strict=True))


def test_cuts_are_written_with_all_their_digits() -> None:
    masked = recode_numbers(numbers([0.1, 5.0]), cuts=[0.1 + 0.2, 1.0000000000001]).table
    assert masked["x"].order == (
        "< 0.30000000000000004",
        "[0.30000000000000004, 1.0000000000001)",
        ">= 1.0000000000001",
    )


def test_intervals_of_dates_are_written_as_dates() -> None:
    days = [date(2020, 1, 1), date(2020, 1, 8), date(2020, 1, 31)]
    table = Table.of(pl.DataFrame({"x": days}), roles={"x": "quasi-identifier"})
    masked = recode_numbers(table, bins=3).table.frame["x"].to_list()
    assert masked == ["< 2020-01-11", "< 2020-01-11", ">= 2020-01-21"]


def test_intervals_of_times_of_day_are_written_with_the_parts_of_a_second() -> None:
    times = pl.Series("time", [place * 300_000_000 for place in range(8)]).cast(pl.Time)
    table = Table.of(times.to_frame(), roles={}, rest="quasi-identifier")
    masked = recode_numbers(table, bins=2)
    assert masked.table["time"].order == ("< 00:00:01.050", ">= 00:00:01.050")
    parts = mondrian(table, k=4).table.frame["time"].unique().sort().to_list()
    assert parts == ["[00:00:00, 00:00:00.900]", "[00:00:01.200, 00:00:02.100]"]
