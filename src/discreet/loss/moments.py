"""Means, variances, covariances and correlations of columns with missing values and sampling weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from discreet.stored import Matrix
from discreet.table import BoolArray, FloatArray

ROUNDING = 1e-12
"""What is this small beside the values it was computed from is zero but for rounding."""
ROWS_AT_ONCE = 1 << 16
"""Sums are over so many records after the other: what is needed for them is small beside the table."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """Statistics of one table's columns; NaN where there are too few values.

    `records` is how many equally weighted records the values of a column are worth: (sum w)^2 / sum w^2, the number
    of them where no weights are. `size` is the largest absolute value. A pair's statistics use the records in which
    both columns are present. A column of one value correlates with nothing: its correlations are zero.
    """

    records: FloatArray
    mean: FloatArray
    size: FloatArray
    constant: BoolArray
    covariance: FloatArray
    correlation: FloatArray

    @property
    def variance(self) -> FloatArray:
        return np.diagonal(self.covariance)

    @property
    def deviation(self) -> FloatArray:
        return np.sqrt(self.variance)


@np.errstate(over="ignore", invalid="ignore")
def moments(values: Matrix, weights: FloatArray | None) -> Moments:
    """The statistics of the columns; records of weight zero count as absent, and what overflows is not finite."""
    ends = [extremes(part, share > 0) for part, share in portions(values, weights)]
    low = np.fmin.reduce([each[0] for each in ends])
    high = np.fmax.reduce([each[1] for each in ends])
    mean = means(values, weights, low, high)
    constant = low == high
    covariance, correlation = _pairs(values, weights, mean, constant)
    return Moments(
        records=_worth(values, weights),
        mean=mean,
        size=np.fmax(np.abs(low), np.abs(high)),
        constant=constant,
        covariance=covariance,
        correlation=correlation,
    )


def portions(values: Matrix, weights: FloatArray | None) -> Iterator[tuple[FloatArray, FloatArray]]:
    """The values of some records after the other, with the weights of their cells; one portion at least."""
    for start in range(0, max(1, len(values)), ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        yield values[some], shares(values[some], None if weights is None else weights[some])


def centred(values: FloatArray, share: FloatArray, mean: FloatArray) -> FloatArray:
    """The values less their mean; zero where they are missing."""
    return np.where(share > 0, values - mean, 0.0)


def shares(values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """The weight of each cell: that of its record, zero where the value is missing."""
    each = np.ones(len(values)) if weights is None else weights
    return np.where(np.isnan(values), 0.0, each[:, None])


def extremes(values: FloatArray, there: BoolArray) -> tuple[FloatArray, FloatArray]:
    """The least and the largest value of each column, NaN where it has none."""
    low = np.where(there, values, np.inf).min(axis=0, initial=np.inf)
    high = np.where(there, values, -np.inf).max(axis=0, initial=-np.inf)
    return np.where(low <= high, low, np.nan), np.where(low <= high, high, np.nan)


def means(values: Matrix, weights: FloatArray | None, low: FloatArray, high: FloatArray) -> FloatArray:
    """The weighted means, between the least and the largest value, so exact where a column holds one value only."""
    total, sums = np.zeros(values.shape[1]), np.zeros(values.shape[1])
    for part, share in portions(values, weights):
        total += share.sum(axis=0)
        sums += np.where(share > 0, part * share, 0.0).sum(axis=0)
    mean = np.where(total > 0, sums / np.where(total > 0, total, 1.0), np.nan)
    return np.clip(mean, low, high)


def _worth(values: Matrix, weights: FloatArray | None) -> FloatArray:
    """How many equally weighted records the values of each column are worth."""
    total, squares = np.zeros(values.shape[1]), np.zeros(values.shape[1])
    for _, share in portions(values, weights):
        total += share.sum(axis=0)
        squares += (share**2).sum(axis=0)
    return np.where(squares > 0, total**2 / np.where(squares > 0, squares, 1.0), 0.0)


def effective(share: FloatArray) -> FloatArray:
    """How many equally weighted records the weights of each column are worth (Kish)."""
    squares = (share**2).sum(axis=0)
    return np.where(squares > 0, share.sum(axis=0) ** 2 / np.where(squares > 0, squares, 1.0), 0.0)


def _pairs(
    values: Matrix, weights: FloatArray | None, mean: FloatArray, constant: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Covariances and correlations over the records in which both columns are present.

    The weighted covariance is scaled by n/(n-1) for n records, so that equal weights give the usual one.
    """
    count, total, sums, cross, squares = np.zeros((5, len(mean), len(mean)))
    for part, share in portions(values, weights):
        present = (share > 0).astype(np.float64)
        from_mean = centred(part, share, mean)
        weighted = from_mean * share
        count += present.T @ present
        total += share.T @ present
        sums += weighted.T @ present
        cross += weighted.T @ from_mean
        squares += (from_mean**2 * share).T @ present
    known = count > 1
    shared = np.where(total > 0, total, 1.0)
    sums /= shared
    cross = cross / shared - sums * sums.T
    squares = squares / shared - sums**2
    still = constant[:, None] | constant[None, :]
    cross = np.where(still, 0.0, cross)
    nothing = constant[:, None] | (squares <= ROUNDING * np.diagonal(squares)[:, None])
    squares = np.where(nothing, 0.0, squares)
    covariance = np.where(known, cross * count / np.maximum(count - 1, 1), np.nan)
    scale = np.sqrt(squares * squares.T)
    correlation = np.where(scale > 0, cross / np.where(scale > 0, scale, 1.0), 0.0)
    return covariance, np.where(known, np.clip(correlation, -1.0, 1.0), np.nan)
