"""Files that are about the same columns as a table."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from discreet.reading.alike import read_alike
from discreet.table import Scale, Table


def test_a_column_without_any_value_is_what_it_is_in_the_original(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [30, 40], "weight": [1.5, 2.5], "town": ["north", "south"]})
    roles = {"age": "quasi-identifier", "weight": "weight", "town": "quasi-identifier"}
    original = Table.of(frame, roles=roles)
    frame.with_columns(age=pl.lit(None), weight=pl.lit(None), town=pl.lit(None)).write_csv(tmp_path / "m.csv")
    read = read_alike(tmp_path / "m.csv", original)
    assert [column.scale for column in read.columns] == [Scale.NUMERIC, Scale.NUMERIC, Scale.NOMINAL]
    assert read.frame.schema == frame.schema
    assert read.frame.null_count().row(0) == (2, 2, 2)
