"""Columns of the original beside what is left of them in the masked table, as the headline loss reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from discreet.coding import MISSING, common_codes, labels_of
from discreet.comparing import AxisColumn, CategoryColumn, ComparedColumn, compare_column
from discreet.comparing.members import holds_everything
from discreet.errors import BadValues, NotComputable
from discreet.table import BoolArray, FloatArray, IntArray, Table

Weights = tuple[FloatArray, FloatArray]
"""What each record of the original and of the masked table weighs."""


def lost_columns(
    original: Table, masked: Table, names: Sequence[str], truth: IntArray
) -> list[ComparedColumn]:
    """The columns, each with what its published cells tell; a column that is gone is one of blanks.

    A cell that can stand for every value of the original tells nothing and counts as blank. Raises NotComputable where
    a column holds infinite values.
    """
    whole = with_blanks_for(original, masked, [name for name in names if name not in masked.names])
    try:
        return [_column(original, whole, name, truth) for name in names]
    except BadValues as error:
        raise NotComputable(f"lost: {error}") from error


def with_blanks_for(original: Table, masked: Table, gone: Sequence[str]) -> Table:
    """The masked table with a blank column for each of those that are gone."""
    blanks = [
        pl.repeat(None, len(masked), dtype=original.frame[name].dtype, eager=True).alias(name)
        for name in gone
    ]
    return replace(
        masked,
        columns=(*masked.columns, *(original[name] for name in gone)),
        frame=masked.frame.with_columns(blanks),
    )


def _column(original: Table, masked: Table, name: str, truth: IntArray) -> ComparedColumn:
    column = compare_column(original, masked, name, truth)
    if isinstance(column, AxisColumn):
        return _axis(column)
    if len(column.holds) == 0:
        return column
    both = common_codes(original.frame[name], masked.frame[name])
    level = np.full(len(both.values) + 1, -1, dtype=np.int64)
    level[both.left] = column.known
    level[MISSING] = -1
    silent = np.array([False, *(holds_everything(str(each)) for each in labels_of(both.values).to_list())])
    return _categories(column, level[both.right], silent[both.right])


def _axis(column: AxisColumn) -> AxisColumn:
    """Bands cut down to the values in them, those that hold every value blank."""
    narrow = column.tightened()
    least, most = ends(column)
    nothing = (column.low < column.high) & (narrow.low <= least) & (narrow.high >= most)
    if not nothing.any():
        return narrow
    return replace(
        narrow, low=np.where(nothing, np.nan, narrow.low), high=np.where(nothing, np.nan, narrow.high)
    )


def _categories(column: CategoryColumn, named: IntArray, silent: BoolArray) -> CategoryColumn:
    """A category of the original's that others were joined to is itself; a label that holds them all is blank.

    `named` is the level that each published label names, -1 where it names none; `silent` are those that name nothing,
    as "*". Where the original has one category only, another name for it holds all of them and is no blank.
    """
    published = np.where(named >= 0, named, column.published)
    everything = np.flatnonzero(column.holds.all(axis=1)) if column.levels > 1 else np.empty(0, np.int64)
    gone = np.isin(published, column.levels + everything) | (silent & (named < 0))
    return replace(column, published=np.where(gone, -1, published))


def ends(column: AxisColumn) -> tuple[float, float]:
    """The least and the greatest known value; NaN where there is none."""
    known = np.concatenate([column.known, column.known_high])
    known = known[np.isfinite(known)]
    return (float(known.min()), float(known.max())) if len(known) else (np.nan, np.nan)


def middles(low: FloatArray, high: FloatArray) -> FloatArray:
    """The middle of each band; its finite end where the other is open."""
    low, high = np.where(np.isinf(low), high, low), np.where(np.isinf(high), low, high)
    middle: FloatArray = np.where(low == high, low, low / 2 + high / 2)
    return np.where(np.isinf(middle), np.nan, middle)


def is_blank(column: ComparedColumn) -> tuple[BoolArray, BoolArray]:
    """Which cells tell nothing, in the original and in the masked table."""
    if isinstance(column, AxisColumn):
        return np.isnan(column.known), np.isnan(column.low)
    return column.known < 0, column.published < 0
