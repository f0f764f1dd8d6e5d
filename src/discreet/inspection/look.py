"""One column while it is looked at: its values, the words of its name, and what is asked of both."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from discreet.inspection import names
from discreet.inspection.names import Hint, fits
from discreet.table import ColumnSpec

FEW = 10
"""Whole numbers with at most this many different values may be codes."""
OWN = 0.9
"""A share of different values from which on most records have one of their own."""
MANY = 0.2
MANY_NAMES = 100
"""Texts with at least this many different values may be names or numbers of people, however often they repeat."""
LONG_TEXT, LONGEST_CODE = 40, 100
"""Mean and greatest length from which on texts are taken for free ones."""


@dataclass(frozen=True, slots=True)
class Look:
    """One column while it is looked at."""

    values: pl.Series
    words: tuple[str, ...]
    stated: ColumnSpec
    present: int
    distinct: int

    @property
    def share(self) -> float:
        return self.distinct / self.present if self.present else 0.0

    @property
    def is_whole(self) -> bool:
        return self.values.dtype.is_integer()

    @property
    def is_fraction(self) -> bool:
        return self.values.dtype.is_float()

    @property
    def is_number(self) -> bool:
        return self.values.dtype.is_numeric()

    @property
    def is_text(self) -> bool:
        return self.values.dtype == pl.String or isinstance(self.values.dtype, pl.Categorical | pl.Enum)

    def named(self, hint: Hint) -> str:
        return fits(hint, self.words)

    @property
    def has_many(self) -> bool:
        """Whether its values are so many that they may single people out."""
        return self.distinct > FEW and (self.share >= MANY or self.distinct >= MANY_NAMES)

    @property
    def is_known(self) -> bool:
        """Whether the name says something else of the column than whose it is."""
        return (
            any(self.named(hint) for hint in (names.KEY, names.CONFIDENTIAL, names.MONEY, names.CODE))
            or self.is_counted
        )

    @property
    def is_counted(self) -> bool:
        """Whether the name speaks of an amount: `patient_count`, and not `patient_number`."""
        return any(word in names.COUNT.words and word not in names.NUMBERING.words for word in self.words)

    @property
    def is_free_text(self) -> bool:
        """Whether the values are sentences rather than words or codes."""
        if not self.is_text:
            return False
        lengths = self.values.drop_nulls().cast(pl.String).str.len_chars()
        if lengths.is_empty():
            return False
        mean, longest = lengths.mean(), lengths.max()
        return float(mean or 0) > LONG_TEXT or (float(longest or 0) > LONGEST_CODE)  # type: ignore[arg-type]
