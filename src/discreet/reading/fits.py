"""Which types the values of a column fit, found piece by piece, so that they come to the type of all of them."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from discreet.digits import ascii_digits
from discreet.reading.infer import FIRST, WHOLE, all_numbers, is_number, numbers, parsed_days


@dataclass(frozen=True, slots=True, kw_only=True)
class Fits:
    """What is true of all values seen so far; `infer` gives the same type for all of them at once."""

    present: bool = False
    numbers: bool = True
    plain: bool = True
    """No number begins with a needless zero."""
    whole: bool = True
    short: bool = True
    """All whole numbers are of 64 bits."""
    finite: bool = True
    dates: bool = True
    times: bool = True

    def also(self, other: Fits) -> Fits:
        """What is true of the values of both."""
        return Fits(
            present=self.present or other.present,
            numbers=self.numbers and other.numbers,
            plain=self.plain and other.plain,
            whole=self.whole and other.whole,
            short=self.short and other.short,
            finite=self.finite and other.finite,
            dates=self.dates and other.dates,
            times=self.times and other.times,
        )

    def dtype(self, *, declared_numeric: bool = False) -> pl.DataType:
        """The narrowest type that all values fit; a number of some kind where they are declared to be numbers."""
        if not self.present:
            return pl.String()
        if self.numbers and (self.plain or declared_numeric):
            if self.whole and self.short:
                return pl.Int64()
            if declared_numeric or (self.finite and not self.whole):
                return pl.Float64()
        elif self.dates:
            return pl.Date()
        elif self.times:
            return pl.Datetime("us")
        return pl.String()


ANY = Fits()
"""What is true of no values."""
OF_TYPES = {
    pl.Int64: Fits(present=True, dates=False, times=False),
    pl.Float64: Fits(present=True, whole=False, dates=False, times=False),
    pl.Date: Fits(present=True, numbers=False, times=False),
    pl.Datetime: Fits(present=True, numbers=False, dates=False),
}
TEXTS = Fits(present=True, numbers=False, dates=False, times=False)


def fits_of(values: pl.Series, decimal: str) -> Fits:
    """What is true of the values of a piece, typed as they are by themselves."""
    if values.null_count() == len(values):
        return ANY
    if values.dtype != pl.String:
        return OF_TYPES[values.dtype.base_type()]
    present = values.drop_nulls()
    if not _all_are_numbers(present.head(FIRST), decimal) or not _all_are_numbers(present, decimal):
        return TEXTS
    whole = bool(ascii_digits(present).str.contains(WHOLE).all())
    return Fits(
        present=True,
        plain=all_numbers(present, decimal),
        whole=whole,
        short=not whole or numbers(present, decimal).dtype == pl.Int64,
        finite=bool(numbers(present, decimal).cast(pl.Float64).is_finite().all()),
        dates=False,
        times=False,
    )


def as_type(texts: pl.Series, dtype: pl.DataType, decimal: str) -> pl.Series:
    """The texts of a piece as values of the type that all of them fit."""
    if dtype.is_numeric():
        return numbers(texts, decimal).cast(dtype)
    return parsed_days(texts, dtype) if dtype.is_temporal() else texts


def _all_are_numbers(texts: pl.Series, decimal: str) -> bool:
    return bool(is_number(texts, decimal).all())
