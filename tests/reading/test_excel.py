"""Sheets of workbooks in."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from discreet.errors import BadFile
from discreet.reading import ReadOptions, read_frame


def book(path: Path, **sheets: list[list[Any]]) -> Path:
    with xlsxwriter.Workbook(str(path), {"default_date_format": "yyyy-mm-dd hh:mm:ss"}) as made:
        for name, rows in sheets.items():
            sheet = made.add_worksheet(name)
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row)
    return path


def test_types_are_those_of_the_cells(tmp_path: Path) -> None:
    path = book(
        tmp_path / "people.xlsx",
        data=[
            ["whole", "real", "word", "day", "moment", "code"],
            [1, 1 / 3, "x", datetime(2020, 1, 31), datetime(2020, 1, 31, 10, 30), "007"],
            [2, 2, None, None, datetime(2020, 1, 31), "012"],
        ],
    )
    assert read_frame(path).frame.rows() == [
        (1, 1 / 3, "x", date(2020, 1, 31), datetime(2020, 1, 31, 10, 30), "007"),
        (2, 2.0, None, None, datetime(2020, 1, 31), "012"),
    ]


def test_a_column_of_numbers_and_texts_loses_neither(tmp_path: Path) -> None:
    path = book(tmp_path / "people.xlsx", data=[["a"], [1], [0.5], ["n/a"]])
    assert read_frame(path).frame["a"].to_list() == ["1", "0.5", "n/a"]


def test_marks_of_missing_values_leave_the_numbers_exact(tmp_path: Path) -> None:
    path = book(tmp_path / "people.xlsx", data=[["a"], [1 / 3], ["n/a"], [2 / 3]])
    assert read_frame(path, ReadOptions(missing=("n/a",))).frame["a"].to_list() == [1 / 3, None, 2 / 3]


def test_an_empty_column_is_read_without_a_word(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = book(tmp_path / "people.xlsx", data=[["a", "b", "c"], [1, None, "x"], [2, None, "y"]])
    assert read_frame(path).frame["b"].to_list() == [None, None]
    assert caplog.records == []


def test_a_late_text_is_noticed(tmp_path: Path) -> None:
    path = book(tmp_path / "people.xlsx", data=[["a"], *[[1]] * 3000, ["late"]])
    assert read_frame(path).frame["a"].to_list()[-1] == "late"


def test_several_sheets_need_a_name(tmp_path: Path) -> None:
    path = book(tmp_path / "people.xlsx", first=[["a"], [1]], empty=[], second=[["b"], [2]])
    with pytest.raises(BadFile, match="has 2 sheets: 'first', 'second'"):
        read_frame(path)
    assert read_frame(path, ReadOptions(sheet="second")).frame.rows() == [(2,)]
    with pytest.raises(BadFile, match=r"no sheet 'secnd'\. Did you mean 'second'"):
        read_frame(path, ReadOptions(sheet="secnd"))


def test_the_only_filled_sheet_is_taken(tmp_path: Path) -> None:
    path = book(tmp_path / "people.xlsx", empty=[], data=[["a"], [1]])
    assert read_frame(path).found == {"sheet": "data"}


def test_a_header_alone_is_a_table_without_records(tmp_path: Path) -> None:
    frame = read_frame(book(tmp_path / "people.xlsx", data=[["a", "b"]])).frame
    assert (frame.columns, frame.height) == (["a", "b"], 0)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], "is empty"),
        ([["a", "a"], [1, 2]], "row 1: columns 1, 2 share their names with others"),
        ([["a", None, "c"], [1, 2, 3]], "row 1: column 2 has no name"),
    ],
)
def test_a_bad_sheet_is_one_error_with_its_place(tmp_path: Path, rows: list[list[Any]], says: str) -> None:
    with pytest.raises(BadFile, match=says):
        read_frame(book(tmp_path / "people.xlsx", data=rows))


@pytest.mark.parametrize("kept", [30, 200])
def test_a_damaged_workbook_is_refused(tmp_path: Path, kept: int) -> None:
    path = book(tmp_path / "people.xlsx", data=[["a"], [1]])
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(BadFile, match="damaged or locked"):
        read_frame(path)
