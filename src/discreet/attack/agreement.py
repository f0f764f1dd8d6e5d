"""Two files as the columns their records agree in, in an order that tells nothing about who belongs to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from discreet._kernels.counting.distinct import distinct_rows
from discreet._kernels.matching.patterns import Agreement
from discreet.attack.one_to_one import dealt_out
from discreet.attack.points import ROUNDING, centre_and_spread, compared_columns
from discreet.comparing import AxisColumn, CategoryColumn, ComparedColumn
from discreet.table import FloatArray, IntArray, Table

Ends = Sequence[tuple[FloatArray, FloatArray]]
ROWS_AT_ONCE = 1 << 15


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Side:
    """One file: from where to where each cell reaches, column by column, NaN where blank, and where records stood."""

    low: FloatArray
    high: FloatArray
    order: IntArray

    def __len__(self) -> int:
        return len(self.order)

    def labels(self) -> IntArray:
        """For each record, by the rows of the table, a number that it shares with those that are equal to it."""
        ends = [self.low] if self.high is self.low else [self.low, self.high]
        width = self.low.shape[1]
        bits = np.empty((len(self), width * len(ends)), np.int64)
        for start in range(0, len(self), ROWS_AT_ONCE):
            some = slice(start, start + ROWS_AT_ONCE)
            for place, each in enumerate(ends):
                plain = np.where(np.isnan(each[some]), np.nan, each[some] + 0.0)
                bits[some, place * width : (place + 1) * width] = plain.view(np.int64)
        labels = np.empty(len(self), np.int64)
        labels[self.order] = distinct_rows(bits).labels
        return labels

    @property
    def middle(self) -> FloatArray:
        """The middle of what each cell can stand for."""
        return self.low / 2 + self.high / 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Files:
    """Both files on the same columns, those on an axis first; `spreads` are the standard deviations of these.

    Categories stand at whole numbers, in an order in which those under a general one are neighbours as far as may be.
    The records stand in an order that depends on their values alone, dealt out at random in each file: so which of
    several equally good pairings a solver takes depends neither on the order of the files nor on the truth.
    """

    names: tuple[str, ...]
    known: Side
    published: Side
    spreads: FloatArray

    @classmethod
    def of(cls, original: Table, masked: Table, keys: Sequence[str], truth: IntArray) -> Files:
        columns = compared_columns(original, masked, keys, truth)
        axes = [each for each in columns if isinstance(each, AxisColumn)]
        known, published = (
            _side(ends, order) for ends, order in zip(_ends(columns), orders_of(columns), strict=True)
        )
        spreads = np.array([centre_and_spread(each.known)[1] for each in axes])
        names = [each.name for each in axes]
        names += [each.name for each in columns if isinstance(each, CategoryColumn)]
        return cls(names=tuple(names), known=known, published=published, spreads=spreads)

    def without_values(self) -> Files:
        """The files without what stands in them, which is large: where records stood is left."""
        known, published = (
            replace(each, low=each.low[:0].copy(), high=each.high[:0].copy())
            for each in (self.known, self.published)
        )
        return replace(self, known=known, published=published)

    def agreement(self, tolerance: FloatArray) -> Agreement:
        """Where published records agree with known ones: numbers within so many spreads of a band, blank with blank."""
        width = len(self.names)
        # Whole numbers lie exactly as far apart as the tolerance allows, which rounding must not undo.
        allowed = np.zeros(width)
        allowed[: len(self.spreads)] = tolerance * self.spreads * (1 + ROUNDING)
        place = np.empty((len(self.known), width), np.int32)
        low = np.empty((len(self.published), width), np.int32)
        high = np.empty((len(self.published), width), np.int32)
        for j in range(width):
            here = self.known.low[:, j] / 2 + self.known.high[:, j] / 2
            begins, ends = self.published.low[:, j], self.published.high[:, j]
            levels = np.unique(here[~np.isnan(here)])
            beyond = len(levels)
            place[:, j] = np.where(np.isnan(here), beyond, np.searchsorted(levels, here))
            first = np.searchsorted(levels, begins - allowed[j], side="left")
            last = np.searchsorted(levels, ends + allowed[j], side="right")
            low[:, j] = np.where(np.isnan(begins), beyond, first)
            high[:, j] = np.where(np.isnan(begins), beyond + 1, np.maximum(first, last))
        return Agreement(place, low, high)


def orders_of(columns: Sequence[ComparedColumn]) -> tuple[IntArray, IntArray]:
    """The order in which the records of the known and of the published file stand, by their values alone."""
    known, published = (
        dealt_out([*(high for low, high in ends if high is not low), *(low for low, _ in ends)], side)
        for side, ends in enumerate(_ends(columns))
    )
    return known, published


def _ends(columns: Sequence[ComparedColumn]) -> tuple[Ends, Ends]:
    """From where to where the cells of each column reach in both files, those on an axis first."""
    axes = [each for each in columns if isinstance(each, AxisColumn)]
    coded = [each.on_a_line() for each in columns if isinstance(each, CategoryColumn)]
    known = [*((each.known, each.known_high) for each in axes), *(each[:2] for each in coded)]
    return known, [*((each.low, each.high) for each in axes), *(each[2:] for each in coded)]


def _side(columns: Ends, order: IntArray) -> Side:
    """One file in this order; values that are no bands are held once."""
    low = np.empty((len(order), len(columns)))
    for place, (each, _) in enumerate(columns):
        low[:, place] = each[order]
    if all(one is other or np.array_equal(one, other, equal_nan=True) for one, other in columns):
        return Side(low=low, high=low, order=order)
    high = np.empty_like(low)
    for place, (_, each) in enumerate(columns):
        high[:, place] = each[order]
    return Side(low=low, high=high, order=order)
