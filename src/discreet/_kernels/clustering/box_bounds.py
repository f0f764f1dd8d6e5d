"""Distances in boxes: what a search computes first, and how far it can be off."""

from __future__ import annotations

import numpy as np

from discreet._kernels.arrays import Floats, Singles
from discreet._kernels.clustering.boxes import WIDTH, Boxes
from discreet._kernels.compile import compiled

# Rounding to float32 moves a point of the unit ball by ROUNDING at most, and so a distance by twice that.
ROUNDING = 2.0**-24
MARGIN = 2.5 * ROUNDING
# What every squared distance of a record exceeds, and no box without records reaches.
NOTHING = -1.0


@compiled
def widened(squared: float, scale: float, columns: int) -> np.float32:
    """A float32 bound that no scaled squared distance up to the given one exceeds when rounded."""
    distance = np.sqrt(squared) * scale + MARGIN
    return np.float32(distance * distance * (1.0 + (columns + 8) * 2 * ROUNDING))


@compiled
def narrowed(squared: float, scale: float, columns: int) -> np.float32:
    """A float32 bound that every scaled squared distance from the given one on reaches when rounded."""
    if squared <= 0.0:
        return np.float32(NOTHING)
    distance = max(0.0, np.sqrt(squared) * scale - MARGIN)
    return np.float32(distance * distance * (1.0 - (columns + 8) * 2 * ROUNDING))


@compiled
def squared_distance(points: Floats, row: int, target: Floats) -> float:
    """The squares of the differences, added in column order."""
    record = points[row]
    total = 0.0
    for column in range(len(target)):
        step = record[column] - target[column]
        total += step * step
    return total


@compiled
def locate(boxes: Boxes, target: Floats, query: Singles) -> None:
    """Write the scaled components of a point."""
    for number in range(len(query)):
        total = 0.0
        for column in range(len(target)):
            total += (target[column] - boxes.centre[column]) * boxes.turn[column, number]
        query[number] = np.float32(total)


@compiled
def scan(held: Singles, query: Singles, squares: Singles) -> None:
    """Write the squared distances of a leaf's slots from the query."""
    for slot in range(WIDTH):
        squares[slot] = np.float32(0.0)
    for number in range(len(query)):
        value = query[number]
        component = held[number]
        for slot in range(WIDTH):
            step = component[slot] - value
            squares[slot] += step * step


@compiled
def gaps(low: Singles, high: Singles, query: Singles, squares: Singles) -> None:
    """Write the squared distances of the query from the nearest points of boxes."""
    for box in range(WIDTH):
        squares[box] = np.float32(0.0)
    for number in range(len(query)):
        value = query[number]
        lows = low[number]
        highs = high[number]
        for box in range(WIDTH):
            step = max(np.float32(0.0), max(lows[box] - value, value - highs[box]))
            squares[box] += step * step


@compiled
def reaches(low: Singles, high: Singles, query: Singles, norm: np.float32, squares: Singles) -> None:
    """Write bounds above the squared distances of the query from the records in boxes.

    |x-q|^2 = |x|^2 + |q|^2 - 2xq, where |x|^2 is at most the largest norm in the box, and -2xq is largest in a
    corner. Around a centroid that is close to zero, nothing but the norms counts: few boxes are left.
    """
    norms = high[len(query)]
    for box in range(WIDTH):
        squares[box] = norms[box] + norm
    for number in range(len(query)):
        value = np.float32(-2.0) * query[number]
        lows = low[number]
        highs = high[number]
        for box in range(WIDTH):
            squares[box] += max(value * lows[box], value * highs[box])


@compiled
def own_norm(boxes: Boxes, query: Singles) -> np.float32:
    """The squared norm of the query, and what rounding can take off the sums of `reaches`."""
    columns = len(query)
    own = 0.0
    for number in range(columns):
        own += query[number] * query[number]
    largest = 0.0
    for trunk in range(len(boxes.branch_high)):
        norms = boxes.branch_high[trunk, columns]
        for box in range(WIDTH):
            largest = max(largest, norms[box])
    terms = own + largest + 2.0 * np.sqrt(own * largest * columns)
    return np.float32(own + (columns + 8) * 2 * ROUNDING * terms)
