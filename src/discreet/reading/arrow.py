"""Parquet and Arrow files."""

from __future__ import annotations

import io
from collections import Counter

import polars as pl

from discreet.errors import BadFile, listed
from discreet.reading.bytes_of import Taken
from discreet.reading.loaded import Loaded

PLAIN = (pl.String, pl.Categorical, pl.Enum, pl.Boolean, pl.Null)


def read_parquet(taken: Taken) -> Loaded:
    """The values of a Parquet file."""
    return _loaded(taken, "parquet")


def read_arrow(taken: Taken) -> Loaded:
    """The values of an Arrow file (Feather version 2) or stream."""
    return _loaded(taken, "arrow")


def _loaded(taken: Taken, kind: str) -> Loaded:
    name = taken.path.name
    try:
        if kind == "parquet":
            frame = pl.read_parquet(io.BytesIO(taken.content))
        elif taken.content.startswith(b"ARROW1"):
            frame = pl.read_ipc(io.BytesIO(taken.content))
        else:
            frame = pl.read_ipc_stream(io.BytesIO(taken.content))
    except (pl.exceptions.PolarsError, OSError):
        raise BadFile(f"{name} is damaged or cut short: it cannot be read as {kind}.") from None
    check_frame(frame, name)
    return Loaded(frame=plain_types(frame), source=taken.source, format=kind)


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


def plain_types(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with decimals as floats, and text where a column has no type at all."""
    return frame.with_columns(
        [each.cast(pl.Float64) for each in frame if each.dtype.is_decimal() or each.dtype == pl.Float32]
        + [each.cast(pl.String) for each in frame if each.dtype == pl.Null]
    )


def _is_plain(dtype: pl.DataType) -> bool:
    return dtype.is_numeric() or dtype.is_temporal() or isinstance(dtype, PLAIN)
