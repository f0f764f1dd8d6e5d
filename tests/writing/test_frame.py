"""Frames out and back: the same values, the same bytes, never over the original."""

from __future__ import annotations

import tempfile
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import BadFile, BadTable, Mismatch, WouldOverwrite
from discreet.reading import read_frame
from discreet.reading.content import file_digest
from discreet.table import Column, Role, Scale
from discreet.writing import reread, write_frame

EXACT = ["csv", "parquet", "arrow", "feather"]
ENDINGS = [*EXACT, "xlsx", "sav", "zsav", "dta", "xpt"]
FRAME = pl.DataFrame(
    {
        "whole": [1, None, -(2**40)],
        "real": [0.1, 1e30, None],
        "word": ["a,b", 'say "x"', None],
        "day": [date(2020, 2, 29), None, date(1900, 1, 1)],
        "moment": [datetime(2020, 1, 1, 10, 30), None, datetime(1999, 12, 31, 23, 59, 59)],
    }
)


def columns_of(frame: pl.DataFrame) -> list[Column]:
    return [Column(name=name, role=Role.INSENSITIVE, scale=Scale.NOMINAL) for name in frame.columns]


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_written_is_read_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people.{ending}"
    digest = write_frame(FRAME, columns_of(FRAME), path)
    assert digest == file_digest(path)
    assert reread(path, FRAME, digest=digest).equals(FRAME)
    assert read_frame(path).frame.cast(FRAME.schema).equals(FRAME)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_values_give_the_same_bytes(tmp_path: Path, ending: str) -> None:
    first = write_frame(FRAME, columns_of(FRAME), tmp_path / f"a.{ending}")
    assert write_frame(FRAME, columns_of(FRAME), tmp_path / f"b.{ending}") == first


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_frame_without_records_is_read_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people.{ending}"
    write_frame(FRAME.clear(), columns_of(FRAME), path)
    assert reread(path, FRAME.clear()).equals(FRAME.clear())


@pytest.mark.parametrize("ending", ENDINGS)
def test_categories_flags_and_small_numbers_come_back_as_they_were(tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame(
        {
            "level": pl.Series(["low", "high", None], dtype=pl.Enum(["low", "high"])),
            "kind": pl.Series(["a", "b", "a"], dtype=pl.Categorical),
            "flag": [True, None, False],
            "small": pl.Series([1, 2, None], dtype=pl.Int8),
        }
    )
    path = tmp_path / f"people.{ending}"
    write_frame(frame, columns_of(frame), path)
    assert reread(path, frame).equals(frame)


TEXTS = st.one_of(st.none(), st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=8))


@given(st.lists(st.tuples(TEXTS, st.one_of(st.none(), st.floats(allow_nan=False)), TEXTS), max_size=12))
def test_csv_gives_back_any_text_and_number(
    records: list[tuple[str | None, float | None, str | None]],
) -> None:
    frame = pl.DataFrame(
        records, schema={"te,xt": pl.String, "number": pl.Float64, 'quo"te\n': pl.String}, orient="row"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        write_frame(frame, columns_of(frame), path)
        assert reread(path, frame).equals(frame)


@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_csv_of_one_column_gives_back_any_text(values: list[str | None]) -> None:
    frame = pl.DataFrame({"a": values}, schema={"a": pl.String})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        write_frame(frame, columns_of(frame), path)
        assert reread(path, frame).equals(frame)


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_characters="\0\r", codec="utf-8"), max_size=8).map("t{}".format),
            st.integers(-(2**62), 2**62),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_reading_a_written_csv_without_its_types_gives_the_same_values(
    records: list[tuple[str, int]],
) -> None:
    frame = pl.DataFrame(records, schema={"text": pl.String, "number": pl.Int64}, orient="row")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        write_frame(frame, columns_of(frame), path)
        assert read_frame(path).frame.equals(frame)


def test_a_file_that_is_there_is_kept_unless_force_is_given(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("precious")
    with pytest.raises(WouldOverwrite):
        write_frame(FRAME, columns_of(FRAME), path)
    assert path.read_text() == "precious"
    write_frame(FRAME, columns_of(FRAME), path, force=True)
    assert reread(path, FRAME).equals(FRAME)


def test_the_original_is_never_replaced_under_any_name(tmp_path: Path) -> None:
    original = tmp_path / "original.csv"
    original.write_text("precious")
    (tmp_path / "symbolic.csv").symlink_to(original)
    (tmp_path / "hard.csv").hardlink_to(original)
    for name in ("original.csv", "symbolic.csv", "hard.csv", "../" + tmp_path.name + "/original.csv"):
        with pytest.raises(WouldOverwrite, match="is the original"):
            write_frame(FRAME, columns_of(FRAME), tmp_path / name, force=True, original=original)
    assert original.read_text() == "precious"


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_file_tells_when_it_was_written(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people.{ending}"
    write_frame(FRAME, columns_of(FRAME), path)
    content = b"".join(unzipped(path)) if ending == "xlsx" else path.read_bytes()
    today = datetime.now(UTC)
    for shape in ("%d %b %y", "%d %b %Y", "%d%b%y", "%Y%m%d", "%Y-%m-%d"):
        assert today.strftime(shape).upper().encode() not in content.upper()


def unzipped(path: Path) -> list[bytes]:
    with zipfile.ZipFile(path) as archive:
        assert {each.date_time[0] for each in archive.infolist()} == {1980}
        return [archive.read(each) for each in archive.infolist()]


def test_a_portable_file_holds_capital_names(tmp_path: Path) -> None:
    frame = pl.DataFrame({"AGE": [31, None], "TOWN": ["Girona", "Reus"]})
    first = write_frame(frame, columns_of(frame), tmp_path / "a.por")
    assert reread(tmp_path / "a.por", frame).equals(frame)
    assert write_frame(frame, columns_of(frame), tmp_path / "b.por") == first
    assert b"8/200001016/000000" in (tmp_path / "a.por").read_bytes().replace(b"\r\n", b"")
    small = frame.rename({"AGE": "age"})
    with pytest.raises(BadTable, match=r"columns called 'age'.*capitals"):
        write_frame(small, columns_of(small), tmp_path / "c.por")


@pytest.mark.parametrize(
    ("ending", "values"),
    [
        ("sav", ["ends in blanks ", "x"]),
        ("sav", ["", "x"]),
        ("dta", ["", None]),
        ("xlsx", ["", "x"]),
        ("xlsx", ["x" * 40_000]),
        ("sav", [2**60 + 1]),
        ("xpt", [1e300]),
        ("xlsx", ["x", None]),
        ("xlsx", [1.5, float("inf")]),
        ("xlsx", [float("nan"), 1.5]),
    ],
)
def test_what_a_format_cannot_hold_is_refused_and_not_changed(
    tmp_path: Path, ending: str, values: list[object]
) -> None:
    frame = pl.DataFrame({"town": values})
    with pytest.raises(BadTable, match=r"'town' exactly|cannot hold this table"):
        write_frame(frame, columns_of(frame), tmp_path / f"people.{ending}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("ending", "name"),
    [("sav", "home town"), ("dta", "int"), ("xpt", "1st"), ("dta", "é" * 3), ("sav", "a" * 65)],
)
def test_names_that_a_format_does_not_allow_are_told(tmp_path: Path, ending: str, name: str) -> None:
    frame = pl.DataFrame({"good": [1], name: [2]})
    with pytest.raises(BadTable, match=f"cannot have columns called '{name}'"):
        write_frame(frame, columns_of(frame), tmp_path / f"people.{ending}")


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=20)
@given(values=st.lists(st.floats(min_value=1e-60, max_value=1e60), min_size=1, max_size=10))
def test_every_digit_of_a_number_is_kept(ending: str, values: list[float]) -> None:
    frame = pl.DataFrame({"wage": values})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"people.{ending}"
        write_frame(frame, columns_of(frame), path)
        assert reread(path, frame).equals(frame)


def test_excel_never_takes_a_text_for_a_formula_or_a_link(tmp_path: Path) -> None:
    frame = pl.DataFrame({"text": ["=1+1", "http://example.org", "007", "+5", "@x"]})
    write_frame(frame, columns_of(frame), tmp_path / "people.xlsx")
    assert read_frame(tmp_path / "people.xlsx").frame.equals(frame)


def test_a_table_too_long_for_a_sheet_is_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": pl.repeat(1, 1_048_576, eager=True)})
    with pytest.raises(BadTable, match="at most 1048575 records"):
        write_frame(frame, columns_of(frame), tmp_path / "people.xlsx")


def test_a_format_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"SAS also reads \.xpt"):
        write_frame(FRAME, columns_of(FRAME), tmp_path / "people.sas7bdat")
    with pytest.raises(BadFile, match=r"ends in '\.docx'"):
        write_frame(FRAME, columns_of(FRAME), tmp_path / "people.docx")


def test_columns_that_no_format_holds_are_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [[1, 2], [3]]})
    with pytest.raises(BadTable, match="'a' hold neither"):
        write_frame(frame, columns_of(frame), tmp_path / "people.csv")
    with pytest.raises(BadTable, match="no column"):
        write_frame(frame.drop("a"), [], tmp_path / "people.csv")
    with pytest.raises(BadTable, match="not those of the frame"):
        write_frame(frame, [], tmp_path / "people.csv")


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_that_differs_from_what_was_written_is_a_mismatch(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people.{ending}"
    digest = write_frame(FRAME, columns_of(FRAME), path)
    with pytest.raises(Mismatch, match="3 records; 2 were written"):
        reread(path, FRAME.head(2))
    with pytest.raises(Mismatch):
        reread(path, FRAME.rename({"whole": "hole"}))
    with pytest.raises(Mismatch):
        reread(path, FRAME.drop("word"))
    with pytest.raises(Mismatch):
        reread(path, FRAME.with_columns(pl.lit("x").alias("more")))
    with pytest.raises(Mismatch, match=r"of the type written|not the file that was written"):
        reread(path, {**FRAME.schema, "word": pl.Int64()})
    write_frame(FRAME.head(2), columns_of(FRAME), path, force=True)
    with pytest.raises(Mismatch, match="digest"):
        reread(path, FRAME, digest=digest)
