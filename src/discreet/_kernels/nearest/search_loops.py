"""Compiled loops that search the tree.

Boxes and points are tested in single precision, a vector at a time, with a margin for the rounding: those tests only
prune. What passes is measured in the original columns, summed from left to right in double precision without
fused multiply-add, and so is the same bit for bit as in plain NumPy.
"""

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.compile import compiled
from discreet._kernels.nearest.neighbours import Cut
from discreet._kernels.nearest.simd import FAN, boxes_within, lowest_bit, points_within
from discreet._kernels.nearest.tie_loops import NO_TARGET, NearestDistinct, Ties, count_tie


class TreeQueries(NamedTuple):
    """Queries x [n, columns], their places in the frame of the tree, bounds and home leaves.

    A bound is the squared distance to some target, or infinity.
    """

    points: Floats
    places: Singles
    bounds: Floats
    homes: Ints


class TreeTargets(NamedTuple):
    """Distinct targets y [m, columns] in the order of the leaves, how many records each stands for, and the lowest."""

    points: Floats
    counts: Ints
    firsts: Ints


class Tree(NamedTuple):
    """Points in leaves of at most LEAF, with bounding boxes of the leaves and of the nodes above them.

    `blocks` are the points of the leaves [leaves, columns, LEAF] and `boxes` those of the children of the nodes
    [nodes, 2, columns, FAN]. `children` says which node is the first child of each; leaves are numbered after the
    nodes.
    """

    cut: Cut
    blocks: Singles
    boxes: Singles
    children: Ints


class Limits(NamedTuple):
    """How far tests in single precision look: the scale of the frame, the margin for its rounding, and the slack.

    The margin has room for the slack.
    """

    scale: float
    margin: float
    slack: float


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
def measure(near: int, start: int, point: Floats, targets: TreeTargets, slack: float, ties: Ties) -> Ties:
    """What `count_tie` makes of the targets whose bits are set, numbered from `start`: d_t = sum_j (x_j - y_tj)^2."""
    while near != 0:
        target = start + lowest_bit(near)
        near &= near - 1
        distance = 0.0
        for j in range(point.shape[0]):
            gap = point[j] - targets.points[target, j]
            distance += gap * gap
        ties = count_tie(distance, targets.counts[target], targets.firsts[target], slack, True, ties)
    return ties


@compiled
def search(
    queries: TreeQueries, targets: TreeTargets, tree: Tree, limits: Limits, found: NearestDistinct
) -> None:
    """Fill what is found for each query, starting from its bound, which is used up, and its home leaf.

    The distance is min_t sum_j (x_j - y_tj)^2 over the targets t, in double precision (`measure`); boxes only rule
    targets out. Targets up to the slack farther than the nearest one tie with it.
    """
    scale, margin, slack = limits
    width = queries.points.shape[1]
    first_leaf = tree.boxes.shape[0]
    gaps = np.empty(FAN, np.float32)
    stack = np.empty(12 * FAN, np.int64)
    distances = np.zeros(12 * FAN, np.float32)
    query = 0
    while query < queries.points.shape[0]:
        point = queries.points[query]
        place = queries.places[query]
        length = 0.0
        for j in range(width):
            length += place[j] * place[j]
        length = np.sqrt(length)
        ties = Ties(queries.bounds[query], 0.0, 0, NO_TARGET)
        limit = reach(ties.nearest, scale, length, width, margin)
        home = queries.homes[query]
        near = points_within(place, tree.blocks, home, limit)
        if near != 0:
            ties = measure(near, tree.cut.starts[home], point, targets, slack, ties)
            limit = reach(ties.nearest, scale, length, width, margin)
        stack[0] = 0
        distances[0] = 0.0
        top = 1 if first_leaf > 0 else 0
        while top > 0:
            top -= 1
            if distances[top] > limit:
                continue
            node = stack[top]
            near = boxes_within(place, tree.boxes, node, limit, gaps)
            child = tree.children[node]
            if child < first_leaf:
                top = push_children(near, child, gaps, stack, distances, top)
                continue
            while near != 0:
                lane = lowest_bit(near)
                near &= near - 1
                leaf = child - first_leaf + lane
                if leaf == home or gaps[lane] > limit:
                    continue
                inside = points_within(place, tree.blocks, leaf, limit)
                if inside != 0:
                    before = ties.nearest
                    ties = measure(inside, tree.cut.starts[leaf], point, targets, slack, ties)
                    if ties.nearest < before:
                        limit = reach(ties.nearest, scale, length, width, margin)
        queries.bounds[query] = ties.nearest
        found.distance[query], found.ties[query], found.first[query] = ties.nearest, ties.tied, ties.lowest
        query += ties.tied >= 0
