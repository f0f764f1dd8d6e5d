"""Reading a published file back with the types it was written from, to check what was guaranteed of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name

import polars as pl

from discreet.dialect import USUAL, Dialect
from discreet.errors import BadFile, Mismatch, listed
from discreet.formats import Format, format_of, separator_of
from discreet.project import ReadOptions
from discreet.reading.content import Content, take
from discreet.reading.loaded import Loaded, Written
from discreet.writing.csv import TIME

Types = Mapping[str, pl.DataType]


def reread(
    path: str | Path,
    like: pl.DataFrame | Types,
    *,
    digest: str | None = None,
    formulas_quoted: bool = False,
    dialect: Dialect | None = None,
) -> pl.DataFrame:
    """The values of a published file, with the types they were written from.

    `like` is the frame that was written, or its schema. Raises Mismatch where the file has other columns, other
    types, or (with a frame given) another number of records, or where its digest is not the one given: such a file
    is not the one that was written. `formulas_quoted` tells that formulas were written with an apostrophe before them,
    which is taken away again, and `dialect` how a text is written; without one, as any text of its name is.
    """
    place = Path(path)
    content = take(place)
    if digest is not None and content.digest != digest:
        raise Mismatch(
            f"{place.name} has changed since it was written: its digest is another. Restore the file as it was "
            "published, or make the release anew from its original."
        )
    types = like.schema if isinstance(like, pl.DataFrame) else pl.Schema(dict(like))
    records = like.height if isinstance(like, pl.DataFrame) else None
    told = dialect or replace(USUAL, delimiter=separator_of(place, USUAL.delimiter))
    written = Written(types=types, checked=digest is not None, formulas_quoted=formulas_quoted, dialect=told)
    columns = _columns(content, written, records)
    del content
    return _with_types(place, columns, types)


def just_written(
    path: str | Path, types: Types, records: int, *, formulas_quoted: bool = False, dialect: Dialect = USUAL
) -> tuple[pl.DataFrame, str]:
    """The values of a file of so many records that was written a moment ago, and its digest, in one reading."""
    place = Path(path)
    content = take(place)
    digest = content.digest
    schema = pl.Schema(dict(types))
    written = Written(types=schema, checked=True, formulas_quoted=formulas_quoted, dialect=dialect)
    columns = _columns(content, written, records)
    del content
    return _with_types(place, columns, schema), digest


def _columns(content: Content, written: Written, records: int | None) -> list[pl.Series]:
    """The columns as they were read. What a digest vouches for need not be checked again."""
    place = content.path
    chosen = format_of(place, content.head)
    try:
        frame = _values(chosen, content, written)
    except BadFile as problem:
        raise Mismatch(f"this is not the file that was written: {problem}") from None
    _check_shape(place.name, frame, pl.Schema(dict(written.types)), records)
    return frame.get_columns()


def _with_types(place: Path, columns: list[pl.Series], types: pl.Schema) -> pl.DataFrame:
    """The columns with their types, each in one piece of memory.

    Each takes the place of what was read before the next one is made, so that the table is not held twice.
    """
    for index, dtype in enumerate(types.values()):
        columns[index] = _typed(place.name, columns[index], dtype).rechunk()
    return pl.DataFrame(columns)


def _values(chosen: Format, content: Content, written: Written) -> pl.DataFrame:
    if chosen.read_exactly is not None:
        frame: pl.DataFrame = resolve_name(chosen.read_exactly)(content, written)
        return frame
    loaded: Loaded = resolve_name(chosen.read)(content, ReadOptions(header=True))
    return loaded.frame


def _check_shape(name: str, frame: pl.DataFrame, types: pl.Schema, records: int | None) -> None:
    if frame.columns != list(types):
        strange = sorted(set(frame.columns) ^ set(types))
        about = listed(strange) if strange else "the same ones in another order"
        raise Mismatch(f"{name} has other columns than were written: {about}.")
    if records is not None and frame.height != records:
        raise Mismatch(f"{name} has {frame.height} records; {records} were written.")


def _typed(name: str, values: pl.Series, dtype: pl.DataType) -> pl.Series:
    """The column with the type it was written from; Mismatch where a value does not fit it."""
    if values.dtype == dtype:
        return values
    try:
        if values.null_count() == values.len():
            return pl.Series(values.name, [None] * values.len(), dtype=dtype)
        if values.dtype == pl.String and dtype == pl.Boolean:
            return values.replace_strict({"true": True, "false": False}, return_dtype=pl.Boolean)
        if values.dtype == pl.String and isinstance(dtype, pl.Datetime):
            return values.str.to_datetime(TIME, time_unit=dtype.time_unit, time_zone=dtype.time_zone)
        if values.dtype == pl.String and dtype == pl.Date:
            return values.str.to_date("%Y-%m-%d")
        if values.dtype == pl.String and dtype == pl.Time:
            return values.str.to_time(TIME.split("T")[1])
        return values.cast(dtype)
    except pl.exceptions.PolarsError:
        raise Mismatch(
            f"{name}, column '{values.name}': holds values that are not of the type written."
        ) from None
