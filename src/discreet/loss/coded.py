"""Values of two tables as one set of codes, so that equal values have equal codes in both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet._kernels.classes import class_sizes
from discreet.table import FloatArray, IntArray, Scale, Table

MISSING = 0
"""The code of a missing value: it is a category of its own."""


class Coded(NamedTuple):
    """One column of both tables as codes: 0 is missing, `values[code - 1]` is what a code stands for."""

    original: IntArray
    masked: IntArray
    values: pl.Series

    @property
    def codes(self) -> int:
        """How many codes there are, that of missing among them."""
        return len(self.values) + 1


def coded(original: Table, masked: Table, column: str) -> Coded:
    """The column of both tables as codes of the values that either holds, in the order of the values.

    Values of different types are compared as numbers where both are, and as text otherwise.
    """
    left, right = comparable(original.frame[column], masked.frame[column])
    values = pl.concat([left, right]).drop_nulls().unique().sort()
    return Coded(places_of(left, values) + 1, places_of(right, values) + 1, values)


def comparable(left: pl.Series, right: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Both series in one type in which equal values are equal."""
    if left.dtype == right.dtype and not isinstance(left.dtype, pl.Categorical | pl.Enum):
        return left, right
    common = pl.Float64 if left.dtype.is_numeric() and right.dtype.is_numeric() else pl.String
    return left.cast(common), right.cast(common)


def places_of(series: pl.Series, values: pl.Series) -> IntArray:
    """The place of each value among distinct values; -1 where it is missing or not among them."""
    known = pl.DataFrame({"value": values}).with_row_index("place")
    found = series.to_frame("value").join(known, on="value", how="left", maintain_order="left")
    return found["place"].cast(pl.Int64).fill_null(-1).to_numpy().astype(np.int64)


def ranked(original: Table, masked: Table, column: str) -> tuple[IntArray, IntArray, int] | None:
    """The places of both columns in the order of the original, -1 where a value has none, and how many there are.

    None where one of the columns has no order.
    """
    if {original[column].scale, masked[column].scale} != {Scale.ORDINAL}:
        return None
    if not original[column].order:
        both = coded(original, masked, column)
        return both.original - 1, both.masked - 1, len(both.values)
    order = pl.Series(list(original[column].order), dtype=pl.String)
    left, right = (table.frame[column].cast(pl.String) for table in (original, masked))
    return places_of(left, order), places_of(right, order), len(order)


def combinations(tables: Sequence[Coded]) -> tuple[IntArray, IntArray, int]:
    """Each record's combination of the columns' values, as a label that both tables share, and how many there are."""
    left = np.column_stack([each.original for each in tables])
    right = np.column_stack([each.masked for each in tables])
    labels = class_sizes(np.vstack([left, right])).label
    return labels[: len(left)], labels[len(left) :], int(labels.max(initial=-1)) + 1


def counts(labels: IntArray, number: int, weights: FloatArray | None) -> FloatArray:
    """How many records have each label, or what they weigh."""
    return np.bincount(labels, weights=weights, minlength=number).astype(np.float64)
