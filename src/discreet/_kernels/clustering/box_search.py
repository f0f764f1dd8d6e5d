"""Searching and removing records that are kept in boxes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.clustering.box_bounds import (
    NOTHING,
    gaps,
    locate,
    narrowed,
    own_norm,
    reaches,
    scan,
    squared_distance,
    widened,
)
from discreet._kernels.clustering.boxes import WIDTH, Boxes, tighten_branch, tighten_leaf
from discreet._kernels.compile import compiled

# No two points of the unit ball are so far apart in square; boxes of nothing are farther.
EVERYTHING = 8.0
NO_ROW = np.iinfo(np.int64).max


class Desk(NamedTuple):
    """What a search works on: the query's components, and squared distances of branches, leaves and records."""

    query: Singles
    branches: Singles
    leaves: Singles
    records: Singles


class Found(NamedTuple):
    """The nearest records so far: a heap by squared distance and row, the last of them on top."""

    distances: Floats
    rows: Ints


@compiled
def new_desk(columns: int) -> Desk:
    """A desk for searches among records of so many columns."""
    return Desk(
        np.empty(columns, dtype=np.float32),
        np.empty(WIDTH, dtype=np.float32),
        np.empty(WIDTH, dtype=np.float32),
        np.empty(WIDTH, dtype=np.float32),
    )


@compiled
def remove(boxes: Boxes, row: int) -> None:
    """Take a record out of its leaf, whose last one takes its slot, and tighten the boxes it touched."""
    place = boxes.places[row]
    leaf = place // WIDTH
    slot = place % WIDTH
    branch = leaf // WIDTH
    twig = leaf % WIDTH
    last = boxes.counts[leaf] - 1
    boxes.counts[leaf] = last
    moved = boxes.rows[leaf, last]
    boxes.rows[leaf, slot] = moved
    boxes.places[moved] = place
    boxes.places[row] = -1
    for number in range(boxes.coordinates.shape[1]):
        held = boxes.coordinates[leaf, number]
        value = held[slot]
        held[slot] = held[last]
        low = boxes.leaf_low[branch, number, twig]
        high = boxes.leaf_high[branch, number, twig]
        if not low < value < high:
            tighten_leaf(boxes, leaf, number)
            on_low = low == boxes.branch_low[branch // WIDTH, number, branch % WIDTH]
            if on_low or high == boxes.branch_high[branch // WIDTH, number, branch % WIDTH]:
                tighten_branch(boxes, branch, number)


@compiled
def farthest(boxes: Boxes, target: Floats, desk: Desk) -> int:
    """The row of the record farthest from a point, the lowest of equals."""
    locate(boxes, target, desk.query)
    norm = own_norm(boxes, desk.query)
    row = int(np.int64(NO_ROW))  # typed, not a literal: else numba compiles what takes it twice
    distance = NOTHING
    bound = narrowed(distance, boxes.scale, len(target))
    for trunk in range(len(boxes.branch_low)):
        reaches(boxes.branch_low[trunk], boxes.branch_high[trunk], desk.query, norm, desk.branches)
        first = _largest(desk.branches)
        for turn in range(-1, WIDTH):
            knot = first if turn < 0 else turn
            if turn != first and desk.branches[knot] >= bound:
                branch = trunk * WIDTH + knot
                row, distance = _farthest_in(boxes, branch, target, norm, row, distance, desk)
                bound = narrowed(distance, boxes.scale, len(target))
    return row


@compiled
def _farthest_in(
    boxes: Boxes, branch: int, target: Floats, norm: np.float32, row: int, distance: float, desk: Desk
) -> tuple[int, float]:
    """The farthest record so far or in a branch, with its squared distance."""
    reaches(boxes.leaf_low[branch], boxes.leaf_high[branch], desk.query, norm, desk.leaves)
    start = _largest(desk.leaves)
    bound = narrowed(distance, boxes.scale, len(target))
    for step in range(WIDTH):
        twig = (start + step) % WIDTH
        if desk.leaves[twig] < bound:
            continue
        leaf = branch * WIDTH + twig
        scan(boxes.coordinates[leaf], desk.query, desk.records)
        hits = 0
        for slot in range(WIDTH):
            hits += desk.records[slot] >= bound
        if hits == 0:
            continue
        for slot in range(boxes.counts[leaf]):
            if desk.records[slot] >= bound:
                other = boxes.rows[leaf, slot]
                other_distance = squared_distance(boxes.points, other, target)
                if other_distance > distance or (other_distance == distance and other < row):
                    row = other
                    distance = other_distance
                    bound = narrowed(distance, boxes.scale, len(target))
    return row, distance


@compiled
def _largest(values: Singles) -> int:
    """The place of the largest of WIDTH values, the first of equal ones."""
    place = 0
    for index in range(WIDTH):
        if values[index] > values[place]:
            place = index
    return place


@compiled
def nearest(boxes: Boxes, target: Floats, home: int, but: int, found: Found, desk: Desk) -> None:
    """Write the records nearest to a point, the lower row of equals first, leaving out one row.

    The search starts in the leaf `home`, which should be near the point.
    """
    locate(boxes, target, desk.query)
    for place in range(len(found.rows)):
        found.distances[place] = np.inf
        found.rows[place] = NO_ROW
    bound = _look(boxes, home, target, but, found, np.float32(EVERYTHING), desk)
    bound = _look_around(boxes, home // WIDTH, home, target, but, found, bound, desk)
    for trunk in range(len(boxes.branch_low)):
        gaps(boxes.branch_low[trunk], boxes.branch_high[trunk], desk.query, desk.branches)
        for knot in range(WIDTH):
            branch = trunk * WIDTH + knot
            if desk.branches[knot] <= bound and branch != home // WIDTH:
                bound = _look_around(boxes, branch, home, target, but, found, bound, desk)


@compiled
def _look_around(
    boxes: Boxes,
    branch: int,
    home: int,
    target: Floats,
    but: int,
    found: Found,
    bound: np.float32,
    desk: Desk,
) -> np.float32:
    """Look into the leaves of a branch that are within the bound, but not into the first one again."""
    gaps(boxes.leaf_low[branch], boxes.leaf_high[branch], desk.query, desk.leaves)
    for twig in range(WIDTH):
        leaf = branch * WIDTH + twig
        if desk.leaves[twig] <= bound and leaf != home:
            bound = _look(boxes, leaf, target, but, found, bound, desk)
    return bound


@compiled
def _look(
    boxes: Boxes, leaf: int, target: Floats, but: int, found: Found, bound: np.float32, desk: Desk
) -> np.float32:
    """Compare a leaf's records with the nearest so far, and say within which bound others must be."""
    scan(boxes.coordinates[leaf], desk.query, desk.records)
    hits = 0
    for slot in range(WIDTH):
        hits += desk.records[slot] <= bound
    if hits == 0:
        return bound
    for slot in range(boxes.counts[leaf]):
        if desk.records[slot] <= bound:
            row = boxes.rows[leaf, slot]
            distance = squared_distance(boxes.points, row, target)
            if row != but and _is_after(found.distances[0], found.rows[0], distance, row):
                _replace_last(found.distances, found.rows, distance, row)
                if found.distances[0] < np.inf:
                    bound = widened(found.distances[0], boxes.scale, len(target))
    return bound


@compiled
def _is_after(distance: float, row: int, other_distance: float, other_row: int) -> bool:
    """Whether a record comes after another: by its distance, and of equally distant ones by its row."""
    return distance > other_distance or (distance == other_distance and row > other_row)


@compiled
def _replace_last(distances: Floats, rows: Ints, distance: float, row: int) -> None:
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
