"""What the project file says of a column: how its days and numbers are written, and what in it is missing."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl
import pytest

import discreet as dc
from discreet.errors import BadValues, UnknownColumn
from discreet.project import Project, ReadOptions
from discreet.reading import read_frame
from discreet.reading.read_like import read_like
from discreet.writing import write_frame

TEXT = "born;income;kg\n16.10.1967;1.234,50 €;70,5\n01.02.1990;12,00 €;-9\nk.A.;;81,25\n"
PROJECT = """
[columns.born]
role = "quasi-identifier"
format = "DD.MM.YYYY"
missing = ["k.A."]

[columns.income]
role = "confidential"
format = "9.999,99 €"

[columns.kg]
role = "quasi-identifier"
missing = ["-9"]
"""


@pytest.fixture
def people(tmp_path: Path) -> Path:
    (tmp_path / "discreet.toml").write_text(PROJECT)
    (tmp_path / "people.csv").write_text(TEXT)
    return tmp_path / "people.csv"


def test_days_amounts_and_codes_are_read_as_told(people: Path) -> None:
    frame = dc.read(people).frame
    assert frame["born"].to_list() == [date(1967, 10, 16), date(1990, 2, 1), None]
    assert frame["income"].to_list() == [1234.5, 12.0, None]
    assert frame["kg"].to_list() == [70.5, None, 81.25]


def test_the_project_file_holds_what_was_told(people: Path) -> None:
    project = Project.load(people.parent / "discreet.toml")
    assert project.to_dict()["columns"]["born"]["format"] == "DD.MM.YYYY"
    assert project.to_dict()["columns"]["kg"]["missing"] == ["-9"]
    assert "read" not in project.to_dict()


def test_what_is_not_written_as_told_is_an_error_with_its_place(people: Path) -> None:
    people.write_text(TEXT.replace("01.02.1990", "31.02.1990"))
    with pytest.raises(BadValues, match=r"column 'born': 1 of 3 values .* record 2"):
        dc.read(people)


def test_a_code_is_missing_in_its_own_column_only(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("a,b\n-9,-9\n-9.0,1\n2.5,3\n")
    frame = read_frame(path, ReadOptions(missing_in={"a": ("-9",)})).frame
    assert frame["a"].to_list() == [None, None, 2.5]
    assert frame["b"].to_list() == [-9, 1, 3]


def test_telling_of_a_column_that_is_not_there_is_an_error(people: Path) -> None:
    with pytest.raises(UnknownColumn, match=r"no column 'bron'.*born"):
        dc.read(people, roles={}, rest="insensitive", formats={"bron": "DD.MM.YYYY"})


@pytest.mark.parametrize("ending", [".parquet", ".xlsx"])
def test_texts_of_typed_formats_are_read_as_told_too(tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame({"born": ["16.10.1967", "k.A."], "kg": [70.5, -9.0]})
    table = dc.Table.of(frame, roles={}, rest="insensitive")
    write_frame(frame, table.columns, tmp_path / f"people{ending}")
    told = ReadOptions(formats={"born": "DD.MM.YYYY"}, missing_in={"born": ("k.A.",), "kg": ("-9",)})
    read = read_frame(tmp_path / f"people{ending}", told).frame
    assert read["born"].to_list() == [date(1967, 10, 16), None]
    assert read["kg"].to_list() == [70.5, None]


def test_whole_numbers_of_typed_formats_can_write_days(tmp_path: Path) -> None:
    frame = pl.DataFrame({"born": [19671016, 19900201, None]})
    table = dc.Table.of(frame, roles={}, rest="insensitive")
    write_frame(frame, table.columns, tmp_path / "people.parquet")
    read = read_frame(tmp_path / "people.parquet", ReadOptions(formats={"born": "YYYYMMDD"})).frame
    assert read["born"].to_list() == [date(1967, 10, 16), date(1990, 2, 1), None]


def test_a_format_for_what_is_no_text_is_an_error(tmp_path: Path) -> None:
    frame = pl.DataFrame({"kg": [70.5, -9.0]})
    table = dc.Table.of(frame, roles={}, rest="insensitive")
    write_frame(frame, table.columns, tmp_path / "people.parquet")
    with pytest.raises(BadValues, match="column 'kg': the file tells its type"):
        read_frame(tmp_path / "people.parquet", ReadOptions(formats={"kg": "9,9"}))


@pytest.mark.parametrize("born", ["16.10.1967", "1967-10-16"])
def test_another_programs_file_may_write_days_as_the_original_or_as_iso(people: Path, born: str) -> None:
    original = dc.read(people)
    other = people.parent / "masked.csv"
    other.write_text(f"born;income;kg\n{born};10;70,5\n{born};20;70,5\n")
    options = Project.load(people.parent / "discreet.toml").read
    assert read_like(other, original, options=options).frame["born"].to_list() == [date(1967, 10, 16)] * 2


def test_quoted_decimal_commas_between_commas_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text('town,kg\nVic,"70,5"\nOlot,"81,25"\nVic,\n')
    assert read_frame(path).frame["kg"].to_list() == [70.5, 81.25, None]
