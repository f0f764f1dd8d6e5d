"""A dataset of delimited texts: the values of `read`, however small the pieces, and faults by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.errors import BadFile, BadValues, DiscreetError, Mismatch, NoHeader, UnknownColumn
from discreet.reading import csv_parts

SMALL = 64
"""Bytes of a piece: a few records."""


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_parts, "PIECE", SMALL)


def both(path: Path, **how: Any) -> tuple[pl.DataFrame, dc.Dataset]:
    """A file as it is read, and the same as a dataset."""
    return dc.read(path, rest="insensitive", **how).frame, dc.scan(path, rest="insensitive", **how)


def assert_same(path: Path, **how: Any) -> None:
    frame, dataset = both(path, **how)
    assert dataset.types == dict(frame.schema)
    assert len(dataset) == frame.height
    assert dataset.read().frame.equals(frame, null_equal=True)
    for first in range(0, frame.height, 7):
        for name in frame.columns:
            found = dataset.part(first, min(3, frame.height - first), [name]).frame
            assert found.equals(frame[first : first + 3].select(name), null_equal=True)


RECORDS = [
    (f"{n:03}", n, n / 4, f"2020-01-{n % 28 + 1:02}", ["a", "", '"b, c"', '"d\ne"'][n % 4]) for n in range(60)
]


def text(*, separator: str = ",", end: str = "\n", decimal: str = ".") -> str:
    rows = [("code", "count", "share", "day", "what"), *RECORDS]
    lines = [
        separator.join(
            str(cell) if not isinstance(cell, float) else str(cell).replace(".", decimal) for cell in row
        )
        for row in rows
    ]
    return end.join(lines) + end


@pytest.mark.parametrize(
    ("content", "how"),
    [
        (text().encode(), {}),
        (text(separator=";", decimal=",").encode(), {}),
        (text(separator="\t", end="\r\n").encode(), {}),
        (text(end="\r").replace("d\ne", "d").encode(), {}),
        (b"\xef\xbb\xbf" + text().encode(), {}),
        (text().replace("b, c", "Müller, Łódź").encode(), {}),
        (text().replace("b, c", "Müller").encode("cp1252"), {"encoding": "cp1252"}),
        (text().replace("b, c", "東京ソ").encode("shift_jis"), {"encoding": "shift_jis"}),
        (text().encode() + b"\n\n\n", {}),
        (text().rstrip("\n").encode(), {}),
        (text().encode(), {"missing": ["a", "7", "2020-01-05"]}),
        (text().encode(), {"missing_in": {"count": ["7"], "what": ["a"]}}),
        (text().replace("2020-01-", "2020/01/").encode(), {"formats": {"day": "YYYY/MM/DD"}}),
        (text().split("\n", 1)[1].encode(), {"header": False}),
        (text().replace("what\n", "what,\n").replace("e\"\n", "e\",\n").encode(), {}),
        (b"count\n1\n\n3\n\n", {}),
        (b"code,count\n", {}),
    ],
)  # fmt: skip
def test_a_text_has_the_values_and_types_of_the_file_read_whole(
    content: bytes, how: dict[str, Any], tmp_path: Path, small_pieces: None
) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(content)
    try:
        dc.read(path, rest="insensitive", **how)
    except DiscreetError as refused:
        with pytest.raises(type(refused)):
            dc.scan(path, rest="insensitive", **how)
        return
    assert_same(path, **how)


NUMBERS = ["", "1", "-2", "3.5", "007", "1e400", "99999999999999999999", " 4", "٣"]
CELLS = st.sampled_from(
    [*NUMBERS, "nan", "x", '"q""q"', "+5x", "2020-02-30", "2020-02-03", "2020-02-03 10:00:00"]
)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=30), size=st.integers(4, 60))
def test_the_type_of_a_column_does_not_depend_on_the_pieces(
    rows: list[tuple[str, str]], size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("any") / "people.csv"
    path.write_text("one,two\n" + "".join(f"{one},{two}\n" for one, two in rows), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_parts, "PIECE", size)
        assert_same(path)


def test_a_folder_of_texts_is_one_dataset_whose_numbers_may_be_whole_in_some(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age,income\n1,2\n3,\n")
    (tmp_path / "b.csv").write_text("age,income\n5,6.5\n")
    (tmp_path / "c.csv").write_text("age,income\n")
    (tmp_path / "notes.txt").write_text("about these files")
    for path in (tmp_path, tmp_path / "*.csv", [tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "c.csv"]):
        dataset = dc.scan(path, rest="quasi-identifier")
        assert dataset.read().frame.rows() == [(1, 2.0), (3, None), (5, 6.5)]
    assert str(dataset).endswith("3 records, 2 columns in 3 files")
    assert dc.read(tmp_path, rest="insensitive").frame.equals(dataset.read().frame)


@pytest.mark.parametrize(
    ("second", "error", "says"),
    [
        ("age\n1\n", Mismatch, r"b\.csv has other columns than a\.csv: it lacks 'income'"),
        ("income,age\n1,2\n", Mismatch, "they are in another order"),
        ("age,income\n1,secret\n", Mismatch, r"b\.csv has other types than a\.csv: 'income' holds texts here and numb"),
        ("age,income\n1,2020-01-01\n", Mismatch, "'income' holds days here and numbers there"),
        ("age,income\n1,2\n1\n", BadFile, r"b\.csv, line 3: 1 field; expected 2"),
        ("1,2\n3,4\n", NoHeader, r"b\.csv, line 1"),
        ("age,income\n1,\"2\n", BadFile, "never closed"),
    ],
)  # fmt: skip
def test_files_that_differ_are_named_without_a_cell(
    second: str, error: type[Exception], says: str, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text("age,income\n1,2\n")
    (tmp_path / "b.csv").write_text(second)
    with pytest.raises(error, match=says) as told:
        dc.scan(tmp_path, rest="quasi-identifier")
    assert "secret" not in str(told.value)


def test_what_is_declared_decides_between_numbers_and_texts(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("code,zip\n1,10\n")
    (tmp_path / "b.csv").write_text("code,zip\nx,07\n")
    roles = {"code": "quasi-identifier", "zip": "quasi-identifier"}
    dataset = dc.scan(tmp_path, roles=roles, scales={"code": "nominal", "zip": "nominal"})
    assert dataset.read().frame.rows() == [("1", "10"), ("x", "07")]
    dataset = dc.scan(tmp_path, roles=roles, scales={"code": "nominal", "zip": "numeric"})
    assert dataset.read().frame["zip"].to_list() == [10, 7]
    with pytest.raises(BadValues, match=r"b\.csv, column 'code' is declared numeric"):
        dc.scan(tmp_path, roles=roles, scales={"code": "numeric", "zip": "nominal"})


def test_lines_of_faults_are_those_of_the_file_however_far_in(tmp_path: Path, small_pieces: None) -> None:
    lines = ["age,income", *(f"{n},{n}" for n in range(500))]
    for wrong, says in (("1,2,3", "3 fields; expected 2"), ('1,a"b', "a quotation mark in the middle")):
        (tmp_path / "a.csv").write_text("\n".join([*lines, wrong, *lines[1:]]))
        with pytest.raises(BadFile, match=f"line 502: {says}"):
            dc.scan(tmp_path / "a.csv", rest="insensitive")
    (tmp_path / "a.csv").write_bytes("\n".join([*lines, "Müller,2", "1,2"]).encode("cp1252"))
    with pytest.raises(BadFile, match=r"line 502: the text is not UTF-8.*cp125"):
        dc.scan(tmp_path / "a.csv", rest="insensitive")


def test_what_cannot_be_read_in_pieces_says_what_to_do(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "a.csv").write_bytes(gzip.compress(b"age\n1\n"))
    with pytest.raises(BadFile, match=r"compressed.*gunzip"):
        dc.scan(tmp_path / "a.csv", rest="insensitive")
    (tmp_path / "a.csv").write_bytes("age,income\n1,2\n".encode("utf-16"))
    with pytest.raises(BadFile, match="Write it as UTF-8"):
        dc.scan(tmp_path / "a.csv", rest="insensitive")
    (tmp_path / "a.csv").write_text("age,income\n1,2\n")
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(Mismatch, match="not of one kind"):
        dc.scan(tmp_path, rest="insensitive")
    with pytest.raises(
        UnknownColumn, match=r"'ages', of which it is said how it is read\. Did you mean 'age'"
    ):
        dc.scan(tmp_path / "a.csv", rest="insensitive", missing_in={"ages": ["1"]})


def test_titles_units_and_notes_are_left_out_as_the_project_says(tmp_path: Path, small_pieces: None) -> None:
    body = "".join(f"{n},{n}\n" for n in range(100))
    (tmp_path / "a.csv").write_text(
        f"Survey of 2020\nall people\nage,income\nyears,EUR\n{body}\nSource: us\n* all\n"
    )
    (tmp_path / "discreet.toml").write_text(
        '[read]\nheader_row = 3\nunit_rows = 1\nnote_rows = 2\n[columns.age]\nrole = "insensitive"\n'
        '[columns.income]\nrole = "insensitive"\n'
    )
    frame = dc.read(tmp_path / "a.csv").frame
    assert frame.height == 100
    assert dc.scan(tmp_path / "a.csv").read().frame.equals(frame)


def test_blanks_and_marks_of_columnar_files_are_missing_as_in_memory(tmp_path: Path) -> None:
    frame = pl.DataFrame({"region": ["a", "", "?"], "age": [1, -9, 3], "born": ["01.02.1990", "x", None]})
    frame.write_parquet(tmp_path / "a.parquet")
    how: dict[str, Any] = {
        "missing": ["?", "-9"],
        "missing_in": {"born": ["x"]},
        "formats": {"born": "DD.MM.YYYY"},
    }
    assert_same(tmp_path / "a.parquet", **how)
