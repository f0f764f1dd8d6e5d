"""Delimited text out, in the dialect that it came in; UTF-8, commas and a decimal point where none is known."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Literal

import polars as pl

from discreet.dialect import USUAL, Dialect, with_decimals
from discreet.formats import separator_of
from discreet.reading.formulas import quoted
from discreet.writing.options import WriteOptions
from discreet.writing.plain import texts_of_categories

TIME = "%Y-%m-%dT%H:%M:%S%.f"
"""ISO, with a fraction of a second only where there is one."""
UTF_8 = ("utf-8", "utf-8-sig", "ascii")


def write_csv(frame: pl.DataFrame, path: Path, options: WriteOptions) -> None:
    """Writes the frame as delimited text. Missing is an empty cell, the empty text is a quoted one; numbers read back
    exactly.

    The dialect must be one that can hold the frame, as `fitting_dialect` gives it. With `spreadsheet_safe`, texts that
    a spreadsheet would run as formulas get an apostrophe before them.
    """
    dialect = options.dialect
    safe = options.spreadsheet_safe
    columns = [_written(each, dialect, safe=safe) for each in texts_of_categories(frame)]
    names = pl.Series(frame.columns, dtype=pl.String)
    names = quoted(names) if safe else names
    style: Literal["necessary", "never"] = "necessary"
    if dialect.quoted or dialect.names_quoted:
        # The parser's own quotation marks are all or nothing; here each column has its own.
        style = "never"
        columns = [_in_marks(each, dialect.delimiter, always=each.name in dialect.quoted) for each in columns]
        names = _in_marks(names, dialect.delimiter, always=dialect.names_quoted)
    plain = pl.DataFrame([each.alias(name) for each, name in zip(columns, names, strict=True)])
    plain.write_csv(
        path,
        separator=dialect.delimiter,
        line_terminator=dialect.line_end,
        quote_style=style,
        include_bom=dialect.encoding == "utf-8-sig",
        datetime_format=TIME,
        date_format="%Y-%m-%d",
    )
    if dialect.encoding not in UTF_8:
        path.write_bytes(path.read_bytes().decode("utf-8").encode(dialect.encoding))


def fitting_dialect(known: Dialect | None, frame: pl.DataFrame, path: Path, original: str = "") -> Dialect:
    """The dialect of an original as a release of this frame, in a file of this name, can have it.

    `original` is the name of its file. Tabs stand in files that are called so. Texts that the encoding does not know,
    as labels that a mask made may be, make the file UTF-8; and a line end that a text holds is not one between records.
    """
    dialect = (known or USUAL).holding(frame)
    dialect = replace(dialect, delimiter=separator_of(path, dialect.delimiter, original))
    texts = [each.unique().drop_nulls() for each in texts_of_categories(frame) if each.dtype == pl.String]
    texts.append(pl.Series(frame.columns, dtype=pl.String))
    if not all(_is_encodable("".join(each), dialect.encoding) for each in texts):
        dialect = replace(dialect, encoding="utf-8")
    if dialect.line_end == "\r" and any(bool(each.str.contains("\n", literal=True).any()) for each in texts):
        dialect = replace(dialect, line_end="\n")
    return dialect


def _is_encodable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _written(values: pl.Series, dialect: Dialect, *, safe: bool) -> pl.Series:
    """A column as it is written: numbers and days as texts where the dialect says how."""
    if values.dtype == pl.String:
        return quoted(values) if safe else values
    form = dialect.form(values.name)
    if form is not None:
        return form.write(values)
    if not values.dtype.is_float():
        return values
    if values.name in dialect.decimals:
        texts = with_decimals(values, dialect.decimals[values.name])
    elif dialect == USUAL:
        return values
    else:
        texts = values.cast(pl.String).str.replace(r"\.0$", "")
    return texts.str.replace(".", dialect.decimal, literal=True)


def _in_marks(values: pl.Series, delimiter: str, *, always: bool) -> pl.Series:
    """The cells in quotation marks where they need them, or all that hold something; the empty text always."""
    texts = values if values.dtype == pl.String else _texts(values) if always else values
    if texts.dtype != pl.String:
        return texts
    need = texts.str.contains(rf'[{re.escape(delimiter)}"\r\n]') | (texts == "") | always
    return (
        ('"' + texts.str.replace_all('"', '""', literal=True) + '"').zip_with(need, texts).alias(values.name)
    )


def _texts(values: pl.Series) -> pl.Series:
    """Numbers, days and truths as texts."""
    if isinstance(values.dtype, pl.Datetime):
        return values.dt.strftime(TIME)
    return values.cast(pl.String)
