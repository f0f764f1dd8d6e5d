"""Values of typed formats made alike: one kind of missing, whole numbers where all are."""

from __future__ import annotations

from datetime import time

import polars as pl

EXACT_TO = 2.0**53


def with_marks_missing(frame: pl.DataFrame, marks: tuple[str, ...]) -> pl.DataFrame:
    """The frame with the marks of missing values turned to null, and with them the empty text and NaN."""
    texts = list({"", *marks})
    numbers = [float(mark) for mark in marks if _is_number(mark)]
    changed = []
    for each in frame:
        if each.dtype == pl.String:
            changed.append(each.set(each.is_in(texts), None))
        elif each.dtype.is_float():
            changed.append(each.set(each.is_nan() | each.is_in(numbers), None))
        elif each.dtype.is_integer() and numbers:
            changed.append(each.set(each.cast(pl.Float64).is_in(numbers), None))
    return frame.with_columns(changed)


def whole_where_all_are(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with floats that are all whole numbers as such, and moments that are all midnights as dates."""
    changed = []
    for each in frame:
        present = each.drop_nulls()
        if present.is_empty():
            continue
        if each.dtype.is_float() and bool(((present % 1 == 0) & (present.abs() <= EXACT_TO)).all()):
            changed.append(each.cast(pl.Int64))
        elif isinstance(each.dtype, pl.Datetime) and bool((present.dt.time() == time()).all()):
            changed.append(each.cast(pl.Date))
    return frame.with_columns(changed)


def _is_number(mark: str) -> bool:
    try:
        float(mark)
    except ValueError:
        return False
    return True
