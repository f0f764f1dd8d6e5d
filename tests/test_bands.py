"""What is written as a band is read as the values it holds."""

from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.bands import Band, read_band, read_run, write_band, write_bands, write_run

FLOAT, WHOLE, DAY = pl.Float64(), pl.Int64(), pl.Date()
inf = math.inf


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [
        ("20", 20, 20),
        ("20.0", 20, 20),
        ("[20, 30)", 20, 29),
        ("(20, 30]", 21, 30),
        ("[20, 30]", 20, 30),
        ("< 20", -inf, 19),
        ("<= 20", -inf, 20),
        (">= 90", 90, inf),
        ("> 90", 91, inf),
        ("90+", 90, inf),
        ("90 or more", 90, inf),
        ("5 or less", -inf, 5),
        ("20-29", 20, 29),
        ("20 to 29", 20, 29),
        ("-5--2", -5, -2),
        ("[-inf, 4)", -inf, 3),
    ],
)
def test_bands_of_whole_numbers_hold_whole_numbers(label: str, low: float, high: float) -> None:
    assert read_band(label, WHOLE) == Band(low, high)


@pytest.mark.parametrize("label", ["", "old", "nan", "[30, 20)", "a-b", "[a, b)", "2001-02-30-", "to"])
def test_other_words_are_no_bands(label: str) -> None:
    assert read_band(label, FLOAT) is None
    assert read_band(label, DAY) is None


@pytest.mark.parametrize(
    ("label", "first", "last"),
    [
        ("1970-01-05", 4, 4),
        ("1970", 0, 364),
        ("1970-02", 31, 58),
        ("1970-Q2", 90, 180),
        ("[1970-01-02, 1970-01-04)", 1, 2),
        ("< 1970-01-02", -inf, 0),
    ],
)
def test_days_months_quarters_and_years_hold_their_days(label: str, first: float, last: float) -> None:
    band = read_band(label, DAY)
    assert band is not None
    assert (band.low, math.floor(band.high) if band.high < inf else inf) == (first, last)


@given(st.lists(st.floats(-1e9, 1e9).map(lambda x: float(f"{x:.6g}")), min_size=2, max_size=6, unique=True))
def test_what_is_written_is_read_back(edges: list[float]) -> None:
    edges = sorted(edges)
    labels = write_bands([repr(each) for each in edges])
    ends = [-inf, *edges, inf]
    for label, low, high in zip(labels, ends[:-1], ends[1:], strict=True):
        band = read_band(label, FLOAT)
        assert band is not None
        assert band.low == low
        assert band.high < high or high == inf
        assert band.high == inf or math.nextafter(band.high, inf) == high
    assert read_band(write_band("1", "2", closed=True), FLOAT) == Band(1, 2)


def test_runs_hold_what_any_reading_of_them_does() -> None:
    levels = ["none", "one", "one to two", "two", "many"]
    assert read_run(write_run("none", "two"), levels) == Band(0, 3)
    assert read_run("one to two", levels) == Band(1, 3)
    assert read_run("two or more", levels) == Band(3, 4)
    assert read_run("one or less", levels) == Band(0, 1)
    assert read_run("some", levels) is None
