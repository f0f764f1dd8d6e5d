"""Masked numbers and moments as exact as the column as it was read, where that breaks nothing that was guaranteed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np
import polars as pl

from discreet.dialect import DateForm, NumberForm, decimals_of, with_so_many
from discreet.guarantees import Guarantee, SameMeans
from discreet.table import IntArray, Table

HALF = 0.5
UNITS = ("1d", "1h", "1m", "1s", "1ms", "1us")


def rounded_as_read(
    published: Table, original: Table, guarantees: Sequence[Guarantee], persons: IntArray | None
) -> tuple[Table, tuple[Guarantee, ...]]:
    """The table with numbers of as many decimals as those of the file have, and what is guaranteed of it.

    A mean of whole years is a whole year then, and nobody sees by its decimals which value was masked. Means stay what
    they were to within half of the last decimal. Columns of which anything else was guaranteed that rounding breaks
    keep their exact numbers. Only what was read from a file is rounded; a frame keeps its numbers.
    """
    if original.source is None:
        return published, tuple(guarantees)
    fresh = {
        name: values
        for name in published.names
        if name in original.names
        for values in [_rounded(published.frame[name], original, name)]
        if values is not None
    }
    while fresh:
        table = published.with_values({name: values for name, (values, _) in fresh.items()})
        told = _told(guarantees, {name: places for name, (_, places) in fresh.items() if places is not None})
        counted = table if persons is None else table.with_persons(persons)
        broken = {
            name
            for each in told
            if set(each.columns) & set(fresh) and each.fault(counted)
            for name in each.columns
        } & set(fresh)
        if not broken:
            return table, told
        fresh = {name: each for name, each in fresh.items() if name not in broken}
    return published, tuple(guarantees)


def _rounded(values: pl.Series, original: Table, name: str) -> tuple[pl.Series, int | None] | None:
    """A column rounded to the decimals of the original, and how many these are; None where nothing changes.

    Days of a column that tells months become the first of their months, and moments get the unit of the original.
    """
    before = original.frame[name]
    form = None if original.dialect is None else original.dialect.form(name)
    if values.dtype == pl.Date and isinstance(form, DateForm) and not form.has_day:
        months = values.dt.truncate("1mo")
        return None if months.equals(values, null_equal=True) else (months, None)
    if isinstance(values.dtype, pl.Datetime) and isinstance(before.dtype, pl.Datetime):
        moments = values.dt.round(_unit(before))
        return None if moments.equals(values, null_equal=True) else (moments, None)
    if not (values.dtype.is_float() and before.dtype.is_numeric()):
        return None
    decimals = _decimals(original, name)
    if decimals is None:
        return None
    rounded = with_so_many(values, decimals)
    if rounded is None:
        return None
    if before.dtype.is_integer():
        whole = rounded.cast(before.dtype, strict=False)
        return (whole, decimals) if whole.null_count() == values.null_count() else None
    return None if rounded.equals(values, null_equal=True) else (rounded, decimals)


def _unit(moments: pl.Series) -> str:
    """The longest unit that tells every moment: days where all are at midnight, else hours, minutes …"""
    return next((unit for unit in UNITS if moments.dt.truncate(unit).equals(moments, null_equal=True)), "1ns")


def _decimals(original: Table, name: str) -> int | None:
    """How many decimals the numbers of a column have in its file."""
    dialect = original.dialect
    if dialect is not None and name in dialect.decimals:
        return max(dialect.decimals[name], decimals_of(original.frame[name]) or 0)
    form = None if dialect is None else dialect.form(name)
    if isinstance(form, NumberForm):
        return form.decimals
    return decimals_of(original.frame[name])


def _told(guarantees: Sequence[Guarantee], decimals: dict[str, int]) -> tuple[Guarantee, ...]:
    """The guarantees, those about means with how far rounding may move them."""
    told: list[Guarantee] = []
    for each in guarantees:
        if not isinstance(each, SameMeans) or not set(each.columns) & set(decimals):
            told.append(each)
            continue
        by_decimals = sorted(each.columns, key=lambda name: decimals.get(name, np.inf))
        for count, names in groupby(by_decimals, key=lambda name: decimals.get(name)):
            within = 0.0 if count is None else HALF * 10.0**-count
            told.append(replace(each, columns=tuple(names), within=max(each.within, within)))
    return tuple(told)
