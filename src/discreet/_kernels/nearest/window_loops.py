"""Compiled loops over the records inside a query's windows, starting from its narrowest window."""

import numpy as np

from discreet._kernels.arrays import Flags, Floats, Int32s, Ints, UInt8s
from discreet._kernels.compile import compiled
from discreet._kernels.nearest.tie_loops import NO_TARGET, START_AGAIN, count_tie, tie_limit

BLOCK = 4096


@compiled
def mark_inside(
    table: Int32s, base: int, query: int, low: Int32s, high: Int32s, start: int, stop: int, marks: UInt8s
) -> int:
    """How many positions start to stop of the base column are inside all other windows; marks them with 1."""
    length = stop - start
    marks[:length] = 1
    for j in range(table.shape[0]):
        if j == base:
            continue
        ranks = table[j, start:stop]
        least = low[query, j]
        most = high[query, j]
        for i in range(length):
            marks[i] &= (ranks[i] >= least) & (ranks[i] < most)
    count = 0
    for i in range(length):
        count += marks[i]
    return count


@compiled
def nearest_inside(
    table: Int32s,
    base: int,
    order: Ints,
    queries: Ints,
    low: Int32s,
    high: Int32s,
    points: Floats,
    targets: Floats,
    truth: Ints,
    slack: float,
    sizes: Ints,
    best: Floats,
    ties: Ints,
    hit: Flags,
    first: Ints,
) -> None:
    """Fill sizes, best, ties, hit and first for the queries with the nearest target inside all their windows.

    A target is inside where low_j <= rank_j < high_j in every column j; the distance is sum_j (x_j - y_j)^2.
    """
    marks = np.empty(BLOCK, np.uint8)
    for query in queries:
        nearest, own = np.inf, np.inf
        tied = START_AGAIN
        while tied < 0:
            farthest, tied, lowest = 0.0, 0, NO_TARGET
            size = 0
            for start in range(low[query, base], high[query, base], BLOCK):
                stop = min(start + BLOCK, high[query, base])
                inside = mark_inside(table, base, query, low, high, start, stop, marks)
                if inside == 0:
                    continue
                size += inside
                for i in range(start, stop):
                    if marks[i - start]:
                        target = order[i]
                        distance = squared_distance(points, targets, query, target)
                        own = distance if target == truth[query] else own
                        nearest, farthest, tied, lowest = count_tie(
                            distance, 1, target, slack, True, nearest, farthest, tied, lowest
                        )
        sizes[query], best[query], ties[query] = size, nearest, tied
        hit[query] = own < np.inf and own <= tie_limit(nearest, slack, True)
        first[query] = lowest if tied else -1


@compiled
def squared_distance(points: Floats, targets: Floats, query: int, target: int) -> float:
    """The squared distance of a query and a target, summed from left to right."""
    distance = 0.0
    for j in range(points.shape[1]):
        gap = points[query, j] - targets[target, j]
        distance += gap * gap
    return distance
