"""Files that cannot be read give one clear error with the place, and never a cell."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from discreet.errors import BadFile
from discreet.reading import ReadOptions, read_frame

SECRET = "Perpetua"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"a,b,a\n1,2,3\n", "line 1: columns 1, 3 share their names with others"),
        (b"Perpetua,Perpetua\n1,2\n", "line 1: columns 1, 2 share their names with others"),
        (b"a,,c\n1,2,3\n", "line 1: column 2 has no name"),
        (b"a,b\n1,Perpetua\nPerpetua\n", "line 3: 1 field; expected 2"),
        (b"a,b\n1,2\nPerpetua,2,3\n", "line 3: 3 fields; expected 2"),
        (b"a,b\n1,2\n\n3,Perpetua\n", "line 3: an empty line; expected 2 fields"),
        (b'a,b\n1,2\n3,"Perpetua\n4,5\n', "line 3: a quotation mark is opened and never closed"),
        (b'a,b\n1,Perpetua "P"\n', "line 2: a quotation mark in the middle of a cell"),
        (b"a,b\n1,Perp\x00etua\n", "line 2: a NUL byte"),
        (b"a,b\n1,2\n3,Perpetua\xff\xfe\n", "line 3: the text is not UTF-8"),
        (b'a,"b\n1,Perpetua\n', "line 1: a quotation mark is opened and never closed"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0)[:-6], "damaged gzip"),
    ],
)
def test_a_bad_text_is_one_error_with_its_place(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(content)
    with pytest.raises(BadFile) as caught:
        read_frame(path)
    assert "people.csv" in str(caught.value)
    assert says in str(caught.value)
    assert SECRET not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_late_bad_record_is_found_among_many(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 100_000 + b"1\n" + b"1,2\n" * 10)
    with pytest.raises(BadFile, match="line 100002: 1 field; expected 2"):
        read_frame(path)


def test_the_wrong_encoding_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes("a,b\n1,x\n2,Málaga\n".encode("cp1252"))
    with pytest.raises(
        BadFile, match=r'line 3: the text is not UTF-8. It may be cp1252: if so, say encoding = "cp1252"'
    ):
        read_frame(path)
    with pytest.raises(BadFile, match="line 3: not ascii text"):
        read_frame(path, ReadOptions(encoding="ascii"))
    assert read_frame(path, ReadOptions(encoding="cp1252")).frame["b"].to_list() == ["x", "Málaga"]


def test_a_file_that_is_not_there_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"no file nobody\.csv"):
        read_frame(tmp_path / "nobody.csv")
    with pytest.raises(BadFile, match="is a folder"):
        read_frame(tmp_path)


@pytest.mark.parametrize(
    "name", ["people.parquet", "people.arrow", "people.xlsx", "people.sav", "people.dta"]
)
def test_text_under_the_name_of_another_format_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"a,b\n1,Perpetua\n")
    with pytest.raises(BadFile, match="its content is not in that format"):
        read_frame(path)


def test_content_of_no_known_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.bin"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(BadFile, match="in no format discreet can read"):
        read_frame(path)


def test_a_name_without_ending_is_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "people"
    path.write_bytes(b"a,b\n1,2\n")
    assert read_frame(path).frame.rows() == [(1, 2)]


@pytest.mark.parametrize("quote", [b"", b'"'])
def test_a_cell_of_a_hundred_megabytes_is_read(tmp_path: Path, quote: bytes) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"a,b\n1," + quote + b"x" * 100_000_000 + quote + b"\n2,y\n")
    frame = read_frame(path).frame
    assert frame["b"].str.len_bytes().to_list() == [100_000_000, 1]
    assert frame["a"].to_list() == [1, 2]


def test_a_number_of_a_hundred_megabytes_is_text(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"a,b\n1,1\n2," + b"1" * 100_000_000 + b"\n")
    assert read_frame(path).frame["b"].str.len_bytes().to_list() == [1, 100_000_000]


def test_a_header_of_a_hundred_megabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"a," + b"x" * 100_000_000 + b"\n1,2\n")
    with pytest.raises(BadFile, match="line 1"):
        read_frame(path)
