"""Compared columns of datasets, with their arrays in files."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from discreet.comparing.column import AxisColumn, CategoryColumn, ComparedColumn
from discreet.stored import Stored, Workroom


class StoredColumn(NamedTuple):
    """A compared column without its arrays, and the files that hold them."""

    column: ComparedColumn
    arrays: tuple[Stored, ...]

    @classmethod
    def of(cls, column: ComparedColumn, room: Workroom) -> StoredColumn:
        """The column with its arrays written to files."""
        nothing = np.zeros(0)
        if isinstance(column, CategoryColumn):
            arrays = tuple(room.stored(each.astype(np.int32)) for each in (column.known, column.published))
            none = nothing.astype(np.int64)
            return cls(replace(column, known=none, published=none), arrays)
        known, low = room.stored(column.known), room.stored(column.low)
        known_high = known if column.known_high is column.known else room.stored(column.known_high)
        high = low if column.high is column.low else room.stored(column.high)
        bare = replace(column, known=nothing, known_high=nothing, low=nothing, high=nothing)
        return cls(bare, (known, known_high, low, high))

    def whole(self) -> ComparedColumn:
        """The column in memory."""
        found = {each: each.rows(slice(None)) for each in dict.fromkeys(self.arrays)}
        arrays = [found[each] for each in self.arrays]
        if isinstance(self.column, AxisColumn):
            known, known_high, low, high = arrays
            return replace(self.column, known=known, known_high=known_high, low=low, high=high)
        known, published = (each.astype(np.int64) for each in arrays)
        return replace(self.column, known=known, published=published)
