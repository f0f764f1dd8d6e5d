from __future__ import annotations

from datetime import date, datetime, time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, BadTable, BadValues, UnknownColumn
from discreet.mask import add_noise, microaggregate, suppress, synthesise_copula
from discreet.table import Role, Scale, Table

KEY = {"age": "quasi-identifier"}


def test_every_column_needs_a_role() -> None:
    frame = pl.DataFrame({"age": [1], "name": ["a"]})
    with pytest.raises(BadTable, match="column 'name' has no role"):
        Table.of(frame, roles=KEY)
    assert Table.of(frame, roles=KEY, rest="identifier")["name"].role == Role.IDENTIFIER


def test_unknown_names_are_refused_with_a_suggestion() -> None:
    frame = pl.DataFrame({"age": [1]})
    with pytest.raises(UnknownColumn, match=r"no column 'agee'\. Did you mean 'age'"):
        Table.of(frame, roles={"agee": "weight"}, rest="insensitive")
    with pytest.raises(BadParameter, match="role of column 'age': 'quasi' is not known"):
        Table.of(frame, roles={"age": "quasi"})
    with pytest.raises(BadParameter, match="scale of column 'age'"):
        Table.of(frame, roles=KEY, scales={"age": "number"})
    with pytest.raises(UnknownColumn, match="table 'table' has no column 'x'"):
        _ = Table.of(frame, roles=KEY)["x"]


def test_scales_follow_from_types() -> None:
    frame = pl.DataFrame(
        {
            "n": [1.5],
            "d": [date(2020, 1, 1)],
            "t": ["a"],
            "b": [True],
            "e": pl.Series(["low"], dtype=pl.Enum(["low", "high"])),
        }
    )
    table = Table.of(frame, roles={}, rest="insensitive")
    assert [each.scale for each in table.columns] == ["numeric", "numeric", "nominal", "nominal", "ordinal"]
    assert table["e"].order == ("low", "high")


def test_contradictions_are_refused() -> None:
    with pytest.raises(BadTable, match="ordinal column 'x' needs its order"):
        Table.of(pl.DataFrame({"x": ["a"]}), roles={"x": "insensitive"}, scales={"x": "ordinal"})
    with pytest.raises(BadTable, match="names a value twice"):
        Table.of(pl.DataFrame({"x": ["a"]}), roles={"x": "insensitive"}, orders={"x": ["a", "a"]})
    with pytest.raises(BadValues, match="declared numeric but holds text"):
        Table.of(pl.DataFrame({"x": ["a"]}), roles={"x": "insensitive"}, scales={"x": "numeric"})
    with pytest.raises(BadTable, match="2 columns with the role 'weight'"):
        Table.of(pl.DataFrame({"x": [1], "y": [2]}), roles={}, rest="weight")
    with pytest.raises(BadTable, match="must be numeric"):
        Table.of(pl.DataFrame({"x": ["a"]}), roles={"x": "weight"})


def test_the_kind_of_frame_that_comes_in_goes_out() -> None:
    polars = pl.DataFrame({"age": [31, None, 45], "name": ["a", "b", None]})
    roles = KEY | {"name": "insensitive"}
    for frame, kind in (
        (polars, pl.DataFrame),
        (polars.to_pandas(), pd.DataFrame),
        (polars.to_arrow(), pa.Table),
    ):
        table = Table.of(frame, roles=roles)
        assert table.frame.null_count().row(0) == (1, 1)
        assert isinstance(table.to_native(), kind)
        assert isinstance(add_noise(table, seed=1).table.to_native(), kind)


def test_an_arrow_table_that_goes_out_holds_nothing_of_blanked_cells() -> None:
    names = ["sesame" * 5] + ["common"] * 9
    frame = pa.table({"x": names})
    blanked = suppress(Table.of(frame, roles={"x": "quasi-identifier"}), k=2).table.to_native()
    left = b"".join(bytes(buffer) for chunk in blanked["x"].chunks for buffer in chunk.buffers() if buffer)
    assert b"sesame" not in left


@given(st.lists(st.one_of(st.none(), st.floats(allow_nan=True, allow_infinity=False, width=32)), min_size=1))
def test_missing_numbers_are_null_never_a_number(values: list[float | None]) -> None:
    table = Table.of(pl.DataFrame({"x": pl.Series(values, dtype=pl.Float64)}), roles={"x": "insensitive"})
    missing = [value is None or value != value for value in values]
    assert table.frame["x"].is_null().to_list() == missing
    assert np.isnan(table.numbers(["x"])[:, 0]).tolist() == missing


def test_codes_are_places_in_the_order() -> None:
    frame = pl.DataFrame({"x": ["high", "low", None, "mid"]})
    table = Table.of(frame, roles={"x": "insensitive"}, orders={"x": ["low", "mid", "high"]})
    assert table.codes("x").tolist() == [2, 0, -1, 1]
    assert table["x"].scale == Scale.ORDINAL
    short = Table.of(frame, roles={"x": "insensitive"}, orders={"x": ["low", "high"]})
    with pytest.raises(
        BadValues, match="1 of 4 records hold a value that is not among its 2 known levels"
    ) as error:
        short.codes("x")
    assert "mid" not in str(error.value)


def test_dates_are_masked_and_stay_dates() -> None:
    days = [date(1990, 1, day) for day in range(1, 10)]
    times = [datetime(2020, 1, 1, hour) for hour in range(9)]
    table = Table.of(pl.DataFrame({"day": days, "time": times}), roles={}, rest="quasi-identifier")
    masked = microaggregate(table, k=3).table.frame
    assert masked.schema == table.frame.schema
    assert masked["day"].n_unique() == 3


def test_whole_numbers_stay_whole_where_they_can() -> None:
    table = Table.of(pl.DataFrame({"x": pl.Series([1, 2, 3], dtype=pl.Int8)}), roles={"x": "insensitive"})
    assert table.with_numbers(["x"], np.array([[4.0], [np.nan], [6.0]])).frame["x"].to_list() == [4, None, 6]
    assert table.with_numbers(["x"], np.array([[4.5], [5.0], [6.0]])).frame["x"].dtype == pl.Float64
    assert table.with_numbers(["x"], np.array([[1000.0], [5.0], [6.0]])).frame["x"].dtype == pl.Int64


def test_weights_must_be_there_and_not_negative() -> None:
    assert Table.of(pl.DataFrame({"x": [1]}), roles={"x": "insensitive"}).weights() is None
    for bad in ([1.0, -1.0], [1.0, None]):
        with pytest.raises(BadValues, match="1 missing or negative"):
            Table.of(pl.DataFrame({"w": bad}), roles={"w": "weight"}).weights()


def test_whole_numbers_too_large_for_their_type_take_a_wider_one() -> None:
    table = Table.of(pl.DataFrame({"x": pl.Series([1], dtype=pl.UInt32)}), roles={"x": "insensitive"})
    for number, kind in [(-1.0, pl.Int64), (2.0**63, pl.UInt64), (2.0**64, pl.Float64)]:
        fresh = table.with_numbers(["x"], np.array([[number]])).frame["x"]
        assert fresh.dtype == kind
        assert fresh[0] == number


def test_times_of_day_stay_within_the_day() -> None:
    table = Table.of(pl.DataFrame({"x": [time(12), time(13)]}), roles={"x": "insensitive"})
    fresh = table.with_numbers(["x"], np.array([[-1e9], [1e15]])).frame["x"]
    assert fresh.to_list() == [time(0), time(23, 59, 59, 999999)]


def test_true_and_false_can_have_an_order() -> None:
    frame = pl.DataFrame({"x": [True, None, False]})
    table = Table.of(frame, roles={"x": "insensitive"}, orders={"x": ["true", "false"]})
    assert table.levels("x") == (True, False)
    assert table.codes("x").tolist() == [0, -1, 1]


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), 1.7e308])
def test_numbers_too_large_to_compute_with_are_refused_without_showing_them(number: float) -> None:
    table = Table.of(pl.DataFrame({"x": [1.0, number, 3.0]}), roles={"x": "quasi-identifier"})
    with pytest.raises(BadValues, match=r"column 'x' has 1 of 3 numbers that are infinite or beyond 1e\+300"):
        microaggregate(table)
    with pytest.raises(BadValues, match="too large to compute with"):
        synthesise_copula(table)
