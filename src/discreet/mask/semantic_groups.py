"""Groups of at least k records made of distinct tuples: adaptive, with a static centre, or of fixed size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from discreet._kernels.counting.tuples import Tuples
from discreet.mask.attributes import Attribute, GrowingGroup, final_centre, mean_distance
from discreet.mask.people import Distances, joined_for_people
from discreet.progress import SILENT, Progress
from discreet.requirement import Holdings
from discreet.table import FloatArray, IntArray

GRAIN_BITS = 40
"""Distances count in so many binary digits below the largest."""


class TupleGroups(NamedTuple):
    """How many records (`counts`) of which tuples (`tuples`) are in which group (`labels`), side by side.

    A tuple whose records are in several groups stands there several times. `centres` is by group and attribute.
    """

    tuples: IntArray
    labels: IntArray
    counts: IntArray
    centres: FloatArray


def adaptive_groups(
    attributes: Sequence[Attribute],
    frequencies: IntArray,
    k: int,
    *,
    static: bool = False,
    weighted: bool = False,
    progress: Progress = SILENT,
) -> TupleGroups:
    """Groups of whole tuples, as large as the data make them (SA-MDAV, Martínez, Sánchez and Valls 2012).

    While at least k records are left: the tuple farthest from their centroid starts a group; the tuple nearest to the
    group's centroid joins and moves it, until the group has k records; then the same around the tuple farthest from the
    first. With `static` the nearest to the first tuple join; with `weighted` a tuple is as many times as far away as it
    has records. What is left over joins the nearest group.
    """
    left = _Left(attributes, frequencies, weighted=weighted)
    total = left.records
    groups: list[list[int]] = []
    while left.records >= k:
        progress(total - left.records, total, "groups")
        first = left.farthest(left.to_centre())
        groups.append(left.grow(first, k, static))
        if left.records >= k:
            groups.append(left.grow(left.farthest(left.to_tuple(first)), k, static))
    _join_nearest(left, groups)
    progress(total, total, "groups")
    tuples = np.array([row for group in groups for row in group], dtype=np.int64)
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    return _finished(attributes, tuples, labels, frequencies[tuples])


def semantic_order(attributes: Sequence[Attribute], frequencies: IntArray) -> IntArray:
    """The tuples in semantic order: the one farthest from the centroid first, then by growing distance to it.

    The first row wins a tie. Distances are not weighted by frequency, so that equal parts of a file have equal orders.
    """
    left = _Left(attributes, frequencies)
    start = left.farthest(left.to_centre())
    apart = left.to_tuple(start)
    apart[start] = -1.0
    return np.argsort(apart, kind="stable").astype(np.int64)


def _join_nearest(left: _Left, groups: list[list[int]]) -> None:
    """Lets every tuple that is left join the group with the nearest centre; changes the groups."""
    rest = np.flatnonzero(left.counts)
    if not len(rest):
        return
    best = np.full(len(rest), np.inf)
    chosen = np.zeros(len(rest), dtype=np.int64)
    for label, group in enumerate(groups):
        members = np.array(group)
        centre = [final_centre(each, members, left.frequencies[members]) for each in left.attributes]
        apart = left.distances(centre)[rest]
        nearer = apart < best
        best[nearer], chosen[nearer] = apart[nearer], label
    for row, label in zip(rest.tolist(), chosen.tolist(), strict=True):
        groups[label].append(row)


def fixed_groups(
    attributes: Sequence[Attribute], frequencies: IntArray, k: int, *, progress: Progress = SILENT
) -> TupleGroups:
    """Groups of k records, the last of up to 2k - 1: MDAV (Domingo-Ferrer and Torra 2005) over tuples with copies."""
    left = _Left(attributes, frequencies)
    total = left.records
    parts: list[tuple[IntArray, IntArray]] = []
    while left.records >= 3 * k:
        progress(total - left.records, total, "groups")
        first = left.farthest(left.to_centre())
        parts.append(left.nearest_records(first, k))
        parts.append(left.nearest_records(left.farthest(left.to_tuple(first)), k))
    if left.records >= 2 * k:
        parts.append(left.nearest_records(left.farthest(left.to_centre()), k))
    rest = np.flatnonzero(left.counts)
    parts.append((rest, left.counts[rest].copy()))
    progress(total, total, "groups")
    return _finished(
        attributes,
        np.concatenate([rows for rows, _ in parts]),
        np.repeat(np.arange(len(parts)), [len(rows) for rows, _ in parts]),
        np.concatenate([counts for _, counts in parts]),
    )


def labels_of_records(made: TupleGroups, distinct: Tuples) -> IntArray:
    """The group of each record; where a tuple is split, its records go to its groups in the order of the file."""
    by_tuple = np.argsort(made.tuples, kind="stable")
    if len(made.tuples) == len(distinct.codes):
        return made.labels[by_tuple][distinct.which]
    labels = np.empty(len(distinct.which), dtype=np.int64)
    labels[np.argsort(distinct.which, kind="stable")] = np.repeat(
        made.labels[by_tuple], made.counts[by_tuple]
    )
    return labels


def joined_groups(
    attributes: Sequence[Attribute],
    distinct: Tuples,
    label: IntArray,
    made: TupleGroups,
    rows: IntArray,
    people: Holdings,
) -> tuple[IntArray, TupleGroups]:
    """The groups with those that have too few people joined to the nearest, and the group of each of the rows."""
    fresh = joined_for_people(label, rows, people, partial(_between_groups, attributes, made))
    if int(fresh.max()) == int(label.max()):
        return label, made
    width = len(distinct.codes)
    pairs, counts = np.unique(fresh * width + distinct.which, return_counts=True)
    return fresh, _finished(attributes, pairs % width, pairs // width, counts.astype(np.int64))


def _between_groups(attributes: Sequence[Attribute], made: TupleGroups) -> Distances:
    """The mean distance of the records of each group to the centre of one."""
    held = np.bincount(made.labels, weights=made.counts)

    def distances(group: int) -> FloatArray:
        centre = made.centres[group].tolist()
        apart = mean_distance([each.to_centre(place) for each, place in zip(attributes, centre, strict=True)])
        total: FloatArray = np.bincount(made.labels, weights=made.counts * apart[made.tuples]) / held
        return total

    return distances


class _Left:
    """The records that are in no group yet, by tuple.

    Distances are whole multiples of a very small `grain`, so that sums of the same parts in another order are equal and
    a tie is a tie.
    """

    def __init__(
        self, attributes: Sequence[Attribute], frequencies: IntArray, *, weighted: bool = False
    ) -> None:
        self.attributes = attributes
        self.frequencies = frequencies
        self.times = frequencies if weighted else np.ones_like(frequencies)
        self.counts = frequencies.copy()
        self.records = int(frequencies.sum())
        self.rest = [each.group() for each in attributes]
        for row, count in enumerate(frequencies.tolist()):
            for group in self.rest:
                group.add(row, count)
        self.grain = 0.0
        self.grain = math.ldexp(1.0, math.frexp(float(self.to_centre().max()))[1] - GRAIN_BITS)

    def distances(self, centre: Sequence[float]) -> FloatArray:
        """The distance of every tuple to a centre."""
        return self._grained(
            [each.to_centre(place) for each, place in zip(self.attributes, centre, strict=True)]
        )

    def to_centre(self) -> FloatArray:
        """The distance of every tuple to the centroid of what is left."""
        return self.distances([group.centre() for group in self.rest])

    def to_tuple(self, row: int) -> FloatArray:
        """The distance of every tuple to one of them."""
        return self._grained([each.to_tuple(row) for each in self.attributes])

    def _grained(self, parts: Sequence[FloatArray]) -> FloatArray:
        found = mean_distance(parts)
        if self.grain:
            found /= self.grain
            np.rint(found, out=found)
            found *= self.grain
        return found

    def farthest(self, distances: FloatArray) -> int:
        """The tuple that is left at the greatest distance, the first of several."""
        return int(np.argmax(np.where(self.counts > 0, self.times * distances, -1.0)))

    def nearest(self, distances: FloatArray) -> int:
        return int(np.argmin(np.where(self.counts > 0, self.times * distances, np.inf)))

    def take(self, row: int, count: int) -> None:
        self.counts[row] -= count
        self.records -= count
        for group in self.rest:
            group.remove(row, count)

    def grow(self, first: int, k: int, static: bool) -> list[int]:
        """The tuples of a group that starts with one and grows until it has k records."""
        members = [first]
        own = [each.group() for each in self.attributes]
        around = self.to_tuple(first) if static else None
        size = self._join(first, own)
        while size < k:
            centre = [group.centre() for group in own]
            row = self.nearest(self.distances(centre) if around is None else around)
            members.append(row)
            size += self._join(row, own)
        return members

    def _join(self, row: int, own: Sequence[GrowingGroup]) -> int:
        count = int(self.counts[row])
        self.take(row, count)
        for group in own:
            group.add(row, count)
        return count

    def nearest_records(self, row: int, k: int) -> tuple[IntArray, IntArray]:
        """The k records nearest to a tuple, those of the tuple itself first; of several as near, the first tuples.

        Given are the tuples, and how many records of each.
        """
        distances = np.where(self.counts > 0, self.to_tuple(row), np.inf)
        distances[row] = -1.0
        last = np.partition(distances, min(k, len(distances)) - 1)[min(k, len(distances)) - 1]
        nearer = np.flatnonzero(distances < last)
        some = np.concatenate([nearer, np.flatnonzero(distances == last)[: k - len(nearer)]])
        order = some[np.lexsort((some, distances[some]))]
        before = np.cumsum(self.counts[order]) - self.counts[order]
        counts = np.clip(k - before, 0, self.counts[order])
        rows, counts = order[counts > 0], counts[counts > 0]
        for each, count in zip(rows.tolist(), counts.tolist(), strict=True):
            self.take(each, count)
        return rows, counts


def _finished(
    attributes: Sequence[Attribute], tuples: IntArray, labels: IntArray, counts: IntArray
) -> TupleGroups:
    """The groups with their centres."""
    starts = np.append(np.flatnonzero(np.diff(labels, prepend=-1)), len(labels))
    centres = np.array(
        [
            [final_centre(each, tuples[low:high], counts[low:high]) for each in attributes]
            for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
        ]
    )
    return TupleGroups(tuples, labels, counts, centres)
