"""What reading a file gives: its values, and what the format said of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from discreet.dialect import USUAL, Dialect
from discreet.table import ColumnSpec, Source

NOTHING_STATED = ColumnSpec()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loaded:
    """The values of a file and what is known of it.

    `specs` hold what a statistical format states about its columns: labels, codes that it declares missing, which are
    null in the frame, and in SPSS the scale. `found` tells what was given or found out about a text file: its
    delimiter, encoding and decimal sign. `dialect` is how a text was written, so that a release can be written alike.
    `sheets` are those of a workbook that hold something.
    """

    frame: pl.DataFrame
    source: Source
    format: str
    specs: Mapping[str, ColumnSpec] = field(default_factory=dict)
    found: Mapping[str, str] = field(default_factory=dict)
    dialect: Dialect | None = None
    sheets: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.source.path}: {self.frame.height} records, {self.frame.width} columns ({self.format})"

    def spec(self, column: str) -> ColumnSpec:
        """What the format states about a column besides its values."""
        return self.specs.get(column, NOTHING_STATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """How a file was written that is read back: the types of its columns, its dialect, whether formulas were stopped.

    Bytes whose digest has been `checked` are sound, because discreet wrote them.
    """

    types: Mapping[str, pl.DataType]
    checked: bool = False
    formulas_quoted: bool = False
    dialect: Dialect = USUAL
