"""Compiled loops of the search tree: rotate, split, box, and search.

The tree is built by splitting at the median in rotated coordinates, three binary levels to a node of eight
children, so that eight bounding boxes are tested in one vector loop. Boxes only prune; every distance that
counts is summed over the original columns from left to right, without fused multiply-add, and so is the same
bit for bit as the plain NumPy one.
"""

import numpy as np

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.compile import compiled

FAN = 8
LEAF = 16
NOBODY = 1 << 62


@compiled
def rotate(points: Floats, centre: Floats, axes: Floats, rotated: Floats) -> float:
    """Largest squared length of a centred point; fills `rotated` with the points in principal axes."""
    count, width = points.shape
    offset = np.empty(width)
    largest = 0.0
    for i in range(count):
        length = 0.0
        for j in range(width):
            offset[j] = points[i, j] - centre[j]
            length += offset[j] * offset[j]
            rotated[i, j] = 0.0
        for j in range(width):
            for axis in range(width):
                rotated[i, axis] += offset[j] * axes[j, axis]
        largest = max(largest, length)
    return largest


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
def fill(
    points: Floats, rotated: Floats, order: Ints, starts: Ints, blocks: Floats, boxes: Floats, first_leaf: int
) -> None:
    """Copy the points into one column block a leaf, and bound every leaf and node in rotated coordinates.

    The box of child g of node v is boxes[v, 0, :, g] to boxes[v, 1, :, g]; a child that does not exist keeps
    an empty box, infinitely far from everything.
    """
    width = points.shape[1]
    low = np.empty(width)
    high = np.empty(width)
    for leaf in range(starts.shape[0] - 1):
        low[:] = np.inf
        high[:] = -np.inf
        for i in range(starts[leaf], starts[leaf + 1]):
            point = order[i]
            for j in range(width):
                blocks[leaf, j, i - starts[leaf]] = points[point, j]
                low[j] = min(low[j], rotated[point, j])
                high[j] = max(high[j], rotated[point, j])
        node = first_leaf + leaf
        while node > 0:
            parent = (node - 1) // FAN
            child = (node - 1) % FAN
            for j in range(width):
                boxes[parent, 0, j, child] = min(boxes[parent, 0, j, child], low[j])
                boxes[parent, 1, j, child] = max(boxes[parent, 1, j, child], high[j])
            node = parent


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


@compiled
def reach(best: float, margin: float, slack: float) -> float:
    """Squared distance in rotated coordinates beyond which nothing can be as near as `best`."""
    radius = np.sqrt(best) * slack + margin
    return float(radius * radius * slack)


@compiled
def block_distances(points: Floats, query: int, blocks: Floats, leaf: int, sums: Floats) -> float:
    """Least squared distance from a query to a leaf's points; fills `sums` with all of them."""
    for slot in range(LEAF):
        sums[slot] = 0.0
    for j in range(points.shape[1]):
        value = points[query, j]
        for slot in range(LEAF):
            gap = value - blocks[leaf, j, slot]
            sums[slot] += gap * gap
    least = sums[0]
    for slot in range(1, LEAF):
        least = sums[slot] if sums[slot] < least else least
    return float(least)


@compiled
def box_distances(rotated: Floats, query: int, boxes: Floats, node: int, sums: Floats) -> None:
    """Fill `sums` with the squared distances from a query to a node's eight child boxes."""
    for child in range(FAN):
        sums[child] = 0.0
    for j in range(rotated.shape[1]):
        value = rotated[query, j]
        for child in range(FAN):
            low = boxes[node, 0, j, child]
            high = boxes[node, 1, j, child]
            inside = low if value < low else value
            inside = high if inside > high else inside
            gap = value - inside
            sums[child] += gap * gap


@compiled
def search(
    points: Floats,
    rotated: Floats,
    bounds: Floats,
    homes: Ints,
    order: Ints,
    blocks: Floats,
    starts: Ints,
    counts: Ints,
    firsts: Ints,
    boxes: Floats,
    first_leaf: int,
    margin: float,
    slack: float,
    best: Floats,
    ties: Ints,
    first: Ints,
) -> None:
    """Fill best, ties and first for the queries listed in `order`, each starting from its bound and its home leaf.

    A bound is the distance to some target, or infinity. counts and firsts say how many targets each stored
    point stands for and the lowest of their numbers, in the order of the leaves.
    """
    sums = np.empty(LEAF)
    gaps = np.empty(FAN)
    room = FAN * 24  # one node's children for each of at most 21 levels, and the home leaf
    stack = np.empty(room, np.int64)
    distances = np.empty(room)
    for position in range(order.shape[0]):
        query = order[position]
        home = homes[query] + first_leaf
        nearest = bounds[query]
        tied = 0
        lowest = NOBODY
        limit = reach(nearest, margin, slack)
        stack[0] = 0
        distances[0] = 0.0
        stack[1] = home
        distances[1] = 0.0
        top = 2
        fresh = True
        while top > 0:
            top -= 1
            if distances[top] > limit:
                continue
            node = stack[top]
            if node < first_leaf:
                box_distances(rotated, query, boxes, node, gaps)
                for child in range(FAN):
                    stack[top] = FAN * node + 1 + child
                    distances[top] = gaps[child]
                    top += gaps[child] <= limit
                continue
            if node == home and not fresh:
                continue
            if node == home:
                fresh = False
            leaf = node - first_leaf
            least = block_distances(points, query, blocks, leaf, sums)
            if least > nearest:
                continue
            if least < nearest:
                nearest = least
                tied = 0
                lowest = NOBODY
                limit = reach(nearest, margin, slack)
            base = starts[leaf]
            for slot in range(starts[leaf + 1] - base):
                if sums[slot] == nearest:
                    tied += counts[base + slot]
                    lowest = min(lowest, firsts[base + slot])
        best[query] = nearest
        ties[query] = tied
        first[query] = lowest
