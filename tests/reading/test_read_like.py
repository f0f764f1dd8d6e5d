"""Files that are about the same columns as a table."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from discreet.reading.read_like import read_like
from discreet.table import Scale, Table


def test_a_column_without_any_value_is_what_it_is_in_the_original(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [30, 40], "weight": [1.5, 2.5], "town": ["north", "south"]})
    roles = {"age": "quasi-identifier", "weight": "weight", "town": "quasi-identifier"}
    original = Table.of(frame, roles=roles)
    frame.with_columns(age=pl.lit(None), weight=pl.lit(None), town=pl.lit(None)).write_csv(tmp_path / "m.csv")
    read = read_like(tmp_path / "m.csv", original)
    assert [column.scale for column in read.columns] == [Scale.NUMERIC, Scale.NUMERIC, Scale.NOMINAL]
    assert read.frame.schema == frame.schema
    assert read.frame.null_count().row(0) == (2, 2, 2)


def test_an_ordinal_column_keeps_its_order_as_long_as_all_its_values_have_a_place(tmp_path: Path) -> None:
    order = ["low", "middle", "high"]
    original = Table.of(
        pl.DataFrame({"a": ["low", "high"]}), roles={"a": "quasi-identifier"}, orders={"a": order}
    )
    for values, scale in (
        (["low", "high"], Scale.ORDINAL),
        (["low", "middle", "high"], Scale.ORDINAL),
        (["low", "not low"], Scale.NOMINAL),
    ):
        pl.DataFrame({"a": values}).write_csv(tmp_path / "m.csv")
        (column,) = read_like(tmp_path / "m.csv", original).columns
        assert column.scale == scale
        assert list(column.order) == (order if scale == Scale.ORDINAL else [])
        assert column.role == original["a"].role


def test_columns_are_those_of_the_original_by_the_names_they_have_in_the_file(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [30, 40], "code": ["1", "2"]})
    original = Table.of(frame, roles={"age": "confidential", "code": "quasi-identifier"})
    given = pl.DataFrame({"years": ["[30, 40)", "40"], "code": [1, 2], "extra": [0.5, 1.5]})
    given.write_csv(tmp_path / "m.csv")
    read = read_like(tmp_path / "m.csv", original, names={"age": "years"})
    assert [(each.name, str(each.role), each.scale) for each in read.columns] == [
        ("years", str(original["age"].role), Scale.NOMINAL),
        ("code", str(original["code"].role), Scale.NOMINAL),
        ("extra", "insensitive", Scale.NUMERIC),
    ]
    assert read.frame["code"].to_list() == ["1", "2"]
    assert read.name == "m"
