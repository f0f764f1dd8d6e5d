"""Drawing many values at once from tables of odds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from discreet.table import BoolArray, FloatArray, IntArray


def pick(rng: np.random.Generator, odds: ArrayLike, row: IntArray) -> IntArray:
    """One choice for each record, by the row of odds that it belongs to.

    The rows' cumulated shares are laid end to end, row r from r to r + 1, so that one sorted search serves
    all records whatever their rows.
    """
    table = np.atleast_2d(np.asarray(odds, dtype=np.float64))
    rows, choices = table.shape
    shares = np.cumsum(table, axis=1)
    shares /= shares[:, -1:]
    ends = (shares + np.arange(rows)[:, None]).ravel()
    found = np.searchsorted(ends, rng.random(row.size) + row, side="right") - row * choices
    # A draw next to 1 can round up into the next row; the last choice with any odds is meant.
    last = choices - 1 - np.argmax(table[:, ::-1] > 0, axis=1)
    return np.asarray(np.minimum(found, last[row]), dtype=np.int64)


def happens(rng: np.random.Generator, chance: FloatArray | float, n: int) -> BoolArray:
    """For each of n records, whether something of this chance happens to it."""
    return np.asarray(rng.random(n) < chance, dtype=np.bool_)


def words(vocabulary: Sequence[str], codes: IntArray, absent: BoolArray | None = None) -> pl.Series:
    """The words at these places of the vocabulary, null where absent."""
    chosen = pl.Series(vocabulary, dtype=pl.String).gather(codes)
    return chosen if absent is None else blank(chosen, absent)


def blank(values: pl.Series, absent: BoolArray) -> pl.Series:
    """The values with null where absent."""
    return values.to_frame("value").select(pl.when(pl.Series(~absent)).then("value"))["value"]
