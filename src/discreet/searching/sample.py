"""A sample of records with all those that belong together: whole households, or whole persons."""

from __future__ import annotations

import numpy as np

from discreet import seeds
from discreet.table import IntArray, Table


def rows_of_sample(groups: IntArray, most: int, *, draw: int) -> IntArray:
    """The rows of whole groups, drawn from all alike, with so many records at most, but for a single larger group."""
    order = seeds.generator(draw, 4).permutation(int(groups.max()) + 1)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    ranked = np.argsort(place[groups], kind="stable")[:most]
    # The last group may not be whole: it is left out, unless it is the only one.
    last = groups[ranked[-1]]
    whole = ranked[groups[ranked] != last]
    rows = (
        whole if len(whole) and int((groups == last).sum()) > int((groups[ranked] == last).sum()) else ranked
    )
    return np.sort(rows)


def groups_of(table: Table) -> IntArray:
    """Which records must stay together."""
    for groups in (table.households(), table.persons()):
        if groups is not None:
            return groups
    return np.arange(len(table))
