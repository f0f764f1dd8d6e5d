"""Adaptive MDAV: groups of at least k records made of distinct tuples, all copies of a tuple together."""

from __future__ import annotations

import numpy as np

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.clustering.adaptive_boxes import Growth, grow_groups
from discreet._kernels.clustering.boxes import build
from discreet._kernels.clustering.mdav_plain import RunningSum
from discreet._kernels.clustering.scale import to_unit_range

# What plain NumPy needs, roughly, for each tuple that joins a group, and for each number it looks at then.
SECONDS_A_TUPLE = 1e-4
SECONDS_A_NUMBER = 2e-9
# Importing numba and loading the machine code takes about as long.
SECONDS_TO_LOAD = 0.5
# Tuples are put into new boxes when this share is left of those in the old ones, unless they are few.
WORTH_REBUILDING = 0.4
FEW = 1024


def adaptive_mdav(points: Floats, weights: Ints, k: int) -> Ints:
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
    groups = _Groups(scaled, np.array(weights, dtype=np.int64))
    seconds = len(points) * (SECONDS_A_TUPLE + SECONDS_A_NUMBER * points.size)
    if grow_groups.is_loaded or seconds > SECONDS_TO_LOAD:
        _group_in_boxes(groups, k)
    else:
        _group_plainly(groups, k)
    groups.join_nearest()
    return groups.labels


class _Groups:
    """The tuples, the groups they are in so far, and the sum of those in none."""

    def __init__(self, points: Floats, weights: Ints) -> None:
        self.points = points
        self.weights = weights
        self.weighted = points * weights[:, None]
        self.running = RunningSum(self.weighted)
        self.records = int(weights.sum())
        self.labels = np.full(len(points), -1, dtype=np.int64)
        self.totals = np.zeros_like(points)
        self.sizes = np.zeros(len(points), dtype=np.int64)
        self.number = 0

    def join_nearest(self) -> None:
        """Let every tuple that is left join the group whose centroid is nearest."""
        centroids = self.totals[: self.number] / self.sizes[: self.number, None]
        columns = np.ascontiguousarray(centroids.T)
        for row in np.flatnonzero(self.labels < 0):
            self.labels[row] = _squared_distances(columns, self.points[row]).argmin()


def _group_in_boxes(groups: _Groups, k: int) -> None:
    """Form groups while k records are left, by compiled search."""
    tally = np.array([0, groups.records, len(groups.points)], dtype=np.int64)
    growth = Growth(
        groups.weighted,
        groups.weights,
        groups.running.sums,
        groups.running.rests,
        groups.labels,
        groups.totals,
        groups.sizes,
        tally,
    )
    while tally[1] >= k:
        rows = np.flatnonzero(groups.labels < 0)
        boxes = build(groups.points, rows, groups.running.mean(int(tally[1])))
        grow_groups(boxes, growth, k, 0 if len(rows) <= FEW else int(WORTH_REBUILDING * len(rows)))
    groups.number, groups.records = int(tally[0]), int(tally[1])


def _group_plainly(groups: _Groups, k: int) -> None:
    """Form groups while k records are left, in NumPy."""
    left = _Left(groups)
    while groups.records >= k:
        seed = left.farthest(groups.running.mean(groups.records))
        left.grow(seed, k)
        if groups.records >= k:
            left.grow(left.farthest(groups.points[seed]), k)


class _Left:
    """The tuples that are in no group yet, in row order."""

    def __init__(self, groups: _Groups) -> None:
        self.groups = groups
        self.rows = np.arange(len(groups.points))
        self.columns = np.ascontiguousarray(groups.points.T)

    def farthest(self, target: Floats) -> int:
        """The row of the tuple farthest from a point."""
        return int(self.rows[_squared_distances(self.columns, target).argmax()])

    def grow(self, seed: int, k: int) -> None:
        """Make a new group that starts with one tuple and grows until it has k records."""
        groups = self.groups
        label = groups.number
        groups.number += 1
        self.join(seed, label)
        while groups.sizes[label] < k:
            centroid = groups.totals[label] / groups.sizes[label]
            self.join(int(self.rows[_squared_distances(self.columns, centroid).argmin()]), label)

    def join(self, row: int, label: int) -> None:
        """Move a tuple into a group."""
        groups = self.groups
        place = int(np.searchsorted(self.rows, row))
        self.rows = np.delete(self.rows, place)
        self.columns = np.delete(self.columns, place, axis=1)
        groups.running.remove(groups.weighted[row : row + 1])
        groups.labels[row] = label
        groups.totals[label] += groups.weighted[row]
        groups.sizes[label] += groups.weights[row]
        groups.records -= int(groups.weights[row])


def _squared_distances(columns: Floats, target: Floats) -> Floats:
    total = np.zeros(columns.shape[1])
    for column, value in zip(columns, target, strict=True):
        step = column - value
        step *= step
        total += step
    return total
