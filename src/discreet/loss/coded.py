"""Values of two tables as one set of codes, so that equal values have equal codes in both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet._kernels.counting.classes import class_sizes
from discreet.coding import common_codes, labels_of, places_of
from discreet.dataset import Dataset
from discreet.in_parts import holding
from discreet.table import FloatArray, IntArray, Scale, Table


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
    """The column of both tables as codes of the values that either holds, in the order of the values."""
    return Coded(*common_codes(original.frame[column], masked.frame[column]))


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
    left, right = (labels_of(table.frame[column]) for table in (original, masked))
    return places_of(left, order), places_of(right, order), len(order)


def combinations(tables: Sequence[Coded]) -> tuple[IntArray, IntArray, int]:
    """Each record's combination of the columns' values, as a label that both tables share, and how many there are."""
    original = len(tables[0].original)
    codes = np.empty((original + len(tables[0].masked), len(tables)), dtype=np.int64)
    for place, each in enumerate(tables):
        codes[:original, place], codes[original:, place] = each.original, each.masked
    labels = class_sizes(codes).label
    return labels[:original], labels[original:], int(labels.max(initial=-1)) + 1


def combinations_of(
    original: Table | Dataset, masked: Table | Dataset, columns: Sequence[str]
) -> tuple[IntArray, IntArray, int]:
    """The same of columns by name; of datasets one column is held at a time."""
    if isinstance(original, Table) and isinstance(masked, Table):
        return combinations([coded(original, masked, name) for name in columns])
    labels = np.zeros(len(original) + len(masked), dtype=np.int64)
    for name in columns:
        both = coded(holding(original, name), holding(masked, name), name)
        codes = np.concatenate([both.original, both.masked])
        labels = class_sizes(np.column_stack([labels, codes])).label
    return labels[: len(original)], labels[len(original) :], int(labels.max(initial=-1)) + 1


def counts(labels: IntArray, number: int, weights: FloatArray | None) -> FloatArray:
    """How many records have each label, or what they weigh."""
    return np.bincount(labels, weights=weights, minlength=number).astype(np.float64)
