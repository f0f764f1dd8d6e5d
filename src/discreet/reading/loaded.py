"""What reading a file gives: its values, and what the format said of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from discreet.table import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """What a statistical format says of a column besides its values.

    `missing_codes` are the values that the file declares missing: single codes, or ranges such as "97 to 99".
    They are null in the frame. `measure` is what SPSS says of the scale: nominal, ordinal, scale, or nothing.
    """

    label: str = ""
    value_labels: Mapping[str, str] = field(default_factory=dict)
    missing_codes: tuple[str, ...] = ()
    measure: str = ""


NO_NOTES = Notes()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loaded:
    """The values of a file and what is known of it.

    `found` tells what was given or found out about a text file: its delimiter, encoding and decimal sign.
    """

    frame: pl.DataFrame
    source: Source
    format: str
    notes: Mapping[str, Notes] = field(default_factory=dict)
    found: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.source.path}: {self.frame.height} records, {self.frame.width} columns ({self.format})"

    def note(self, column: str) -> Notes:
        return self.notes.get(column, NO_NOTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """How a file was written that is read back: the types of its columns, and whether formulas got an apostrophe.

    Bytes whose digest has been `checked` are sound, because discreet wrote them.
    """

    types: Mapping[str, pl.DataType]
    checked: bool = False
    formulas_quoted: bool = False
