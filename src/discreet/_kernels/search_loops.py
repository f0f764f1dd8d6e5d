"""Compiled loops that search the tree.

Boxes and points are tested in single precision, 64 at a time, with a margin for the rounding: those tests only
prune. What passes is measured in the original columns, summed from left to right in double precision without
fused multiply-add, and so is the same bit for bit as in plain NumPy.

Loops over lanes take their length from an array: with a constant one the compiler unrolls them into scalars.
"""

import numpy as np

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.compile import compiled
from discreet._kernels.grow_loops import FAN, LEAF
from discreet._kernels.tie_loops import NOBODY, count_tie


@compiled
def point_distances(place: Singles, block: Singles, sums: Singles) -> None:
    """Fill `sums` with the squared distances from a place to the points of a leaf."""
    lanes = sums.shape[0]
    value = place[0]
    column = block[0]
    for lane in range(lanes):
        gap = value - column[lane]
        sums[lane] = gap * gap
    for j in range(1, place.shape[0]):
        value = place[j]
        column = block[j]
        for lane in range(lanes):
            gap = value - column[lane]
            sums[lane] += gap * gap


@compiled
def box_distances(place: Singles, box: Singles, sums: Singles) -> None:
    """Fill `sums` with the squared distances from a place to the child boxes of a node."""
    lanes = sums.shape[0]
    sums[:] = 0.0
    for j in range(place.shape[0]):
        value = place[j]
        low = box[0, j]
        high = box[1, j]
        for lane in range(lanes):
            inside = low[lane] if value < low[lane] else value
            inside = high[lane] if inside > high[lane] else inside
            gap = value - inside
            sums[lane] += gap * gap


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
def push_near_children(
    gaps: Singles, child: int, limit: np.float32, stack: Ints, distances: Singles, top: int
) -> int:
    """Height of the stack after the children within the limit, numbered from `child`, are put on it."""
    for lane in range(FAN):
        stack[top] = child + lane
        distances[top] = gaps[lane]
        top += gaps[lane] <= limit
    return top


@compiled
def any_within(sums: Singles, limit: np.float32) -> bool:
    """Whether any of the sums is within the limit, without a branch a lane."""
    near = 0
    for lane in range(sums.shape[0]):
        near += sums[lane] <= limit
    return near > 0


@compiled
def measure(
    points: Floats,
    query: int,
    targets: Floats,
    counts: Ints,
    firsts: Ints,
    start: int,
    stop: int,
    sums: Singles,
    limit: np.float32,
    slack: float,
    nearest: float,
    farthest: float,
    tied: int,
    lowest: int,
) -> tuple[float, float, int, int]:
    """What `count_tie` makes of the targets start to stop that are within the limit."""
    for target in range(start, stop):
        if sums[target - start] > limit:
            continue
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
    rotated: Floats,
    bounds: Floats,
    homes: Ints,
    order: Ints,
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
    """Fill best, ties and first for the queries listed in `order`, each starting from its bound and its home leaf.

    Targets up to `slack` farther than the nearest one tie with it; the margin has room for the slack. A bound is the
    distance to some target, or infinity. targets, counts and firsts are in the order of the leaves: the stored
    points, how many records each stands for, and the lowest of their numbers. children says which node is the first
    child of each; leaves are numbered after the nodes.
    """
    width = points.shape[1]
    first_leaf = boxes.shape[0]
    sums = np.empty(LEAF, np.float32)
    gaps = np.empty(FAN, np.float32)
    place = np.empty(width, np.float32)
    stack = np.empty(12 * FAN, np.int64)
    distances = np.zeros(12 * FAN, np.float32)
    position = 0
    while position < order.shape[0]:
        query = order[position]
        length = 0.0
        for j in range(width):
            place[j] = rotated[query, j]
            length += rotated[query, j] * rotated[query, j]
        length = np.sqrt(length)
        nearest, farthest, tied, lowest = bounds[query], 0.0, 0, NOBODY
        limit = reach(nearest, scale, length, width, margin)
        home = homes[query] + first_leaf
        stack[0], stack[1] = 0, home
        distances[0], distances[1] = 0.0, 0.0
        top = 2
        at_home = True
        while top > 0:
            top -= 1
            node = stack[top]
            if distances[top] > limit or (node == home and not at_home):
                continue
            if node < first_leaf:
                box_distances(place, boxes[node], gaps)
                top = push_near_children(gaps, children[node], limit, stack, distances, top)
                continue
            at_home = False
            leaf = node - first_leaf
            point_distances(place, blocks[leaf], sums)
            if any_within(sums, limit):
                before = nearest
                nearest, farthest, tied, lowest = measure(
                    points, query, targets, counts, firsts, starts[leaf], starts[leaf + 1], sums, limit, slack,
                    nearest, farthest, tied, lowest,
                )  # fmt: skip
                if nearest < before:
                    limit = reach(nearest, scale, length, width, margin)
        bounds[query] = nearest
        best[query], ties[query], first[query] = nearest, tied, lowest
        position += tied >= 0
