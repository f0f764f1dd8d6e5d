"""Digits of any script mean the same number."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.coding import common_codes
from discreet.digits import ascii_digits
from discreet.reading import read_frame

ZEROS = [chr(code) for code in range(sys.maxunicode) if chr(code).isdecimal() and int(chr(code)) == 0]


def in_script(text: str, zero: str) -> str:
    return "".join(chr(ord(zero) + int(each)) if each.isdigit() else each for each in text)


@given(st.lists(st.integers(-9999, 9999), min_size=1), st.data())
def test_numbers_of_any_script_are_read_as_those_numbers(numbers: list[int], data: st.DataObject) -> None:
    texts = [in_script(str(each), data.draw(st.sampled_from(ZEROS))) for each in numbers]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        path.write_text("name,age\n" + "".join(f"x,{text}\n" for text in texts), encoding="utf-8")
        assert read_frame(path).frame["age"].to_list() == numbers
    zero = data.draw(st.sampled_from(ZEROS))
    codes = common_codes(pl.Series([in_script(str(each), zero) for each in numbers]), pl.Series(numbers))
    assert (codes.left == codes.right).all()


@pytest.mark.parametrize("text", ["²", "①", "½", "x٣", "٣x", "٠١", "٢٠٢٠-١٣-٤٥", "٣.٣.٣"])
def test_what_is_no_number_stays_text(text: str, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(f"name,code\nx,{text}\ny,7\n", encoding="utf-8")
    assert read_frame(path).frame["code"].to_list() == [text, "7"]


def test_days_in_other_digits_are_days(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("name,day,at\nx,٢٠٢٤-٠٥-٣١,２０２４-０５-３１ １２:００:００\n", encoding="utf-8")
    frame = read_frame(path).frame
    assert [str(each) for each in frame.row(0)] == ["x", "2024-05-31", "2024-05-31 12:00:00"]


def test_texts_without_such_digits_are_left_as_they_are() -> None:
    assert ascii_digits(pl.Series(["12", "x", None])).to_list() == ["12", "x", None]
