"""The type of a column of texts: the narrowest that every value fits."""

from __future__ import annotations

from datetime import date, datetime

import polars as pl
import pytest

from discreet.reading.infer import FIRST, infer, is_number, numbers


def texts(*values: str | None) -> pl.Series:
    return pl.Series("x", values, dtype=pl.String)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["1", " -2 ", None], [1, -2, None]),
        (["1", "2.5", "-.5", "3."], [1.0, 2.5, -0.5, 3.0]),
        (["1e3", "2E-1"], [1000.0, 0.2]),
        (["2024-02-29", None], [date(2024, 2, 29), None]),
        (
            ["2024-02-29T12:30:05", "2024-03-01 00:00:00"],
            [datetime(2024, 2, 29, 12, 30, 5), datetime(2024, 3, 1)],
        ),
        # Texts they stay: a leading zero, more than 64 bits, more than a float holds, a day that is none, a word.
        (["01", "2"], ["01", "2"]),
        (["-01", "2"], ["-01", "2"]),
        (["9223372036854775808", "1"], ["9223372036854775808", "1"]),
        (["1e999", "1.5"], ["1e999", "1.5"]),
        (["2023-02-29", "2024-02-29"], ["2023-02-29", "2024-02-29"]),
        (["2023-02-29", "today"], ["2023-02-29", "today"]),
        (["1", "one"], ["1", "one"]),
        (["1,5", "2,5"], ["1,5", "2,5"]),
        ([None, None], [None, None]),
        ([], []),
    ],
)
def test_every_value_fits_the_type(given: list[str | None], expected: list[object]) -> None:
    found = infer(texts(*given))
    assert found.to_list() == expected
    if not any(expected):
        assert found.dtype == pl.String


def test_zero_and_decimals_below_one_are_numbers() -> None:
    assert infer(texts("0", "0.5", "-0.25")).to_list() == [0.0, 0.5, -0.25]


def test_the_largest_whole_number_of_64_bits_keeps_its_last_digit() -> None:
    assert infer(texts("9223372036854775807")).to_list() == [9223372036854775807]


@pytest.mark.parametrize("usual", ["1", "2024-01-01", "2024-01-01T00:00:00"])
def test_one_odd_value_far_down_makes_a_column_of_texts(usual: str) -> None:
    values = [usual] * (2 * FIRST) + ["odd"]
    assert infer(texts(*values)).to_list() == values
    assert infer(texts(*values[:-1])).dtype != pl.String


def test_a_decimal_comma_is_read_where_it_is_asked_for_and_a_point_then_is_not() -> None:
    assert infer(texts("1,5", "2"), decimal=",").to_list() == [1.5, 2.0]
    assert infer(texts("1.5", "2"), decimal=",").to_list() == ["1.5", "2"]
    assert is_number(texts("1,5", "1.5", "1,5,0", None), ",").to_list() == [True, False, False, None]


def test_whole_numbers_stay_whole_where_all_are() -> None:
    assert numbers(texts("1", None, "3"), ".").dtype == pl.Int64
    assert numbers(texts("1", "3.0"), ".").dtype == pl.Float64
