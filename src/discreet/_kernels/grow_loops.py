"""Compiled loops that grow the search tree: rotate, split at the median, and bound by boxes.

Points are rotated and scaled to lengths of at most 1. A node holds the bounding boxes of up to 64 children and a
leaf up to 64 points, column by column in single precision, so that one vector loop can test them all.
"""

import numpy as np

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.compile import compiled

FAN_BITS = 6
FAN = 1 << FAN_BITS
LEAF = 64


@compiled
def stretch(points: Floats, centre: Floats, farthest: Floats) -> None:
    """Raise farthest[j] to the largest distance of a point from the centre in column j."""
    for i in range(points.shape[0]):
        for j in range(points.shape[1]):
            farthest[j] = max(farthest[j], abs(points[i, j] - centre[j]))


@compiled
def rotate(points: Floats, centre: Floats, axes: Floats, rotated: Floats) -> None:
    """Fill `rotated` with the points moved to the centre and turned into the axes."""
    count, width = points.shape
    for i in range(count):
        for axis in range(width):
            rotated[i, axis] = 0.0
        for j in range(width):
            offset = points[i, j] - centre[j]
            for axis in range(width):
                rotated[i, axis] += offset * axes[j, axis]


@compiled
def select(keys: Floats, order: Ints, low: int, high: int, middle: int) -> None:
    """Reorder keys[low:high], and order with it, so that keys[middle] stands where sorting would put it."""
    left = low
    right = high - 1
    while left < right:
        a = keys[left]
        b = keys[(left + right) >> 1]
        c = keys[right]
        pivot = max(min(a, b), min(max(a, b), c))
        i = left
        j = right
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while keys[j] > pivot:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            return


@compiled
def widest_axis(columns: Floats, order: Ints, low: int, high: int) -> int:
    """Axis of largest spread among about 64 of the points order[low:high]; a guess is enough to split well."""
    step = max(1, (high - low) // 64)
    axis = 0
    widest = -1.0
    for j in range(columns.shape[0]):
        least = columns[j, order[low]]
        most = least
        for i in range(low, high, step):
            value = columns[j, order[i]]
            least = min(least, value)
            most = max(most, value)
        if most - least > widest:
            widest = most - least
            axis = j
    return axis


@compiled
def split(
    columns: Floats,
    order: Ints,
    keys: Floats,
    axes: Ints,
    cuts: Floats,
    node: int,
    low: int,
    high: int,
    depth: int,
) -> None:
    """Split order[low:high] at the median `depth` times over; node numbers as in a binary heap."""
    stack = np.empty((depth + 2, 4), np.int64)
    stack[0, 0] = node
    stack[0, 1] = low
    stack[0, 2] = high
    stack[0, 3] = depth
    top = 1
    while top > 0:
        top -= 1
        node = stack[top, 0]
        low = stack[top, 1]
        high = stack[top, 2]
        depth = stack[top, 3]
        if depth == 0:
            continue
        axis = widest_axis(columns, order, low, high)
        for i in range(low, high):
            keys[i] = columns[axis, order[i]]
        middle = (low + high) >> 1
        select(keys, order, low, high, middle)
        axes[node] = axis
        cuts[node] = keys[middle]
        for side in range(2):
            stack[top, 0] = 2 * node + 2 - side
            stack[top, 1] = low if side else middle
            stack[top, 2] = middle if side else high
            stack[top, 3] = depth - 1
            top += 1


@compiled
def fill(rotated: Floats, order: Ints, starts: Ints, blocks: Singles, boxes: Singles, levels: Ints) -> None:
    """Copy the rotated points into one column block a leaf, and bound every leaf and node.

    The box of child g of node v is boxes[v, 0, :, g] to boxes[v, 1, :, g]; a child that does not exist keeps
    an empty box, infinitely far from everything. levels[t] is the number of the first node of level t.
    """
    width = rotated.shape[1]
    low = np.empty(width, np.float32)
    high = np.empty(width, np.float32)
    for leaf in range(starts.shape[0] - 1):
        low[:] = np.inf
        high[:] = -np.inf
        for i in range(starts[leaf], starts[leaf + 1]):
            for j in range(width):
                value = np.float32(rotated[order[i], j])
                blocks[leaf, j, i - starts[leaf]] = value
                low[j] = min(low[j], value)
                high[j] = max(high[j], value)
        place = leaf
        for level in range(levels.shape[0] - 1, -1, -1):
            child = place & (FAN - 1)
            place >>= FAN_BITS
            node = levels[level] + place
            for j in range(width):
                boxes[node, 0, j, child] = min(boxes[node, 0, j, child], low[j])
                boxes[node, 1, j, child] = max(boxes[node, 1, j, child], high[j])


@compiled
def home_leaves(rotated: Floats, axes: Ints, cuts: Floats, leaves: Ints) -> None:
    """Fill `leaves` with the leaf each point falls into."""
    inner = axes.shape[0]
    for i in range(rotated.shape[0]):
        node = 0
        while node < inner:
            node = 2 * node + 1 if rotated[i, axes[node]] < cuts[node] else 2 * node + 2
        leaves[i] = node - inner


@compiled
def order_by_leaf(leaves: Ints, count: int, order: Ints) -> None:
    """Fill `order` with the points sorted by leaf (a counting sort, stable)."""
    places = np.zeros(count + 1, np.int64)
    for i in range(leaves.shape[0]):
        places[leaves[i] + 1] += 1
    for leaf in range(count):
        places[leaf + 1] += places[leaf]
    for i in range(leaves.shape[0]):
        order[places[leaves[i]]] = i
        places[leaves[i]] += 1
