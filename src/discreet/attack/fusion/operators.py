"""Aggregation operators: several numbers about one thing become one. Unknown values (NaN) are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from discreet.errors import BadParameter, NotComputable
from discreet.table import FloatArray

Mean = Literal["arithmetic", "geometric", "harmonic", "quadratic"]
Generator = tuple[Callable[[FloatArray], FloatArray], Callable[[FloatArray], FloatArray]]

GENERATORS: dict[Mean, Generator] = {
    "arithmetic": (np.asarray, np.asarray),
    "geometric": (np.log, np.exp),
    "harmonic": (np.reciprocal, np.reciprocal),
    "quadratic": (np.square, np.sqrt),
}
"""Each mean by the function that its values go through, and the way back."""


def checked_weights(weights: Sequence[float] | None, count: int, what: str) -> FloatArray:
    """The weights as shares of one, all equal where none are given; BadParameter where they cannot be."""
    if weights is None:
        return np.full(count, 1.0 / count)
    given = np.asarray(list(weights), dtype=np.float64)
    if given.shape != (count,) or not np.isfinite(given).all() or (given < 0).any() or given.sum() <= 0:
        raise BadParameter(
            f"coalition: {what} must be {count} numbers that are not negative and not all zero, one for each release."
        )
    shares: FloatArray = given / given.sum()
    return shares


def weighted_mean(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The weighted mean of each row [n, releases]; NaN where nothing that has a weight is known."""
    known = ~np.isnan(values)
    held = np.where(known, weights, 0.0)
    total = held.sum(axis=1)
    summed = (held * np.where(known, values, 0.0)).sum(axis=1)
    mean: FloatArray = np.divide(summed, total, out=np.full(len(values), np.nan), where=total > 0)
    return mean


def quasi_arithmetic_mean(values: FloatArray, weights: FloatArray, mean: Mean) -> FloatArray:
    """The weighted mean of the values as their generator sees them, and back: f^-1(sum w f(x)).

    Raises NotComputable where a value is outside the range of the generator: geometric and harmonic means take
    numbers above zero, the quadratic one numbers of at least zero.
    """
    lowest = 0.0 if mean == "quadratic" else np.nextafter(0.0, 1.0)
    if mean != "arithmetic":
        bad = int((values < lowest).sum())
        if bad:
            wanted = "at least zero" if mean == "quadratic" else "above zero"
            raise NotComputable(f"coalition: a {mean} mean takes numbers {wanted}, and {bad} are not.")
    forward, back = GENERATORS[mean]
    return np.asarray(back(weighted_mean(forward(values), weights)), dtype=np.float64)


def owa(values: FloatArray, order_weights: FloatArray) -> FloatArray:
    """The ordered weighted average of each row: the first weight is that of the largest value (Yager 1988).

    Where values are unknown, the weights are those of the same quantifier for fewer values.
    """
    return wowa(values, np.full(values.shape[1], 1.0 / values.shape[1]), order_weights)


def wowa(values: FloatArray, weights: FloatArray, order_weights: FloatArray) -> FloatArray:
    """The weighted OWA of each row (Torra 1997): releases have weights, and so have places in the order.

    The weight of a value is what the quantifier of the order weights gains over the value's share. The quantifier
    is the broken line through (i/n, sum of the first i order weights), so that equal order weights give the
    weighted mean and equal weights the ordered weighted average.
    """
    known = ~np.isnan(values)
    held = np.where(known, weights, 0.0)
    total = held.sum(axis=1, keepdims=True)
    share = np.divide(held, total, out=np.zeros_like(held), where=total > 0)
    falling = np.argsort(np.where(known, -values, np.inf), axis=1, kind="stable")
    sorted_shares = np.take_along_axis(share, falling, axis=1)
    reached = np.minimum(1.0, np.cumsum(sorted_shares, axis=1))
    places = np.linspace(0.0, 1.0, len(order_weights) + 1)
    quantifier = np.concatenate([[0.0], np.cumsum(order_weights)])
    gained = np.diff(np.interp(reached, places, quantifier), axis=1, prepend=0.0)
    ordered = np.take_along_axis(np.where(known, values, 0.0), falling, axis=1)
    fused: FloatArray = (gained * ordered).sum(axis=1)
    fused[total[:, 0] == 0] = np.nan
    return fused
