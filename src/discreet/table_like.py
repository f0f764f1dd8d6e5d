"""Describing a frame by the table it is about: another program's masking of it, or what an intruder holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from discreet.table import Column, Role, Scale, Table, scale_of_type, to_polars

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame


def table_like(frame: IntoDataFrame, original: Table, *, name: str) -> Table:
    """The table of a pandas, polars or Arrow frame, its columns described as those of the original with the same name.

    A column that the original does not have is insensitive, with the scale of its type.
    """
    values, native = to_polars(frame)
    described, series = [], []
    for each in values:
        like = original[each.name] if each.name in original.names else None
        typed = each if like is None else values_like(each, like, original.frame[each.name])
        described.append(column_like(typed, like))
        series.append(typed)
    return Table.assemble(pl.DataFrame(series), described, name=name, native=native)


def values_like(values: pl.Series, like: Column, other: pl.Series) -> pl.Series:
    """The values with the type they have in the original, where the same values are written as another one."""
    if values.null_count() == len(values):
        return pl.Series(values.name, [None] * len(values), dtype=other.dtype)
    if like.scale != Scale.NUMERIC and other.dtype == pl.String and values.dtype.is_integer():
        return values.cast(pl.String)
    return values


def column_like(values: pl.Series, like: Column | None) -> Column:
    """The description of a column like that of the original.

    Numbers that became text, and categories that the order of the original does not hold, are nominal: they are
    compared as they are.
    """
    if like is None:
        return Column(name=values.name, role=Role.INSENSITIVE, scale=scale_of_type(values.dtype))
    numeric = values.dtype.is_numeric() or values.dtype.is_temporal()
    scale, order = like.scale, like.order
    if scale == Scale.NUMERIC and not numeric:
        scale = Scale.NOMINAL
    if scale == Scale.ORDINAL and order and not set(values.drop_nulls().cast(pl.String)) <= set(order):
        scale, order = Scale.NOMINAL, ()
    return Column(name=values.name, role=like.role, scale=scale, order=order)
