"""Columns as points: numbers as they are, ordered categories as their places; and back again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from discreet.table import FloatArray, Scale, Table


def coordinates(table: Table, columns: Sequence[str]) -> FloatArray:
    """The columns as float64: numbers, or the place in an ordinal column's order; missing is NaN."""
    points = np.empty((len(table), len(columns)), dtype=np.float64)
    for place, name in enumerate(columns):
        if _is_coded(table, name):
            codes = table.codes(name)
            points[:, place] = np.where(codes < 0, np.nan, codes)
        else:
            points[:, place] = table.numbers([name])[:, 0]
    return points


def with_coordinates(table: Table, columns: Sequence[str], points: FloatArray) -> Table:
    """The table with these coordinates put back; places of categories must be whole."""
    numeric = [place for place, name in enumerate(columns) if not _is_coded(table, name)]
    coded = [place for place, name in enumerate(columns) if _is_coded(table, name)]
    result = table.with_numbers([columns[place] for place in numeric], points[:, numeric])
    return result.with_values(
        {columns[place]: _levels(table, columns[place], points[:, place]) for place in coded}
    )


def standardised(points: FloatArray) -> FloatArray:
    """Each column less its mean over its standard deviation, missing left out; a constant column becomes zero."""
    count = np.maximum(1, np.sum(~np.isnan(points), axis=0))
    points = points / power_of_two(points)
    centred = points - np.nansum(points, axis=0) / count
    spread = np.sqrt(np.nansum(centred**2, axis=0) / count)
    scaled: FloatArray = centred / np.where(spread > 0, spread, 1.0)
    return scaled


def power_of_two(points: FloatArray) -> FloatArray:
    """For each column the power of two next to its largest magnitude, missing left out.

    A division by it is exact, and keeps the squares of very large and very small numbers within range.
    """
    largest = np.where(np.isnan(points), 0.0, np.abs(points)).max(axis=0, initial=0.0)
    power: FloatArray = np.ldexp(1.0, np.frexp(largest)[1] - 1)
    return power


def mean_and_spread(values: FloatArray) -> tuple[float, float]:
    """The mean and the standard deviation of the values present; zero and zero where there are none."""
    present = values[~np.isnan(values)]
    if len(present) == 0:
        return 0.0, 0.0
    power = float(power_of_two(present[:, None])[0])
    return float((present / power).mean()) * power, float((present / power).std()) * power


def is_ordinal(table: Table, columns: Sequence[str]) -> list[bool]:
    """Which of the columns are ordinal."""
    return [table[name].scale == Scale.ORDINAL for name in columns]


def averaged(table: Table, columns: Sequence[str]) -> tuple[str, ...]:
    """Those of the columns whose mean is kept when values become averages: numbers; dates are rounded to their unit."""
    return tuple(
        name
        for name in columns
        if table[name].scale == Scale.NUMERIC and not table.frame[name].dtype.is_temporal()
    )


def _is_coded(table: Table, name: str) -> bool:
    return table[name].scale == Scale.ORDINAL and bool(table[name].order)


def _levels(table: Table, name: str, places: FloatArray) -> pl.Series:
    levels = pl.Series(name, table.levels(name), dtype=table.frame[name].dtype)
    wanted = pl.Series(places, dtype=pl.Float64).fill_nan(None).cast(pl.UInt32)
    return levels.gather(wanted)
