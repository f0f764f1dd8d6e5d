"""Columns on an axis as numbers, and how sure one can be that their means, variances and deciles have changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from discreet.comparing import AxisColumn, ComparedColumn
from discreet.loss.compared import TOO_FAR
from discreet.loss.doubts import SAMPLE, Doubt, of_means, of_quantiles, of_variances
from discreet.loss.lost_columns import Weights, ends, middles
from discreet.loss.moments import Moments, moments
from discreet.table import FloatArray

DECILES = np.arange(1, 10) / 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lines:
    """The columns on an axis, as numbers of both tables from 0, with the statistics of both.

    `places` are their places among all columns. `records` is how many records a sample has that is compared with.
    """

    places: tuple[int, ...]
    old: FloatArray
    new: FloatArray
    before: Moments
    after: Moments
    records: FloatArray


def lines_of(columns: Sequence[ComparedColumn], weights: Weights) -> Lines:
    """Those of the columns that lie on an axis."""
    axes = [(place, each) for place, each in enumerate(columns) if isinstance(each, AxisColumn)]
    old, new = (np.empty((len(each), len(axes))) for each in weights)
    for place, (_, each) in enumerate(axes):
        old[:, place], new[:, place] = _numbers(each)
    before, after = moments(old, weights[0]), moments(new, weights[1])
    records = np.minimum(SAMPLE, np.maximum(1.0, before.records))
    return Lines(
        places=tuple(place for place, _ in axes),
        old=old,
        new=new,
        before=before,
        after=replace(after, records=records),
        records=records,
    )


def _numbers(column: AxisColumn) -> tuple[FloatArray, FloatArray]:
    """Both tables' values, bands at their middle, from the least true value on and in units of the range."""
    least, most = ends(column)
    if np.isnan(least):
        return np.full(len(column.known), np.nan), np.full(len(column.low), np.nan)
    exponent = int(np.frexp(max(abs(least), abs(most)))[1])
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        low = np.ldexp(least, -exponent)
        extent = (np.ldexp(most, -exponent) - low) or 1.0
        old, new = (
            (np.ldexp(each, -exponent) - low) / extent
            for each in (middles(column.known, column.known_high), middles(column.low, column.high))
        )
    return old, np.clip(new, -TOO_FAR, TOO_FAR)


def line_chances(lines: Lines, columns: Sequence[ComparedColumn], weights: Weights) -> dict[str, FloatArray]:
    """The chances of means, variances and deciles; only deciles for ordered categories."""
    before, after = lines.before, lines.after
    ordered = np.array([_steps(columns[place]) > 0 for place in lines.places], dtype=bool)
    # The mean of a single value does not vary, so any change of it is one.
    single = replace(before, covariance=np.nan_to_num(before.covariance))
    several = np.isfinite(before.variance)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        deciles = of_quantiles(lines.old, lines.new, *weights, lines.records, DECILES)
        found = {
            "means": np.where(np.isfinite(before.mean) & ~ordered, certain(of_means(single, after)), np.nan),
            "variances": np.where(
                several & ~ordered, certain(of_variances(before, after, lines.old, weights[0])), np.nan
            ),
            "quantiles": np.where(several, certain(deciles).mean(axis=0), np.nan),
        }
    return {name: _placed(each, lines.places, len(columns)) for name, each in found.items()}


def certain(found: Doubt) -> FloatArray:
    """The chances; what cannot be computed from the masked table is certain to be lost."""
    return np.where(found.usable, found.chance, 1.0)


def _placed(values: FloatArray, places: Sequence[int], count: int) -> FloatArray:
    out = np.full(count, np.nan)
    out[list(places)] = values
    return out


def _steps(column: ComparedColumn) -> int:
    return column.steps if isinstance(column, AxisColumn) else 0
