"""Titles above the names of the columns and units below them are found, told, and kept in the project file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlsxwriter

from discreet.errors import BadFile
from discreet.inspection import inspect
from discreet.project import Project, ReadOptions
from discreet.reading import read_frame
from discreet.reading.layout import layout_of, notes_below

RECORDS: list[list[Any]] = [
    [town, 20 + 3 * place, 1000.5 * place] for place, town in enumerate(["Vic", "Olot", "Vic", "Reus"] * 5)
]
NAMES, UNITS = ["town", "age", "income"], ["", "years", "EUR"]


def written(path: Path, rows: list[list[Any]], **further: Any) -> Path:
    if path.suffix == ".csv":
        path.write_text("".join(";".join(map(str, row)) + "\n" for row in rows))
        return path
    with xlsxwriter.Workbook(str(path)) as book:
        for name, cells in {"data": rows, **further}.items():
            sheet = book.add_worksheet(name)
            for row, values in enumerate(cells):
                for place, value in enumerate(values):
                    if value != "":
                        sheet.write(row, place, value)
    return path


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
@pytest.mark.parametrize("titles", [[], [["Table 3. Income"]], [["Table 3. Income"], ["Provisional"], [""]]])
@pytest.mark.parametrize("units", [[], [UNITS]])
def test_the_table_below_titles_is_found(
    tmp_path: Path, ending: str, titles: list[list[str]], units: list[list[str]]
) -> None:
    path = written(tmp_path / f"people{ending}", [*titles, NAMES, *units, *RECORDS])
    proposal = inspect(path)
    assert (proposal.read.header_row, proposal.read.unit_rows) == (len(titles) + 1, len(units))
    (tmp_path / "discreet.toml").write_text(proposal.to_toml())
    kept = Project.load(tmp_path / "discreet.toml").read
    frame = read_frame(path, kept).frame
    assert frame.columns == NAMES
    assert frame.rows() == [tuple(each) for each in RECORDS]
    assert any("row" in remark for remark in proposal.remarks) == bool(titles or units)


@pytest.mark.parametrize(
    "rows",
    [
        [["town", "age"], ["Vic", "31"], ["Olot", "45"], ["Vic", "50"], ["Vic", "51"]],
        [["town", "sex"], ["Vic", "m"], ["Olot", "f"], ["Vic", "f"], ["Vic", "m"]],
        [["town", "age"], ["NA", "NA"], ["Olot", "45"], ["Vic", "50"], ["Vic", "51"], ["Vic", "52"]],
        [["town", "age"], ["", ""], ["Olot", "45"], ["Vic", "50"], ["Vic", "51"], ["Vic", "52"]],
        [["age"], ["31"], ["45"], ["50"]],
        [],
    ],
)
def test_a_plain_table_has_neither_titles_nor_units(rows: list[list[str]]) -> None:
    assert layout_of(rows) == (0, 0)


def test_the_fullest_sheet_is_looked_at_and_the_others_are_named(tmp_path: Path) -> None:
    path = written(tmp_path / "people.xlsx", [["note"]], people=[NAMES, *RECORDS], old=[["a"], [1]])
    proposal = inspect(path)
    assert proposal.read.sheet == "people"
    assert any(
        "3 sheets: 'data', 'people', 'old'" in remark and "--sheet" in remark for remark in proposal.remarks
    )
    assert inspect(path, ReadOptions(sheet="old")).read.sheet == "old"


def test_an_empty_column_beside_the_table_is_none_of_it(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["", *NAMES], *(["", *each] for each in RECORDS)]
    assert read_frame(written(tmp_path / "people.xlsx", rows)).frame.columns == NAMES


def test_lines_in_errors_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("A title\ntown;age\n;years\nVic;31\nVic;31;9\n")
    with pytest.raises(BadFile, match="line 5: 3 fields; expected 2"):
        read_frame(path, ReadOptions(header_row=2, unit_rows=1))
    with pytest.raises(BadFile, match="fewer than 10 lines"):
        read_frame(path, ReadOptions(header_row=10))


def test_records_are_not_taken_for_units(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    pl.DataFrame({"town": ["Vic", "Olot"] * 4, "band": ["20-29", "30-39"] * 4}).write_csv(path)
    assert inspect(path).read.unit_rows == 0


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
@pytest.mark.parametrize(
    "notes",
    [
        [["Source: own survey"]],
        [["Quelle: Landesamt für Statistik"], ["* vorläufig"]],
        [[""], ["own survey, first wave"]],
        [["", "", ""], ["Fuente: encuesta", "", ""], [""]],
    ],
)
def test_notes_below_the_last_record_are_no_records(
    tmp_path: Path, ending: str, notes: list[list[str]]
) -> None:
    path = written(tmp_path / f"people{ending}", [["Table 3"], NAMES, UNITS, *RECORDS, *notes])
    proposal = inspect(path)
    assert proposal.records == len(RECORDS)
    assert any("below the last record" in remark for remark in proposal.remarks)
    (tmp_path / "discreet.toml").write_text(proposal.to_toml())
    frame = read_frame(path, Project.load(tmp_path / "discreet.toml").read).frame
    assert frame.rows() == [tuple(each) for each in RECORDS]


@pytest.mark.parametrize("last", [["Vic", "", ""], ["Source", 3, ""], [17], ["Vi"]])
def test_a_last_record_with_little_in_it_is_no_note(last: list[Any]) -> None:
    rows = [list(map(str, each)) for each in [*RECORDS, last]]
    assert notes_below(rows, len(NAMES)) == 0


def test_a_table_of_one_column_has_no_notes() -> None:
    assert notes_below([["a"], ["b"], ["Source: nobody"]], 1) == 0


def test_a_note_may_hold_the_sign_between_cells(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("town,age\n" + "Vic,31\nReus,45\n" * 4 + "\nSource: own survey, 2023, weighted\n")
    proposal = inspect(path)
    assert (proposal.records, proposal.read.note_rows) == (8, 2)


def test_an_empty_line_in_a_text_is_told_with_what_helps(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("town,age\nVic,31\n\nSource: nobody\n")
    with pytest.raises(BadFile, match=r"line 3: an empty line; expected 2 fields.*note_rows"):
        read_frame(path)
    assert read_frame(path, ReadOptions(note_rows=2)).frame.rows() == [("Vic", 31)]
    with pytest.raises(BadFile, match="fewer than 10 lines"):
        read_frame(path, ReadOptions(note_rows=9))
