"""Compiled loops over the records inside a query's windows, starting from its narrowest window."""

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Int32s, Ints, UInt8s
from discreet._kernels.compile import compiled
from discreet._kernels.nearest.tie_loops import (
    NO_TARGET,
    START_AGAIN,
    Nearest,
    Points,
    Ties,
    count_tie,
    tie_limit,
)

BLOCK = 4096


class Windows(NamedTuple):
    """For each query and column the sorted positions low <= position < high that are possible."""

    low: Int32s
    high: Int32s


class SortedBy(NamedTuple):
    """The targets in the order of one column, `base`: their ranks in all columns [columns, m], and their numbers."""

    base: int
    ranks: Int32s
    order: Ints


@compiled
def mark_inside(targets: SortedBy, windows: Windows, query: int, start: int, stop: int, marks: UInt8s) -> int:
    """How many positions start to stop of the base column are inside all other windows; marks them with 1.

    Position i is inside where low_j <= rank_j(i) < high_j in every column j.
    """
    length = stop - start
    marks[:length] = 1
    for j in range(targets.ranks.shape[0]):
        if j == targets.base:
            continue
        ranks = targets.ranks[j, start:stop]
        least = windows.low[query, j]
        most = windows.high[query, j]
        for i in range(length):
            marks[i] &= (ranks[i] >= least) & (ranks[i] < most)
    count = 0
    for i in range(length):
        count += marks[i]
    return count


@compiled
def nearest_inside(
    targets: SortedBy,
    windows: Windows,
    points: Points,
    queries: Ints,
    slack: float,
    sizes: Ints,
    found: Nearest,
) -> None:
    """Fill, for the queries, how many targets are inside all their windows, and the nearest of those.

    A target is inside where low_j <= rank_j < high_j in every column j; the distance is sum_j (x_j - y_j)^2.
    """
    marks = np.empty(BLOCK, np.uint8)
    for query in queries:
        least, most = windows.low[query, targets.base], windows.high[query, targets.base]
        own = np.inf
        ties = Ties(np.inf, 0.0, START_AGAIN, NO_TARGET)
        while ties.tied < 0:
            ties = Ties(ties.nearest, 0.0, 0, NO_TARGET)
            size = 0
            for start in range(least, most, BLOCK):
                stop = min(start + BLOCK, most)
                inside = mark_inside(targets, windows, query, start, stop, marks)
                if inside == 0:
                    continue
                size += inside
                for i in range(start, stop):
                    if marks[i - start]:
                        target = targets.order[i]
                        distance = squared_distance(points.queries, points.targets, query, target)
                        own = distance if target == points.truth[query] else own
                        ties = count_tie(distance, 1, target, slack, True, ties)
        sizes[query], found.best_distance2[query], found.ties[query] = size, ties.nearest, ties.tied
        found.hit[query] = own < np.inf and own <= tie_limit(ties.nearest, slack, True)
        found.first[query] = ties.lowest if ties.tied else -1


@compiled
def squared_distance(points: Floats, targets: Floats, query: int, target: int) -> float:
    """The squared distance of a query and a target, summed from left to right."""
    distance = 0.0
    for j in range(points.shape[1]):
        gap = points[query, j] - targets[target, j]
        distance += gap * gap
    return distance
