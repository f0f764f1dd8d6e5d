"""Searching and removing records that are kept in boxes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.boxes import FANOUT, LEAF, Boxes, tighten_branch, tighten_leaf
from discreet._kernels.compile import compiled

Floats = NDArray[np.float32]
Reals = NDArray[np.float64]
Rows = NDArray[np.int64]

# Rounding to float32 moves a point of the unit ball by 2**-24 at most, and so a distance by twice that.
MARGIN = 2.5 * 2.0**-24
ROUNDING = 2.0**-24
SLACK = 1e-5
NOBODY = np.iinfo(np.int64).max


@compiled
def widened(boxes: Boxes, squared: float) -> np.float32:
    """A float32 bound that no scaled squared distance up to the given one exceeds when rounded."""
    distance = np.sqrt(squared) * boxes.scale + MARGIN
    return np.float32(distance * distance * (1.0 + (len(boxes.low) + 8) * 2 * ROUNDING))


@compiled
def narrowed(boxes: Boxes, squared: float) -> np.float32:
    """A float32 bound that every scaled squared distance from the given one on reaches when rounded."""
    distance = max(0.0, np.sqrt(squared) * boxes.scale - MARGIN)
    return np.float32(distance * distance * (1.0 - (len(boxes.low) + 8) * 2 * ROUNDING))


@compiled
def squared_distance(points: Reals, row: int, target: Reals) -> float:
    """The squares of the differences, added in column order."""
    record = points[row]
    total = 0.0
    for column in range(len(target)):
        step = record[column] - target[column]
        total += step * step
    return total


@compiled
def locate(boxes: Boxes, target: Reals, query: Floats) -> None:
    """Write the scaled components of a point."""
    for number in range(len(query)):
        total = 0.0
        for column in range(len(target)):
            total += (target[column] - boxes.centre[column]) * boxes.turn[column, number]
        query[number] = np.float32(total)


@compiled
def _scan(held: Floats, query: Floats, squares: Floats) -> None:
    """Write the squared distances of a leaf's slots from the query."""
    for slot in range(LEAF):
        squares[slot] = np.float32(0.0)
    for number in range(len(query)):
        value = query[number]
        component = held[number]
        for slot in range(LEAF):
            step = component[slot] - value
            squares[slot] += step * step


@compiled
def _gaps(low: Floats, high: Floats, query: Floats, squares: Floats) -> None:
    """Write the squared distances of the query from the nearest points of boxes."""
    for box in range(len(squares)):
        squares[box] = np.float32(0.0)
    for number in range(len(query)):
        value = query[number]
        lows = low[number]
        highs = high[number]
        for box in range(len(squares)):
            step = max(np.float32(0.0), max(lows[box] - value, value - highs[box]))
            squares[box] += step * step


@compiled
def _reaches(low: Floats, high: Floats, query: Floats, squares: Floats) -> None:
    """Write bounds above the squared distances of the query from the records in boxes."""
    norm = np.float32(SLACK)
    for number in range(len(query)):
        norm += query[number] * query[number]
    norms = high[len(query)]
    for box in range(len(squares)):
        squares[box] = norms[box] + norm
    for number in range(len(query)):
        value = np.float32(-2.0) * query[number]
        lows = low[number]
        highs = high[number]
        for box in range(len(squares)):
            squares[box] += max(value * lows[box], value * highs[box])


@compiled
def remove(boxes: Boxes, row: int) -> None:
    """Take a record out of its leaf, whose last one takes its slot."""
    place = boxes.places[row]
    leaf = place // LEAF
    slot = place % LEAF
    last = boxes.counts[leaf] - 1
    boxes.counts[leaf] = last
    moved = boxes.rows[leaf, last]
    boxes.rows[leaf, slot] = moved
    boxes.places[moved] = place
    boxes.places[row] = -1
    for number in range(len(boxes.low)):
        boxes.coordinates[leaf, number, slot] = boxes.coordinates[leaf, number, last]
    tighten_leaf(boxes, leaf)
    tighten_branch(boxes, leaf // FANOUT)


@compiled
def _largest(values: Floats) -> int:
    place = 0
    for index in range(len(values)):
        if values[index] > values[place]:
            place = index
    return place


@compiled
def farthest(
    boxes: Boxes, target: Reals, query: Floats, reaches: Floats, twigs: Floats, squares: Floats
) -> int:
    """The row of the record farthest from a point, the lowest of equals."""
    locate(boxes, target, query)
    _reaches(boxes.low, boxes.high, query, reaches)
    found = NOBODY
    longest = -1.0
    bound = np.float32(-1.0)
    first = _largest(reaches)
    for turn in range(-1, len(reaches)):
        branch = first if turn < 0 else turn
        if reaches[branch] < bound or turn == first:
            continue
        _reaches(boxes.leaf_low[branch], boxes.leaf_high[branch], query, twigs)
        start = _largest(twigs)
        for step in range(FANOUT):
            twig = (start + step) % FANOUT
            leaf = branch * FANOUT + twig
            if twigs[twig] < bound or leaf >= len(boxes.counts):
                continue
            _scan(boxes.coordinates[leaf], query, squares)
            for slot in range(boxes.counts[leaf]):
                if squares[slot] >= bound:
                    row = boxes.rows[leaf, slot]
                    distance = squared_distance(boxes.points, row, target)
                    if distance > longest or (distance == longest and row < found):
                        found = row
                        longest = distance
                        bound = narrowed(boxes, distance)
    return found


@compiled
def _is_after(distance: float, row: int, other_distance: float, other_row: int) -> bool:
    return distance > other_distance or (distance == other_distance and row > other_row)


@compiled
def _replace_last(distances: Reals, rows: Rows, distance: float, row: int) -> None:
    """Put a record in the place of the last of a heap (the one on top), and restore the heap."""
    size = len(rows)
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and _is_after(
            distances[child + 1], rows[child + 1], distances[child], rows[child]
        ):
            child += 1
        if not _is_after(distances[child], rows[child], distance, row):
            break
        distances[place] = distances[child]
        rows[place] = rows[child]
        place = child
    distances[place] = distance
    rows[place] = row


@compiled
def nearest(
    boxes: Boxes,
    row: int,
    distances: Reals,
    rows: Rows,
    query: Floats,
    gaps: Floats,
    twigs: Floats,
    squares: Floats,
) -> None:
    """Write the rows of the records nearest to a record, the lower of equals first, not the record itself."""
    target = boxes.points[row]
    locate(boxes, target, query)
    _gaps(boxes.low, boxes.high, query, gaps)
    for place in range(len(rows)):
        distances[place] = np.inf
        rows[place] = NOBODY
    bound = np.float32(np.inf)
    home = boxes.places[row] // LEAF // FANOUT
    for turn in range(-1, len(gaps)):
        branch = home if turn < 0 else turn
        if gaps[branch] > bound or turn == home:
            continue
        _gaps(boxes.leaf_low[branch], boxes.leaf_high[branch], query, twigs)
        start = boxes.places[row] // LEAF % FANOUT if turn < 0 else 0
        for step in range(FANOUT):
            twig = (start + step) % FANOUT
            leaf = branch * FANOUT + twig
            if twigs[twig] > bound or leaf >= len(boxes.counts):
                continue
            _scan(boxes.coordinates[leaf], query, squares)
            hits = 0
            for slot in range(LEAF):
                hits += squares[slot] <= bound
            if hits == 0:
                continue
            for slot in range(boxes.counts[leaf]):
                if squares[slot] <= bound:
                    other = boxes.rows[leaf, slot]
                    distance = squared_distance(boxes.points, other, target)
                    if other != row and _is_after(distances[0], rows[0], distance, other):
                        _replace_last(distances, rows, distance, other)
                        bound = widened(boxes, distances[0])
