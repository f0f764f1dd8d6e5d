"""Two files as the columns their records agree in, in an order that tells nothing about who belongs to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet._kernels.matching.patterns import Agreement
from discreet.attack.one_to_one import dealt_out
from discreet.attack.points import ROUNDING, centre_and_spread, compared_columns
from discreet.comparing import AxisColumn, CategoryColumn
from discreet.table import FloatArray, IntArray, Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Side:
    """One file: from where to where each cell reaches, column by column, NaN where blank, and where records stood."""

    low: FloatArray
    high: FloatArray
    order: IntArray

    def __len__(self) -> int:
        return len(self.order)

    def rows(self) -> IntArray:
        """The records as whole numbers that are equal where the records are."""
        both = np.hstack([self.low, self.high])
        return np.where(np.isnan(both), np.nan, both + 0.0).view(np.int64)

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
        coded = [each.on_a_line() for each in columns if isinstance(each, CategoryColumn)]
        known = _side([*((each.known, each.known_high) for each in axes), *(each[:2] for each in coded)], 0)
        published = _side([*((each.low, each.high) for each in axes), *(each[2:] for each in coded)], 1)
        spreads = np.array([centre_and_spread(each.known)[1] for each in axes])
        names = [each.name for each in axes]
        names += [each.name for each in columns if isinstance(each, CategoryColumn)]
        return cls(names=tuple(names), known=known, published=published, spreads=spreads)

    def agreement(self, tolerance: FloatArray) -> Agreement:
        """Where published records agree with known ones: numbers within so many spreads of a band, blank with blank."""
        width = len(self.names)
        # Whole numbers lie exactly as far apart as the tolerance allows, which rounding must not undo.
        allowed = np.zeros(width)
        allowed[: len(self.spreads)] = tolerance * self.spreads * (1 + ROUNDING)
        place = np.empty((len(self.known), width), np.int32)
        low = np.empty((len(self.published), width), np.int32)
        high = np.empty((len(self.published), width), np.int32)
        known = self.known.middle
        for j in range(width):
            here, begins, ends = known[:, j], self.published.low[:, j], self.published.high[:, j]
            levels = np.unique(here[~np.isnan(here)])
            beyond = len(levels)
            place[:, j] = np.where(np.isnan(here), beyond, np.searchsorted(levels, here))
            first = np.searchsorted(levels, begins - allowed[j], side="left")
            last = np.searchsorted(levels, ends + allowed[j], side="right")
            low[:, j] = np.where(np.isnan(begins), beyond, first)
            high[:, j] = np.where(np.isnan(begins), beyond + 1, np.maximum(first, last))
        return Agreement(place, low, high)


def _side(columns: Sequence[Sequence[FloatArray]], side: int) -> Side:
    low, high = (np.column_stack([each[end] for each in columns]) for end in (0, 1))
    if np.array_equal(low, high, equal_nan=True):
        # Values that are no bands are held once.
        high = low
    order = dealt_out([*high.T, *low.T, np.zeros(len(low))], side)
    sorted_low = np.ascontiguousarray(low[order])
    return Side(
        low=sorted_low, high=sorted_low if high is low else np.ascontiguousarray(high[order]), order=order
    )
