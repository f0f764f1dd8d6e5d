"""What may be written: numbers, texts and dates, in columns with names of their own."""

from __future__ import annotations

import polars as pl

from discreet.errors import BadTable, listed

PLAIN = (pl.String, pl.Categorical, pl.Enum, pl.Boolean, pl.Null)


def check_plain(frame: pl.DataFrame) -> None:
    """Raises BadTable where the frame has no column, or one that no format can hold."""
    if frame.width == 0:
        raise BadTable("there is no column to write.")
    nested = [
        name
        for name, dtype in frame.schema.items()
        if not (dtype.is_numeric() or dtype.is_temporal() or isinstance(dtype, PLAIN))
    ]
    if nested:
        raise BadTable(f"{listed(nested)} hold neither numbers, texts nor dates, and cannot be written.")


def texts_of_categories(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with categories as the texts they stand for."""
    return frame.with_columns(
        each.cast(pl.String) for each in frame if isinstance(each.dtype, pl.Categorical | pl.Enum)
    )
