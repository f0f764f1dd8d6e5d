"""Adaptive MDAV: groups of at least k records made of distinct tuples, all copies of a tuple together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.mdav_plain import RunningSum
from discreet._kernels.scale import to_unit_range

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]


def adaptive_mdav(points: Reals, weights: Whole, k: int) -> Whole:
    """The group of each distinct tuple, numbered in order of creation; the weights of a group add up to k or more.

    While the tuples that are left stand for at least k records: r is the tuple farthest from their centroid, and
    starts a group; the tuple nearest to the group's centroid joins it, and moves that centroid, until the group
    has k records; then, if k are left, the same around s, the tuple farthest from r. What is left over joins
    the group with the nearest centroid (after the SA-MDAV of Martinez, Sanchez and Valls 2012, with numbers in
    place of concepts). Weights count in centroids and sizes, not in distances. Equal distances go to the lowest
    row, or group. There is no upper bound on the size of a group.

    Raises ValueError where all weights together are less than k, a weight is less than 1 or a point not finite.
    """
    if len(points) != len(weights) or (weights < 1).any():
        raise ValueError("every tuple needs a weight of at least 1")
    if not 1 <= k <= int(weights.sum()):
        raise ValueError(f"groups of {k} cannot be made of {int(weights.sum())} records")
    scaled = np.ascontiguousarray(to_unit_range(np.asarray(points, dtype=np.float64)))
    left = _Tuples(scaled, weights)
    centroids: list[Reals] = []
    while left.records >= k:
        seed = left.farthest(left.running.mean(left.records))
        centroids.append(left.grow(seed, k, len(centroids)))
        if left.records >= k:
            opposite = left.farthest(scaled[seed])
            centroids.append(left.grow(opposite, k, len(centroids)))
    left.join_nearest(np.array(centroids))
    return left.labels


class _Tuples:
    """The tuples that are in no group yet, in row order, and the groups of the others."""

    def __init__(self, points: Reals, weights: Whole) -> None:
        self.points = points
        self.weights = weights
        self.weighted = points * weights[:, None]
        self.rows = np.arange(len(points))
        self.columns = np.ascontiguousarray(points.T)
        self.running = RunningSum(self.weighted)
        self.records = int(weights.sum())
        self.labels = np.full(len(points), -1, dtype=np.int64)

    def farthest(self, target: Reals) -> int:
        """The place among the rows left of the tuple farthest from a point, as a row number."""
        return int(self.rows[_squared_distances(self.columns, target).argmax()])

    def grow(self, seed: int, k: int, label: int) -> Reals:
        """The centroid of a new group that starts with one tuple and grows until it has k records."""
        total = self.weighted[seed].copy()
        size = self.take(seed, label)
        while size < k:
            row = int(self.rows[_squared_distances(self.columns, total / size).argmin()])
            total += self.weighted[row]
            size += self.take(row, label)
        return np.asarray(total / size)

    def take(self, row: int, label: int) -> int:
        """Move a tuple into a group, and say how many records it stands for."""
        place = int(np.searchsorted(self.rows, row))
        self.rows = np.delete(self.rows, place)
        self.columns = np.delete(self.columns, place, axis=1)
        self.running.remove(self.weighted[row : row + 1])
        self.labels[row] = label
        weight = int(self.weights[row])
        self.records -= weight
        return weight

    def join_nearest(self, centroids: Reals) -> None:
        """Let every tuple that is left join the group whose centroid is nearest."""
        columns = np.ascontiguousarray(centroids.T)
        for row in self.rows:
            self.labels[row] = _squared_distances(columns, self.points[row]).argmin()


def _squared_distances(columns: Reals, target: Reals) -> Reals:
    total = np.zeros(columns.shape[1])
    for column, value in zip(columns, target, strict=True):
        step = column - value
        step *= step
        total += step
    return total
