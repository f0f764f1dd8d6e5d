"""Where the parameters of a distance may lie: cones, with what a line search and a linear program need of them."""

from __future__ import annotations

import math

import numpy as np

from discreet.attack.learning import measure as fuzzy
from discreet.table import FloatArray

FAR = 1e9
"""A line search without a bound stops here."""


def interval(values: FloatArray, slopes: FloatArray) -> tuple[float, float]:
    """The stretch of t with values + t * slopes >= 0, given that it holds at t = 0."""
    values = np.maximum(values, 0.0)
    rising, falling = slopes > 0, slopes < 0
    with np.errstate(over="ignore"):
        low = float(np.max(-values[rising] / slopes[rising], initial=-FAR))
        high = float(np.min(-values[falling] / slopes[falling], initial=FAR))
    return low, high


class Cone:
    """All parameters: no constraint at all. The other cones narrow this one."""

    def __init__(self, size: int) -> None:
        self.rows: FloatArray = np.empty((0, size))
        """Inequalities rows @ theta >= 0 that a linear program holds from the start."""

    def violated(self, theta: FloatArray, until: float = math.inf) -> FloatArray:
        """More inequalities, those that theta breaks most; none when theta is inside (to rounding).

        A cone that has to look at all pairs of records for it raises OutOfTime when that takes too long.
        """
        return np.empty((0, len(theta)))

    def reach(self, theta: FloatArray, direction: FloatArray) -> tuple[float, float]:
        """How far one can go from theta along the direction, backwards and forwards, and stay inside."""
        return interval(self.rows @ theta, self.rows @ direction)

    def mend(self, theta: FloatArray, until: float = math.inf) -> FloatArray:
        """The point itself, moved by no more than the rounding that put it outside.

        A cone that has to look at all pairs of records for it may move the point further inside to be done in time.
        """
        return theta


class Orthant(Cone):
    """No parameter below zero."""

    def reach(self, theta: FloatArray, direction: FloatArray) -> tuple[float, float]:
        return interval(theta, direction)

    def mend(self, theta: FloatArray, until: float = math.inf) -> FloatArray:
        return np.maximum(theta, 0.0)


class Measures(Cone):
    """Monotone measures over the non-empty sets; submodular ones where a metric is asked for."""

    def __init__(self, columns: int, submodular: bool) -> None:
        super().__init__((1 << columns) - 1)
        self.rows = fuzzy.monotone_rows(columns)
        self.submodular = submodular
        self.columns = columns
        if submodular:
            self.rows = np.vstack([self.rows, fuzzy.submodular_rows(columns)])

    def mend(self, theta: FloatArray, until: float = math.inf) -> FloatArray:
        whole = fuzzy.monotone(np.concatenate([[0.0], theta]))
        if self.submodular:
            whole = into_submodular(whole)
        return whole[1:]


def into_submodular(measure: FloatArray) -> FloatArray:
    """The measure, mixed with a strictly submodular one just enough to be submodular and monotone."""
    columns = fuzzy.columns_of(measure)
    inside = concave(columns)
    rows = np.vstack([fuzzy.monotone_rows(columns), fuzzy.submodular_rows(columns)])
    have, spare = rows @ measure[1:], rows @ inside[1:]
    short = have < 0
    if not short.any():
        return measure
    share = float(np.max(-have[short] / (spare[short] - have[short])))
    share = min(1.0, share * (1 + 1e-9) + 1e-15)
    return (1 - share) * measure + share * inside


def concave(columns: int) -> FloatArray:
    """A measure well inside the monotone and submodular ones: it grows ever slower with the number of columns."""
    size = fuzzy.sizes(columns).astype(np.float64)
    return np.asarray(size * (2 * columns - size) / columns**2, dtype=np.float64)
