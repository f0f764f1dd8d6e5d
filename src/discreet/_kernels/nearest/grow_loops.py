"""Compiled loops that grow the search tree: split at the median, and bound by boxes.

A node holds the bounding boxes of up to FAN children and a leaf up to LEAF points, column by column in single
precision, so that one vector can test them all.
"""

import numpy as np

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.compile import compiled
from discreet._kernels.nearest.simd import FAN, FAN_BITS

# The low half of a key is the number of a point, the high half its coordinate.
NUMBER_BITS = 32
NUMBER = (1 << NUMBER_BITS) - 1
SAMPLE = 32
TOGETHER = 256
SPOT_BITS = 31
SPOTS = (1 << SPOT_BITS) - 1


@compiled
def stretch(points: Floats, centre: Floats, farthest: Floats) -> None:
    """Raise farthest[j] to the largest distance of a point from the centre in column j."""
    for i in range(points.shape[0]):
        for j in range(points.shape[1]):
            farthest[j] = max(farthest[j], abs(points[i, j] - centre[j]))


@compiled
def sortable(value: float) -> int:
    """A 32-bit number that rises with the value in single precision."""
    bits = int(np.float32(value).view(np.int32))
    return bits if bits >= 0 else -1 - (bits & 0x7FFFFFFF)


@compiled
def move_below(keys: Ints, low: int, high: int, pivot: int) -> int:
    """Where those of keys[low:high] end that are below the pivot, after moving them to the front.

    No branch depends on the keys: a processor could not foresee it.
    """
    edge = low
    for i in range(low, high):
        key = keys[i]
        keys[i] = keys[edge]
        keys[edge] = key
        edge += key < pivot
    return edge


@compiled
def select(keys: Ints, low: int, high: int, middle: int) -> None:
    """Reorder the distinct keys[low:high] so that keys[middle] stands where sorting would put it.

    Pivots are medians of three keys from irregular places, so that no order that data come in is a bad one.
    """
    spot = 1
    while high - low > 1:
        spot = (spot * 1103515245 + 12345) & SPOTS
        a = keys[low + (spot * (high - low) >> SPOT_BITS)]
        b = keys[low + ((spot ^ (SPOTS >> 1)) * (high - low) >> SPOT_BITS)]
        c = keys[(low + high) >> 1]
        pivot = max(min(a, b), min(max(a, b), c))
        edge = move_below(keys, low, high, pivot)
        if edge == low:
            # The pivot is the least of all: it goes to the front alone.
            edge = move_below(keys, low, high, pivot + 1)
        if middle < edge:
            high = edge
        else:
            low = edge


@compiled
def widest_axis(columns: Floats | Singles, keys: Ints, low: int, high: int) -> int:
    """Axis of largest spread among some of the points keys[low:high]; a guess is enough to split well."""
    step = max(1, (high - low) // SAMPLE)
    axis = 0
    widest = -1.0
    for j in range(columns.shape[0]):
        least = columns[j, keys[low] & NUMBER]
        most = least
        for i in range(low, high, step):
            value = columns[j, keys[i] & NUMBER]
            least = min(least, value)
            most = max(most, value)
        if most - least > widest:
            widest = most - least
            axis = j
    return axis


@compiled
def split(
    columns: Floats | Singles,
    keys: Ints,
    axes: Ints,
    cuts: Floats,
    node: int,
    low: int,
    high: int,
    depth: int,
) -> None:
    """Split the points keys[low:high] at the median `depth` times over; node numbers as in a binary heap.

    A key is the number of a point; its high half is overwritten by the coordinate that it was last split at.
    """
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
        axis = widest_axis(columns, keys, low, high)
        for i in range(low, high):
            number = keys[i] & NUMBER
            keys[i] = (sortable(columns[axis, number]) << NUMBER_BITS) | number
        middle = (low + high) >> 1
        select(keys, low, high, middle)
        axes[node] = axis
        cuts[node] = columns[axis, keys[middle] & NUMBER]
        for side in range(2):
            stack[top, 0] = 2 * node + 2 - side
            stack[top, 1] = low if side else middle
            stack[top, 2] = middle if side else high
            stack[top, 3] = depth - 1
            top += 1


@compiled
def fill(columns: Singles, order: Ints, starts: Ints, blocks: Singles, boxes: Singles, levels: Ints) -> None:
    """Copy the points into one block a leaf, column by column, and bound every leaf and node.

    The box of child g of node v is boxes[v, 0, :, g] to boxes[v, 1, :, g]; a child that does not exist keeps
    an empty box, infinitely far from everything. levels[t] is the number of the first node of level t.
    """
    for leaf in range(starts.shape[0] - 1):
        start, stop = starts[leaf], starts[leaf + 1]
        for j in range(columns.shape[0]):
            low = np.float32(np.inf)
            high = np.float32(-np.inf)
            for i in range(start, stop):
                value = columns[j, order[i]]
                blocks[leaf, j, i - start] = value
                low = min(low, value)
                high = max(high, value)
            place = leaf
            for level in range(levels.shape[0] - 1, -1, -1):
                child = place & (FAN - 1)
                place >>= FAN_BITS
                node = levels[level] + place
                boxes[node, 0, j, child] = min(boxes[node, 0, j, child], low)
                boxes[node, 1, j, child] = max(boxes[node, 1, j, child], high)


@compiled
def home_leaves(places: Floats | Singles, axes: Ints, cuts: Floats, leaves: Ints) -> None:
    """Fill `leaves` with the leaf each place falls into.

    Some hundred places go down a level together: one alone would wait at every level for the memory.
    """
    count = places.shape[0]
    inner = axes.shape[0]
    for start in range(0, count, TOGETHER):
        stop = min(start + TOGETHER, count)
        leaves[start:stop] = 0
        level_end = 0
        while level_end < inner:
            for i in range(start, stop):
                node = leaves[i]
                leaves[i] = 2 * node + 1 + (places[i, axes[node]] >= cuts[node])
            level_end = 2 * level_end + 1
        for i in range(start, stop):
            leaves[i] -= inner


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
