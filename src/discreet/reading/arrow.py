"""Parquet and Arrow files."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable

import polars as pl

from discreet.errors import BadFile, listed
from discreet.project import ReadOptions
from discreet.reading.content import Content
from discreet.reading.loaded import Loaded, Written
from discreet.reading.tidy import with_marks_missing
from discreet.reading.trial import check_readable, damaged
from discreet.table import moments_of

PLAIN = (pl.String, pl.Categorical, pl.Enum, pl.Boolean, pl.Null)


def read_parquet(content: Content, options: ReadOptions) -> Loaded:
    """The values of a Parquet file."""
    check_readable("parquet", content)
    return _loaded("parquet", content, parquet_values(content), options)


def read_arrow(content: Content, options: ReadOptions) -> Loaded:
    """The values of an Arrow file (Feather version 2) or an Arrow stream.

    An Arrow stream tells its records only while it is read; it is the memory of a frame, so that it cannot grow much.
    """
    check_readable("arrow" if _is_file(content) else "arrow stream", content)
    return _loaded("arrow", content, arrow_values(content), options)


def parquet_values(content: Content, _: Written | None = None) -> pl.DataFrame:
    """The values as they are in the file. Raises BadFile where it is damaged or holds what is no table."""
    return _values("parquet", content, pl.read_parquet)


def arrow_values(content: Content, _: Written | None = None) -> pl.DataFrame:
    """The values as they are in the file. Raises BadFile where it is damaged or holds what is no table."""
    return _values("arrow", content, pl.read_ipc if _is_file(content) else pl.read_ipc_stream)


def _is_file(content: Content) -> bool:
    return content.raw.startswith(b"ARROW1")


def _loaded(kind: str, content: Content, values: pl.DataFrame, options: ReadOptions) -> Loaded:
    frame = with_marks_missing(plain_types(values), options.missing)
    return Loaded(frame=frame, source=content.source, format=kind)


def _values(kind: str, content: Content, parse: Callable[[io.BytesIO], pl.DataFrame]) -> pl.DataFrame:
    name = content.path.name
    try:
        frame = parse(io.BytesIO(content.raw))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        raise damaged(kind, name) from None
    check_frame(frame, name)
    return frame


def check_frame(frame: pl.DataFrame, name: str) -> None:
    """Raises BadFile where a column holds neither numbers, texts nor dates, or has no name of its own."""
    if frame.width == 0:
        raise BadFile(f"{name} has no columns.")
    unnamed = sum(not each.strip() for each in frame.columns)
    if unnamed:
        raise BadFile(f"{name}: {unnamed} columns have no name.")
    twice = [each for each, count in Counter(frame.columns).items() if count > 1]
    if twice:
        raise BadFile(f"{name}: column names that occur more than once: {listed(twice)}. Rename them.")
    nested = [each for each, dtype in frame.schema.items() if not _is_plain(dtype)]
    if nested:
        raise BadFile(
            f"{name}: {listed(nested)} hold neither numbers, texts nor dates. Flatten or remove them."
        )
    beyond = [each.name for each in frame if _is_beyond(each)]
    if beyond:
        raise BadFile(f"{name}: {listed(beyond)} hold days beyond the years 1 to 9999. Correct them.")


def _is_beyond(values: pl.Series) -> bool:
    """Whether a column has days or moments beyond the years 1 to 9999, which cannot be written."""
    if values.dtype not in (pl.Date, pl.Datetime):
        return False
    first, last = moments_of(values.dtype)
    return not bool(values.to_physical().drop_nulls().is_between(first, last).all())


def plain_types(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with decimals as floats, and text where a column has no type at all."""
    return frame.with_columns(
        [each.cast(pl.Float64) for each in frame if each.dtype.is_decimal() or each.dtype == pl.Float32]
        + [each.cast(pl.String) for each in frame if each.dtype == pl.Null]
    )


def _is_plain(dtype: pl.DataType) -> bool:
    return dtype.is_numeric() or dtype.is_temporal() or isinstance(dtype, PLAIN)
