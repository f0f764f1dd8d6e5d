"""The association of pairs of columns: correlation, correlation ratio and Cramér's V, and whether it has changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from discreet.comparing import CategoryColumn, ComparedColumn
from discreet.loss.doubts import SAMPLE, doubt, of_pairs
from discreet.loss.lost_categories import CategoryGroups, grouped
from discreet.loss.lost_columns import Weights
from discreet.loss.lost_lines import Lines, certain
from discreet.loss.moments import effective
from discreet.table import FloatArray, IntArray

SAME = 1e-7
"""Associations that differ by less are the same but for rounding, which roots of small numbers magnify."""

MOST_CELLS = 1 << 22
"""Tables of two columns with more cells than this are kept as lists of the combinations that occur."""


class Association(NamedTuple):
    """How strongly two columns depend on each other, from 0 to 1, and how many records say so.

    The strength is NaN where one of the columns is constant or no record has both.
    """

    strength: float
    records: float


NOTHING = Association(np.nan, 0.0)


def association_chances(lines: Lines, columns: Sequence[ComparedColumn], weights: Weights) -> FloatArray:
    """How sure one can be that the association of each pair of columns changed; NaN where the original has none.

    A column by itself, and a pair the other way round, has NaN.
    """
    count = len(columns)
    out = np.full((count, count), np.nan)
    _correlations(lines, weights, out)
    groups = {
        place: grouped(each, weights)
        for place, each in enumerate(columns)
        if isinstance(each, CategoryColumn)
    }
    for one, two in combinations(range(count), 2):
        if one in groups and two in groups:
            old, new = (cramers_v(groups[one], groups[two], side, weights[side]) for side in (0, 1))
        elif one in groups or two in groups:
            line, group = (two, one) if one in groups else (one, two)
            old, new = (
                correlation_ratio(
                    np.ascontiguousarray(values[:, lines.places.index(line)]),
                    groups[group],
                    side,
                    weights[side],
                )
                for side, values in enumerate((lines.old, lines.new))
            )
        else:
            continue
        out[one, two] = _chance(old, new)
    return out


def _correlations(lines: Lines, weights: Weights, out: FloatArray) -> None:
    """Puts in the chances of pairs of columns that both lie on an axis."""
    before, after = lines.before, lines.after
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        found = of_pairs(before, after, lines.old, weights[0])["correlations"]
    one, two = found.about
    defined = np.isfinite(before.correlation[one, two]) & ~(before.constant[one] | before.constant[two])
    gone = after.constant[one] | after.constant[two]
    places = np.array(lines.places, dtype=np.int64)
    out[places[one], places[two]] = np.where(defined, np.where(gone, 1.0, certain(found)), np.nan)


def _chance(old: Association, new: Association) -> float:
    """The chance for a strength that varies by (1 - strength^2)^2 / n, as a correlation does in normal samples.

    An association that can no longer be computed is certain to be lost.
    """
    if np.isnan(old.strength):
        return np.nan
    if np.isnan(new.strength):
        return 1.0
    variance = (1 - old.strength**2) ** 2 / min(float(SAMPLE), old.records)
    before, after, varies, same = (np.array([each]) for each in (old.strength, new.strength, variance, SAME))
    return float(doubt(before, after, varies, same, ()).chance[0])


def correlation_ratio(
    values: FloatArray, groups: CategoryGroups, side: int, weights: FloatArray
) -> Association:
    """The root of the share of the numbers' variance that lies between the groups (eta)."""
    codes = groups.codes[side]
    both = (codes >= 0) & ~np.isnan(values) & (weights > 0)
    if not both.all():
        codes, values, weights = codes[both], values[both], weights[both]
    if len(values) == 0 or values.min() == values.max():
        return NOTHING
    size = len(groups.into)
    centred = values - np.average(values, weights=weights)
    count = np.bincount(codes, weights=weights, minlength=size) @ groups.into
    total = np.bincount(codes, weights=weights * centred, minlength=size) @ groups.into
    there = count > 0
    if there.sum() < 2:
        return NOTHING
    between = float((total[there] ** 2 / count[there]).sum())
    return Association(min(1.0, between / float(weights @ centred**2)) ** 0.5, _worth(weights))


def cramers_v(one: CategoryGroups, two: CategoryGroups, side: int, weights: FloatArray) -> Association:
    """Cramér's V of the two groupings."""
    left, right = one.codes[side], two.codes[side]
    both = (left >= 0) & (right >= 0) & (weights > 0)
    weights = weights[both]
    table = _cross(left[both], right[both], one.into, two.into, weights)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) < 2:
        return NOTHING
    total = table.sum()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / total
    square = float(((table - expected) ** 2 / expected).sum() / total)
    return Association(min(1.0, square / (min(table.shape) - 1)) ** 0.5, _worth(weights))


def _cross(
    left: IntArray, right: IntArray, into_left: FloatArray, into_right: FloatArray, weights: FloatArray
) -> FloatArray:
    """The weight of each combination of groups."""
    width = len(into_right)
    joint = left * width + right
    if len(into_left) * width <= MOST_CELLS:
        counts = np.bincount(joint, weights=weights, minlength=len(into_left) * width)
        return np.asarray(into_left.T @ counts.reshape(-1, width) @ into_right)
    occurring, place = np.unique(joint, return_inverse=True)
    counts = np.bincount(place.ravel(), weights=weights)
    return np.asarray(into_left[occurring // width].T @ (counts[:, None] * into_right[occurring % width]))


def _worth(weights: FloatArray) -> float:
    """How many equally weighted records the weights are worth."""
    return float(effective(weights[:, None])[0])
