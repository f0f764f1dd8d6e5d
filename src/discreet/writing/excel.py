"""Excel workbooks out: one sheet, column names in its first row."""

from __future__ import annotations

import errno
import io
import math
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from discreet.errors import BadTable
from discreet.writing.options import WriteOptions
from discreet.writing.plain import texts_of_categories
from discreet.writing.stamps import FIXED

MOST_RECORDS, MOST_COLUMNS = 1_048_575, 16_384
SHEET = "data"


def write_excel(frame: pl.DataFrame, path: Path, _: WriteOptions | None = None) -> None:
    """Writes the frame as a workbook whose time of creation is always the same. Missing is an empty cell."""
    import xlsxwriter
    from xlsxwriter.exceptions import FileCreateError

    if frame.height > MOST_RECORDS or frame.width > MOST_COLUMNS:
        raise BadTable(
            f"an Excel sheet holds at most {MOST_RECORDS} records and {MOST_COLUMNS} columns; the table has "
            f"{frame.height} and {frame.width}. Choose another format."
        )
    content = io.BytesIO()
    try:
        with xlsxwriter.Workbook(content, {"constant_memory": True}) as book:
            book.set_properties({"created": datetime.fromisoformat(FIXED)})
            _fill(book, texts_of_categories(frame))
    except FileCreateError as problem:
        # What it wraps says that the system refused a temporary file.
        raise OSError(*getattr(problem.args[0], "args", (errno.EIO, "no temporary file"))) from None
    path.write_bytes(content.getvalue())


def _fill(book: Any, frame: pl.DataFrame) -> None:
    """Writes names and records to the one sheet of the workbook."""
    sheet = book.add_worksheet(SHEET)
    for place, name in enumerate(frame.columns):
        sheet.write_string(0, place, name)
    writers = [_writer(book, sheet, dtype) for dtype in frame.dtypes]
    for row, record in enumerate(frame.iter_rows(), start=1):
        for place, value in enumerate(record):
            if value is not None:
                writers[place](row, place, value)


def _writer(book: Any, sheet: Any, dtype: pl.DataType) -> Callable[[int, int, Any], object]:
    """What writes a cell of this type; texts are never taken for formulas or links."""
    if dtype.is_temporal():
        shown = (
            "yyyy-mm-dd" if dtype == pl.Date else "hh:mm:ss" if dtype == pl.Time else "yyyy-mm-dd hh:mm:ss"
        )
        style = book.add_format({"num_format": shown})
        return lambda row, place, value: sheet.write_datetime(row, place, value, style)
    plain: Callable[[int, int, Any], object] = sheet.write_string
    if dtype == pl.Boolean:
        plain = sheet.write_boolean
    elif dtype.is_numeric():
        return lambda row, place, value: _write_number(sheet, row, place, value)
    return plain


class _Exact(float):
    """A float that is written with all its digits: Excel's usual sixteen are not enough for every one."""

    def __format__(self, _: str) -> str:
        return repr(float(self))


def _write_number(sheet: Any, row: int, place: int, value: float) -> None:
    """Writes a number; what is none leaves the cell empty, and is noticed when the file is read back."""
    if math.isfinite(value):
        sheet.write_number(row, place, _Exact(value) if isinstance(value, float) else value)
