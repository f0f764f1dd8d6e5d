"""Distributions show what happened to a column and never who is in it."""

from __future__ import annotations

from collections import Counter
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.mask import recode_numbers
from discreet.release import Release
from discreet.reporting.distributions import RARE, Distribution, distribution, distributions
from discreet.table import Table


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


def test_numbers_that_became_other_categories_say_that_they_cannot_be_counted() -> None:
    found = distribution(column([1.0] * 9), column(["few"] * 9, scale="nominal"), "x")
    assert [(bar.label, bar.published) for bar in found.bars] == [("few", 9)]
    assert "cannot be counted" in found.note


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


def test_free_text_is_not_shown() -> None:
    found = same(column(["a long story"] * 10, scale="text"))
    assert (found.kind, found.bars) == ("not shown", ())


def test_identifiers_have_no_distribution(table: Table, release: Release) -> None:
    found = distributions(table, release)
    assert [each.column for each in found] == ["age", "income", "town", "born", "health"]
    assert [each.changed for each in found] == [True, True, True, False, False]
