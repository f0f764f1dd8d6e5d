"""Records in small boxes, to find the nearest and the farthest ones without looking at all of them.

The records are split at medians (a kd tree) until at most WIDTH of them are together, in a leaf; WIDTH neighbouring
leaves make a branch, and WIDTH neighbouring branches a trunk. Leaves and branches know the box around what they hold.
Within each of the three everything is a plain scan of fixed length that the processor does many lanes at a time, so
that even where boxes rule nothing out, a search costs little more than a pass over the records.

Boxes and first distances are in float32, in the records' principal components (where boxes are tight), centred
and scaled into the unit ball. They serve only to rule records out, with a margin for their rounding; what
is left is compared in float64 on the records as given. So the result does not depend on the boxes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.compile import compiled

# Loops of this constant length are vectorised; shorter ones are unrolled instead, and cost three times as much.
WIDTH = 64
# Records looked at to find the principal components, and the one along which many are best split.
SAMPLE = 1024
SPLIT_SAMPLE = 32
# The box of nothing: too far for a nearest record, and of too small a norm for a farthest.
NOWHERE = 1e16
NO_NORM = -1e30


class Boxes(NamedTuple):
    """Records that can be searched and removed; see `build`.

    Leaves are numbered through all branches, branches through all trunks. The last component is the squared
    norm of a record.
    """

    points: Floats  # [record, column] as given
    centre: Floats  # [column] and
    turn: Floats  # [column, component]: what makes of a point its scaled components
    scale: float
    coordinates: Singles  # [leaf, component, slot]
    rows: Ints  # [leaf, slot] the record there
    counts: Ints  # [leaf] how many slots are in use, the first ones
    places: Ints  # [record] leaf * WIDTH + slot
    leaf_low: Singles  # [branch, component, leaf in branch]
    leaf_high: Singles
    branch_low: Singles  # [trunk, component, branch in trunk]
    branch_high: Singles


def build(points: Floats, rows: Ints, centre: Floats) -> Boxes:
    """The given rows of the points, in boxes. The farthest record from the centre is found most quickly."""
    columns = points.shape[1]
    sample = points[rows[:: max(1, len(rows) // SAMPLE)]]
    sample -= centre
    scale = _scale_to_unit_ball(points, rows, centre)
    turn = np.ascontiguousarray(np.linalg.eigh(sample.T @ sample)[1][:, ::-1]) * scale
    components = np.empty((columns + 1, len(rows)), dtype=np.float32)
    _turn(points, rows, centre, turn, components)
    leaves = -(-len(rows) // WIDTH)
    branches = -(-leaves // WIDTH)
    trunks = -(-branches // WIDTH)
    boxes = Boxes(
        points=points,
        centre=centre,
        turn=turn,
        scale=scale,
        coordinates=np.zeros((leaves, columns + 1, WIDTH), dtype=np.float32),
        rows=np.zeros((leaves, WIDTH), dtype=np.int64),
        counts=np.zeros(leaves, dtype=np.int64),
        places=np.full(len(points), -1, dtype=np.int64),
        leaf_low=_nowhere(branches, columns, NOWHERE, NOWHERE),
        leaf_high=_nowhere(branches, columns, -NOWHERE, NO_NORM),
        branch_low=_nowhere(trunks, columns, NOWHERE, NOWHERE),
        branch_high=_nowhere(trunks, columns, -NOWHERE, NO_NORM),
    )
    order = np.arange(len(rows), dtype=np.int64)
    starts = np.zeros(leaves + 1, dtype=np.int64)
    starts[leaves] = len(rows)
    _split(components, order, starts)
    _fill(boxes, components, order, starts, rows)
    return boxes


def _nowhere(blocks: int, columns: int, side: float, norm: float) -> Singles:
    """One side of boxes that hold nothing."""
    sides = np.full((blocks, columns + 1, WIDTH), side, dtype=np.float32)
    sides[:, columns] = norm
    return sides


@compiled
def _scale_to_unit_ball(points: Floats, rows: Ints, centre: Floats) -> float:
    """What brings the farthest row to a distance of one from the centre."""
    longest = 0.0
    for index in range(len(rows)):
        record = points[rows[index]]
        norm = 0.0
        for column in range(len(centre)):
            norm += (record[column] - centre[column]) ** 2
        longest = max(longest, norm)
    return 1.0 / np.sqrt(longest) if longest > 0.0 else 1.0


@compiled
def _turn(points: Floats, rows: Ints, centre: Floats, turn: Floats, components: Singles) -> None:
    """Write the components of the rows, and after them their squared norms."""
    columns = len(centre)
    turned = np.empty(columns)
    for index in range(len(rows)):
        record = points[rows[index]]
        turned[:] = 0.0
        for column in range(columns):
            value = record[column] - centre[column]
            weights = turn[column]
            for number in range(columns):
                turned[number] += value * weights[number]
        norm = 0.0
        for number in range(columns):
            norm += turned[number] * turned[number]
            components[number, index] = turned[number]
        components[columns, index] = norm


@compiled
def _split(components: Singles, order: Ints, starts: Ints) -> None:
    """Order the records so that each leaf's are together, and write where each leaf starts."""
    keys = np.empty(len(order), dtype=np.float32)
    # What is still to be split: first leaf, end leaf. No more than one for each level is ever waiting.
    waiting = np.empty((64, 2), dtype=np.int64)
    waiting[0, 0] = 0
    waiting[0, 1] = len(starts) - 1
    count = 1
    while count > 0:
        count -= 1
        leaf = waiting[count, 0]
        end_leaf = waiting[count, 1]
        leaves = end_leaf - leaf
        if leaves == 1:
            continue
        ahead = leaves // 2
        if leaves > WIDTH:
            ahead = max(WIDTH, ahead // WIDTH * WIDTH)
        start = starts[leaf]
        end = starts[end_leaf]
        middle = start + (end - start) * ahead // leaves
        component = components[_widest(components, order[start:end])]
        for index in range(start, end):
            keys[index] = component[order[index]]
        _partition(keys[start:end], order[start:end], middle - start)
        starts[leaf + ahead] = middle
        waiting[count, 0] = leaf
        waiting[count, 1] = leaf + ahead
        waiting[count + 1, 0] = leaf + ahead
        waiting[count + 1, 1] = end_leaf
        count += 2


@compiled
def _widest(components: Singles, order: Ints) -> int:
    """The component in which a sample of the records spreads most."""
    widest = 0
    spread = np.float32(-1.0)
    stride = max(1, len(order) // SPLIT_SAMPLE)
    for number in range(len(components) - 1):
        component = components[number]
        low = high = component[order[0]]
        for index in range(0, len(order), stride):
            value = component[order[index]]
            low = min(low, value)
            high = max(high, value)
        if high - low > spread:
            spread = high - low
            widest = number
    return widest


@compiled
def _partition(keys: Singles, order: Ints, middle: int) -> None:
    """Bring the smallest `middle` keys to the front, and the order with them (Hoare's quickselect)."""
    start = 0
    end = len(keys) - 1
    while start < end:
        pivot = keys[(start + end) // 2]
        left = start
        right = end
        while left <= right:
            while keys[left] < pivot:
                left += 1
            while keys[right] > pivot:
                right -= 1
            if left <= right:
                keys[left], keys[right] = keys[right], keys[left]
                order[left], order[right] = order[right], order[left]
                left += 1
                right -= 1
        if middle <= right:
            end = right
        elif middle >= left:
            start = left
        else:
            break


@compiled
def _fill(boxes: Boxes, components: Singles, order: Ints, starts: Ints, rows: Ints) -> None:
    """Put the ordered records into their leaves, and draw the boxes."""
    for leaf in range(len(boxes.counts)):
        start = starts[leaf]
        boxes.counts[leaf] = starts[leaf + 1] - start
        for slot in range(boxes.counts[leaf]):
            row = rows[order[start + slot]]
            boxes.rows[leaf, slot] = row
            boxes.places[row] = leaf * WIDTH + slot
            for number in range(len(components)):
                boxes.coordinates[leaf, number, slot] = components[number, order[start + slot]]
        for number in range(len(components)):
            tighten_leaf(boxes, leaf, number)
    for branch in range(len(boxes.leaf_low)):
        for number in range(len(components)):
            tighten_branch(boxes, branch, number)


@compiled
def tighten_leaf(boxes: Boxes, leaf: int, number: int) -> None:
    """Draw a leaf's box around the records it holds, in one component."""
    held = boxes.coordinates[leaf, number]
    low = np.float32(NOWHERE)
    high = np.float32(-NOWHERE) if number < len(boxes.centre) else np.float32(NO_NORM)
    for slot in range(boxes.counts[leaf]):
        low = min(low, held[slot])
        high = max(high, held[slot])
    boxes.leaf_low[leaf // WIDTH, number, leaf % WIDTH] = low
    boxes.leaf_high[leaf // WIDTH, number, leaf % WIDTH] = high


@compiled
def tighten_branch(boxes: Boxes, branch: int, number: int) -> None:
    """Draw a branch's box around the boxes of its leaves, in one component."""
    lows = boxes.leaf_low[branch, number]
    highs = boxes.leaf_high[branch, number]
    low = lows[0]
    high = highs[0]
    for twig in range(WIDTH):
        low = min(low, lows[twig])
        high = max(high, highs[twig])
    boxes.branch_low[branch // WIDTH, number, branch % WIDTH] = low
    boxes.branch_high[branch // WIDTH, number, branch % WIDTH] = high
