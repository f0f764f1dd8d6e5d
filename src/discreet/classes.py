"""Classes of records that are alike on some columns, counted in people where a person can have several records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet._kernels.counting.classes import Classes, class_sizes
from discreet._kernels.counting.compatible import compatible_counts
from discreet._kernels.counting.distinct import distinct_rows
from discreet._kernels.counting.tuples import Tuples
from discreet.coding import MISSING
from discreet.households import codes_filled_from_household
from discreet.possible_people import possible_people
from discreet.table import BoolArray, IntArray, Table


def classes_of(table: Table, columns: Sequence[str], of_households: Sequence[str] | None = None) -> Classes:
    """The class of each record and how many people it holds: records equal in all the columns, missing being a value.

    Without a column that says which records are of the same person, each record counts for one. A blank that another
    member of the published household tells counts as told (`codes_filled_from_household`).
    """
    classes = class_sizes(codes_filled_from_household(table, columns, of_households))
    persons = table.persons()
    if persons is None:
        return classes
    return Classes(people_in(classes.label, persons)[classes.label], classes.label)


def people_in(label: IntArray, persons: IntArray, classes: int | None = None) -> IntArray:
    """How many different people have a record in each class."""
    several = int(persons.max(initial=0)) + 1
    number = int(label.max(initial=-1)) + 1 if classes is None else classes
    once = np.unique(label * several + persons)
    return np.bincount(once // several, minlength=number).astype(np.int64)


def matching_people(distinct: Tuples, persons: IntArray | None) -> IntArray:
    """For each distinct row how many people agree with it wherever neither is missing (zero).

    `persons` says which records are of the same person; without it each record counts for one.
    """
    if persons is None:
        return compatible_counts(distinct.codes, distinct.codes, distinct.frequencies)
    found = np.empty(len(distinct.codes), dtype=np.int64)
    found[distinct.which] = possible_people(distinct.codes[distinct.which], persons)
    return found


def possible_matches(codes: IntArray) -> IntArray:
    """For each record how many records could be alike, itself included, when missing (zero) can be anything.

    Records are compared by their pattern of missing cells, two patterns at a time, so the cost grows with the number of
    different patterns, not with pairs of records.
    """
    distinct = distinct_rows(np.ascontiguousarray(codes))
    rows = codes[distinct.firsts]
    present: BoolArray = rows != MISSING
    patterns = distinct_rows(np.ascontiguousarray(present.astype(np.int64)))
    members = [np.flatnonzero(patterns.labels == each) for each in range(len(patterns.firsts))]
    found = np.zeros(len(rows), dtype=np.int64)
    for mine in members:
        for theirs in members:
            both = present[mine[0]] & present[theirs[0]]
            found[mine] += _equal_on(
                rows[np.ix_(mine, both)], rows[np.ix_(theirs, both)], distinct.counts[theirs]
            )
    return found[distinct.labels]


def _equal_on(mine: IntArray, theirs: IntArray, counts: IntArray) -> IntArray:
    """For each of my rows how many records stand behind equal rows of theirs."""
    label = class_sizes(np.ascontiguousarray(np.vstack([mine, theirs]))).label
    held = np.bincount(label[len(mine) :], weights=counts, minlength=int(label.max(initial=0)) + 1)
    return held[label[: len(mine)]].astype(np.int64)
