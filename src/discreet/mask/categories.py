"""Categories as whole numbers, and back again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from discreet.table import IntArray, Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedCategories:
    """A categorical column: the levels that occur, as values and as text, and each record's level; missing is -1."""

    levels: tuple[object, ...]
    labels: tuple[str, ...]
    codes: IntArray

    @property
    def counts(self) -> IntArray:
        """How often each level occurs."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.levels))


def coded(table: Table, name: str) -> CodedCategories:
    """The column as codes of the levels that occur in it, in the order of its scale."""
    known = table.levels(name)
    codes = table.codes(name, known)
    occurs = np.bincount(codes[codes >= 0], minlength=len(known)) > 0
    levels = tuple(level for level, used in zip(known, occurs, strict=True) if used)
    place = np.append(np.cumsum(occurs) - 1, -1)
    return CodedCategories(levels=levels, labels=labels_of(table, name, levels), codes=place[codes])


def labels_of(table: Table, name: str, levels: Sequence[object]) -> tuple[str, ...]:
    """Levels of a column as text."""
    return tuple(pl.Series(list(levels), dtype=table.frame[name].dtype).cast(pl.String).to_list())


def decoded(table: Table, name: str, codes: IntArray, levels: Sequence[object]) -> pl.Series:
    """The values that codes of these levels stand for, in the type of the column; -1 is missing."""
    values = pl.Series(name, list(levels), dtype=table.frame[name].dtype)
    places = pl.Series(np.where(codes < 0, 0, codes), dtype=pl.UInt32)
    return values.gather(places.set(pl.Series(codes < 0), None))
