"""Columns as points: numbers as they are, categories as their places among the levels; and back again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.all_records import Moments
from discreet.errors import NotComputable
from discreet.table import FloatArray, Scale, Table, power_of_two

MOST_INDICATORS = 50_000_000
"""How many zeros and ones may stand for nominal columns: records times categories."""


def coordinates(table: Table, columns: Sequence[str]) -> FloatArray:
    """The columns as float64: numbers, or the place among a category's levels; missing is NaN."""
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


def standardised(points: FloatArray, moments: Moments | None = None) -> FloatArray:
    """Each column less its mean over its standard deviation, missing left out; a constant column becomes zero.

    `moments` are those of all records where the points are only some of them.
    """
    if moments is not None:
        return _by_moments(points, moments)
    count = np.maximum(1, np.sum(~np.isnan(points), axis=0))
    points = points / power_of_two(points)
    centred = points - np.nansum(points, axis=0) / count
    spread = np.sqrt(np.nansum(centred**2, axis=0) / count)
    scaled: FloatArray = centred / np.where(spread > 0, spread, 1.0)
    return scaled


def _by_moments(points: FloatArray, moments: Moments) -> FloatArray:
    count = np.maximum(1, moments.count)
    spread = moments.spreads * np.sqrt((count - 1) / count)
    centred: FloatArray = points / moments.power - moments.means
    return centred / np.where(spread > 0, spread, 1.0)


class ScaledColumns(NamedTuple):
    """Columns in units in which they can be compared.

    `apart[j]` is the squared distance of two unlike categories where column j of the points holds codes of categories,
    and 0 where it holds numbers or places.
    """

    points: FloatArray
    apart: FloatArray


def scaled(
    values: FloatArray, scales: Sequence[Scale], *, standardise: bool, moments: Moments | None = None
) -> ScaledColumns:
    """The coordinates of columns in units in which they count alike, or as they are.

    `moments` are those of the numeric columns over all records, where the values are of some of them.

    Standardised, a nominal column has the same mean squared distance between two records as a number, which is 2; as
    it is, two categories are 1 apart.
    """
    nominal = np.array([scale == Scale.NOMINAL for scale in scales])
    apart = np.where(nominal, 1.0, 0.0)
    if not standardise:
        return ScaledColumns(values, apart)
    if not nominal.any():
        return ScaledColumns(standardised(values, moments), apart)
    points = values.copy()
    points[:, ~nominal] = standardised(values[:, ~nominal], moments)
    for place in np.flatnonzero(nominal):
        counts = np.unique(values[~np.isnan(values[:, place]), place], return_counts=True)[1]
        differ = 1.0 - float(np.sum((counts / max(1, int(counts.sum()))) ** 2))
        apart[place] = 2.0 / differ if differ > 0 else 1.0
    return ScaledColumns(points, apart)


def spread_out(points: FloatArray, apart: FloatArray) -> FloatArray:
    """Points of numbers only: those of `scaled`, none missing, with a coordinate for each category.

    Raises NotComputable where there are too many categories.
    """
    if not apart.any():
        return points
    return np.hstack(
        [_indicators(points[:, j], apart[j]) if apart[j] else points[:, [j]] for j in range(len(apart))]
    )


def _indicators(codes: FloatArray, apart: float) -> FloatArray:
    levels, which = np.unique(codes, return_inverse=True)
    if len(codes) * len(levels) > MOST_INDICATORS:
        raise NotComputable(
            f"{len(levels)} categories of a nominal column in {len(codes)} records are too many to compare here. "
            "Recode the column to fewer categories first."
        )
    points = np.zeros((len(codes), len(levels)))
    points[np.arange(len(codes)), which.reshape(-1)] = np.sqrt(apart / 2)
    return points


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


def scales_of(table: Table, columns: Sequence[str]) -> list[Scale]:
    """The scale of each of the columns."""
    return [table[name].scale for name in columns]


def averaged(table: Table, columns: Sequence[str]) -> tuple[str, ...]:
    """Those of the columns whose mean is kept when values become averages: numbers; dates are rounded to their unit."""
    return tuple(
        name
        for name in columns
        if table[name].scale == Scale.NUMERIC and not table.frame[name].dtype.is_temporal()
    )


def _is_coded(table: Table, name: str) -> bool:
    scale = table[name].scale
    return scale == Scale.NOMINAL or (scale == Scale.ORDINAL and bool(table[name].order))


def _levels(table: Table, name: str, places: FloatArray) -> pl.Series:
    levels = pl.Series(name, table.levels(name), dtype=table.frame[name].dtype)
    wanted = pl.Series(places, dtype=pl.Float64).fill_nan(None).cast(pl.UInt32)
    return levels.gather(wanted)
