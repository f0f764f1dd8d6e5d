"""Quantiles of columns with missing values and sampling weights, and how much they vary from sample to sample."""

from __future__ import annotations

import numpy as np

from discreet.loss.moments import ROUNDING
from discreet.table import FloatArray


def quantiles(values: FloatArray, share: FloatArray, levels: FloatArray) -> FloatArray:
    """For each level and column the least value that this share of the weight does not exceed; NaN without values.

    `levels` is one list for all columns, or an array of one column of levels for each column.
    """
    width = values.shape[1]
    wanted = np.broadcast_to(levels if levels.ndim == 2 else levels[:, None], (len(levels), width))
    out = np.full(wanted.shape, np.nan)
    for place in range(width):
        there = share[:, place] > 0
        if not there.any():
            continue
        present, weight = values[there, place], share[there, place]
        order = np.argsort(present, kind="stable")
        reached = np.cumsum(weight[order])
        # A level that falls on a value but for rounding means that value, not the next.
        least = np.searchsorted(reached, (wanted[:, place] - ROUNDING) * reached[-1], side="left")
        out[:, place] = present[order][np.minimum(least, len(order) - 1)]
    return out


def quantiles_and_deviations(
    values: FloatArray, share: FloatArray, levels: FloatArray, records: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The quantiles, and the standard deviation of each of them in samples of so many records a column.

    The asymptotic one is sqrt(q(1-q)/n) / f(Q_q) for the density f. The density is taken from the data themselves, as
    the slope between the quantiles one standard deviation of the share below and above (Woodruff 1952), so no
    shape and no bandwidth is assumed. It is zero where a single value holds all that weight.
    """
    middle = np.broadcast_to(levels[:, None], (len(levels), values.shape[1]))
    spread = np.sqrt(middle * (1 - middle) / np.maximum(records, 1.0)[None, :])
    low, high = np.maximum(middle - spread, 0.0), np.minimum(middle + spread, 1.0)
    found = quantiles(values, share, np.vstack([middle, low, high]))
    at, below, above = np.split(found, 3)
    return at, np.asarray(spread * (above - below) / (high - low))
