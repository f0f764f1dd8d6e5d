"""Formats are told by name and content, and damaged files are refused."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from discreet.errors import BadFile
from discreet.formats import BY_ENDING, WRITTEN
from discreet.reading import ReadOptions, read_frame
from discreet.table import Column, Role, Scale
from discreet.writing import write_frame

FRAME = pl.DataFrame({"AGE": [31, 45, None], "TOWN": ["Reus", None, "Salt"]})
COLUMNS = [Column(name=name, role=Role.INSENSITIVE, scale=Scale.NOMINAL) for name in FRAME.columns]
ENDINGS = ["csv", "parquet", "arrow", "xlsx", "sav", "zsav", "por", "dta", "xpt"]


def written(folder: Path, ending: str) -> Path:
    path = folder / f"people.{ending}"
    write_frame(FRAME, COLUMNS, path)
    return path


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["people", "people.csv", "people.parquet", "people.sav"])
def test_the_content_wins_over_the_name(tmp_path: Path, ending: str, name: str) -> None:
    path = written(tmp_path, ending).rename(tmp_path / name)
    if ending == "csv" and name in ("people.parquet", "people.sav"):
        with pytest.raises(BadFile, match="its content is not in that format"):
            read_frame(path)
    else:
        assert read_frame(path).frame.equals(FRAME)


@pytest.mark.parametrize("ending", ["parquet", "arrow", "xlsx", "sav", "zsav", "dta"])
def test_a_file_cut_short_is_refused(tmp_path: Path, ending: str) -> None:
    path = written(tmp_path, ending)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])
    with pytest.raises(BadFile, match=r"people\.\w+ is damaged"):
        read_frame(path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_marks_of_missing_values_are_missing_in_every_format(tmp_path: Path, ending: str) -> None:
    frame = read_frame(written(tmp_path, ending), ReadOptions(missing=("45", "Salt"))).frame
    assert frame.rows() == [(31, "Reus"), (None, None), (None, None)]


def test_an_arrow_stream_is_read(tmp_path: Path) -> None:
    FRAME.write_ipc_stream(tmp_path / "people.arrow")
    assert read_frame(tmp_path / "people.arrow").frame.equals(FRAME)


def test_columns_of_lists_are_refused_by_name(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1], "bag": [[1, 2]]}).write_parquet(tmp_path / "people.parquet")
    with pytest.raises(BadFile, match="'bag' hold neither numbers, texts nor dates"):
        read_frame(tmp_path / "people.parquet")


def test_empty_texts_and_nan_are_missing_in_typed_formats(tmp_path: Path) -> None:
    pl.DataFrame({"a": ["", "x"], "b": [float("nan"), 1.5]}).write_parquet(tmp_path / "people.parquet")
    assert read_frame(tmp_path / "people.parquet").frame.rows() == [(None, None), ("x", 1.5)]


def test_the_how_to_page_lists_every_format() -> None:
    page = (Path(__file__).parents[2] / "docs" / "howto" / "read-files.md").read_text()
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| ") and "." in line]
    assert {word.rstrip(",") for row in rows for word in row[2].split() if word[0] == "."} == {
        *BY_ENDING,
        ".gz",
    }
    assert {word for row in rows for word in row[3].split()} == set(WRITTEN)


@pytest.mark.parametrize(("ending", "format_"), [("csv", "csv"), ("xlsx", "excel"), ("parquet", "parquet")])
def test_what_was_read_says_where_it_is_from_and_how_much_it_is(
    tmp_path: Path, ending: str, format_: str
) -> None:
    path = written(tmp_path, ending)
    read = read_frame(path)
    assert str(read) == f"{read.source.path}: 3 records, 2 columns ({format_})"
    assert read.spec("no such column") == read.spec("nor this one")
