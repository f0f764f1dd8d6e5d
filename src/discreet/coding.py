"""Values as whole numbers that are equal where the values are, however a file has written them.

1, 1.0 and "1" are one value; so are a day and its midnight, and true and "True". "01" is another one than "1", because
codes of places and products begin with zeros. This is the one place where values become codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.digits import ascii_digits
from discreet.table import IntArray, Table

MISSING = 0
FEW_DISTINCT = 4
"""The code of a missing value; those of values begin at 1, in the order of the values."""

NUMERAL = r"^[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
"""A text that is taken for a number where numbers are compared with texts: no zero before other digits."""


class Common(NamedTuple):
    """Two columns as codes of the same values: `values[code - 1]` is what a code stands for, 0 is missing."""

    left: IntArray
    right: IntArray
    values: pl.Series


def codes_of(table: Table, columns: Sequence[str]) -> IntArray:
    """The columns as codes, records by columns, each column by itself; missing is 0."""
    if not columns:
        return np.zeros((len(table), 0), dtype=np.int64)
    return np.column_stack([_ranked(table.frame[name]) for name in columns])


def common_codes(left: pl.Series, right: pl.Series) -> Common:
    """Both columns as codes that are equal where the values are, in the order of the values; missing is 0."""
    ours, theirs = aligned(left, right)
    both = pl.concat([ours.alias(""), theirs.alias("")])
    codes = _ranked(both)
    return Common(codes[: len(left)], codes[len(left) :], both.drop_nulls().unique().sort())


def places_of(values: pl.Series, among: pl.Series) -> IntArray:
    """The place of each value among distinct values of the same type; -1 where it is missing or none of them."""
    known = pl.DataFrame({"value": among}).with_row_index("place")
    found = values.to_frame("value").join(known, on="value", how="left", maintain_order="left")
    return found["place"].cast(pl.Int64).fill_null(-1).to_numpy().astype(np.int64)


def aligned(left: pl.Series, right: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Both columns in one type in which equal values are equal."""
    kinds = left.dtype, right.dtype
    if all(kind.is_numeric() or kind == pl.Boolean for kind in kinds):
        if kinds[0] == kinds[1]:
            return left, right
        whole = all(kind.is_integer() or kind == pl.Boolean for kind in kinds)
        return left.cast(pl.Int128 if whole else pl.Float64), right.cast(pl.Int128 if whole else pl.Float64)
    if all(kind in (pl.Date, pl.Datetime) for kind in kinds):
        return (left, right) if kinds[0] == kinds[1] else (_instants(left), _instants(right))
    return _texts_alike(labels_of(left), labels_of(right))


def labels_of(values: pl.Series) -> pl.Series:
    """The values as texts, in one way whatever their type: whole numbers without a point, times in ISO form."""
    dtype = values.dtype
    if dtype.is_float():
        texts = values.cast(pl.Float64).cast(pl.String)
        return texts.str.replace(r"\.0$", "").replace("-0", "0")
    if dtype == pl.Time:
        return values.dt.to_string("iso")
    if dtype == pl.Datetime:
        return _instants(values).cast(pl.String).str.replace(r"\.0+$", "").str.replace(" 00:00:00$", "")
    return values.cast(pl.String)


def _ranked(values: pl.Series) -> IntArray:
    if values.dtype == pl.Boolean:
        values = values.cast(pl.UInt8)
    elif values.dtype.is_float():
        values = values + 0.0
    elif values.dtype == pl.String:
        distinct = values.drop_nulls().unique()
        # Few texts are sorted more quickly than all of them are.
        if 0 < len(distinct) <= len(values) // FEW_DISTINCT:
            places = values.cast(pl.Enum(distinct.sort())).to_physical().cast(pl.Int64) + 1
            return places.fill_null(MISSING).to_numpy().astype(np.int64)
    return values.rank("dense").fill_null(MISSING).cast(pl.Int64).to_numpy().astype(np.int64)


def _instants(values: pl.Series) -> pl.Series:
    """Days and times as moments to the microsecond, times with a zone as those of UTC."""
    if isinstance(values.dtype, pl.Datetime) and values.dtype.time_zone is not None:
        values = values.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    return values.cast(pl.Datetime("us"))


def _texts_alike(left: pl.Series, right: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Texts in which numbers and truth values are written in one way, where that joins no two values of a column."""
    plain = [_rewritten(each) for each in (left, right)]
    joins = any(new.n_unique() < old.n_unique() for new, old in zip(plain, (left, right), strict=True))
    return (left, right) if joins else (plain[0], plain[1])


def _rewritten(texts: pl.Series) -> pl.Series:
    distinct = texts.drop_nulls().unique()
    lower = distinct.str.to_lowercase()
    truths = bool(lower.is_in(["true", "false"]).all())
    plain = ascii_digits(distinct)
    numerals = plain.str.contains(NUMERAL)
    if len(distinct) == 0 or not (truths or numerals.any()):
        return texts
    if truths:
        return texts.str.to_lowercase()
    numbers = plain.filter(numerals)
    written = labels_of(numbers.cast(pl.Float64))
    # Whole numbers of more digits than a float holds stay as they are.
    written = pl.select(pl.when(numbers.str.len_chars() > 15).then(numbers).otherwise(written)).to_series()
    return texts.replace(distinct.filter(numerals), written)
