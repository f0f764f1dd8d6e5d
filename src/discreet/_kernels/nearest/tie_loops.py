"""Compiled counting of the targets that are nearest to a query, those that rounding has parted included."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Flags, Floats, Ints
from discreet._kernels.compile import compiled

NO_TARGET = 1 << 62
START_AGAIN = -(1 << 62)


class Ties(NamedTuple):
    """What a query has found so far: d_min, the greatest distance that was counted, how many tie, the lowest number."""

    nearest: float
    farthest: float
    tied: int
    lowest: int


class Points(NamedTuple):
    """Queries x [n, columns], targets y [m, columns], and the number of the target that belongs to each query."""

    queries: Floats
    targets: Floats
    truth: Ints


class Nearest(NamedTuple):
    """For each query: the least squared distance, how many targets are at it, whether the true one is among
    them, and the lowest number of a target at it.

    A query without candidates has distance infinity, 0 ties, no hit and first -1.
    """

    best_distance2: Floats
    ties: Ints
    hit: Flags
    first: Ints

    @classmethod
    def nothing(cls, queries: int) -> Nearest:
        """So many queries without candidates."""
        count = np.zeros(queries, np.int64)
        return cls(np.full(queries, np.inf), count, np.zeros(queries, np.bool_), np.full(queries, -1))


class NearestDistinct(NamedTuple):
    """For each distinct query: the least distance, how many targets tie with it, and the lowest number of these."""

    distance: Floats
    ties: Ints
    first: Ints

    @classmethod
    def room(cls, queries: int) -> NearestDistinct:
        """Room for so many queries, to be filled."""
        return cls(np.empty(queries), np.empty(queries, np.int64), np.empty(queries, np.int64))

    def put(self, queries: Ints, found: NearestDistinct) -> None:
        """Fill in what was found for these queries."""
        for mine, theirs in zip(self, found, strict=True):
            mine[queries] = theirs

    def of(self, queries: Ints) -> NearestDistinct:
        """What was found for each of these queries."""
        return NearestDistinct(self.distance[queries], self.ties[queries], self.first[queries])


@compiled
def tie_limit(nearest: float, slack: float, squared: bool) -> float:
    """The greatest distance that ties with the least one: that of a target `slack` farther away."""
    if not squared:
        return nearest + slack
    farthest: float = np.sqrt(nearest) + slack
    return max(nearest, farthest * farthest)


@compiled
def count_tie(distance: float, records: int, number: int, slack: float, squared: bool, ties: Ties) -> Ties:
    """What has been found with one more target, which stands for so many records, at a distance.

    The ties are the targets t with d_t <= d_min + slack. Distances may be `squared`; the slack is not. A target that is
    nearer than all before may leave some of those counted within the slack and others not. Then `tied` turns negative:
    the search has to start again, from the least distance that it found.
    """
    nearest, farthest, tied, lowest = ties
    if distance == np.inf or distance > tie_limit(nearest, slack, squared):
        return ties
    if distance < nearest:
        limit = tie_limit(distance, slack, squared)
        if nearest > limit:
            farthest, tied, lowest = 0.0, 0, NO_TARGET
        elif farthest > limit:
            tied = START_AGAIN
        nearest = distance
    return Ties(nearest, max(farthest, distance), tied + records, min(lowest, number))
