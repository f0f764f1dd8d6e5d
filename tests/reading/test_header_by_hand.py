"""The rules by which a name is taken for a value, each at its edge."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from discreet.errors import NoHeader
from discreet.reading.header import _follow, _numbered, _shape, check_header, is_value, places_of_values


def texts(**columns: Any) -> pl.DataFrame:
    return pl.DataFrame({name: pl.Series(each, dtype=pl.String) for name, each in columns.items()})


@pytest.mark.parametrize(
    "text",
    [
        *("17", "1,234.50", "-3", "12%", "€ 40", "+43 123 456", "12:30", "1e5", "-2.5E-3", "(12)"),
        *(
            "2020-01-31",
            "31.12.1999",
            "1/22/20",
            "12 May 2020",
            "5-Jan-99",
            "May 12, 2020",
            "2020-01-31T12:00",
        ),
        *("20-29", "20 to 29", "65+", "<18", ">= 65", "[20, 30)", "5 – 9"),
        *(
            "a@b.org",
            "https://x.org/y",
            "www.x.org",
            "0123456789abcdef",
            "550e8400-e29b-41d4-a716-446655440000",
        ),
    ],
)
def test_numbers_days_bands_and_addresses_are_values(text: str) -> None:
    assert is_value(text)


@pytest.mark.parametrize(
    "text",
    ["age", "V1", "-", "+", "", "a@b", "deadbeefdeadbeef", "0123456789abcde", "p25", "icd10", "to 5"],
)
def test_words_and_codes_are_not(text: str) -> None:
    assert not is_value(text)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("P-00017", "A-9"),
        ("A12.3", "A9.9"),
        ("ab12cd", "aa9aa"),
        ("Wien 5", "aaaa 9"),
        ("ABCDEFGH1", "AAAAA9"),
        (" x_1 ", "a_9"),
        ("Örebro7", "aaaaa9"),
    ],
)
def test_the_shape_of_a_text_is_its_runs_of_letters_and_digits(text: str, shape: str) -> None:
    assert _shape(text) == shape


@pytest.mark.parametrize(
    ("kind", "names", "follows"),
    [
        ("year", ["2019", "2020", "2021"], True),
        ("year", ["2021", "2020"], True),
        ("year", ["2000", "2010", "2020"], True),
        ("year", ["2000", "2011"], False),
        ("year", ["2019", "2020", "2022"], False),
        ("year", ["2019", "2019"], False),
        ("year", ["2019"], False),
        ("year", [], False),
        ("band", ["0-4", "5-9", "20-24"], True),
        ("band", ["5-9", "0-4", "20-24"], False),
        ("band", ["0-4"], False),
        ("date", ["1/1/20", "5/1/20", "3/1/20"], True),
        ("date", ["1/1/20", "5/1/20"], False),
    ],
)
def test_a_series_goes_on_in_steps(kind: str, names: list[str], follows: bool) -> None:
    assert _follow(kind, names) == follows


def test_columns_are_numbered_where_three_follow_each_other() -> None:
    assert _numbered(["V1", "V2", "V3"]) == {0, 1, 2}
    assert _numbered(["x", "V3", "V1", "V2"]) == {1, 2, 3}
    assert _numbered(["V7", "V8", "V9", "W1"]) == {0, 1, 2}
    assert _numbered(["V1", "V2"]) == set()
    assert _numbered(["V1", "V2", "V4"]) == set()
    assert _numbered(["1", "2", "3"]) == set()
    assert _numbered(["V1", "V1", "V2"]) == set()


def test_a_code_is_in_doubt_where_more_than_a_fifth_of_its_column_is_written_so() -> None:
    others: list[str | None] = ["red", "blue", "green", "grey"]
    assert places_of_values(texts(B7=[*others, "A1"], n=["x"] * 5)) == []
    assert places_of_values(texts(B7=[*others[:3], "A1"], n=["x"] * 4)) == [1]
    # Only what is there counts, and a name without digits is never written as a code.
    assert places_of_values(texts(B7=[*others, "A1", None, None], n=["x"] * 7)) == []
    assert places_of_values(texts(B=["A1", "C3"], n=["x"] * 2)) == []


def test_a_series_of_years_is_believed_unless_half_of_a_column_are_years() -> None:
    def wide(years: list[str | None]) -> pl.DataFrame:
        return texts(**{"land": ["a", "b", "c", "d"], "2019": years, "2020": ["1", "2", "3", "4"]})

    assert places_of_values(wide(["1990", "5", "7", "9"])) == []
    assert places_of_values(wide(["1990", "1991", "7", "9"])) == [2, 3]
    assert places_of_values(wide([None, None, None, None])) == [2, 3]


def test_names_that_recur_count_unless_as_many_columns_show_that_theirs_do_not() -> None:
    recurring = {"red": ["red", "blue"], "Wien": ["Wien", "Graz"]}
    assert places_of_values(texts(**recurring)) == [1, 2]
    one = texts(**recurring, age=["17", "23"])
    assert places_of_values(one) == [1, 2]
    two = one.with_columns(height=pl.Series([1.5, 1.7]))
    assert places_of_values(two) == []
    # A number for a name is a value whatever stands beside it, and then those that recur are too.
    assert places_of_values(two.with_columns(pl.Series("12", ["x", "y"]))) == [1, 2, 5]


def test_a_word_for_a_missing_value_and_an_empty_column_show_nothing() -> None:
    recurring: list[str | None] = ["red", "blue"]
    for name in ("NA", "unknown", "?", "-"):
        assert places_of_values(texts(**{"red": recurring, name: ["17", "23"]})) == [1]
    assert places_of_values(texts(red=recurring, age=[None, None])) == [1]
    assert places_of_values(texts(red=recurring, age=["17", "23"])) == []
    nearly: list[str | None] = ["17"] * 19
    assert places_of_values(texts(red=["red"] * 20, age=[*nearly, "x"])) == [1]
    assert places_of_values(texts(red=["red"] * 21, age=[*nearly, "18", "x"])) == []


def test_a_column_that_marks_one_answer_is_believed_beside_numbers() -> None:
    marks: list[str | None] = ["Other", None]
    assert places_of_values(texts(Other=marks)) == [1]
    assert places_of_values(texts(Other=marks, Both=["Both", None], age=["1", "2"])) == []
    assert places_of_values(texts(Other=["Other", "Other"], Both=["Both", "x"], age=["1", "2"])) == [1, 2]


def test_places_are_told_and_the_rest_of_many_counted() -> None:
    names = [str(number) for number in range(100, 112)]
    frame = texts(**{name: ["x"] for name in names})
    with pytest.raises(
        NoHeader, match=r"f: 12 of 12 column names look like values \(column 1, 2, .*, 10 and 2 more\)"
    ):
        check_header("f", frame)
    with pytest.raises(
        NoHeader, match=r"f: 10 of 10 column names look like values \(column 1, .*, 10\), as where"
    ):
        check_header("f", frame.select(names[:10]))
    check_header("f", texts(age=["1"]))
