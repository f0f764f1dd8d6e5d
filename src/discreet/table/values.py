"""The values of a column as numbers, and numbers as values of a column."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from discreet.errors import BadTable, BadValues
from discreet.table.column import Column, Scale, type_in_words

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

FIRST_DAY, LAST_DAY = -719_162, 2_932_896
"""The first day of the year 1 and the last of the year 9999, in days since 1970."""
DAY_OF_NANOSECONDS = 86_400_000_000_000


def as_floats(values: pl.Series, column: Column) -> FloatArray:
    if values.dtype.is_temporal():
        values = values.to_physical()
    if column.scale == Scale.ORDINAL and column.order:
        raise BadTable(f"column '{column.name}' is ordinal with an order: use its codes, not its numbers.")
    if not values.dtype.is_numeric():
        raise BadValues(f"column '{column.name}' holds {type_in_words(values.dtype)}, not numbers.")
    return values.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def moments_of(dtype: pl.DataType) -> tuple[int, int]:
    """The first and the last moment of a column of days or times, in its unit: those of the years 1 to 9999."""
    if dtype == pl.Time:
        return 0, DAY_OF_NANOSECONDS - 1
    if not isinstance(dtype, pl.Datetime):
        return FIRST_DAY, LAST_DAY
    day = {"ms": 86_400_000, "us": 86_400_000_000, "ns": DAY_OF_NANOSECONDS}[dtype.time_unit]
    return max(FIRST_DAY * day, -(2**63) + 1024), min((LAST_DAY + 1) * day - 1, 2**63 - 1024)


def power_of_two(points: FloatArray) -> FloatArray:
    """For each column the power of two next to its largest magnitude, missing left out.

    A division by it is exact, and keeps the squares of very large and very small numbers within range.
    """
    largest = np.where(np.isnan(points), 0.0, np.abs(points)).max(axis=0, initial=0.0)
    power: FloatArray = np.ldexp(1.0, np.frexp(largest)[1] - 1)
    return power


def like_column(name: str, numbers: FloatArray, dtype: pl.DataType) -> pl.Series:
    series = pl.Series(name, numbers, dtype=pl.Float64).fill_nan(None)
    if dtype == pl.Time:
        # A time of day has no neighbour across midnight, so what would leave the day stays at its end.
        return series.round().clip(0, DAY_OF_NANOSECONDS - 1).cast(pl.Int64).cast(dtype)
    if dtype.is_temporal():
        return series.round().cast(pl.Int64).cast(dtype)
    if dtype.is_integer() and bool((series.drop_nulls() % 1 == 0).all()):
        wide = (each for each in (dtype, pl.Int64(), pl.UInt64()) if _fits(series, each))
        return series.cast(next(wide, pl.Float64()))
    return series


def _fits(series: pl.Series, dtype: pl.DataType) -> bool:
    return series.cast(dtype, strict=False).null_count() == series.null_count()


def levels_in_order(order: Sequence[str], dtype: pl.DataType) -> list[object]:
    series = pl.Series(list(order), dtype=pl.String)
    if dtype in (pl.String, pl.Categorical) or isinstance(dtype, pl.Enum):
        return series.to_list()
    if dtype == pl.Boolean:
        return [each.lower() == "true" for each in order]
    # What the type cannot hold is no level of the column; the order was checked when it was given.
    return series.cast(dtype, strict=False).drop_nulls().to_list()
