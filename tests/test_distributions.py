"""Distributions show what happened to a column and never who is in it."""

from __future__ import annotations

import math
from collections import Counter
from datetime import date
from typing import Literal

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.small_people import PLAN, SEED, people

from discreet.distributions import RARE, Distribution, distribution, distributions
from discreet.mask import recode_numbers
from discreet.protection import protect
from discreet.table import Table

Unit = Literal["ms", "us", "ns"]
ANY_FLOAT = (
    st.none()
    | st.floats(allow_nan=False)
    | st.sampled_from([0.0, 5e-324, 1e-310, 1e-300, 0.1, 1.0, 1 + 2**-52, 1e16, -1e150, 1e300])
)


def some(value: float | None) -> float:
    assert value is not None
    return value


def column(values: object, *, scale: str = "numeric", order: list[str] | None = None) -> Table:
    frame = pl.DataFrame({"x": values}, strict=False)
    return Table.of(
        frame, roles={"x": "quasi-identifier"}, scales={"x": scale}, orders={"x": order} if order else None
    )


def same(table: Table) -> Distribution:
    return distribution(table, table, "x")


@given(st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), min_size=1, max_size=120))
def test_no_category_of_fewer_than_three_people_is_named(values: list[str]) -> None:
    many = Counter(values)
    for bar in same(column(values, scale="nominal")).bars:
        if bar.label in many:
            assert many[bar.label] >= 3
            assert bar.original == many[bar.label]


@given(st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), min_size=30, max_size=120))
def test_all_records_are_counted_in_some_bar(values: list[str]) -> None:
    bars = same(column(values, scale="nominal")).bars
    assert sum(bar.original or 0 for bar in bars) + 2 * sum(bar.original is None for bar in bars) >= len(
        values
    )


def test_a_rare_category_stays_nameless_where_masking_made_it_common() -> None:
    before = column(["a"] * 20 + ["b"], scale="nominal")
    after = column(["b"] * 21, scale="nominal")
    assert [bar.label for bar in distribution(before, after, "x").bars] == ["a", RARE]


def test_categories_beyond_twelve_are_joined() -> None:
    values = [f"town {place:02}" for place in range(40) for _ in range(3 + place)]
    bars = same(column(values, scale="nominal")).bars
    assert len(bars) == 12
    assert bars[0].label == "town 39"
    assert bars[-1].label == "29 other categories"
    assert sum(bar.original or 0 for bar in bars) == len(values)


def test_levels_keep_their_order() -> None:
    values = ["low"] * 5 + ["high"] * 9 + ["middle"] * 7
    bars = same(column(values, scale="ordinal", order=["low", "middle", "high"])).bars
    assert [bar.label for bar in bars] == ["low", "middle", "high"]


@given(st.lists(st.floats(-1e9, 1e9), min_size=3, max_size=200))
def test_the_outermost_bars_hold_at_least_three_people(values: list[float]) -> None:
    bars = same(column(values)).bars
    for end in (bars[0], bars[-1]):
        assert end.original is not None
        assert end.original >= 3
    assert all(bar.original is None or bar.original == 0 or bar.original >= 3 for bar in bars)


def test_an_extreme_person_is_not_visible() -> None:
    values = [*np.linspace(20, 60, 500), 1_000_000.0]
    bars = same(column(values)).bars
    assert max(bar.high or 0 for bar in bars) < 100
    assert "1,000,000" not in " ".join(bar.label for bar in bars)


def test_bars_count_what_their_labels_say() -> None:
    values = np.repeat(np.arange(0, 100), 5).astype(float)
    for bar in same(column(values)).bars:
        if " to " in bar.label:
            low, high = (float(part) for part in bar.label.split(" to "))
            assert bar.original == ((values >= low) & (values < high)).sum()


def test_intervals_are_compared_with_the_numbers_they_hold() -> None:
    original = column(np.repeat([15.0, 25.0, 35.0, 20.0], [3, 4, 5, 6]))
    masked = recode_numbers(original, columns=["x"], cuts=[20, 30]).table
    found = distribution(original, masked, "x")
    assert [(bar.label, bar.original, bar.published) for bar in found.bars] == [
        ("< 20", 3, 3),
        ("[20, 30)", 10, 10),
        (">= 30", 5, 5),
    ]


def test_days_that_became_months_and_years_are_counted_in_them() -> None:
    days = [date(1967, 10, 1)] * 4 + [date(1967, 11, 30)] * 5 + [date(1968, 1, 1)] * 3
    labels = ["1967-10"] * 4 + ["1967-11"] * 5 + ["1968"] * 3
    found = distribution(column(days), column(labels, scale="nominal"), "x")
    assert {(bar.label, bar.original, bar.published) for bar in found.bars} == {
        ("1967-10", 4, 4),
        ("1967-11", 5, 5),
        ("1968", 3, 3),
    }
    assert found.note == ""


def test_bands_as_others_write_them_are_counted_up_to_their_last_number() -> None:
    original = column(np.repeat([19.5, 20.0, 29.0, 30.0], [3, 4, 5, 6]))
    labels = ["< 20"] * 3 + ["20-29"] * 9 + ["30+"] * 6
    found = distribution(original, column(labels, scale="nominal"), "x")
    assert {(bar.label, bar.original) for bar in found.bars} == {("< 20", 3), ("20-29", 9), ("30+", 6)}


def test_bands_that_overlap_are_not_counted_since_they_would_count_people_twice() -> None:
    original = column(np.repeat([20.0, 25.0, 35.0], 4))
    found = distribution(original, column(["[20, 30)", "[20, 40)", "[20, 40)"] * 4, scale="nominal"), "x")
    assert {(bar.label, bar.original, bar.published) for bar in found.bars} == {
        ("[20, 30)", 0, 4),
        ("[20, 40)", 0, 8),
    }
    assert "cannot be counted" in found.note


def test_numbers_that_became_other_categories_say_that_they_cannot_be_counted() -> None:
    found = distribution(column([1.0] * 9), column(["few"] * 9, scale="nominal"), "x")
    assert [(bar.label, bar.published) for bar in found.bars] == [("few", 9)]
    assert "cannot be counted" in found.note
    assert found.kind == "categories"


def test_dates_are_labelled_as_dates() -> None:
    days = [date(1990, 1, 1 + place % 28) for place in range(200)]
    found = same(column(days))
    assert found.kind == "dates"
    assert any("1990-01-" in bar.label for bar in found.bars)
    assert found.bars[0].low == pytest.approx(631152000000, abs=30 * 86400000)


@pytest.mark.parametrize(
    "values", [[None] * 5, [1.0, 2.0], [None, None, 3.0]], ids=["all missing", "two values", "one value"]
)
def test_a_column_of_hardly_any_values_is_not_shown(values: list[float | None]) -> None:
    found = same(column(pl.Series(values, dtype=pl.Float64)))
    assert (found.kind, found.bars) == ("not shown", ())
    assert found.original_missing == values.count(None) / len(values)


def test_a_constant_column_is_one_bar() -> None:
    bars = same(column([5.0] * 10)).bars
    assert [(bar.label, bar.original) for bar in bars] == [("all values", 10)]


@pytest.mark.parametrize(
    "values", [[0.0, 0.0, 5e-324], [0.0] * 5 + [5e-324] * 5, [place * 1e-310 for place in range(50)]]
)
def test_numbers_too_close_to_tell_apart_are_one_bar(values: list[float]) -> None:
    found = same(column(values))
    assert [(bar.label, bar.original) for bar in found.bars] == [("all values", len(values))]
    assert (found.kind, found.bars[0].low) == ("categories", None)


@given(st.lists(ANY_FLOAT, max_size=60), st.lists(ANY_FLOAT, max_size=60))
@example([-1.7e308] * 5 + [1.7e308] * 5, [])
def test_any_numbers_have_a_distribution_whose_bars_are_finite_and_rise(
    old: list[float | None], new: list[float | None]
) -> None:
    before, after = (column(pl.Series(values, dtype=pl.Float64)) for values in (old, new))
    found = distribution(before, after, "x")
    shown = [value for value in old if value is not None and abs(value) <= 1e300]
    assert bool(found.bars) == (len(shown) >= 3)
    if found.kind == "numbers":
        for bar in found.bars:
            assert -math.inf < some(bar.low) < some(bar.high) < math.inf
        assert len({bar.label for bar in found.bars}) == len(found.bars)
        assert sum(bar.original or 0 for bar in found.bars) <= len(shown)


def test_the_place_of_a_bar_is_not_a_value_of_somebody() -> None:
    found = same(column([777.0, 12.0, 95.0, 400.0, 1000.0]))
    assert [(bar.label, bar.low, bar.high) for bar in found.bars] == [("all values", None, None)]


def test_labels_have_the_digits_that_tell_the_bars_apart() -> None:
    found = same(column([1e16 + 2 * place for place in range(200)]))
    assert found.bars[1].label == "1.000000000000002e+16 to 1.000000000000004e+16"


def test_numbers_too_large_to_draw_are_left_out_and_told() -> None:
    found = same(column([1.0] * 5 + [2.0] * 5 + [math.inf, -1e305]))
    assert sum(bar.original or 0 for bar in found.bars) == 10
    assert "beyond 1e+300 are left out" in found.note


@pytest.mark.parametrize(
    ("dtype", "least"), [(pl.Date, -2_000_000), (pl.Datetime("us"), -(2**62)), (pl.Datetime("ms"), 2**58)]
)
def test_dates_outside_the_calendar_are_labelled_too(dtype: pl.DataType, least: int) -> None:
    days = pl.Series([least + place * abs(least // 100) for place in range(60)]).cast(dtype)
    found = same(column(days))
    assert found.kind in ("dates", "categories")
    assert len({bar.label for bar in found.bars}) == len(found.bars) > 10


@given(st.sampled_from(["ms", "us", "ns"]), st.integers(-(10**17), 10**17), st.integers(1, 10**15))
def test_every_bar_of_a_column_of_times_has_a_label_of_its_own(unit: Unit, start: int, apart: int) -> None:
    times = pl.Series([start + place * apart for place in range(40)]).cast(pl.Datetime(unit))
    bars = same(column(times)).bars
    assert len({bar.label for bar in bars}) == len(bars)


def test_free_text_is_not_shown() -> None:
    found = same(column(["a long story"] * 10, scale="text"))
    assert (found.kind, found.bars) == ("not shown", ())


def test_identifiers_have_no_distribution() -> None:
    table = people()
    found = distributions(table, protect(table, PLAN, seed=SEED))
    assert [each.column for each in found] == ["age", "income", "town", "born", "health"]
    assert [each.changed for each in found] == [True, True, True, False, False]
