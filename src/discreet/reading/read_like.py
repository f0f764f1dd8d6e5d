"""Reading a file that is about the same columns as a table: another program's masking, or what an intruder holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from discreet.errors import BadFile, BadValues
from discreet.formats import stem_of
from discreet.project import ReadOptions
from discreet.reading.content import is_piped
from discreet.reading.formulas import unquoted
from discreet.reading.frame import read_frame
from discreet.reading.loaded import Loaded
from discreet.table import Table
from discreet.table_like import column_like, values_like

DEFAULTS = ReadOptions()
NO_NAMES: Mapping[str, str] = {}


def read_like(
    path: str | Path,
    original: Table | None = None,
    *,
    names: Mapping[str, str] = NO_NAMES,
    options: ReadOptions = DEFAULTS,
) -> Table:
    """The table in a file, its columns described as those of the original with the same name.

    `options` are those that the original is read with: its marks of missing values count here too, while delimiter,
    decimal mark, encoding and the row of names are found out, and taken from there only where the file cannot be read
    without.

    `names` maps columns of the original to what the file calls them. A column that the original does not have is
    insensitive, with the scale of its type. Numbers that became text, and categories that the order of the original
    does not hold, are nominal: they are compared as they are. A column without any value is as in the original.
    """
    place = Path(path)
    loaded = _loaded(place, options, names)
    ours = {theirs: our for our, theirs in names.items()}
    described, values = [], []
    for each in loaded.frame:
        name = _name(ours.get(each.name, each.name), original)
        like = original[name] if original is not None and name in original.names else None
        series = each if each.name in ours else each.alias(name)
        if like is not None and original is not None:
            other = original.frame[name]
            series = _without_apostrophes(values_like(series, like, other), other)
        described.append(column_like(series, like))
        values.append(series)
    return Table.assemble(pl.DataFrame(values), described, name=stem_of(place), source=loaded.source)


def _loaded(path: Path, options: ReadOptions, names: Mapping[str, str]) -> Loaded:
    """The file, whose days and numbers may be written as those of the original are, or as any program writes them."""
    told = replace(
        DEFAULTS,
        missing=options.missing,
        header=True if options.header else None,
        formats={names.get(name, name): form for name, form in options.formats.items()},
        missing_in={names.get(name, name): marks for name, marks in options.missing_in.items()},
    )
    try:
        return _found_out(path, told, options)
    except BadValues:
        if is_piped(path):
            raise
        fitting = {name: form for name, form in told.formats.items() if _fits(path, told, name, options)}
        return _found_out(path, replace(told, formats=fitting), options)


def _fits(path: Path, told: ReadOptions, column: str, options: ReadOptions) -> bool:
    """Whether a column of the file is written as that of the original is."""
    try:
        _found_out(path, replace(told, formats={column: told.formats[column]}), options)
    except BadValues:
        return False
    return True


def _found_out(path: Path, told: ReadOptions, options: ReadOptions) -> Loaded:
    """The file with what is told of its columns, read with the options of the original only where it must be."""
    try:
        return read_frame(path, told)
    except BadFile:
        if (options.encoding is None and options.header is not False) or is_piped(path):
            raise
        as_original = replace(options, sheet=None, header_row=1, unit_rows=0, note_rows=0)
        return read_frame(path, replace(as_original, formats=told.formats, missing_in=told.missing_in))


def _name(name: str, original: Table | None) -> str:
    """The name in the original, where the file has an apostrophe before it that stops spreadsheets."""
    plain: str = unquoted(pl.Series([name])).item()
    return plain if original is not None and name not in original.names and plain in original.names else name


def _without_apostrophes(values: pl.Series, other: pl.Series) -> pl.Series:
    """The values without the apostrophe that stops spreadsheets, except for those that the original holds with it."""
    if values.dtype != pl.String:
        return values
    plain = unquoted(values)
    if other.dtype.is_numeric() or other.dtype.is_temporal():
        return plain
    kept = values.is_in(other.cast(pl.String).unique().implode())
    return values.zip_with(kept.fill_null(value=True), plain)
