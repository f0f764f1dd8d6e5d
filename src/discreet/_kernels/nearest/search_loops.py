"""Compiled loops that search the tree.

Boxes and points are tested in single precision, a vector at a time, with a margin for the rounding: those tests only
prune. What passes is measured in the original columns, summed from left to right in double precision without
fused multiply-add, and so is the same bit for bit as in plain NumPy.
"""

import numpy as np

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.compile import compiled
from discreet._kernels.nearest.simd import FAN, boxes_within, lowest_bit, points_within
from discreet._kernels.nearest.tie_loops import NO_TARGET, count_tie


@compiled
def reach(best: float, scale: float, length: float, width: int, margin: float) -> np.float32:
    """Squared single-precision distance beyond which nothing can be as near as the squared distance `best`.

    A square below the smallest normal number may have vanished from `best`, so that much is added to it. In exact
    rotated coordinates nothing farther than radius counts. Rounding the coordinates of a place of that length, and
    of anything within the radius of it, to single precision moves them by less than half a unit of their lengths;
    the rest is the rounding of the sum, and what may vanish by underflow. No two points of length 1 are 4 apart, so
    the limit stays finite: what does not exist is infinitely far, and must never be within it.
    """
    single = 1.2e-7
    double = 2.3e-16
    radius = np.sqrt(best + 1e-300) * scale * (1.0 + (width + 8) * double) + margin
    radius = radius * (1.0 + single) + 2.0 * single * length
    radius = min(radius, 4.0)
    return np.float32(radius * radius * (1.0 + 2.0 * (width + 8) * single) + 1e-36)


@compiled
def push_children(near: int, child: int, gaps: Singles, stack: Ints, distances: Singles, top: int) -> int:
    """Height of the stack after the children whose bits are set, numbered from `child`, are put on it."""
    while near != 0:
        lane = lowest_bit(near)
        near &= near - 1
        stack[top] = child + lane
        distances[top] = gaps[lane]
        top += 1
    return top


@compiled
def measure(
    near: int,
    start: int,
    points: Floats,
    query: int,
    targets: Floats,
    counts: Ints,
    firsts: Ints,
    slack: float,
    nearest: float,
    farthest: float,
    tied: int,
    lowest: int,
) -> tuple[float, float, int, int]:
    """What `count_tie` makes of the targets whose bits are set, numbered from `start`."""
    while near != 0:
        target = start + lowest_bit(near)
        near &= near - 1
        distance = 0.0
        for j in range(points.shape[1]):
            gap = points[query, j] - targets[target, j]
            distance += gap * gap
        nearest, farthest, tied, lowest = count_tie(
            distance, counts[target], firsts[target], slack, True, nearest, farthest, tied, lowest
        )
    return nearest, farthest, tied, lowest


@compiled
def search(
    points: Floats,
    places: Singles,
    bounds: Floats,
    homes: Ints,
    targets: Floats,
    counts: Ints,
    firsts: Ints,
    starts: Ints,
    blocks: Singles,
    boxes: Singles,
    children: Ints,
    scale: float,
    margin: float,
    slack: float,
    best: Floats,
    ties: Ints,
    first: Ints,
) -> None:
    """Fill best, ties and first for each query, starting from its bound, which is used up, and its home leaf.

    best is min_t sum_j (x_j - y_tj)^2 over the targets t, in double precision (`measure`); boxes only rule targets out.

    Targets up to `slack` farther than the nearest one tie with it; the margin has room for the slack. A bound is the
    distance to some target, or infinity. `places` are the queries in the frame of the tree. targets, counts and firsts
    are in the order of the leaves: the stored points, how many records each stands for, and the lowest of their
    numbers. children says which node is the first child of each; leaves are numbered after the nodes.
    """
    width = points.shape[1]
    first_leaf = boxes.shape[0]
    gaps = np.empty(FAN, np.float32)
    stack = np.empty(12 * FAN, np.int64)
    distances = np.zeros(12 * FAN, np.float32)
    query = 0
    while query < points.shape[0]:
        place = places[query]
        length = 0.0
        for j in range(width):
            length += place[j] * place[j]
        length = np.sqrt(length)
        nearest, farthest, tied, lowest = bounds[query], 0.0, 0, NO_TARGET
        limit = reach(nearest, scale, length, width, margin)
        home = homes[query]
        near = points_within(place, blocks, home, limit)
        if near != 0:
            nearest, farthest, tied, lowest = measure(
                near, starts[home], points, query, targets, counts, firsts, slack,
                nearest, farthest, tied, lowest,
            )  # fmt: skip
            limit = reach(nearest, scale, length, width, margin)
        stack[0] = 0
        distances[0] = 0.0
        top = 1 if first_leaf > 0 else 0
        while top > 0:
            top -= 1
            if distances[top] > limit:
                continue
            node = stack[top]
            near = boxes_within(place, boxes, node, limit, gaps)
            child = children[node]
            if child < first_leaf:
                top = push_children(near, child, gaps, stack, distances, top)
                continue
            while near != 0:
                lane = lowest_bit(near)
                near &= near - 1
                leaf = child - first_leaf + lane
                if leaf == home or gaps[lane] > limit:
                    continue
                found = points_within(place, blocks, leaf, limit)
                if found != 0:
                    before = nearest
                    nearest, farthest, tied, lowest = measure(
                        found, starts[leaf], points, query, targets, counts, firsts, slack,
                        nearest, farthest, tied, lowest,
                    )  # fmt: skip
                    if nearest < before:
                        limit = reach(nearest, scale, length, width, margin)
        bounds[query] = nearest
        best[query], ties[query], first[query] = nearest, tied, lowest
        query += tied >= 0
