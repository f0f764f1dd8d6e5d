"""MDAV in plain NumPy: what the compiled one must agree with, and quicker end to end on small files.

Every variant computes a distance as the squares of the differences added in column order, and the centroid of
the remaining records from one running sum. So they all see the same ties, and form the same groups.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Floats, Ints

Done = Callable[[int], None]


class RunningSum:
    """The sum of the records that are left, kept in two parts so that taking records out costs no digit.

    The first part is the rounded sum, the second what rounding left out (Neumaier's summation).
    """

    def __init__(self, points: Floats) -> None:
        halvings = max(0, len(points) - 1).bit_length()
        sums = np.zeros((2**halvings, points.shape[1]))
        sums[: len(points)] = points
        rests = np.zeros_like(sums)
        for _ in range(halvings):
            half = len(sums) // 2
            left, right = sums[:half], sums[half:]
            both = left + right
            shift = both - left
            right -= shift
            left -= both - shift
            rests[:half] += rests[half:]
            rests = rests[:half]
            rests += left + right
            sums = both
        self.sums: Floats = sums[0]
        self.rests: Floats = rests[0]

    def remove(self, records: Floats) -> None:
        """Take records out, one after the other."""
        for record in records:
            before = self.sums
            self.sums = before - record
            shift = self.sums - before
            self.rests = self.rests + ((before - (self.sums - shift)) - (record + shift))

    def mean(self, count: int) -> Floats:
        """The mean of the records that are left, which are so many."""
        return (self.sums + self.rests) / count


class Remaining:
    """The records not yet in a group, in row order, with the labels given so far."""

    def __init__(self, points: Floats, rows: Ints, running: RunningSum, labels: Ints) -> None:
        self.points = points
        self.rows = rows
        self.columns = np.ascontiguousarray(points[rows].T)
        self.running = running
        self.labels = labels
        self.next_label = int(labels.max(initial=-1)) + 1

    def __len__(self) -> int:
        return len(self.rows)

    def farthest(self, target: Floats) -> int:
        """The row of the record farthest from a point, the lowest of equals."""
        return int(self.rows[self._squared_distances(target).argmax()])

    def group_around(self, row: int, size: int) -> None:
        """Put a record and the nearest others in one group, the lower row of equals first."""
        distances = self._squared_distances(self.points[row])
        distances[np.searchsorted(self.rows, row)] = -1.0
        last = np.partition(distances, size - 1)[size - 1]
        taken = distances < last
        ties = np.flatnonzero(distances == last)
        taken[ties[: size - np.count_nonzero(taken)]] = True
        self.group(taken)

    def group(self, taken: NDArray[np.bool_]) -> None:
        """Put the chosen records in one group."""
        members = self.rows[taken]
        self.labels[members] = self.next_label
        self.next_label += 1
        self.running.remove(self.points[members])
        self.rows = self.rows[~taken]
        self.columns = self.columns[:, ~taken]

    def _squared_distances(self, target: Floats) -> Floats:
        total = np.zeros(len(self.rows))
        for column, value in zip(self.columns, target, strict=True):
            step = column - value
            step *= step
            total += step
        return total


def finish(left: Remaining, k: int, done: Done) -> None:
    """Form groups until no record is left, `done` being told how many are."""
    while len(left) >= 3 * k:
        first = left.farthest(left.running.mean(len(left)))
        left.group_around(first, k)
        second = left.farthest(left.points[first])
        left.group_around(second, k)
        done(len(left))
    if len(left) >= 2 * k:
        left.group_around(left.farthest(left.running.mean(len(left))), k)
    left.group(np.ones(len(left), dtype=np.bool_))
