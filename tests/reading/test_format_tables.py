"""Which format a file is in, by its first bytes and its name, and what a release of it is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import BadFile
from discreet.formats import (
    BY_ENDING,
    WRITTEN,
    ending_of,
    format_by_content,
    format_of,
    released_name,
    stem_of,
)

SAS = b"\x00" * 12 + b"\xc2\xea\x81\x60"


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"PAR1....", "parquet"),
        (b"PK\x03\x04....", "excel"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "excel"),
        (b"$FL2@(#)", "sav"),
        (b"$FL3@(#)", "sav"),
        (b"0000 ASCII SPSSPORT FILE", "por"),
        (b"<stata_dta><header>", "dta"),
        (b"\x72\x01\x01\x00", "dta"),
        (b"\x73\x02\x01\x00", "dta"),
        (b"\x68\x02\x01\x00", "dta"),
        (SAS, "sas7bdat"),
        (b"HEADER RECORD*******LIBRARY", "xpt"),
        (b"ARROW1\x00\x00", "arrow"),
        (b"\xff\xff\xff\xff\x10", "arrow"),
    ],
)
def test_the_first_bytes_tell_the_format_whatever_the_name(head: bytes, name: str) -> None:
    found = format_by_content(head)
    assert found is not None
    assert found.name == name
    for file in ("people.csv", "people.dta", "people"):
        assert format_of(Path(file), head) is found


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"age,sex\n",
        b"PAR",
        b"PK\x03",
        b"$FL4",
        b"\x72\x03\x01\x00",
        b"\x72\x01\x02\x00",
        b"\x72\x01\x01",
        b"\x67\x01\x01\x00",
        b"\xff\xff\xff",
    ],
)
def test_other_bytes_tell_nothing(head: bytes) -> None:
    assert format_by_content(head) is None


def test_a_text_is_believed_and_a_name_that_its_content_belies_is_not() -> None:
    for file in ("a.csv", "a.tsv", "a.TXT", "a.tab", "a.csv.gz", "a", "a.unknown"):
        assert format_of(Path(file), b"age,sex\n").name == "csv"
    assert format_of(Path("a.dta"), b"\x1f\x8b\x08").name == "csv"
    for mark in (b"\xff\xfe", b"\xfe\xff"):
        assert format_of(Path("a"), mark + b"a\x00g\x00").name == "csv"
    for file in ("a.parquet", "a.dta", "a.xlsx", "a.sav"):
        with pytest.raises(BadFile, match=rf"{file} ends in \.\w+ but its content is not in that format"):
            format_of(Path(file), b"age,sex\n")
    with pytest.raises(BadFile, match="is in no format discreet can read"):
        format_of(Path("a.bin"), b"ab\x00c")


@pytest.mark.parametrize(
    ("name", "ending", "stem", "released"),
    [
        ("people.csv", ".csv", "people", "people.csv"),
        ("people.TSV.GZ", ".tsv", "people.TSV", "people.TSV"),
        ("people.csv.gz", ".csv", "people", "people.csv"),
        ("my.people.xlsm", ".xlsm", "my.people", "my.people.xlsx"),
        ("people.ods", ".ods", "people", "people.xlsx"),
        ("people.por", ".por", "people", "people.sav"),
        ("people.zsav", ".zsav", "people", "people.zsav"),
        ("people.sas7bdat", ".sas7bdat", "people", "people.xpt"),
        ("people.xport", ".xport", "people", "people.xpt"),
        ("people.feather", ".feather", "people", "people.feather"),
        ("people.PQ", ".pq", "people", "people.PQ"),
        ("people", "", "people", "people.csv"),
        ("people.dat", ".dat", "people", "people.csv"),
        ("folder/people.dta", ".dta", "people", "people.dta"),
    ],
)
def test_names_end_as_what_they_are_and_releases_as_what_can_be_written(
    name: str, ending: str, stem: str, released: str
) -> None:
    assert ending_of(Path(name)) == ending
    assert stem_of(Path(name)) == stem
    assert released_name(name) == released
    assert Path(released).suffix.lower() in WRITTEN


def test_what_can_be_written_can_be_read() -> None:
    assert set(WRITTEN) <= set(BY_ENDING)
    for ending in BY_ENDING:
        assert Path(released_name(f"a{ending}")).suffix in WRITTEN
