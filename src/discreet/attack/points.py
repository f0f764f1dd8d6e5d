"""Records as points: how the columns of two tables become numbers whose differences count alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import rel_entr

from discreet.attack.whitening import turned
from discreet.comparing import AxisColumn, CategoryColumn, ComparedColumn, compare_column
from discreet.errors import NotComputable
from discreet.stored import Matrix
from discreet.table import FloatArray, IntArray, Table

FAR_APART = np.sqrt(0.5)
"""Two different categories, each this far along its own axis, are at distance one."""

MOST_AXES = 512
"""How many axes categories may take: beyond that Gower's distance compares them without any."""

MOST_COORDINATES = 5e7
"""How many coordinates the points of a file may take together: 400 megabytes."""

ROUNDING = 2.0**-48
"""Sixteen times the last bit of a number: what a few additions and a division can be off, relative to it."""

ROWS_AT_ONCE = 1 << 15
"""Of how many rows points are made at once."""

MOST_ERROR = 2.0**-20
"""The most standard deviations that rounding is held responsible for. Numbers that float64 cannot hold any closer are
told apart all the same: were they equal, one such column would hide what all the others give away."""


def points_of(columns: Sequence[ComparedColumn]) -> tuple[FloatArray, FloatArray]:
    """Both tables as points: numbers and ranks standardised, each table by its own mean and standard deviation.

    A missing number stands at its column's mean, and a band at its middle. Different categories are at distance one
    from each other, and missing is a category of its own.
    """
    blocks = [block_of(column) for column in by_their_own(columns)]
    if sum(one.shape[1] for one, _ in blocks) > MOST_AXES + len(columns):
        raise NotComputable(
            f"the categories of the keys would take more than {MOST_AXES} axes. Use distance 'gower', which needs none."
        )
    left = np.hstack([one for one, _ in blocks])
    right = np.hstack([other for _, other in blocks])
    return np.ascontiguousarray(left), np.ascontiguousarray(right)


def compared_columns(
    original: Table, masked: Table, keys: Sequence[str], truth: IntArray | None = None
) -> list[ComparedColumn]:
    """The keys as they are compared, with bands cut down to the known values in them.

    Of the ways to standardise published numbers an intruder takes the one that finds more: here the one that leaves
    them nearer to the true values, of most records. Of the ways to read a category that others became, by its name or
    as all that it can stand for, it is the one that tells more.
    """
    owner = np.full(len(masked), -1, dtype=np.int64) if truth is None else truth
    return [
        _placed(each, owner) if isinstance(each, AxisColumn) else _by_name(each, owner)
        for each in columns_as_sets(original, masked, keys, owner)
    ]


def columns_as_sets(
    original: Table, masked: Table, keys: Sequence[str], truth: IntArray
) -> list[ComparedColumn]:
    """The keys with all that each published cell can stand for, bands cut down to the known values in them."""
    columns = [compare_column(original, masked, name, truth) for name in keys]
    return [each.tightened() if isinstance(each, AxisColumn) else each for each in columns]


def _by_name(column: CategoryColumn, owner: IntArray) -> CategoryColumn:
    """The column with categories that others became read by their names, where that tells more of whose a record is.

    Where the most frequent category of a group is published for all of it, most people have the one that is published,
    and hardly anybody is told from others by all that it stood for.
    """
    shown = np.flatnonzero(owner >= 0)
    if not (column.named >= 0).any() or len(shown) == 0:
        return column
    named = column.by_name()
    more = _tells(named, owner, shown) > _tells(column, owner, shown) * (1 + MOST_ERROR)
    return named if more else column


def _tells(column: CategoryColumn, owner: IntArray, shown: IntArray) -> float:
    """How much agreement tells: the divergence of its share among own pairs from that among all pairs."""
    known, published = column.known[owner[shown]], column.published[shown]
    agree = known == published
    wide = np.flatnonzero((published >= column.levels) & (known >= 0))
    agree[wide] = column.holds[published[wide] - column.levels, known[wide]]
    of_known = np.bincount(column.known + 1, minlength=column.levels + 1) / len(column.known)
    of_published = np.bincount(published + 1, minlength=1 + column.levels + len(column.holds)) / len(shown)
    alone, labels = of_published[: len(of_known)], of_published[len(of_known) :]
    own, everybody = agree.mean(), alone @ of_known + labels @ (column.holds @ of_known[1:])
    return float(rel_entr(own, everybody) + rel_entr(1 - own, 1 - everybody))


def by_their_own(columns: Sequence[ComparedColumn]) -> list[ComparedColumn]:
    """The columns with all published numbers standardised by their own mean and deviation, as the formulas say."""
    return [replace(each, in_place=False) if isinstance(each, AxisColumn) else each for each in columns]


def _placed(column: AxisColumn, owner: IntArray) -> AxisColumn:
    """The column with what is known of how its numbers were moved.

    The means of groups of a skewed column have its middle and a smaller deviation: standardised by their own, nearly
    all of them would be moved away from where they belong.
    """
    if column.banded:
        return column
    shown = np.flatnonzero(owner >= 0)
    known, published = column.known[owner[shown]], column.low[shown]
    both = ~np.isnan(known) & ~np.isnan(published)
    if not both.any():
        return column
    known, published = known[both], published[both]
    ours, theirs = Scaling.of(column.known), Scaling.of(column.low)
    wanted = ours.zscores(known)
    as_is, by_own = (float(np.median(np.abs(wanted - each.zscores(published)))) for each in (ours, theirs))
    # What differs by rounding alone does not decide.
    return replace(column, in_place=as_is < by_own * (1 - MOST_ERROR))


class CodedPoints(NamedTuple):
    """Points at few places: point i is `places[codes[i]]`. They take the memory of their codes alone."""

    places: FloatArray
    codes: IntArray

    @property
    def shape(self) -> tuple[int, int]:
        """How many points there are, and how many axes they have."""
        return len(self.codes), self.places.shape[1]

    def at(self, rows: IntArray) -> FloatArray:
        """These of the points."""
        points: FloatArray = self.places[self.codes[rows]]
        return points


class TurnedPoints(NamedTuple):
    """Points that are made of columns of numbers by turning and stretching them; a blank stands at zero.

    The columns may lie in files.
    """

    columns: Matrix
    stretch: FloatArray

    @property
    def shape(self) -> tuple[int, int]:
        """How many points there are, and how many axes they have."""
        return len(self.columns), self.stretch.shape[1]

    def at(self, rows: IntArray) -> FloatArray:
        """These of the points."""
        return turned(np.nan_to_num(self.columns[rows]), self.stretch)


Axes = Matrix | CodedPoints | TurnedPoints


def points_at(axes: Axes, rows: IntArray) -> FloatArray:
    """These of the points."""
    points: FloatArray = axes.at(rows) if isinstance(axes, CodedPoints | TurnedPoints) else axes[rows]
    return points


def axes_of_rows(axes: Axes, rows: IntArray) -> Axes:
    """The points of some rows, in memory."""
    if isinstance(axes, CodedPoints):
        return CodedPoints(axes.places, axes.codes[rows])
    return points_at(axes, rows)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stacked:
    """The points of some rows, with the axes of all parts side by side; they are made where they are asked for.

    The first axis is none of the parts': all points are at zero on it, which is for where there is no other.
    """

    parts: tuple[Axes, ...]
    rows: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    def only(self, points: IntArray) -> Stacked:
        """The same for some of the points."""
        return replace(self, rows=self.rows[points])

    def made(self) -> FloatArray:
        """The points, as one contiguous array."""
        out = np.zeros((len(self.rows), 1 + sum(each.shape[1] for each in self.parts)))
        for first in range(0, len(out), ROWS_AT_ONCE):
            rows, start = self.rows[first : first + ROWS_AT_ONCE], 1
            for each in self.parts:
                stop = start + each.shape[1]
                out[first : first + len(rows), start:stop] = points_at(each, rows)
                start = stop
        return out

    def largest(self) -> list[float]:
        """The greatest number on each axis, whatever its sign."""
        found = [0.0]
        for each in self.parts:
            if isinstance(each, CodedPoints):
                found += map(_largest, each.places[np.unique(each.codes[self.rows])].T)
            else:
                found += self._largest_of(each)
        return found

    def _largest_of(self, axes: Matrix | TurnedPoints) -> list[float]:
        found = np.zeros(axes.shape[1])
        for first in range(0, len(self.rows), ROWS_AT_ONCE):
            points = points_at(axes, self.rows[first : first + ROWS_AT_ONCE])
            found = np.maximum(found, [_largest(axis) for axis in points.T])
        return [float(each) for each in found]


def block_of(column: ComparedColumn) -> tuple[FloatArray, FloatArray]:
    """The axes of one column for both tables."""
    known, published = (
        each.places[each.codes] if isinstance(each, CodedPoints) else each for each in axes_of(column)
    )
    return known, published


def axes_of(column: ComparedColumn) -> tuple[FloatArray | CodedPoints, FloatArray | CodedPoints]:
    """The axes of one column for both tables; categories stay codes."""
    if isinstance(column, CategoryColumn):
        return _indicators(column)
    scaled = ScaledColumn.of(column)
    known, published = scaled.known_low / 2 + scaled.known_high / 2, scaled.low / 2 + scaled.high / 2
    return np.nan_to_num(known)[:, None], np.nan_to_num(published)[:, None]


def most_axes(records: int) -> int:
    """How many axes the categories of a file of so many records may take."""
    return int(min(MOST_AXES, MOST_COORDINATES / max(1, records)))


def slack_of(errors: FloatArray, *points: FloatArray | Stacked) -> float:
    """How much distances between points can differ by rounding alone, though they are equal on paper.

    Of the ages 3 and 7 both are two away from 5, and yet their standardised distances can differ in the last bit. What
    is no farther than this beyond the nearest is therefore as near. `errors` are those of the axes.
    """
    return slack_within(errors, largest_of(*points))


def slack_within(errors: FloatArray, largest: FloatArray) -> float:
    """The same of points whose greatest numbers on each axis are known."""
    return float(np.linalg.norm(errors) + ROUNDING * np.linalg.norm(largest))


def largest_of(*points: FloatArray | Stacked) -> FloatArray:
    """The greatest number on each axis, whatever its sign, of all these points; blanks (NaN) do not count."""
    each_of = [
        each.largest() if isinstance(each, Stacked) else [_largest(axis) for axis in each.T]
        for each in points
    ]
    found: FloatArray = np.max(each_of, axis=0)
    return found


def _largest(axis: FloatArray) -> float:
    """The greatest number on an axis, whatever its sign; blanks (NaN) do not count."""
    return float(np.abs(np.nan_to_num(axis)).max(initial=0.0))


class ScaledColumn(NamedTuple):
    """A column on an axis in standard deviations, NaN where blank, and by how much values can be off by rounding."""

    known_low: FloatArray
    known_high: FloatArray
    low: FloatArray
    high: FloatArray
    error: float

    @classmethod
    def of(cls, column: AxisColumn, *, as_known: bool = False) -> ScaledColumn:
        """The column less its mean, over its standard deviation.

        Published numbers go by their own mean and deviation, which undoes a masking that shifts or stretches all of
        them, unless they are nearer to the true ones as they are. Bands, and values that are all known ones, go by
        those of the known table: nothing moved them. So do all with `as_known`.
        """
        ours = Scaling.of(column.known)
        kept = as_known or column.banded or column.in_place
        kept = kept or are_among(_present(column.low), column.known)
        theirs = ours if kept else Scaling.of(column.low)
        known = ours.zscores_of_both(column.known, column.known_high)
        published = theirs.zscores_of_both(column.low, column.high)
        error = _error(column.known, ours) + (_error(column.low, theirs) if not column.banded else 0.0)
        return cls(known[0], known[1], published[0], published[1], error)


def errors_of(columns: Sequence[ComparedColumn]) -> FloatArray:
    """By how much standardised values of each column can be off: the last bits of its values, in deviations."""
    return np.array(
        [ScaledColumn.of(each).error if isinstance(each, AxisColumn) else 0.0 for each in columns]
    )


def are_among(values: FloatArray, known: FloatArray) -> bool:
    """Whether every one of the values is a known one; a large column takes little more memory than it has."""
    ordered = np.sort(known)
    if len(ordered) == 0:
        return len(values) == 0
    for first in range(0, len(values), ROWS_AT_ONCE):
        some = values[first : first + ROWS_AT_ONCE]
        place = np.searchsorted(ordered, some).clip(max=len(ordered) - 1)
        if not (ordered[place] == some).all():
            return False
    return True


def _present(values: FloatArray) -> FloatArray:
    """The values that are there: the array itself where none is missing."""
    missing = np.isnan(values)
    return values[~missing] if missing.any() else values


def _error(values: FloatArray, way: Scaling) -> float:
    """The error of one table's values; one that is the same for all is its own mean, and stands at zero exactly.

    Whole numbers are what they are on paper, so that only their way from the middle of the column is rounded.
    """
    values = _present(values)
    if len(values) == 0 or values.min() == values.max():
        return 0.0
    whole = bool((values == np.floor(values)).all())
    largest = np.abs(way.from_pivot(values) if whole else np.ldexp(values, -way.exponent)).max()
    return float(min(MOST_ERROR, ROUNDING * (largest / way.spread)))


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
        # Changed in place: a column of a large file is to be held no more often than it must be.
        ordered = np.sort(_present(values))
        if len(ordered) == 0 or ordered[0] == ordered[-1]:
            return cls(0, float(ordered[0]) if len(ordered) else 0.0, 0.0, 1.0)
        exponent = int(np.frexp(np.abs(ordered[[0, -1]]).max())[1])
        pivot = float(np.ldexp(ordered[len(ordered) // 2], -exponent))
        np.ldexp(ordered, -exponent, out=ordered)
        ordered -= pivot
        offset = float(ordered.sum() / len(ordered))
        ordered -= offset
        ordered *= ordered
        spread = float(np.sqrt(ordered.sum() / len(ordered)))
        return cls(exponent, pivot, offset, spread or 1.0)

    def from_pivot(self, values: FloatArray) -> FloatArray:
        """The scaled values, less that of the middle."""
        left: FloatArray = np.ldexp(values, -self.exponent) - self.pivot
        return left

    def zscores(self, values: FloatArray) -> FloatArray:
        """The values less the mean, over the standard deviation; missing ones stay missing."""
        found: FloatArray = (self.from_pivot(values) - self.offset) / self.spread
        return found

    def zscores_of_both(self, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The z-scores of both ends of cells; one array where both are, because no cell is a band."""
        found = self.zscores(low)
        return found, found if high is low else self.zscores(high)


def centre_and_spread(values: FloatArray) -> tuple[float, float]:
    """The mean and the standard deviation of the values present; a spread of zero counts as one."""
    way = Scaling.of(values)
    spread = float(np.ldexp(way.spread, way.exponent))
    return float(np.ldexp(way.pivot + way.offset, way.exponent)), spread or 1.0


def _indicators(column: CategoryColumn) -> tuple[CodedPoints, CodedPoints]:
    """An axis for each category; a missing one stands on an axis of its own, the last.

    A general category stands in the middle of those under it, or on an axis of its own where there is none.
    """
    count = column.levels + len(column.holds)
    if count > MOST_AXES:
        raise NotComputable(
            f"column '{column.name}' has {count} categories, more than {MOST_AXES} axes. Use distance 'gower', which "
            "needs none."
        )
    axes = np.eye(count + 1) * FAR_APART
    places = axes.copy()
    for number, held in enumerate(column.holds):
        if held.any():
            places[column.levels + number] = axes[: column.levels][held].mean(axis=0)
    return CodedPoints(axes, column.known), CodedPoints(places, column.published)
