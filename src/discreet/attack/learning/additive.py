"""The cone of k-additive measures: monotone, and submodular where a metric is asked for."""

from __future__ import annotations

import math

import numpy as np

from discreet.attack.learning import measure as fuzzy
from discreet.attack.learning.cones import Cone, interval
from discreet.table import FloatArray, IntArray

SLACK = 1e-10
"""Inequalities broken by less than this are left to `mend`."""


class Additive(Cone):
    """Measures in the coordinates of their Möbius transform, on the sets of at most k columns.

    There are too many inequalities to list, so that those that are broken are found when asked for.
    """

    def __init__(self, columns: int, sets: list[int], submodular: bool) -> None:
        super().__init__(len(sets))
        self.columns = columns
        self.sets = np.array(sets)
        self.submodular = submodular
        self._bits = [fuzzy.bit(k, columns) for k in range(columns)]
        every = np.arange(1 << columns)
        self._without: list[IntArray] = [every[(every & bit) == 0] for bit in self._bits]
        self._pairs = [(one, two) for place, one in enumerate(self._bits) for two in self._bits[place + 1 :]]
        self._without_both: list[IntArray] = [every[(every & (one | two)) == 0] for one, two in self._pairs]
        self.rows = (self.sets[None, :] == np.array(self._bits)[:, None]).astype(np.float64)
        self.inside = self._well_inside()

    def whole(self, theta: FloatArray) -> FloatArray:
        """The measure of all sets."""
        masses = np.zeros(1 << self.columns)
        masses[self.sets] = theta
        return fuzzy.zeta(masses)

    def gains(self, theta: FloatArray) -> FloatArray:
        """What each column (row) adds to each set without it: not negative for a monotone measure."""
        measure = self.whole(theta)
        places = zip(self._bits, self._without, strict=True)
        return np.array([measure[rest | bit] - measure[rest] for bit, rest in places])

    def drops(self, theta: FloatArray) -> FloatArray:
        """By how much one column's gain falls when another joins: not negative for a submodular measure.

        A row for each pair of columns, a column for each set without both; no rows where nothing is asked.
        """
        if not self.submodular:
            return np.empty((0, 1))
        measure = self.whole(theta)
        return np.array(
            [
                measure[rest | one] + measure[rest | two] - measure[rest | one | two] - measure[rest]
                for (one, two), rest in zip(self._pairs, self._without_both, strict=True)
            ]
        )

    def violated(self, theta: FloatArray, until: float = math.inf) -> FloatArray:
        rows = []
        for bit, rest, gains in zip(self._bits, self._without, self.gains(theta), strict=True):
            worst = int(gains.argmin())
            if gains[worst] < -SLACK:
                rows.append(self._between(bit, rest[worst] | bit))
        for (one, two), rest, drops in zip(self._pairs, self._without_both, self.drops(theta), strict=False):
            worst = int(drops.argmin())
            if drops[worst] < -SLACK:
                rows.append(-self._between(one | two, rest[worst] | one | two))
        return np.array(rows).reshape(-1, len(theta))

    def reach(self, theta: FloatArray, direction: FloatArray) -> tuple[float, float]:
        return interval(self._slacks(theta), self._slacks(direction))

    def mend(self, theta: FloatArray, until: float = math.inf) -> FloatArray:
        short = float(self._slacks(theta).min())
        if short >= 0.0:
            return theta
        spare = float(self._slacks(self.inside).min())
        share = -short / (spare - short)
        return (1 - share) * theta + share * self.inside

    def _slacks(self, theta: FloatArray) -> FloatArray:
        """The left sides of all inequalities."""
        return np.concatenate([self.gains(theta).ravel(), self.drops(theta).ravel()])

    def _between(self, least: int, most: int) -> FloatArray:
        """1 for the sets that hold all of `least` and nothing outside `most`."""
        return np.asarray(((self.sets & least) == least) & ((self.sets & ~most) == 0), dtype=np.float64)

    def _well_inside(self) -> FloatArray:
        """A point at which no inequality is close: equal columns, and pairs that overlap where that is asked for."""
        size = fuzzy.sizes(self.columns)[self.sets]
        overlap = -0.5 / max(1, self.columns - 1) if self.submodular else 0.0
        inside = np.where(size == 1, 1.0, np.where(size == 2, overlap, 0.0))
        return np.asarray(inside / inside.sum())
