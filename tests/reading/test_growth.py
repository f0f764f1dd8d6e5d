"""A small file that would fill the memory is refused by name before it does."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyreadstat
import pytest
import xlsxwriter
from tests.reading.small_workbooks import odf_cell, odf_row, write_ods, write_xlsb

from discreet.errors import BadFile, BadParameter
from discreet.reading import read_frame
from discreet.reading.limits import MOST_BYTES, VARIABLE, check_growth

MANY = 400_000


def far_cell(path: Path) -> None:
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        sheet.write_string(0, 0, "age")
        sheet.write_number(1_048_575, 16_383, 1)


def far_binary_cell(path: Path) -> None:
    write_xlsb(path, [(0, 0, "age"), (1_048_575, 16_383, "7")])


def repeated_cells(path: Path) -> None:
    write_ods(path, odf_row(odf_cell("age")) + odf_row(odf_cell("7", 900), 100_000))


def part_of_zeros(path: Path) -> None:
    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet().write_string(0, 0, "age")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/more.xml", bytes(10_000_000))


def long_gzip(path: Path) -> None:
    path.write_bytes(gzip.compress(b"age\n" + b"7\n" * 2_000_000))


def members_of_gzip(path: Path) -> None:
    path.write_bytes(gzip.compress(b"age\n") + gzip.compress(b"7\n" * 1_000_000) * 3)


def constant_parquet(path: Path) -> None:
    pl.DataFrame({"age": [7] * MANY, "sex": ["f"] * MANY}).write_parquet(path)


def constant_arrow(path: Path) -> None:
    pl.DataFrame({f"c{place}": [7] * MANY for place in range(9)}).write_ipc(path, compression="zstd")


def constant_zsav(path: Path) -> None:
    pyreadstat.write_sav(pl.DataFrame({"age": [7] * MANY, "sex": [1] * MANY}), path, compress=True)


BOMBS: dict[str, Callable[[Path], None]] = {
    "far.xlsx": far_cell,
    "far.xlsb": far_binary_cell,
    "repeated.ods": repeated_cells,
    "zeros.xlsx": part_of_zeros,
    "long.csv.gz": long_gzip,
    "members.csv.gz": members_of_gzip,
    "constant.parquet": constant_parquet,
    "constant.arrow": constant_arrow,
    "constant.zsav": constant_zsav,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_file_that_grows_beyond_the_limits_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    BOMBS[name](tmp_path / name)
    monkeypatch.setenv(VARIABLE, "2000000")
    with pytest.raises(BadFile, match=rf"{name} has \d+ bytes and would take more than 2000000.*{VARIABLE}"):
        read_frame(tmp_path / name)


FAR = ("far.xlsx", "far.xlsb", "repeated.ods")
"""Those that no machine can hold."""


@pytest.mark.parametrize("name", [name for name in BOMBS if name not in FAR])
def test_it_is_read_where_more_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    BOMBS[name](tmp_path / name)
    monkeypatch.delenv(VARIABLE, raising=False)
    assert "age" in read_frame(tmp_path / name).frame.columns or name == "constant.arrow"


@pytest.mark.parametrize("name", FAR)
def test_a_cell_in_the_last_corner_is_refused_without_any_setting(tmp_path: Path, name: str) -> None:
    BOMBS[name](tmp_path / name)
    assert (tmp_path / name).stat().st_size < 10_000
    with pytest.raises(BadFile, match=rf"{name} has"):
        read_frame(tmp_path / name)


def test_a_place_that_is_cut_by_the_end_of_a_piece_is_seen(tmp_path: Path) -> None:
    from discreet.reading import workbook

    far_cell(tmp_path / "far.xlsx")
    with zipfile.ZipFile(tmp_path / "far.xlsx") as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    place = sheet.index(b'r="XFD1048576"')
    for cut in range(len(b'r="XFD1048576"')):
        padded = io.BytesIO()
        with zipfile.ZipFile(padded, "w") as archive:
            archive.writestr("sheet.xml", b" " * (workbook.CHUNK - place - cut) + sheet)
        with pytest.raises(BadFile):
            workbook.check_workbook(padded.getvalue(), "far.xlsx")


@pytest.mark.parametrize(
    ("stored", "grown", "refused"),
    [
        (1, MOST_BYTES, False),
        (1, MOST_BYTES + 1, True),
        (MOST_BYTES // 100, MOST_BYTES + 1, True),
        (MOST_BYTES // 100 + 1, MOST_BYTES + 1, False),
    ],
)
def test_both_limits_count(stored: int, grown: int, refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if not refused:
        check_growth("people.csv", stored, grown)
        return
    with pytest.raises(BadFile):
        check_growth("people.csv", stored, grown)


@pytest.mark.parametrize("said", ["much", "-1", "1e9", "٣"])
def test_the_setting_is_a_number_of_bytes(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, said)
    with pytest.raises(BadParameter, match=VARIABLE):
        check_growth("people.csv", 1, 2)
