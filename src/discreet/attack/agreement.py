"""Two files as the columns their records agree in, in an order that tells nothing about who belongs to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet._kernels.patterns import Agreement, agree_when_equal, agree_within, beside
from discreet.attack.one_to_one import dealt_out
from discreet.attack.points import ROUNDING, centre_and_spread, joint_codes, numbers_of
from discreet.table import FloatArray, IntArray, Scale, Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Side:
    """One file: numbers (NaN where missing), codes (missing being one of them), and where each record stood."""

    numbers: FloatArray
    codes: IntArray
    order: IntArray

    def __len__(self) -> int:
        return len(self.order)

    def rows(self) -> IntArray:
        """The records as whole numbers that are equal where the records are."""
        bits = np.where(np.isnan(self.numbers), np.nan, self.numbers + 0.0).view(np.int64)
        return np.hstack([bits, self.codes])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Files:
    """Both files on the same columns, the numeric ones first; `spreads` are the standard deviations of the known ones.

    The records stand in an order that depends on their values alone, dealt out at random in each file: so which of
    several equally good pairings a solver takes depends neither on the order of the files nor on the truth.
    """

    names: tuple[str, ...]
    known: Side
    published: Side
    spreads: FloatArray

    @classmethod
    def of(cls, original: Table, masked: Table, keys: Sequence[str]) -> Files:
        tables = original, masked
        numeric = [name for name in keys if {table[name].scale for table in tables} == {Scale.NUMERIC}]
        categories = [name for name in keys if name not in numeric]
        numbers = [
            np.column_stack([np.empty((len(table), 0)), *(numbers_of(table, name) for name in numeric)])
            for table in tables
        ]
        coded = [joint_codes(original, masked, name) for name in categories]
        codes = [
            np.column_stack(
                [
                    np.empty((len(table), 0), np.int64),
                    *(np.where(each[side] < 0, each[2], each[side]) for each in coded),
                ]
            )
            for side, table in enumerate(tables)
        ]
        known, published = (_side(numbers[side], codes[side], side) for side in (0, 1))
        spreads = np.array([centre_and_spread(column)[1] for column in numbers[0].T])
        return cls(names=(*numeric, *categories), known=known, published=published, spreads=spreads)

    def agreement(self, tolerance: FloatArray) -> Agreement:
        """Where published records agree with known ones, numbers within so many spreads, missing with missing."""
        published, known = self.published.numbers, self.known.numbers
        # Whole numbers lie exactly as far apart as the tolerance allows, which rounding must not undo.
        place, low, high = agree_within(published, known, tolerance * self.spreads * (1 + ROUNDING))
        beyond = (place.max(axis=0, initial=-1) + 1).astype(np.int32)
        place[:] = np.where(np.isnan(known), beyond, place)
        low[:] = np.where(np.isnan(published), beyond, low)
        high[:] = np.where(np.isnan(published), beyond + 1, high)
        codes = agree_when_equal(self.published.codes, self.known.codes)
        return beside(Agreement(place, low, high), codes)


def _side(numbers: FloatArray, codes: IntArray, side: int) -> Side:
    order = dealt_out([*codes.T, *numbers.T, np.zeros(len(codes))], side)
    return Side(
        numbers=np.ascontiguousarray(numbers[order]), codes=np.ascontiguousarray(codes[order]), order=order
    )
