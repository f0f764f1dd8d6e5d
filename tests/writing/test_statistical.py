"""Labels, value labels and missing codes go into the statistical formats and come back."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyreadstat
import pytest

from discreet.reading import read, read_frame
from discreet.table import Column, Role, Scale
from discreet.writing import write_frame

FRAME = pl.DataFrame({"age": [31, 45, None], "level": ["l", "h", None]})
COLUMNS = [
    Column(
        name="age",
        role=Role.KEY,
        scale=Scale.NUMERIC,
        label="Age in years",
        value_labels={"31": "thirty-one", "99": "not known"},
        missing_codes=("997 to 999", "99"),
    ),
    Column(
        name="level",
        role=Role.CONFIDENTIAL,
        scale=Scale.ORDINAL,
        order=("l", "h"),
        label="Level",
        value_labels={"l": "low", "h": "high"},
        missing_codes=("x",),
    ),
]


@pytest.mark.parametrize("ending", ["sav", "zsav"])
def test_spss_gives_back_all_that_it_was_told(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people.{ending}"
    write_frame(FRAME, COLUMNS, path)
    loaded = read_frame(path)
    assert loaded.frame.equals(FRAME)
    for column in COLUMNS:
        spec = loaded.spec(column.name)
        assert (spec.label, spec.missing_codes) == (column.label, column.missing_codes)
        assert spec.value_labels == column.value_labels
    assert [loaded.spec(name).scale for name in FRAME.columns] == [Scale.NUMERIC, Scale.ORDINAL]


def test_stata_gives_back_labels_and_value_labels_of_numbers(tmp_path: Path) -> None:
    write_frame(FRAME, COLUMNS, tmp_path / "people.dta")
    loaded = read_frame(tmp_path / "people.dta")
    assert loaded.frame.equals(FRAME)
    assert [loaded.spec(name).label for name in FRAME.columns] == ["Age in years", "Level"]
    assert loaded.spec("age").value_labels == {"31": "thirty-one", "99": "not known"}


def test_sas_gives_back_labels(tmp_path: Path) -> None:
    write_frame(FRAME, COLUMNS, tmp_path / "people.xpt")
    loaded = read_frame(tmp_path / "people.xpt")
    assert loaded.frame.equals(FRAME)
    assert loaded.spec("age").label == "Age in years"


def test_a_missing_code_that_a_masked_value_equals_is_left_out(tmp_path: Path) -> None:
    masked = FRAME.with_columns(pl.Series("age", [99, 998, 5]))
    write_frame(masked, COLUMNS, tmp_path / "people.sav")
    loaded = read_frame(tmp_path / "people.sav")
    assert loaded.frame["age"].to_list() == [99, 998, 5]
    assert loaded.spec("age").missing_codes == ()


def test_codes_that_spss_declares_missing_are_null_and_kept_in_the_spec(tmp_path: Path) -> None:
    path = tmp_path / "people.sav"
    frame = pl.DataFrame({"age": [31.0, 99.0, 98.0, 45.5], "town": ["Reus", "?", "Salt", "Reus"]})
    pyreadstat.write_sav(
        frame,
        path,
        missing_ranges={"age": [{"lo": 98, "hi": 99}], "town": ["?"]},
        column_labels={"age": "Age"},
    )
    loaded = read_frame(path)
    assert loaded.frame["age"].to_list() == [31.0, None, None, 45.5]
    assert loaded.frame["town"].to_list() == ["Reus", None, "Salt", "Reus"]
    assert loaded.spec("age").missing_codes == ("98 to 99",)
    assert loaded.spec("town").missing_codes == ("?",)


def test_codes_that_stata_declares_missing_are_null_and_kept_in_the_spec(tmp_path: Path) -> None:
    path = tmp_path / "people.dta"
    frame = pl.DataFrame({"age": pl.Series([31.0, "a", 45.0], dtype=pl.Object), "x": [1.0, 2.0, 3.0]})
    pyreadstat.write_dta(frame, path, missing_user_values={"age": ["a"]})
    loaded = read_frame(path)
    assert loaded.frame["age"].to_list() == [31, None, 45]
    assert loaded.spec("age").missing_codes == (".a",)


def test_labels_and_codes_reach_the_table_and_go_back_into_the_file(tmp_path: Path) -> None:
    write_frame(FRAME, COLUMNS, tmp_path / "people.sav")
    table = read(
        tmp_path / "people.sav",
        roles={"age": "quasi-identifier", "level": "confidential"},
        orders={"level": ["l", "h"]},
    )
    assert list(table.columns) == COLUMNS
    first = write_frame(table.frame, table.columns, tmp_path / "again.sav")
    assert first == write_frame(FRAME, COLUMNS, tmp_path / "once.sav")
