"""What a writer is told besides the values and the place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discreet.table import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """How a file is written: its columns, its ending, and whether formulas in texts are stopped by an apostrophe."""

    columns: Sequence[Column] = ()
    ending: str = ""
    spreadsheet_safe: bool = False
