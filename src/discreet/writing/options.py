"""What a writer is told besides the values and the place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discreet.dialect import USUAL, Dialect
from discreet.table import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """How a file is written: its columns, its ending, the dialect of a text, whether an apostrophe stops formulas."""

    columns: Sequence[Column] = ()
    ending: str = ""
    spreadsheet_safe: bool = False
    dialect: Dialect = USUAL
