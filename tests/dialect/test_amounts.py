"""Numbers with signs and groups are read from, and written in, the form of their column."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.dialect import NumberForm, decimals_of, found_amounts, has_decimals

FORMS = ["9.999,99 €", "9,999.99", "$9,999.99", "9 999,9", "9'999.99", "9,9 %", "9%", "9 kg", "CHF 9'999.99"]


@pytest.mark.parametrize("form", FORMS)
@given(cents=st.lists(st.integers(-(10**11), 10**11), min_size=1, max_size=20))
def test_what_is_written_in_a_form_is_read_again(form: str, cents: list[int]) -> None:
    sound = NumberForm(form)
    numbers = [each / 10**sound.decimals if sound.decimals else each for each in cents]
    values = pl.Series("income", numbers)
    texts = sound.write(values)
    assert sound.read(texts).equals(values)


@pytest.mark.parametrize(
    ("texts", "decimal", "form"),
    [
        (["1.234,50 €", "12,00 €"], ".", "9.999,99 €"),
        (["$1,234.50", "$3.00", "-$2.00"], ".", "$9,999.99"),
        (["12 %", "3,5 %"], ",", "9,9 %"),
        (["1,234", "12", "980"], ".", "9,999"),
        (["1 234 567", "12"], ".", "9 999"),
        (["1\u202f234,50", "12,00"], ".", "9\u202f999,99"),
        (["1 234,5", "12,5"], ".", "9 999,9"),
        (["1,234", "2,345"], ".", None),
        (["1,234", "1234"], ".", None),
        (["A 1", "B 2"], ".", None),
        (["3 x", "4 x"], ".", None),
        (["0,5", "1,5"], ".", "9,9"),
        (["12,5%", "3%"], ".", "9,9%"),
        (["0,512", "1,514"], ".", None),
    ],
)
def test_a_form_is_found_only_where_it_is_plain(texts: list[str], decimal: str, form: str | None) -> None:
    known = found_amounts(pl.Series("income", texts), decimal, frozenset())
    assert (None if known is None else str(known[0])) == form


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1), st.integers(0, 4))
def test_decimals_are_the_fewest_that_give_every_number_back(numbers: list[int], count: int) -> None:
    values = pl.Series("x", [each / 10**count for each in numbers])
    fewest = decimals_of(values)
    assert fewest is not None
    assert fewest <= count
    assert has_decimals(values, fewest)
    assert fewest == 0 or not has_decimals(values, fewest - 1)


def test_numbers_of_many_digits_have_no_decimals() -> None:
    assert decimals_of(pl.Series("x", [0.1 + 0.2, 1e-300])) is None
