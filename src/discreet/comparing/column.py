"""One column of a known and a published table, as they are compared.

A published cell says which true values it can stand for: itself, all values of a band, all categories under a more
general one, or anything where it is blank. Numbers, dates and ordered categories lie on an axis; all other values are
categories. How a value is written, as a number or as its text, makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from discreet.bands import EVERYTHING, Band, read_band, read_run
from discreet.coding import aligned, common_codes, labels_of, places_of
from discreet.comparing.members import holds_everything, members_of_labels
from discreet.errors import BadValues
from discreet.table import BoolArray, Column, Described, FloatArray, IntArray, Scale, Table

FIRST_YEAR, LAST_YEAR = 1000, 3000
"""Whole numbers in place of days are taken for years where all of them lie between these."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AxisColumn:
    """A column of numbers, dates or ordered categories.

    `known` are the values of the known table, NaN where blank; `known_high` differs from it only where the known table
    itself holds bands. `low` and `high` are the least and the greatest value that each published cell can stand for:
    equal for a plain value, infinite for an open end, NaN where the cell is blank. Ordered categories are their places
    among `steps` levels; `steps` is 0 for numbers. `in_place` says that masking left published numbers nearer to the
    true ones than they are once each table is standardised by its own mean and deviation.
    """

    name: str
    known: FloatArray = field(repr=False)
    known_high: FloatArray = field(repr=False)
    low: FloatArray = field(repr=False)
    high: FloatArray = field(repr=False)
    steps: int = 0
    in_place: bool = False

    @property
    def banded(self) -> bool:
        """Whether any published cell stands for more than one value."""
        return bool((self.low < self.high).any())

    def tightened(self) -> AxisColumn:
        """The column with every band cut down to the known values in it: no other value can be behind it.

        An open end becomes the most extreme known value, and a band that holds one known value becomes that value. A
        band without any stays as it is.
        """
        wide = self.low < self.high
        if not wide.any():
            return self
        values = np.unique(np.concatenate([self.known, self.known_high]))
        values = values[~np.isnan(values)]
        if len(values) == 0:
            return self
        first = np.searchsorted(values, self.low, side="left")
        last = np.searchsorted(values, self.high, side="right") - 1
        inside = wide & (first <= last)
        low = np.where(inside, values[np.clip(first, 0, len(values) - 1)], self.low)
        high = np.where(inside, values[np.clip(last, 0, len(values) - 1)], self.high)
        # A band beyond all known values keeps its finite end.
        low, high = np.where(np.isneginf(low), high, low), np.where(np.isposinf(high), low, high)
        return replace(self, low=low, high=high)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CategoryColumn:
    """A column of categories, numbered from 0 as `levels` of the known table; -1 is blank.

    A published code below `levels` is that category itself. `levels` + g is the more general label number g, which can
    stand for the categories marked in row g of `holds`; `certain` is the same without those that it might stand for
    only because they were blanked. A published category that nobody known has is a general label that holds none.
    `named[g]` is the category that label g has the name of, -1 where nobody known has that: a category that others
    became.
    """

    name: str
    known: IntArray = field(repr=False)
    published: IntArray = field(repr=False)
    levels: int
    holds: BoolArray = field(repr=False)
    certain: BoolArray = field(repr=False)
    named: IntArray = field(default_factory=lambda: np.empty(0, np.int64), repr=False)

    def by_name(self) -> CategoryColumn:
        """The column with every label that has the name of a category read as that category alone."""
        labels = np.concatenate([np.arange(self.levels), np.where(self.named >= 0, self.named, 0), [-1]])
        kept = np.concatenate([np.zeros(self.levels, dtype=bool), self.named < 0, [True]])
        return replace(self, published=np.where(kept[self.published], self.published, labels[self.published]))

    def on_a_line(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """The categories as places on a line: known records from where to where, and published ones; NaN where blank.

        Levels are sorted by the largest general category they are under, then by the next, so that those of a tree are
        neighbours. A general category reaches from its first to its last level; one that holds none stands before all.
        Those that were blanked do not count: on a line they would stretch every general category over all others. One
        that holds every level has no ends, as it can hold a blank too.
        """
        by_size = np.argsort(-self.certain.sum(axis=1), kind="stable")
        # Reflected as in a Gray code, so that what two overlapping categories share lies between their other levels.
        keys = np.bitwise_xor.accumulate(self.certain[by_size], axis=0)[::-1]
        order = np.lexsort(tuple(keys)) if len(keys) else np.arange(self.levels)
        place = np.empty(self.levels)
        place[order] = np.arange(self.levels)
        first = np.concatenate([place, np.full(len(self.certain), -1.0), [np.nan]])
        last = first.copy()
        for number, held in enumerate(self.certain):
            if held.all():
                first[self.levels + number], last[self.levels + number] = -np.inf, np.inf
            elif held.any():
                first[self.levels + number], last[self.levels + number] = place[held].min(), place[held].max()
        known, published = first[self.known], first[self.published]
        if len(self.certain) == 0:
            return known, known, published, published
        return known, last[self.known], published, last[self.published]


ComparedColumn = AxisColumn | CategoryColumn


def compare_column(original: Table, masked: Table, name: str, truth: IntArray) -> ComparedColumn:
    """The column of both tables as it is compared.

    `truth` is the original row of each masked record, -1 for nobody. It serves only to learn what a label stands for
    that neither its words nor an ontology explain, as whoever reads "services" knows that it covers nurses.
    """
    scale = original[name].scale
    if scale == Scale.NUMERIC or (scale == Scale.ORDINAL and not original[name].order):
        found = _numbers(original, masked, name, truth)
        if found is not None:
            return found
    elif scale == Scale.ORDINAL:
        return _ordered(original, masked, name, truth)
    elif masked[name].scale == Scale.NUMERIC:
        bands = _known_bands(original, masked, name)
        if bands is not None:
            return bands
    return _categories(original, masked, name, truth)


def numbers_of(table: Table, name: str) -> FloatArray:
    """A column of numbers, or the places of an ordered one; NaN where missing. Raises BadValues for infinite ones."""
    if table[name].scale == Scale.ORDINAL and table[name].order:
        codes = table.codes(name).astype(np.float64)
        places: FloatArray = np.where(codes < 0, np.nan, codes)
        return places
    return _finite(table.numbers([name])[:, 0], table, name)


def with_known_orders(original: Table, masked: Table) -> Table:
    """The masked table with the orders of the original, wherever its own are parts of these.

    A release lists the levels that it shows. Whoever holds the original knows the others, and where they stand.
    """
    return masked.with_values({}, known_orders(original, masked))


def known_orders(original: Described, masked: Described) -> list[Column]:
    """The columns of the masked table whose orders are parts of those of the original, with these."""
    return [
        replace(each, order=original[each.name].order)
        for each in masked.columns
        if each.scale == Scale.ORDINAL
        and each.name in original.names
        and is_part_of_order(each.order, original[each.name].order)
    ]


def is_part_of_order(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether a list holds nothing but levels of another one, in the same order."""
    rest = iter(whole)
    return all(level in rest for level in part)


def _finite(values: FloatArray, table: Table, name: str) -> FloatArray:
    endless = int(np.isinf(values).sum())
    if endless:
        raise BadValues(
            f"column '{name}' of table '{table.name}' has {endless} infinite values, which are at no distance from "
            "anything. Make them missing, or cap them."
        )
    return values


def _numbers(original: Table, masked: Table, name: str, truth: IntArray) -> AxisColumn | None:
    """Numbers, dates or times beside published ones or bands of them; None where they are of different kinds."""
    ours, theirs = original.frame[name], masked.frame[name]
    if isinstance(theirs.dtype, pl.Boolean):
        theirs = theirs.cast(pl.UInt8)
    if ours.dtype.is_temporal() and theirs.dtype.is_temporal() and ours.dtype != theirs.dtype:
        ours, theirs = aligned(ours, theirs)
        if not ours.dtype.is_temporal():
            return None
    known = _finite(_floats(ours), original, name)
    if ours.dtype == theirs.dtype or (ours.dtype.is_numeric() and theirs.dtype.is_numeric()):
        published = _finite(_floats(theirs), masked, name)
        return AxisColumn(name=name, known=known, known_high=known, low=published, high=published)
    if theirs.dtype.is_temporal() or (theirs.dtype.is_numeric() and not _are_years(theirs)):
        return None
    low, high = _bands(labels_of(theirs), lambda label: read_band(label, ours.dtype), known, truth)
    return AxisColumn(name=name, known=known, known_high=known, low=low, high=high)


def _floats(values: pl.Series) -> FloatArray:
    physical = values.to_physical() if values.dtype.is_temporal() else values
    return physical.cast(pl.Float64).fill_null(float("nan")).to_numpy().astype(np.float64)


def _are_years(values: pl.Series) -> bool:
    return values.dtype.is_integer() and bool(values.drop_nulls().is_between(FIRST_YEAR, LAST_YEAR).all())


def _ordered(original: Table, masked: Table, name: str, truth: IntArray) -> AxisColumn:
    """Ordered categories as places; published ones are levels, or runs of levels."""
    known = numbers_of(original, name)
    levels = original[name].order
    low, high = _bands(_labels(masked, name), lambda label: read_run(label, levels), known, truth)
    return AxisColumn(name=name, known=known, known_high=known, low=low, high=high, steps=len(levels))


def _labels(table: Table, name: str) -> pl.Series:
    return labels_of(table.frame[name])


def _bands(
    labels: pl.Series, read: Callable[[str], Band | None], known: FloatArray, truth: IntArray
) -> tuple[FloatArray, FloatArray]:
    """From where to where each published label reaches; NaN where it is blank.

    What cannot be read reaches from the least to the greatest of the values that it was published for. Whose cell was
    blanked may have been one of these.
    """
    distinct = labels.drop_nulls().unique().sort()
    place = places_of(labels, distinct)
    ends = np.full((len(distinct) + 1, 2), np.nan)
    for number, label in enumerate(distinct.to_list()):
        band = EVERYTHING if holds_everything(label) else read(label)
        if band is None:
            ends[number] = _reach(known, truth, (place == number) | (place < 0))
        else:
            ends[number] = band
    return ends[place, 0], ends[place, 1]


def _reach(known: FloatArray, truth: IntArray, rows: BoolArray) -> Band:
    values = known[truth[rows & (truth >= 0)]]
    values = values[~np.isnan(values)]
    return Band(float(values.min()), float(values.max())) if len(values) else EVERYTHING


def _known_bands(original: Table, masked: Table, name: str) -> AxisColumn | None:
    """Bands in the known table beside published numbers; None where its labels are no bands."""
    theirs = masked.frame[name]
    labels = _labels(original, name)
    distinct = labels.drop_nulls().unique().sort()
    read = [read_band(label, theirs.dtype) for label in distinct.to_list()]
    known = [band for band in read if band is not None]
    if not known or len(known) < len(read) or all(band.low == band.high for band in known):
        return None
    published = _finite(_floats(theirs), masked, name)
    ends = np.array([*known, (np.nan, np.nan)])[places_of(labels, distinct)]
    return AxisColumn(name=name, known=ends[:, 0], known_high=ends[:, 1], low=published, high=published)


def _categories(original: Table, masked: Table, name: str, truth: IntArray) -> CategoryColumn:
    both = common_codes(original.frame[name], masked.frame[name])
    there = np.zeros(len(both.values) + 1, dtype=bool)
    there[both.left] = True
    there[0] = False
    level = np.where(there, np.cumsum(there) - 1, -1)
    labels = [str(each) for each in labels_of(both.values).to_list()]
    general, holds, certain = members_of_labels(
        original, masked, name, labels, both.left, both.right, truth, level
    )
    code = level.copy()
    code[general] = int(there.sum()) + np.arange(len(general))
    return CategoryColumn(
        name=name,
        known=level[both.left],
        published=code[both.right],
        levels=int(there.sum()),
        holds=holds,
        certain=certain,
        named=level[general],
    )
