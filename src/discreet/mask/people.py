"""Groups of records that must hold k people, where a person can have several records."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from discreet.mask.required import check_reachable
from discreet.requirement import Holdings, Requirement
from discreet.table import FloatArray, IntArray, Table

Distances = Callable[[int], FloatArray]
"""From a group to its distance from every group."""


def people_of(table: Table, k: int, method: str, times: IntArray | None = None) -> Holdings:
    """Which records are of whom, to form groups of k people; Unreachable where the table has fewer."""
    wanted = Requirement(k=k)
    check_reachable(table, method, wanted, times)
    return Holdings(table, wanted, times=times)


def joined_for_people(
    label: IntArray, rows: IntArray, people: Holdings, distances_of: Callable[[], Distances]
) -> IntArray:
    """The group of each of the rows once each group with too few people has joined the nearest; counted from 0.

    Groups are of enough records already, so that nothing changes where each record is of a person of its own. The
    distances are those of the groups as they were given.
    """
    if not people.by_people:
        return label
    became = np.arange(int(label.max(initial=-1)) + 1)
    distances: Distances | None = None
    while True:
        groups, now = np.unique(became[label], return_inverse=True)
        short = groups[people.standing(now, rows).fails]
        if not len(short) or len(groups) == 1:
            return now.astype(np.int64)
        distances = distances or distances_of()
        grown: set[int] = set()
        for group in short.tolist():
            if group not in grown:
                apart = np.where(became == group, np.inf, distances(group))
                nearest = int(became[np.argmin(apart)])
                became[became == group] = nearest
                grown.add(nearest)
