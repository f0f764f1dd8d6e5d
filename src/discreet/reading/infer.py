"""Which type the texts of a column have: all whole numbers, all numbers, all dates, or text."""

from __future__ import annotations

import polars as pl

from discreet.digits import ascii_digits

FIRST = 100
"""How many values are looked at before a whole column is."""

NUMBER = r"^\s*-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*$"
WHOLE = r"^\s*-?[0-9]+\s*$"
LEADING_ZERO = r"^\s*-?0[0-9]"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}$"


def infer(texts: pl.Series, decimal: str = ".") -> pl.Series:
    """The column with the narrowest type that every value fits; the texts as they are where none does.

    Numbers written with a leading zero stay text (postcodes, codes of regions), and so do whole numbers too long
    for 64 bits, because as numbers they would be other values. Only ISO dates become dates. Digits may be of any
    script.
    """
    present = texts.drop_nulls()
    if present.is_empty():
        return texts
    first = ascii_digits(present.head(FIRST))
    if all_numbers(first, decimal):
        return _numbers_or_texts(texts, decimal) if all_numbers(present, decimal) else texts
    for pattern, parse in ((DATE, _dates), (TIME, _times)):
        if bool(first.str.contains(pattern).all()):
            plain = ascii_digits(texts)
            if not bool(plain.drop_nulls().str.contains(pattern).all()):
                return texts
            parsed = parse(plain)
            return parsed if parsed.null_count() == texts.null_count() else texts
    return texts


def parsed_days(texts: pl.Series, dtype: pl.DataType) -> pl.Series:
    """The texts, all of them ISO dates or moments, as such."""
    plain = ascii_digits(texts)
    return _dates(plain) if dtype == pl.Date else _times(plain)


def all_numbers(texts: pl.Series, decimal: str) -> bool:
    """Whether every text is a number and none of them begins with a needless zero."""
    plain = ascii_digits(texts)
    return bool(is_number(plain, decimal).all()) and not bool(plain.str.contains(LEADING_ZERO).any())


def is_number(texts: pl.Series, decimal: str) -> pl.Series:
    """Which of the texts are numbers; null where the text is missing."""
    return _pointed(texts, decimal).str.contains(NUMBER)


def numbers(texts: pl.Series, decimal: str) -> pl.Series:
    """The texts, all of them numbers, as numbers: whole where all are and 64 bits hold them, else floats."""
    plain = _pointed(texts, decimal).str.strip_chars()
    if bool(plain.drop_nulls().str.contains(WHOLE).all()):
        whole = plain.cast(pl.Int64, strict=False)
        if whole.null_count() == texts.null_count():
            return whole
    return plain.cast(pl.Float64)


def _numbers_or_texts(texts: pl.Series, decimal: str) -> pl.Series:
    """The texts as numbers, unless as numbers they would be other values."""
    found = numbers(texts, decimal)
    if found.dtype == pl.Int64:
        return found
    too_long = bool(ascii_digits(texts.drop_nulls()).str.contains(WHOLE).all())
    return texts if too_long or not bool(found.drop_nulls().is_finite().all()) else found


def _pointed(texts: pl.Series, decimal: str) -> pl.Series:
    """The texts in ASCII digits, a decimal comma turned into a point; a text that has a point then is no number."""
    plain = ascii_digits(texts)
    if decimal == ".":
        return plain
    return plain.str.replace_all(".", "?", literal=True).str.replace(",", ".", literal=True)


def _dates(texts: pl.Series) -> pl.Series:
    return texts.str.to_date("%Y-%m-%d", strict=False)


def _times(texts: pl.Series) -> pl.Series:
    return texts.str.replace(" ", "T", literal=True).str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False)
