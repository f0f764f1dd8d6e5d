"""The dialect of a delimited text: how it was written, so that a release of it is written alike."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import polars as pl

from discreet.dialect.amounts import NumberForm, with_so_many
from discreet.dialect.forms import Form, form_of
from discreet.errors import BadParameter

MOST_DECIMALS = 15
FIRST = 1000
"""How many values rule decimals out before a whole column is looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What separates cells and records, the decimal mark, the encoding, and by column how values are written.

    `quoted` names the columns whose cells all stand in quotation marks, needed or not; `formats` how days and numbers
    are written, and `decimals` how many decimals the numbers of a column all have. What it does not say is written
    as any program would.
    """

    delimiter: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    line_end: str = "\n"
    names_quoted: bool = False
    quoted: tuple[str, ...] = ()
    formats: Mapping[str, str] = field(default_factory=dict)
    decimals: Mapping[str, int] = field(default_factory=dict)

    def form(self, column: str) -> Form | None:
        """How the days or numbers of a column are written, where that is told."""
        return form_of(self.formats[column]) if column in self.formats else None

    def to_dict(self) -> dict[str, Any]:
        """What differs from the usual, as a manifest holds it."""
        usual, told = Dialect(), {}
        for each in fields(self):
            value = getattr(self, each.name)
            if value != getattr(usual, each.name):
                told[each.name] = (
                    list(value)
                    if isinstance(value, tuple)
                    else dict(value)
                    if isinstance(value, Mapping)
                    else value
                )
        return told

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any]) -> Dialect:
        """The dialect that `to_dict` wrote, of checked values; BadParameter where nothing can be written in it."""
        dialect = cls(**{**payload, "quoted": tuple(payload.get("quoted", ()))})
        check_delimiter(dialect.delimiter)
        check_encoding(dialect.encoding)
        for text in dialect.formats.values():
            form_of(text)
        return dialect

    def holding(self, frame: pl.DataFrame) -> Dialect:
        """The dialect as it can hold this frame: forms and decimals only where they give every value back."""
        named = set(frame.columns)
        formats = {
            name: text for name, text in self.formats.items() if name in named and _holds(text, frame[name])
        }
        decimals = {
            name: count
            for name, count in self.decimals.items()
            if name in named and name not in formats and has_decimals(frame[name], count)
        }
        quoted = tuple(name for name in self.quoted if name in named)
        return replace(self, formats=formats, decimals=decimals, quoted=quoted)


USUAL = Dialect()
"""How a text is written where nothing is known of how it came."""


def has_decimals(values: pl.Series, count: int) -> bool:
    """Whether so many decimals give every number of a column back."""
    if not values.dtype.is_numeric():
        return False
    if values.dtype.is_integer():
        return True
    rounded = with_so_many(values, count)
    return rounded is not None and rounded.equals(values.cast(pl.Float64), null_equal=True)


def decimals_of(values: pl.Series) -> int | None:
    """The fewest decimals that give every number of a column back; None where it takes more than 15."""
    if values.dtype.is_integer():
        return 0
    first = values.head(FIRST)
    counts = (count for count in range(MOST_DECIMALS + 1) if has_decimals(first, count))
    return next((count for count in counts if has_decimals(values, count)), None)


def _holds(text: str, values: pl.Series) -> bool:
    """Whether a form gives every value of a column back."""
    form = form_of(text)
    if isinstance(form, NumberForm):
        if not values.dtype.is_numeric():
            return False
    elif values.dtype not in (pl.Date, pl.Datetime) or form.has_time != isinstance(values.dtype, pl.Datetime):
        return False
    back = form.read(form.write(values))
    if back.null_count() != values.null_count():
        return False
    return back.cast(values.dtype, strict=False).equals(values, null_equal=True)


def check_delimiter(delimiter: str) -> None:
    """Raises BadParameter where this cannot stand between cells."""
    if len(delimiter) != 1 or delimiter in '"\r\n.\\':
        raise BadParameter('delimiter must be one character such as "," or ";" or a tab.')
    if not delimiter.isascii():
        raise BadParameter("delimiter must be an ASCII character.")


def check_encoding(name: str) -> None:
    """Raises BadParameter where this is no encoding of text."""
    try:
        # What is no encoding of text, such as zip, fails here; what is no name at all is a ValueError.
        "a".encode(codecs.lookup(name).name)
    except (LookupError, ValueError):
        raise BadParameter(
            f"encoding '{name}' is not known; usual ones are utf-8, cp1252, iso8859-15 and utf-16."
        ) from None
