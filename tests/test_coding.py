"""Values become the same codes however they are written."""

from __future__ import annotations

import datetime as dt
from datetime import date, datetime, time

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.classes import classes_of
from discreet.coding import codes_of, common_codes, labels_of
from discreet.table import Table

WAYS = {
    "whole": lambda values: pl.Series(values, dtype=pl.Int64),
    "small": lambda values: pl.Series(values, dtype=pl.Int8),
    "float": lambda values: pl.Series(values, dtype=pl.Float64),
    "text": lambda values: pl.Series([None if v is None else str(v) for v in values], dtype=pl.String),
    "text of floats": lambda values: pl.Series(
        [None if v is None else f"{v}.0" for v in values], dtype=pl.String
    ),
    "category": lambda values: pl.Series(
        [None if v is None else str(v) for v in values], dtype=pl.Categorical
    ),
}


@pytest.mark.parametrize("one", WAYS)
@pytest.mark.parametrize("other", WAYS)
@given(values=st.lists(st.none() | st.integers(-100, 100), min_size=1, max_size=12))
def test_a_value_has_one_code_whatever_its_type(one: str, other: str, values: list[int | None]) -> None:
    found = common_codes(WAYS[one](values), WAYS[other](values))
    assert found.left.tolist() == found.right.tolist()
    assert len(set(found.left.tolist())) == len(set(values))
    assert [code == 0 for code in found.left.tolist()] == [value is None for value in values]


@given(st.lists(st.none() | st.text(max_size=2), min_size=1, max_size=6), st.integers(1, 9))
def test_texts_have_the_codes_of_their_order_however_often_they_occur(
    texts: list[str | None], times: int
) -> None:
    order = sorted({text for text in texts if text is not None}, key=lambda text: text.encode())
    wanted = [0 if text is None else order.index(text) + 1 for text in texts] * times
    table = Table.of(
        pl.DataFrame({"x": pl.Series(texts * times, dtype=pl.String)}), roles={"x": "insensitive"}
    )
    assert codes_of(table, ["x"])[:, 0].tolist() == wanted


def test_zeros_before_other_digits_tell_values_apart() -> None:
    found = common_codes(pl.Series([1, 10]), pl.Series(["01", "10"]))
    assert found.left[0] != found.right[0]
    assert found.left[1] == found.right[1]


def test_texts_of_one_column_that_would_become_one_stay_apart() -> None:
    found = common_codes(pl.Series(["1", "1.0"]), pl.Series(["1", "1.0"]))
    assert found.left.tolist() == found.right.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pl.Series([dt.date(2001, 2, 3)]), pl.Series([dt.datetime(2001, 2, 3)])),
        (pl.Series([dt.date(2001, 2, 3)]), pl.Series(["2001-02-03"])),
        (pl.Series([True, False]), pl.Series(["True", "False"])),
        (pl.Series([True, False]), pl.Series([1, 0])),
        (pl.Series([0.0]), pl.Series([-0.0])),
        (pl.Series([2**60 + 1, 2**60]), pl.Series([2**60 + 1, 2**60], dtype=pl.UInt64)),
    ],
)
def test_days_truths_and_zeros_are_the_same_in_every_form(one: pl.Series, other: pl.Series) -> None:
    found = common_codes(one, other)
    assert found.left.tolist() == found.right.tolist()
    assert len(set(found.left.tolist())) == len(one)


def test_labels_are_those_a_reader_would_write() -> None:
    assert labels_of(pl.Series([1.0, 2.5, -0.0, None])).to_list() == ["1", "2.5", "0", None]


def test_classes_count_people_where_a_person_has_several_records() -> None:
    frame = pl.DataFrame({"who": ["a", "a", "b", None, None], "age": [30, 30, 30, 40, 40]})
    table = Table.of(frame, roles={"who": "person", "age": "quasi-identifier"})
    assert classes_of(table, ["age"]).sizes.tolist() == [2, 2, 2, 2, 2]
    assert classes_of(table.without(["who"]), ["age"]).sizes.tolist() == [3, 3, 3, 2, 2]
    assert codes_of(table, []).shape == (5, 0)


def test_times_are_written_in_one_way_whatever_their_type() -> None:
    moments = pl.Series(
        [datetime(2020, 1, 2), datetime(2020, 1, 2, 3, 4, 5), datetime(2020, 1, 2, 3, 4, 5, 250_000)]
    )
    texts = ["2020-01-02", "2020-01-02 03:04:05", "2020-01-02 03:04:05.250000"]
    for unit in ("ns", "us"):
        assert labels_of(moments.cast(pl.Datetime(unit))).to_list() == texts
    zoned = moments.dt.replace_time_zone("Europe/Madrid")
    assert labels_of(zoned).to_list()[:2] == ["2020-01-01 23:00:00", "2020-01-02 02:04:05"]
    assert labels_of(pl.Series([time(3, 4, 5), time(0, 0, 0, 500)])).to_list() == [
        "03:04:05",
        "00:00:00.000500",
    ]
    assert labels_of(pl.Series([1.0, -0.0, 2.5, 1e300])).to_list()[:3] == ["1", "0", "2.5"]
    assert labels_of(pl.Series([date(2020, 1, 2)])).to_list() == ["2020-01-02"]
