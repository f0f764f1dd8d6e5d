"""The best guess of a value from a group of published ones, and how often it is right."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.coding import MISSING
from discreet.models import counted
from discreet.table import BoolArray, FloatArray, IntArray


class GivenAway(NamedTuple):
    """What a published code gives away: itself up to `levels`, beyond that one of the codes it holds, from 1."""

    levels: int
    holds: BoolArray

    def chance(self, published: IntArray, true: IntArray) -> FloatArray:
        """The chance to name the true code from the published one."""
        general = published > self.levels
        found: FloatArray = (published == true).astype(np.float64)
        if len(self.holds) and self.levels:
            row = np.clip(published - self.levels - 1, 0, len(self.holds) - 1)
            inside = self.holds[row, np.clip(true - 1, 0, self.levels - 1)] & (true > MISSING)
            found = np.where(general, inside / np.maximum(1, self.holds.sum(axis=1))[row], found)
        return found


def chance_of_category(
    published: IntArray, label: IntArray, group: IntArray, true: IntArray, given: GivenAway
) -> FloatArray:
    """For each person the chance to guess the true category: the most frequent one among the records of a group.

    `published` are the codes of the published records and `label` their groups; `group` is the group that each person
    is looked up in and `true` the code of the person's value. Of several equally frequent categories each is as good a
    guess as the others. A group without a value leaves the guess from the whole file. Zero is missing.
    """
    tally = counted(label, published)
    whole = counted(np.zeros(len(published), dtype=np.int64), published)
    return np.where(
        tally.present[group] > 0,
        _mode_chance(tally.classes, tally.values, tally.counts, len(tally.present), group, true, given),
        _mode_chance(whole.classes, whole.values, whole.counts, 1, np.zeros_like(group), true, given),
    )


def _mode_chance(
    groups: IntArray,
    values: IntArray,
    counts: IntArray,
    size: int,
    group: IntArray,
    true: IntArray,
    given: GivenAway,
) -> FloatArray:
    """The chance to be right with one of the most frequent values of the group of each person."""
    if len(groups) == 0:
        return np.zeros(len(group))
    top = np.zeros(size, dtype=np.int64)
    np.maximum.at(top, groups, counts)
    best = counts == top[groups]
    ties = np.bincount(groups[best], minlength=size)
    starts = np.cumsum(ties) - ties
    # Groups with equally many of several values are looked at value by value; most have one.
    winners, chance = values[best], np.zeros(len(group))
    for turn in range(int(ties.max(initial=0))):
        some = np.flatnonzero((ties[group] > turn) & (true != MISSING))
        chance[some] += given.chance(winners[starts[group[some]] + turn], true[some])
    return chance / np.maximum(1, ties[group])


def chance_of_number(
    published: FloatArray, label: IntArray, group: IntArray, true: FloatArray, reach: float
) -> FloatArray:
    """For each person whether the best guess from a group is within `reach` of the true number, as 0 or 1.

    The best guess is the middle of the interval of width 2 `reach` that holds most published numbers of the group, the
    lowest of several. A group without a number leaves the guess from the whole file. NaN is missing.
    """
    groups = int(max(label.max(initial=-1), group.max(initial=-1))) + 1
    guess = best_middle(published, label, groups, reach)
    overall = best_middle(published, np.zeros(len(published), dtype=np.int64), 1, reach)[0]
    middle = np.where(np.isnan(guess[group]), overall, guess[group])
    # Half of the last digits of slack: the middle was computed, and a number at the very end of the interval is in.
    # A guess that is infinitely far from all that is true has none.
    slack = 1e-9 * (np.where(np.isinf(middle), 0.0, np.abs(middle)) + reach)
    with np.errstate(invalid="ignore"):
        return (np.abs(middle - true) <= reach + slack).astype(np.float64)


def best_middle(values: FloatArray, label: IntArray, groups: int, reach: float) -> FloatArray:
    """For each group the middle of the interval of width 2 `reach` that holds most of its values; NaN without any."""
    known = ~np.isnan(values)
    values, label = values[known], label[known]
    middle = np.full(groups, np.nan)
    if len(values) == 0:
        return middle
    order = np.lexsort((values, label))
    values, label = values[order], label[order]
    # Values become their places among all, so that one sorted search serves every group at once.
    distinct, place = np.unique(values, return_inverse=True)
    end = np.searchsorted(distinct, distinct + 2 * reach * (1 + 1e-12), side="right")
    key = label * (len(distinct) + 1) + place
    held = np.searchsorted(key, label * (len(distinct) + 1) + end[place], side="left") - np.arange(len(key))
    best = np.lexsort((values, -held, label))
    first = np.unique(label[best], return_index=True)[1]
    chosen = best[first]
    last = np.minimum(chosen + held[chosen], len(values)) - 1
    middle[label[chosen]] = values[chosen] / 2 + values[last] / 2
    return middle
