"""MDAV over records in boxes: groups are formed until few are left."""

from __future__ import annotations

import numpy as np

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.clustering.box_search import Found, farthest, nearest, new_desk, remove
from discreet._kernels.clustering.boxes import WIDTH, Boxes
from discreet._kernels.compile import compiled


@compiled
def advance(
    boxes: Boxes, k: int, sums: Floats, rests: Floats, labels: Ints, next_label: int, left: int, stop: int
) -> int:
    """Form pairs of groups while `stop` records or more are left, and say how many are."""
    columns = len(sums)
    centroid = np.empty(columns)
    desk = new_desk(columns)
    members = np.empty(k, dtype=np.int64)
    found = Found(np.empty(k - 1), members[1:])
    while left >= stop:
        for column in range(columns):
            centroid[column] = (sums[column] + rests[column]) / left
        row = farthest(boxes, centroid, desk)
        for turn in range(2):
            if turn == 1:
                row = farthest(boxes, boxes.points[row], desk)
            if k > 1:
                nearest(boxes, boxes.points[row], boxes.places[row] // WIDTH, row, found, desk)
            members[0] = row
            _sort(members)
            for place in range(k):
                member = members[place]
                labels[member] = next_label
                remove(boxes, member)
                subtract(boxes.points[member], sums, rests)
            next_label += 1
        left -= 2 * k
    return left


@compiled
def _sort(rows: Ints) -> None:
    """Sort a few rows by insertion: numba takes a second to compile a sort of its own."""
    for end in range(1, len(rows)):
        row = rows[end]
        place = end
        while place > 0 and rows[place - 1] > row:
            rows[place] = rows[place - 1]
            place -= 1
        rows[place] = row


@compiled
def subtract(record: Floats, sums: Floats, rests: Floats) -> None:
    """Take a record out of a running sum in two parts, exactly as `mdav_plain.RunningSum` does."""
    for column in range(len(record)):
        before = sums[column]
        after = before - record[column]
        shift = after - before
        sums[column] = after
        rests[column] = rests[column] + ((before - (after - shift)) - (record[column] + shift))
