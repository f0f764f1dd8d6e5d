"""Records as points: how the columns of two tables become comparable numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.errors import BadValues, NotComputable
from discreet.table import FloatArray, IntArray, Scale, Table

FAR_APART = np.sqrt(0.5)
"""Two different categories, each this far along its own axis, are at distance one."""

MOST_AXES = 512
"""How many axes categories may take: beyond that Gower's distance compares them without any."""

ROUNDING = 2.0**-48
"""Sixteen times the last bit of a number: what a few additions and a division can be off, relative to it."""

MOST_ERROR = 2.0**-20
"""The most standard deviations that rounding is held responsible for. Numbers that float64 cannot hold any closer are
told apart all the same: were they equal, one such column would hide what all the others give away."""


def points_of(original: Table, masked: Table, keys: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    """Both tables as points: numbers and ranks standardised, each table by its own mean and standard deviation.

    A missing number stands at its column's mean. Different categories are at distance one from each other, and
    missing is a category of its own.
    """
    blocks = [block_of(original, masked, name) for name in keys]
    if sum(one.shape[1] for one, _ in blocks) > MOST_AXES + len(keys):
        raise NotComputable(
            f"the categories of the keys would take more than {MOST_AXES} axes. Use distance 'gower', which needs none."
        )
    left = np.hstack([one for one, _ in blocks])
    right = np.hstack([other for _, other in blocks])
    return np.ascontiguousarray(left), np.ascontiguousarray(right)


def block_of(original: Table, masked: Table, name: str) -> tuple[FloatArray, FloatArray]:
    """The axes of one column for both tables."""
    if compares_as_number(original, masked, name):
        return (
            standardised(numbers_of(original, name))[:, None],
            standardised(numbers_of(masked, name))[:, None],
        )
    return _indicators(original, masked, name)


def slack_of(errors: FloatArray, *points: FloatArray) -> float:
    """How much distances between points can differ by rounding alone, though they are equal on paper.

    Of the ages 3 and 7 both are two away from 5, and yet their standardised distances can differ in the last bit. What
    is no farther than this beyond the nearest is therefore as near. `errors` are those of the axes.
    """
    largest = np.max([np.abs(each).max(axis=0, initial=0.0) for each in points], axis=0)
    return float(np.linalg.norm(errors) + ROUNDING * np.linalg.norm(largest))


def errors_of(original: Table, masked: Table, keys: Sequence[str]) -> FloatArray:
    """By how much standardised values of each key can be off: the last bits of its values, in standard deviations."""
    errors = np.zeros(len(keys))
    for place, name in enumerate(keys):
        if compares_as_number(original, masked, name):
            errors[place] = _error(numbers_of(original, name)) + _error(numbers_of(masked, name))
    return errors


def _error(values: FloatArray) -> float:
    """The error of one table's values; one that is the same for all is its own mean, and stands at zero exactly.

    Whole numbers are what they are on paper, so that only their way from the middle of the column is rounded.
    """
    values = values[~np.isnan(values)]
    if len(values) == 0 or values.min() == values.max():
        return 0.0
    way = Scaling.of(values)
    whole = bool((values == np.floor(values)).all())
    largest = np.abs(way.from_pivot(values) if whole else np.ldexp(values, -way.exponent)).max()
    return float(min(MOST_ERROR, ROUNDING * (largest / way.spread)))


def compares_as_number(original: Table, masked: Table, name: str) -> bool:
    """Whether differences of the column's values have a meaning: numbers, or ranks in the same order."""
    scales = {original[name].scale, masked[name].scale}
    if scales == {Scale.ORDINAL}:
        return original[name].order == masked[name].order
    return scales == {Scale.NUMERIC}


def numbers_of(table: Table, name: str) -> FloatArray:
    """A column of numbers, or the ranks of an ordinal one; NaN where missing. Raises BadValues for infinite numbers."""
    if table[name].scale == Scale.ORDINAL and table[name].order:
        codes = table.codes(name).astype(np.float64)
        ranks: FloatArray = np.where(codes < 0, np.nan, codes)
        return ranks
    values = table.numbers([name])[:, 0]
    endless = int(np.isinf(values).sum())
    if endless:
        raise BadValues(
            f"column '{name}' of table '{table.name}' has {endless} infinite values, which are at no distance from "
            "anything. Make them missing, or cap them."
        )
    return values


class Scaling(NamedTuple):
    """How the values of a column become standard deviations from their mean, in steps that lose no digit.

    They are scaled by a power of two, so that squares neither overflow nor vanish; then a value from the middle of the
    column is taken off, which is exact for large numbers close together. `offset` and `spread` are the mean and the
    standard deviation of what is left. The order of the records does not change a bit: sums are over sorted values.
    """

    exponent: int
    pivot: float
    offset: float
    spread: float

    @classmethod
    def of(cls, values: FloatArray) -> Scaling:
        """That of the values that are there; a spread of zero counts as one."""
        ordered = np.sort(values[~np.isnan(values)])
        if len(ordered) == 0 or ordered[0] == ordered[-1]:
            return cls(0, float(ordered[0]) if len(ordered) else 0.0, 0.0, 1.0)
        exponent = int(np.frexp(np.abs(ordered[[0, -1]]).max())[1])
        pivot = float(np.ldexp(ordered[len(ordered) // 2], -exponent))
        left = np.ldexp(ordered, -exponent) - pivot
        offset = float(left.sum() / len(left))
        spread = float(np.sqrt(((left - offset) ** 2).sum() / len(left)))
        return cls(exponent, pivot, offset, spread or 1.0)

    def from_pivot(self, values: FloatArray) -> FloatArray:
        """The scaled values, less that of the middle."""
        left: FloatArray = np.ldexp(values, -self.exponent) - self.pivot
        return left


def standardised(values: FloatArray) -> FloatArray:
    """The values less their mean, over their standard deviation; missing ones stand at the mean."""
    return np.nan_to_num(in_spreads(values))


def in_spreads(values: FloatArray) -> FloatArray:
    """The values less their mean, over their standard deviation; missing ones stay missing."""
    way = Scaling.of(values)
    found: FloatArray = (way.from_pivot(values) - way.offset) / way.spread
    return found


def centre_and_spread(values: FloatArray) -> tuple[float, float]:
    """The mean and the standard deviation of the values present; a spread of zero counts as one."""
    way = Scaling.of(values)
    return float(np.ldexp(way.pivot + way.offset, way.exponent)), float(np.ldexp(way.spread, way.exponent))


def joint_codes(original: Table, masked: Table, name: str) -> tuple[IntArray, IntArray, int]:
    """The column of both tables as codes of the same levels, and how many there are; -1 is missing."""
    left, right = (table.frame[name].cast(pl.String) for table in (original, masked))
    return codes_of(left, right)


def codes_of(left: pl.Series, right: pl.Series) -> tuple[IntArray, IntArray, int]:
    """Two columns of texts as codes of the same levels, and how many there are; -1 is missing."""
    levels = pl.concat([left, right]).drop_nulls().unique().sort()
    return places_of(left, levels), places_of(right, levels), len(levels)


def places_of(values: pl.Series, levels: pl.Series) -> IntArray:
    """The place of each text among the levels, -1 where it is none of them."""
    if len(levels) == 0:
        return np.full(len(values), -1, dtype=np.int64)
    places = pl.Series(np.arange(len(levels), dtype=np.int64))
    coded = values.replace_strict(levels, places, default=None, return_dtype=pl.Int64)
    return coded.fill_null(-1).to_numpy().astype(np.int64)


def _indicators(original: Table, masked: Table, name: str) -> tuple[FloatArray, FloatArray]:
    """An axis for each category; a missing one stands on an axis of its own, the last."""
    left, right, count = joint_codes(original, masked, name)
    if count > MOST_AXES:
        raise NotComputable(
            f"column '{name}' has {count} categories, more than {MOST_AXES} axes. Use distance 'gower', which needs "
            "none."
        )
    axes = np.eye(count + 1) * FAR_APART
    return axes[left], axes[right]
