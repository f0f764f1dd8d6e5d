"""Adaptive MDAV over tuples in boxes: groups grow until k records are in each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.clustering.box_search import NO_ROW, Desk, Found, farthest, nearest, new_desk, remove
from discreet._kernels.clustering.boxes import WIDTH, Boxes
from discreet._kernels.clustering.mdav_boxes import subtract
from discreet._kernels.compile import compiled


class Growth(NamedTuple):
    """What changes as groups grow."""

    weighted: Floats  # [tuple, column] times the tuple's weight
    weights: Ints  # [tuple]
    sums: Floats  # [column] of the weighted tuples that are in no group, in two parts
    rests: Floats
    labels: Ints  # [tuple] its group, or -1
    totals: Floats  # [group, column] of its weighted tuples
    sizes: Ints  # [group] in records
    tally: Ints  # how many groups there are, and how many records and tuples are in none


@compiled
def grow_groups(boxes: Boxes, growth: Growth, k: int, enough: int) -> None:
    """Form pairs of groups while k records and more than enough tuples are left."""
    columns = len(growth.sums)
    centroid = np.empty(columns)
    desk = new_desk(columns)
    found = Found(np.empty(1), np.empty(1, dtype=np.int64))
    while growth.tally[1] >= k and growth.tally[2] > enough:
        for column in range(columns):
            centroid[column] = (growth.sums[column] + growth.rests[column]) / growth.tally[1]
        seed = farthest(boxes, centroid, desk)
        _grow(boxes, growth, k, seed, centroid, found, desk)
        if growth.tally[1] >= k:
            opposite = farthest(boxes, boxes.points[seed], desk)
            _grow(boxes, growth, k, opposite, centroid, found, desk)


@compiled
def _grow(
    boxes: Boxes, growth: Growth, k: int, seed: int, centroid: Floats, found: Found, desk: Desk
) -> None:
    """Make a new group that starts with one tuple and grows until it has k records."""
    label = growth.tally[0]
    growth.tally[0] += 1
    total = growth.totals[label]
    home = boxes.places[seed] // WIDTH
    row = seed
    no_row = int(np.int64(NO_ROW))
    while True:
        for column in range(len(total)):
            total[column] += growth.weighted[row, column]
        growth.labels[row] = label
        growth.sizes[label] += growth.weights[row]
        growth.tally[1] -= growth.weights[row]
        growth.tally[2] -= 1
        subtract(growth.weighted[row], growth.sums, growth.rests)
        remove(boxes, row)
        if growth.sizes[label] >= k:
            return
        for column in range(len(total)):
            centroid[column] = total[column] / growth.sizes[label]
        nearest(boxes, centroid, home, no_row, found, desk)
        row = found.rows[0]
