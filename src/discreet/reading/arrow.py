"""Parquet and Arrow files."""

from __future__ import annotations

import io
from collections import Counter

import polars as pl

from discreet.errors import BadFile, listed
from discreet.project import ReadOptions
from discreet.reading.content import Content
from discreet.reading.limits import check_growth
from discreet.reading.loaded import Loaded
from discreet.reading.tidy import with_marks_missing
from discreet.table import moments_of

BYTES_A_CELL = 8
PLAIN = (pl.String, pl.Categorical, pl.Enum, pl.Boolean, pl.Null)


def read_arrow(kind: str, taken: Content, options: ReadOptions) -> Loaded:
    """The values of a Parquet file, an Arrow file (Feather version 2) or an Arrow stream."""
    frame = with_marks_missing(plain_types(arrow_values(kind, taken)), options.missing)
    return Loaded(frame=frame, source=taken.source, format=kind)


def arrow_values(kind: str, taken: Content) -> pl.DataFrame:
    """The values as they are in the file. Raises BadFile where it is damaged or holds what is no table."""
    content = io.BytesIO(taken.content)
    try:
        _check_growth(kind, taken)
        if kind == "parquet":
            frame = pl.read_parquet(content)
        elif taken.content.startswith(b"ARROW1"):
            frame = pl.read_ipc(content)
        else:
            frame = pl.read_ipc_stream(content)
    except (pl.exceptions.PolarsError, OSError):
        raise BadFile(f"{taken.path.name} is damaged or cut short: it cannot be read as {kind}.") from None
    check_frame(frame, taken.path.name)
    return frame


def _check_growth(kind: str, taken: Content) -> None:
    """Raises BadFile where the records that the file claims to hold would take too much memory.

    An Arrow stream tells its records only while it is read; it is the memory of a frame, so that it cannot grow much.
    """
    content = io.BytesIO(taken.content)
    if kind == "parquet":
        held = pl.scan_parquet(content)
    elif taken.content.startswith(b"ARROW1"):
        held = pl.scan_ipc(content)
    else:
        return
    records = held.select(pl.len()).collect().item()
    check_growth(taken.path.name, len(taken.content), records * len(held.collect_schema()) * BYTES_A_CELL)


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
