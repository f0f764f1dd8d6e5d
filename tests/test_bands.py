"""What is written as a band is read as the values it holds."""

from __future__ import annotations

import math
import re
from datetime import datetime
from typing import Literal

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


NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
INTERVAL = re.compile(rf"[\[(]\s*({NUMBER}|-inf)\s*[,;]\s*({NUMBER}|\+?inf)\s*[\])]")
RANGE = re.compile(rf"({NUMBER})\s*(?:-|–|to)\s*({NUMBER})")
UP_TO = re.compile(rf"(?:<=?|≤)\s*({NUMBER})")
FROM_ON = re.compile(rf"(?:>=?|≥)\s*({NUMBER})|({NUMBER})\s*\+")


def simple_band(label: str) -> tuple[float, float] | None:
    """The ends that a label names, by plain patterns of numbers; None where it fits none of them."""
    if found := INTERVAL.fullmatch(label) or RANGE.fullmatch(label):
        low, high = float(found[1]), float(found[2])
        return (low, high) if low <= high else None
    if found := UP_TO.fullmatch(label):
        return -inf, float(found[1])
    if found := FROM_ON.fullmatch(label):
        return float(found[1] or found[2]), inf
    return (float(label), float(label)) if re.fullmatch(NUMBER, label) else None


@pytest.mark.parametrize(
    ("label", "bounds"),
    [
        ("[20, 30)", (20, 30)),
        ("(-1.5, 1e3]", (-1.5, 1000)),
        ("[-inf, 3)", (-inf, 3)),
        ("< 20", (-inf, 20)),
        ("> 20", (20, inf)),
        ("<= 20", (-inf, 20)),
        (">= 65", (65, inf)),
        ("65+", (65, inf)),
        ("65 or more", (65, inf)),
        ("20-29", (20, 29)),
        ("-5 to 5", (-5, 5)),
        ("7", (7, 7)),
        ("30-20", None),
        ("young", None),
        ("", None),
    ],
)
def test_bands_as_written_end_where_the_label_says(label: str, bounds: tuple[float, float] | None) -> None:
    assert read_band(label, FLOAT, as_written=True) == bounds
    assert read_band(label, WHOLE, as_written=True) == bounds


NUMBERS = st.from_regex(re.compile(NUMBER, re.ASCII), fullmatch=True)
FORMS = ["[{}, {})", "({};{}]", "[-inf, {1})", "({}, inf)", "{}-{}", "{} – {}", "{} to {}"]
FORMS += ["< {}", "<={}", "≤ {}", "> {}", ">={}", "≥ {}", "{}+", "{}", "about {}", "{} {}"]


@given(st.sampled_from(FORMS), NUMBERS, NUMBERS)
def test_bands_as_written_have_the_ends_that_plain_patterns_find(form: str, one: str, other: str) -> None:
    label = form.format(one, other)
    assert read_band(label, FLOAT, as_written=True) == simple_band(label)


@given(st.sampled_from(FORMS), st.integers(-99, 99), st.integers(-99, 99))
def test_bands_hold_nothing_beyond_the_ends_that_are_written(form: str, one: int, other: int) -> None:
    label = form.format(one, other)
    written = read_band(label, FLOAT, as_written=True)
    for kind in (FLOAT, WHOLE):
        held = read_band(label, kind)
        assert (held is None) == (written is None)
        if held is not None and written is not None and written.low < written.high:
            assert written.low <= held.low
            assert held.high <= written.high


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
@pytest.mark.parametrize(
    ("label", "first", "next_one"),
    [
        ("2020", datetime(2020, 1, 1), datetime(2021, 1, 1)),
        ("2020-02", datetime(2020, 2, 1), datetime(2020, 3, 1)),
        ("2020-12", datetime(2020, 12, 1), datetime(2021, 1, 1)),
        ("2020-Q3", datetime(2020, 7, 1), datetime(2020, 10, 1)),
    ],
)
def test_a_period_holds_every_moment_of_it_in_any_unit(
    unit: Literal["ms", "us", "ns"], label: str, first: datetime, next_one: datetime
) -> None:
    ends = pl.Series([first, next_one]).cast(pl.Datetime(unit)).to_physical().to_list()
    assert read_band(label, pl.Datetime(unit)) == Band(float(ends[0]), float(ends[1] - 1))
    days = pl.Series([first, next_one]).cast(pl.Date).to_physical().to_list()
    assert read_band(label, pl.Date()) == Band(days[0], days[1] - 1)


def test_there_is_no_month_beyond_the_twelfth() -> None:
    for label in ("2020-13", "2020-00"):
        assert read_band(label, pl.Date()) is None
        assert read_band(label, pl.Datetime("us")) is None
