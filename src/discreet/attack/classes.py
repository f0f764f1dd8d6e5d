"""Records that share the values of the keys, and records that could share them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from discreet._kernels.classes import Classes, class_sizes
from discreet._kernels.distinct import distinct_rows
from discreet.table import BoolArray, IntArray, Table

MISSING = 0
"""The code of a missing value."""


def codes_of(table: Table, columns: Sequence[str]) -> IntArray:
    """Whole numbers that are equal where the values are; missing is zero."""
    ranked = table.frame.select(
        pl.col(name).rank("dense").fill_null(MISSING).cast(pl.Int64) for name in columns
    )
    return ranked.to_numpy() if columns else np.zeros((len(table), 0), dtype=np.int64)


def classes_of(table: Table, columns: Sequence[str]) -> Classes:
    """The size and the number of each record's class: those equal in all the columns, missing being a value."""
    return class_sizes(np.ascontiguousarray(codes_of(table, columns)))


def common_codes(left: pl.Series, right: pl.Series) -> tuple[IntArray, IntArray]:
    """The values of both series as codes that are equal where the values are; missing is zero.

    Values of different types are compared as numbers where both are numbers, and as text otherwise.
    """
    if left.dtype != right.dtype or isinstance(left.dtype, pl.Categorical | pl.Enum):
        numeric = left.dtype.is_numeric() and right.dtype.is_numeric()
        left, right = (each.cast(pl.Float64 if numeric else pl.String) for each in (left, right))
    ranked = pl.concat([left.alias(""), right.alias("")]).rank("dense").fill_null(MISSING)
    codes = ranked.cast(pl.Int64).to_numpy()
    return codes[: len(left)], codes[len(left) :]


def possible_matches(codes: IntArray) -> IntArray:
    """For each record how many records could be alike, itself included, when missing (zero) can be anything.

    Records are compared by their pattern of missing cells, two patterns at a time, so the cost grows with the number of
    different patterns, not with pairs of records.
    """
    distinct = distinct_rows(np.ascontiguousarray(codes))
    rows = codes[distinct.firsts]
    present: BoolArray = rows != MISSING
    patterns = distinct_rows(np.ascontiguousarray(present.astype(np.int64)))
    members = [np.flatnonzero(patterns.labels == each) for each in range(len(patterns.firsts))]
    found = np.zeros(len(rows), dtype=np.int64)
    for mine in members:
        for theirs in members:
            both = present[mine[0]] & present[theirs[0]]
            found[mine] += _equal_on(
                rows[np.ix_(mine, both)], rows[np.ix_(theirs, both)], distinct.counts[theirs]
            )
    return found[distinct.labels]


def _equal_on(mine: IntArray, theirs: IntArray, counts: IntArray) -> IntArray:
    """For each of my rows how many records stand behind equal rows of theirs."""
    label = class_sizes(np.ascontiguousarray(np.vstack([mine, theirs]))).label
    held = np.bincount(label[len(mine) :], weights=counts, minlength=int(label.max(initial=0)) + 1)
    return held[label[: len(mine)]].astype(np.int64)
