"""Every type of column in every format: written so that it reads back, or refused by name."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet.errors import BadFile, BadInput
from discreet.formats import WRITTEN
from discreet.table import Table
from discreet.writing import reread, write_frame
from discreet.writing.release import type_name, type_of

VALUES: list[tuple[pl.DataType, list[Any]]] = [
    (pl.Int8(), [-128, 127]),
    (pl.Int64(), [-(2**63), 2**63 - 1]),
    (pl.Int128(), [2**100, 1]),
    (pl.UInt64(), [2**64 - 1, 0]),
    (pl.Float32(), [0.1, 1e30]),
    (pl.Float64(), [1.7e308, 5e-324]),
    (pl.Decimal(10, 2), [Decimal("1.25"), Decimal("-3.10")]),
    (pl.Date(), [date(1, 1, 1), date(9999, 12, 31)]),
    (pl.Datetime("us"), [datetime(2020, 1, 1, 1, 2, 3, 4), datetime(1900, 1, 1)]),
    (pl.Datetime("ms", "Europe/Vienna"), [datetime(2020, 1, 1), datetime(2021, 7, 7)]),
    (pl.Datetime("ns"), [datetime(2020, 1, 1), datetime(2021, 7, 7)]),
    (pl.Duration("us"), [timedelta(days=1), timedelta(seconds=3)]),
    (pl.Duration("ns"), [timedelta(days=1), timedelta(seconds=3)]),
    (pl.Time(), [time(1, 2, 3), time(23, 59)]),
    (pl.String(), ["=x", "é\n\"'"]),
    (pl.Categorical(), ["a", "b"]),
    (pl.Enum(["a", "b"]), ["a", "b"]),
    (pl.Boolean(), [True, False]),
    (pl.Null(), [None, None]),
    (pl.Binary(), [b"x", b"y"]),
    (pl.List(pl.Int64()), [[1], [2]]),
]


@pytest.mark.parametrize("ending", WRITTEN)
@pytest.mark.parametrize(("dtype", "values"), VALUES, ids=[str(dtype) for dtype, _ in VALUES])
def test_any_type_in_any_format_reads_back_or_is_refused_by_name(
    tmp_path: Path, dtype: pl.DataType, values: list[Any], ending: str
) -> None:
    frame = pl.DataFrame({"A1": pl.Series([*values, None], dtype=dtype), "B": ["x", "y", "z"]})
    path = tmp_path / f"people{ending}"
    try:
        table = Table.of(frame, roles={}, rest="insensitive", scales={"A1": "nominal"})
        write_frame(table.frame, table.columns, path)
    except BadInput as problem:
        told, left = str(problem), list(tmp_path.iterdir())
    else:
        plain = table.frame.with_columns(
            pl.col(pl.Categorical).cast(pl.String), pl.col(pl.Enum(["a", "b"])).cast(pl.String)
        )
        assert reread(path, plain).equals(plain, null_equal=True)
        return
    assert left == []
    assert "A1" in told or ending in told


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        (pl.Int64(), "Int64"),
        (pl.String(), "String"),
        (pl.Date(), "Date"),
        (pl.Datetime("us"), "Datetime[us, ]"),
        (pl.Datetime("ns", "Europe/Madrid"), "Datetime[ns, Europe/Madrid]"),
        (pl.Duration("ms"), "Duration[ms]"),
    ],
)
def test_a_type_is_read_back_from_its_name(dtype: pl.DataType, name: str) -> None:
    assert type_name(dtype) == name
    assert type_of(name) == dtype


@pytest.mark.parametrize(
    "name",
    [
        "Int65",
        "Object",
        "__name__",
        "Datetime[s, ]",
        "Datetime[us, Nowhere/Land]",
        "Duration[us, UTC]",
        "Duration[]",
    ],
)
def test_a_type_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(BadFile, match="the manifest names a type"):
        type_of(name)
