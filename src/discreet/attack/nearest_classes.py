"""The classes of published records that are nearest to known people, all of them where several are as near."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from discreet._kernels.counting.classes import Classes
from discreet.attack.records import Both, nearest_records
from discreet.attack.records_in_parts import StoredBoth, nearest_in_parts
from discreet.progress import Progress
from discreet.stored import Workroom
from discreet.table import BoolArray, FloatArray, IntArray

MOST_PAIRS = 400_000_000
CELLS_AT_ONCE = 1 << 22


class Lookups(NamedTuple):
    """In which classes people are looked up: the person's number, the class, and its share of the person's chance."""

    person: IntArray
    label: IntArray
    share: FloatArray

    @classmethod
    def one_each(cls, label: IntArray) -> Lookups:
        """One class for everybody."""
        return cls(np.arange(len(label)), label, np.ones(len(label)))

    def expected(self, chance: FloatArray, people: int) -> FloatArray:
        """For each person the mean of what the classes give."""
        total = np.bincount(self.person, weights=chance * self.share, minlength=people).astype(np.float64)
        # Shares add up to one but for the last bit.
        return np.minimum(total, 1.0)


def nearest_classes(both: Both, classes: Classes, truth: IntArray, progress: Progress) -> Lookups:
    """The classes nearest to each of the queries; a class counts by its tied records.

    Where the records of several classes are as near, all pairs of these people and the classes are compared. Beyond 400
    million pairs the class of the first of the records is taken for those who are left. `truth` is a published record
    of each query, -1 for none; it only ends the search sooner.
    """
    found = nearest_records(both, truth, progress)
    records = np.bincount(classes.label)
    unsure = np.flatnonzero(found.ties != records[classes.label[found.nearest]])
    first = np.unique(classes.label, return_index=True)[1]
    unsure = unsure[: MOST_PAIRS // len(first)]
    several = _together(list(_tied(both, unsure, first, records)))
    sure = np.setdiff1d(np.arange(len(truth)), unsure)
    one = Lookups(sure, classes.label[found.nearest[sure]], np.ones(len(sure)))
    return _together([Lookups(unsure[several.person], several.label, several.share), one])


def nearest_classes_in_parts(
    stored: StoredBoth, people: IntArray, label: IntArray, room: Workroom, progress: Progress
) -> Lookups:
    """The same of datasets, for these of the people; `label` is the class of each published record."""
    found, least = nearest_in_parts(stored, people, len(label), room, progress)
    records = np.bincount(label)
    unsure = np.flatnonzero(found.ties != records[label[found.nearest]])
    first = np.unique(label, return_index=True)[1]
    unsure = unsure[: MOST_PAIRS // len(first)]
    several = _tied_in_parts(stored, people[unsure], least[unsure], first, records)
    sure = np.setdiff1d(np.arange(len(people)), unsure)
    one = Lookups(sure, label[found.nearest[sure]], np.ones(len(sure)))
    return _together([Lookups(unsure[several.person], several.label, several.share), one])


def _tied_in_parts(
    stored: StoredBoth, people: IntArray, least: FloatArray, first: IntArray, sizes: IntArray
) -> Lookups:
    """All classes at the least distances of these people; some classes are held at a time."""
    if len(people) == 0:
        return _together([])
    queries, limits, pairs = stored.queries.rows(people), stored.limits(least), []
    step = max(1, CELLS_AT_ONCE // len(people))
    for start in range(0, len(first), step):
        targets = first[start : start + step]
        both = stored.both(queries, stored.targets.rows(targets))
        near = both.all_apart(np.arange(len(people)), np.arange(len(targets))) <= limits[:, None]
        person, label = np.nonzero(near)
        pairs.append(np.column_stack([person, label + start]))
    person, label = np.concatenate(pairs).T
    order = np.lexsort((label, person))
    person, label = person[order], label[order]
    total = np.bincount(person, weights=sizes[label], minlength=len(people))
    return Lookups(person, label, sizes[label] / total[person])


def _together(parts: list[Lookups]) -> Lookups:
    nothing = Lookups(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    person, label, share = (np.concatenate(each) for each in zip(nothing, *parts, strict=True))
    return Lookups(person, label, share)


def _tied(both: Both, queries: IntArray, first: IntArray, sizes: IntArray) -> Iterator[Lookups]:
    """All classes nearest to each of the queries, numbered as they are given; `first` is a record of each class."""
    step = max(1, CELLS_AT_ONCE // len(first))
    for start in range(0, len(queries), step):
        near = _as_near(both, queries[start : start + step], first)
        person, label = np.nonzero(near)
        yield Lookups(person + start, label, sizes[label] / (near @ sizes)[person])


def _as_near(both: Both, queries: IntArray, targets: IntArray) -> BoolArray:
    """Which of the targets no other is nearer than, for each of the queries."""
    apart = both.all_apart(queries, targets)
    as_near: BoolArray = apart <= both.limits(apart.min(axis=1))[:, None]
    return as_near
