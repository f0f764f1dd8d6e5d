"""How far all records of a person are from those of a pseudonym, taken together."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from discreet.attack.records import Both
from discreet.table import FloatArray, IntArray

PAIRS_AT_ONCE = 1 << 22


class Members(NamedTuple):
    """The records of each group: those of group g are `order[begins[g] : begins[g + 1]]`."""

    order: IntArray
    begins: IntArray

    @classmethod
    def of(cls, group: IntArray) -> Members:
        order = np.argsort(group, kind="stable")
        return cls(order, np.searchsorted(group[order], np.arange(int(group.max(initial=-1)) + 2)))

    def profiles(self, label: IntArray) -> list[bytes]:
        """For each group the labels of its records, sorted, as bytes that are the same where these are."""
        group = np.repeat(np.arange(len(self.sizes)), self.sizes)
        sorted_labels = label[self.order][np.lexsort((label[self.order], group))]
        return [sorted_labels[begin:end].tobytes() for begin, end in itertools.pairwise(self.begins)]

    @property
    def sizes(self) -> IntArray:
        return np.diff(self.begins)


def summed_distances(
    both: Both, persons: Members, pseudonyms: Members, person: IntArray, pseudonym: IntArray
) -> FloatArray:
    """For each pair the sum, over the person's records, of the distance to the nearest record of the pseudonym."""
    work = persons.sizes[person] * pseudonyms.sizes[pseudonym]
    edges = np.flatnonzero(np.diff(np.cumsum(work) // PAIRS_AT_ONCE)) + 1
    parts = [
        _summed(both, persons, pseudonyms, person[some], pseudonym[some])
        for some in np.split(np.arange(len(person)), edges)
    ]
    return np.concatenate(parts)


def _summed(
    both: Both, persons: Members, pseudonyms: Members, person: IntArray, pseudonym: IntArray
) -> FloatArray:
    pair, record = _each_member(persons, person)
    looked_for, target = _each_member(pseudonyms, pseudonym[pair])
    apart = both.apart(record[looked_for], target)
    least = np.full(len(pair), np.inf)
    np.minimum.at(least, looked_for, apart)
    return np.bincount(pair, weights=least, minlength=len(person)).astype(np.float64)


def _each_member(members: Members, group: IntArray) -> tuple[IntArray, IntArray]:
    """Every record of each of the groups: the place of its group, and the record."""
    sizes = members.sizes[group]
    place = np.repeat(np.arange(len(group)), sizes)
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place, members.order[members.begins[group][place] + within]
