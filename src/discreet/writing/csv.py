"""CSV out: UTF-8, commas, a decimal point, quotation marks where they are needed."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from discreet.reading.formulas import with_formulas_quoted
from discreet.writing.options import WriteOptions
from discreet.writing.plain import texts_of_categories

TIME = "%Y-%m-%dT%H:%M:%S%.f"
"""ISO, with a fraction of a second only where there is one."""


def write_csv(frame: pl.DataFrame, path: Path, options: WriteOptions) -> None:
    """Writes the frame as CSV. Missing is an empty cell, the empty text is a quoted one; numbers read back exactly.

    With `spreadsheet_safe`, texts that a spreadsheet would run as formulas get an apostrophe before them.
    """
    plain = texts_of_categories(frame)
    if options.spreadsheet_safe:
        plain = with_formulas_quoted(plain)
    plain.write_csv(path, datetime_format=TIME, date_format="%Y-%m-%d")
