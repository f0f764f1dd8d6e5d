"""How diverse the confidential values of classes are, and how close to those of the file: l-diversity and t-closeness.

Values are codes from 1, zero is missing and left out. Where a person can have several records, a person who has a value
twice in a class counts once.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from discreet.classes import people_in
from discreet.coding import MISSING, codes_of
from discreet.table import MISSING_CODE, BoolArray, FloatArray, IntArray, Scale, Table

Variant = Literal["distinct", "entropy", "recursive"]
VARIANTS: tuple[Variant, ...] = ("distinct", "entropy", "recursive")

DENSE_CELLS_AN_ENTRY = 4


class Tally(NamedTuple):
    """The values of one column, counted in each class: pairs of a class and a value, and how many have both."""

    classes: IntArray
    values: IntArray
    counts: IntArray
    present: IntArray
    """What the counts of each class add up to."""
    people: IntArray
    """How many people of each class have a value; `present`, where each record is of a person of its own."""


def counted(
    label: IntArray, codes: IntArray, *, persons: IntArray | None = None, times: IntArray | None = None
) -> Tally:
    """The codes counted in each class, in the order of classes and codes.

    `persons` says which entries are of the same person; without it entry i stands for `times[i]` people, or for one.
    """
    known = codes != MISSING
    classes = int(label.max(initial=-1)) + 1
    label, codes = label[known], codes[known]
    width = int(codes.max(initial=0)) + 1
    if persons is None:
        pairs, counts = _added(label * width + codes, None if times is None else times[known])
    else:
        seen, which = np.unique(label * width + codes, return_inverse=True)
        several = int(persons.max(initial=0)) + 1
        once = np.unique(which.reshape(-1) * several + persons[known])
        pairs, counts = seen, np.bincount(once // several, minlength=len(seen)).astype(np.int64)
    own = pairs // width
    present = np.bincount(own, weights=counts, minlength=classes).astype(np.int64)
    people = present if persons is None else people_in(label, persons[known], classes)
    return Tally(classes=own, values=pairs % width, counts=counts, present=present, people=people)


def _added(keys: IntArray, times: IntArray | None) -> tuple[IntArray, IntArray]:
    """The distinct keys in their order, and how often each occurs."""
    cells = int(keys.max(initial=-1)) + 1
    if cells <= DENSE_CELLS_AN_ENTRY * len(keys) + 1024:
        sums = np.bincount(keys, weights=times, minlength=cells).astype(np.int64)
        found = np.flatnonzero(sums)
        return found, sums[found]
    distinct, which = np.unique(keys, return_inverse=True)
    return distinct, np.bincount(which.reshape(-1), weights=times).astype(np.int64)


def tally_of(table: Table, column: str, label: IntArray) -> Tally:
    """The values of a column counted in each class, by people where the table tells whose records they are."""
    return counted(label, places_of(table, column), persons=table.persons())


def places_of(table: Table, column: str) -> IntArray:
    """The place of each value in the order of its column, from 1, counting only values that occur; missing is 0."""
    described = table[column]
    if described.scale != Scale.ORDINAL or not described.order:
        return codes_of(table, [column])[:, 0]
    codes = table.codes(column)
    # The code of missing, appended, is the least of all and so gets place 0 even where nothing is missing.
    return np.unique(np.append(codes, MISSING_CODE), return_inverse=True)[1][:-1].astype(np.int64)


def most_frequent(tally: Tally) -> FloatArray:
    """For each class the share of its people who have its most frequent value; 0 where nobody has one."""
    return _top(tally) / np.maximum(1, tally.people)


def diversity(tally: Tally, variant: Variant, c: float) -> FloatArray:
    """The l of each class; 0 where it has no value.

    A value that everybody in a class has is known of each of them, whatever other values they have: l is 1 at most.
    """
    levels = VARIANT_LEVELS[variant](tally, c)
    common = (tally.people > 0) & (_top(tally) == tally.people)
    return np.where(common, np.minimum(levels, 1.0), levels)


def _top(tally: Tally) -> IntArray:
    """How often the most frequent value of each class occurs."""
    top = np.zeros(len(tally.present), dtype=np.int64)
    np.maximum.at(top, tally.classes, tally.counts)
    return top


def different_values(tally: Tally) -> FloatArray:
    """How many different values each class has."""
    return np.bincount(tally.classes, minlength=len(tally.present)).astype(np.float64)


def _distinct(tally: Tally, c: float) -> FloatArray:
    return different_values(tally)


def _entropy(tally: Tally, c: float) -> FloatArray:
    share = tally.counts / tally.present[tally.classes]
    entropy = np.bincount(tally.classes, weights=-share * np.log(share), minlength=len(tally.present))
    # Rounded far behind the point, so that l values that are equally frequent give l.
    return np.where(tally.present > 0, np.round(np.exp(entropy), 12), 0.0)


def _recursive(tally: Tally, c: float) -> FloatArray:
    """The largest l of each class with r_1 < c (r_l + ... + r_m), its counts in falling order; 0 where none will do."""
    order = np.lexsort((-tally.counts, tally.classes))
    classes, counts = tally.classes[order], tally.counts[order]
    before = np.cumsum(counts) - counts
    start = np.searchsorted(classes, classes, side="left")
    rest = tally.present[classes] - (before - before[start])
    # The tail only shrinks as l grows, so those that hold are the first ones, and their number is the largest l.
    holds = _top(tally)[classes] < c * rest
    return np.bincount(classes[holds], minlength=len(tally.present)).astype(np.float64)


VARIANT_LEVELS = {"distinct": _distinct, "entropy": _entropy, "recursive": _recursive}


def overall_shares(
    codes: IntArray, persons: IntArray | None = None, times: IntArray | None = None
) -> FloatArray:
    """The share of each code in the whole file; that of missing, the first, is zero."""
    whole = counted(np.zeros(len(codes), dtype=np.int64), codes, persons=persons, times=times)
    shares = np.zeros(int(codes.max(initial=0)) + 1)
    shares[whole.values] = whole.counts / max(1, int(whole.present.sum()))
    return shares


def closeness(tally: Tally, overall: FloatArray, *, ordered: bool) -> FloatArray:
    """The t of each class: the earth mover's distance of its values to those of the file; 0 where it has none."""
    return ordered_distance(tally, overall) if ordered else nominal_distance(tally, overall)


def nominal_distance(tally: Tally, overall: FloatArray) -> FloatArray:
    """For each class the share of values to be exchanged to make it like the file; 0 where it has none."""
    share = tally.counts / tally.present[tally.classes]
    gained = np.maximum(0.0, share - overall[tally.values])
    return np.bincount(tally.classes, weights=gained, minlength=len(tally.present)).astype(np.float64)


def ordered_distance(tally: Tally, overall: FloatArray) -> FloatArray:
    """For each class how far its values must be moved along their order to make it like the file; 0 without values.

    The distance is the area between the two cumulative shares over the places of all values. The share of a class is
    constant between two of its own values, so the area is summed from one to the next: the cost grows with the records,
    not with the classes times the values.
    """
    cumulative = np.cumsum(overall[1:])
    places = len(cumulative)
    if places < 2 or not len(tally.classes):
        return np.zeros(len(tally.present))
    summed = np.concatenate([[0.0], np.cumsum(cumulative)])
    reached = np.cumsum(tally.counts)
    start = np.searchsorted(tally.classes, tally.classes, side="left")
    share = (reached - reached[start] + tally.counts[start]) / tally.present[tally.classes]
    last: BoolArray = np.append(tally.classes[1:] != tally.classes[:-1], True)
    following = np.where(last, places + 1, np.append(tally.values[1:], places + 1))
    area = _between(share, tally.values - 1, following - 1, cumulative, summed)
    opening = np.append(True, last[:-1])
    none = np.zeros(int(opening.sum()))
    area[opening] += _between(
        none, np.zeros(len(none), np.int64), tally.values[opening] - 1, cumulative, summed
    )
    moved = np.bincount(tally.classes, weights=area, minlength=len(tally.present))
    return np.minimum(1.0, moved / (places - 1))


def _between(
    level: FloatArray, begin: IntArray, end: IntArray, cumulative: FloatArray, summed: FloatArray
) -> FloatArray:
    """The sum of |level - cumulative[i]| for i from begin to end - 1."""
    crossing = np.clip(np.searchsorted(cumulative, level, side="left"), begin, end)
    below = level * (crossing - begin) - (summed[crossing] - summed[begin])
    above = (summed[end] - summed[crossing]) - level * (end - crossing)
    return below + above
