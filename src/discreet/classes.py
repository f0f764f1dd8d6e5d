"""Classes of records that are alike on some columns, counted in people where a person can have several records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet._kernels.classes import Classes, class_sizes
from discreet._kernels.distinct import distinct_rows
from discreet.coding import MISSING, codes_of
from discreet.table import BoolArray, IntArray, Table


def classes_of(table: Table, columns: Sequence[str]) -> Classes:
    """The class of each record and how many people it holds: records equal in all the columns, missing being a value.

    Without a column that says which records are of the same person, each record counts for one.
    """
    classes = class_sizes(np.ascontiguousarray(codes_of(table, columns)))
    persons = table.persons()
    if persons is None:
        return classes
    return Classes(people_in(classes.label, persons)[classes.label], classes.label)


def people_in(label: IntArray, persons: IntArray) -> IntArray:
    """How many different people have a record in each class."""
    pairs = class_sizes(np.column_stack([label, persons]))
    first = np.unique(pairs.label, return_index=True)[1]
    return np.bincount(label[first], minlength=int(label.max(initial=-1)) + 1).astype(np.int64)


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
