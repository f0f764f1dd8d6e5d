"""CSV files in: types, missing marks, delimiters and decimal signs."""

from __future__ import annotations

import gzip
import hashlib
from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest

from discreet.errors import BadFile, BadParameter
from discreet.reading import ReadOptions, read_frame


def frame_of(folder: Path, content: str | bytes, name: str = "people.csv", **options: object) -> pl.DataFrame:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_frame(path, ReadOptions(**options)).frame  # type: ignore[arg-type]


def test_each_column_gets_the_narrowest_type_that_all_values_fit(tmp_path: Path) -> None:
    frame = frame_of(
        tmp_path,
        "whole,real,day,moment,word,flag\n"
        "1,1.5,2020-01-31,2020-01-31T10:00:00,x,true\n"
        "-2,3,1999-12-01,1999-12-01 09:30:00,y,false\n",
    )
    assert frame.rows() == [
        (1, 1.5, date(2020, 1, 31), datetime(2020, 1, 31, 10), "x", "true"),
        (-2, 3.0, date(1999, 12, 1), datetime(1999, 12, 1, 9, 30), "y", "false"),
    ]


def test_empty_cells_are_missing_quoted_or_not(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, 'a,b\n"",x\n1,\n,""\n')
    assert frame.rows() == [(None, "x"), (1, None), (None, None)]


def test_words_for_missing_are_text_unless_they_are_listed(tmp_path: Path) -> None:
    text = "a,b,c\n1,NA,nan\nNA,?,2.5\n"
    assert frame_of(tmp_path, text).rows() == [("1", "NA", "nan"), ("NA", "?", "2.5")]
    assert frame_of(tmp_path, text, missing=("NA", "?", "nan")).rows() == [(1, None, None), (None, None, 2.5)]


def test_a_number_listed_as_missing_is_missing_in_every_column(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a,b\n-9,x\n3,-9\n", missing=("-9",)).rows() == [(None, "x"), (3, None)]


@pytest.mark.parametrize("late", ["word", "2.5", "99999999999999999999", "NaN", "inf"])
def test_a_late_value_changes_the_type_of_the_whole_column(tmp_path: Path, late: str) -> None:
    frame = frame_of(tmp_path, "a,b\n" + "1,2\n" * 3000 + f"{late},2\n")
    assert frame["a"].dtype == (pl.Float64 if late == "2.5" else pl.String)
    assert frame["b"].dtype == pl.Int64
    assert frame["a"].null_count() == 0


def test_a_column_missing_at_first_still_gets_its_type(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a,b\n" + ",x\n" * 3000 + "7,x\n")["a"].dtype == pl.Int64


def test_leading_zeros_keep_a_column_as_text(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, "postcode,share\n08193,0.5\n28001,0\n")
    assert frame["postcode"].to_list() == ["08193", "28001"]
    assert frame["share"].to_list() == [0.5, 0.0]


def test_a_late_leading_zero_keeps_a_column_as_text(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, "code,x\n" + "12,1\n" * 2000 + "012,1\n")
    assert frame["code"].to_list()[-1] == "012"


def test_whole_numbers_too_long_for_64_bits_stay_text(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "id\n99999999999999999999\n5\n")["id"].to_list() == [
        "99999999999999999999",
        "5",
    ]


def test_a_day_that_does_not_exist_keeps_the_column_as_text(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "day\n2020-01-01\n2020-02-30\n")["day"].dtype == pl.String


def test_other_ways_to_write_a_date_stay_text(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "day\n01/02/2020\n13/12/2020\n")["day"].dtype == pl.String


def test_numbers_padded_with_blanks_are_numbers(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a,b\n 1, x\n 2, y\n").rows() == [(1, " x"), (2, " y")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    text = "a,b,c\n1,x y,2\n3,z,4\n".replace(",", delimiter)
    assert frame_of(tmp_path, text).rows() == [(1, "x y", 2), (3, "z", 4)]


def test_a_given_delimiter_overrules_what_the_text_looks_like(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a,b;c\n1,2;3\n", delimiter=";").columns == ["a,b", "c"]


def test_a_decimal_comma_is_found(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a;b\n1,5;2\n-0,25;3\n").rows() == [(1.5, 2), (-0.25, 3)]


def test_a_comma_before_three_digits_is_not_taken_for_a_decimal_sign(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a;b\n1,500;2\n12,250;3\n")["a"].dtype == pl.String
    assert frame_of(tmp_path, "a;b\n1,500;2\n12,250;3\n", decimal=",")["a"].to_list() == [1.5, 12.25]


def test_a_late_word_in_a_decimal_comma_file_is_noticed(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, "a;b\n" + "1,5;2,5\n" * 2000 + "x;3\n")
    assert [each.dtype for each in frame] == [pl.String, pl.Float64]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_line_ends_are_read(tmp_path: Path, end: str) -> None:
    assert frame_of(tmp_path, f"a,b{end}1,x{end}2,y{end}").rows() == [(1, "x"), (2, "y")]


def test_blank_lines_at_the_end_are_no_records(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a,b\n1,2\n\n\r\n\n").rows() == [(1, 2)]


def test_blank_lines_of_one_column_are_missing_values(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a\n1\n\n2\n\n")["a"].to_list() == [1, None, 2, None]


def test_a_header_alone_is_a_table_without_records(tmp_path: Path) -> None:
    for text in ("a,b\n", "a,b"):
        frame = frame_of(tmp_path, text)
        assert (frame.columns, frame.height) == (["a", "b"], 0)


def test_one_record_a_constant_column_and_an_empty_column_are_read(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a,b\n1,\n").rows() == [(1, None)]
    assert frame_of(tmp_path, "a,b\n1,\n1,\n")["a"].to_list() == [1, 1]


def test_names_and_cells_may_hold_quotes_delimiters_and_line_ends(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, '"a\nb","say ""c"""\n"x,\n""y""",1\n')
    assert frame.columns == ["a\nb", 'say "c"']
    assert frame.rows() == [('x,\n"y"', 1)]


def test_compressed_text_is_read(tmp_path: Path) -> None:
    assert frame_of(tmp_path, gzip.compress(b"a,b\n1,2\n"), "people.csv.gz").rows() == [(1, 2)]


def test_the_source_is_the_name_and_digest_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"a\n1\n")
    source = read_frame(path).source
    assert (source.path, source.digest) == ("people.csv", hashlib.sha256(b"a\n1\n").hexdigest())


def test_what_was_found_out_is_told(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes("a;b\n1,5;ñ\n".encode("utf-16"))
    assert read_frame(path).found == {"delimiter": ";", "encoding": "utf-16", "decimal": ","}


@pytest.mark.parametrize(
    "options",
    [
        {"delimiter": ",,"},
        {"decimal": "x"},
        {"encoding": "utf-88"},
        {"header": False, "header_row": 3},
        {"formats": {"day": "DD.MM"}},
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadParameter):
        ReadOptions(**options)  # type: ignore[arg-type]


def test_the_census_file_is_read_whole(reference_data: Path) -> None:
    frame = read_frame(reference_data / "census.csv").frame
    assert frame.shape == (1080, 13)
    assert all(dtype == pl.Int64 for dtype in frame.dtypes)


def test_the_adult_file_is_read_compressed(reference_data: Path) -> None:
    frame = read_frame(reference_data / "adult.csv.gz").frame
    assert frame.shape == (32561, 15)
    assert frame.drop_nulls().height == 30162


def test_a_sign_at_the_end_of_every_line_is_no_column(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("town;age;\nVic;31;\nReus;45;\n")
    assert read_frame(path).frame.rows() == [("Vic", 31), ("Reus", 45)]
    path.write_text("town;age;\nVic;31;x\nReus;45;\n")
    with pytest.raises(BadFile, match="column 3 has no name"):
        read_frame(path)
