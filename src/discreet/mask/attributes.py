"""The columns of distinct tuples as microaggregation sees them: distances and centres, whatever the scale.

Concepts are compared by their semantic distance and have a semantic centroid; numbers are compared by their difference
and have a mean; places in an order are compared alike and have a median.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from discreet.ontology import Gathering, Space
from discreet.table import FloatArray, IntArray

MIDDLE = (0.05, 0.95)
"""The part of a numeric column whose span counts as a difference of one."""


class GrowingGroup(Protocol):
    """A group of tuples that grows and shrinks."""

    def add(self, row: int, count: int) -> None:
        """Let so many records of a tuple join."""

    def remove(self, row: int, count: int) -> None:
        """Let so many records of a tuple leave."""

    def centre(self) -> float:
        """The centre of the group: a number, a place in an order, or a candidate of a space."""


class Attribute(Protocol):
    """One column of p distinct tuples."""

    def to_centre(self, centre: float) -> FloatArray:
        """The distance of every tuple to a centre."""

    def to_tuple(self, row: int) -> FloatArray:
        """The distance of every tuple to one of them."""

    def group(self) -> GrowingGroup:
        """An empty group."""


class Concepts:
    """A column of categories that stand for concepts; `centroid` is "semantic", "lcs" or "mode"."""

    def __init__(self, space: Space, codes: IntArray, centroid: str) -> None:
        self.space = space
        self.codes = codes
        self.centroid = centroid

    def to_centre(self, centre: float) -> FloatArray:
        return np.take(self.space.distances[int(centre)], self.codes)

    def to_tuple(self, row: int) -> FloatArray:
        return np.take(self.space.between[self.codes[row]], self.codes)

    def group(self) -> GrowingGroup:
        return _ConceptGroup(self)


class _ConceptGroup:
    def __init__(self, column: Concepts) -> None:
        self.column = column
        self.gathering = Gathering(column.space)

    def add(self, row: int, count: int) -> None:
        self.gathering.add(int(self.column.codes[row]), float(count))

    def remove(self, row: int, count: int) -> None:
        self.gathering.remove(int(self.column.codes[row]), float(count))

    def centre(self) -> float:
        if self.column.centroid == "lcs":
            return self.gathering.lcs()
        if self.column.centroid == "mode":
            return int(self.column.space.own[np.argmax(self.gathering.frequencies)])
        return self.gathering.centroid()


class NumberColumn:
    """A column of numbers, or of places in an order, whose differences count `weight` over the span at most.

    The difference of two numbers is divided by the span of the middle nine tenths of the records and is at most 1, so
    that a few extreme values do not make all others alike; that of two places is divided by the number of steps.
    """

    def __init__(self, values: FloatArray, frequencies: IntArray, *, ordinal: bool, weight: float) -> None:
        self.values = values
        self.ordinal = ordinal
        self.weight = weight
        self.span = _span(values, frequencies, ordinal)

    def to_centre(self, centre: float) -> FloatArray:
        return self.weight * np.minimum(1.0, np.abs(self.values - centre) / self.span)

    def to_tuple(self, row: int) -> FloatArray:
        return self.to_centre(float(self.values[row]))

    def group(self) -> GrowingGroup:
        return _PlaceGroup(self.values) if self.ordinal else NumberGroup(self.values)


class NumberGroup:
    """A group whose centre is the mean of its numbers."""

    def __init__(self, values: FloatArray) -> None:
        self.values = values
        self.total, self.size = 0.0, 0

    def add(self, row: int, count: int) -> None:
        self.total += count * float(self.values[row])
        self.size += count

    def remove(self, row: int, count: int) -> None:
        self.add(row, -count)

    def centre(self) -> float:
        return self.total / self.size


class _PlaceGroup:
    def __init__(self, values: FloatArray) -> None:
        self.places = values.astype(np.int64)
        self.counts = np.zeros(int(self.places.max(initial=0)) + 1, dtype=np.int64)

    def add(self, row: int, count: int) -> None:
        self.counts[self.places[row]] += count

    def remove(self, row: int, count: int) -> None:
        self.counts[self.places[row]] -= count

    def centre(self) -> float:
        """The lower median."""
        running = np.cumsum(self.counts)
        return float(np.searchsorted(running, (running[-1] + 1) // 2))


def final_centre(attribute: Attribute, rows: IntArray, counts: IntArray) -> float:
    """The centre of a finished group; the same number to the last bit where all its values are equal."""
    group = attribute.group()
    for row, count in zip(rows.tolist(), counts.tolist(), strict=True):
        group.add(row, count)
    centre = group.centre()
    if isinstance(attribute, NumberColumn):
        values = attribute.values[rows]
        return float(np.clip(centre, values.min(), values.max()))
    return centre


def mean_distance(parts: Sequence[FloatArray]) -> FloatArray:
    """The mean over the attributes of their distances."""
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    total /= len(parts)
    return total


def _span(values: FloatArray, frequencies: IntArray, ordinal: bool) -> float:
    """What a difference of one is; 1 where the values are all the same."""
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    if not low < high:
        return 1.0
    if ordinal:
        return high - low
    order = np.argsort(values, kind="stable")
    share = np.cumsum(frequencies[order]) / frequencies.sum()
    ends = values[order][np.searchsorted(share, MIDDLE)]
    middle = float(ends[1] - ends[0])
    return middle if middle > 0 else high - low
