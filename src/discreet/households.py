"""Columns that hold one value for a whole household, such as where it lives: what one member tells, all have told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.coding import MISSING, codes_of
from discreet.table import BoolArray, IntArray, Table


class _Extremes(NamedTuple):
    """The lowest and the highest code that members of each household have, and how many members have one."""

    low: IntArray
    high: IntArray
    known: IntArray


def household_columns(table: Table, columns: Sequence[str]) -> tuple[str, ...]:
    """Those of the columns that hold the same value for all members of each household, as far as it is present.

    To know that, two households must have different values, each with two members who have it: where every household
    has one value left, or all have the same, nobody can say whose it is.
    """
    households = table.households()
    if households is None:
        return ()
    codes = codes_of(table, columns)
    return tuple(name for place, name in enumerate(columns) if of_household(codes[:, place], households))


def of_household(codes: IntArray, households: IntArray) -> bool:
    """Whether the codes of a column are the same for all members of each household; missing is zero."""
    values = _of_larger(codes, households)
    return values is not None and len(np.unique(values)) > 1


def _of_larger(codes: IntArray, households: IntArray) -> IntArray | None:
    """The code of each household in which several members have one; None where some household has two codes."""
    found = _extremes(codes, households)
    several = found.known > 1
    return found.high[several] if bool((found.low == found.high)[several].all()) else None


def codes_filled_from_household(
    table: Table, columns: Sequence[str], of_households: Sequence[str] | None = None
) -> IntArray:
    """The columns as codes, with what other members of a household tell in place of blanks; what is still 0 is missing.

    `of_households` are the columns whose values are known to be those of the household; where left out, they are found
    in the table. A column in which members of a household differ, because a masking changed it, tells nothing.
    """
    codes = np.ascontiguousarray(codes_of(table, columns))
    households = table.households()
    if households is None:
        return codes
    for place, name in enumerate(columns):
        blank = codes[:, place] == MISSING
        known = None if of_households is None else name in of_households
        if blank.any() and _tells(codes[:, place], households, known):
            codes[:, place] = filled_by_members(codes[:, place], households)
    return codes


def filled_by_members(codes: IntArray, households: IntArray) -> IntArray:
    """The codes of one column of the household, with that of another member in place of zero, which is missing."""
    return np.where(codes == MISSING, _extremes(codes, households).high[households], codes)


def _tells(codes: IntArray, households: IntArray, known: bool | None) -> bool:
    if known is None:
        return of_household(codes, households)
    return known and _of_larger(codes, households) is not None


def told_by_members(table: Table, columns: Sequence[str]) -> list[str]:
    """Those of the columns that have blanks for which another member of the household tells a value."""
    return [name for name in household_columns(table, columns) if table.null_count(name)]


def filled_from_household(table: Table, columns: Sequence[str]) -> Table:
    """The table with blanks in columns of the household filled with the value that another member has."""
    households = table.households()
    if households is None:
        return table
    return table.with_values(
        {name: _filled(table.frame[name], households) for name in told_by_members(table, columns)}
    )


def filled_alike(known: Table, published: Table, columns: Sequence[str]) -> tuple[Table, Table]:
    """Both tables with the blanks filled that another member tells in the published one.

    Whoever fills a blank there fills the same blank in what is known, or a value would face a blank where both files
    have one.
    """
    told = told_by_members(published, columns)
    ours = [name for name in told if name in known.names]
    return filled_from_household(known, ours), filled_from_household(published, told)


def for_whole_households(cells: BoolArray, households: IntArray) -> BoolArray:
    """The cells of one column, and with each of them those of all members of its household."""
    touched = np.zeros(int(households.max(initial=-1)) + 1, dtype=bool)
    touched[households[cells]] = True
    return touched[households]


def _filled(values: pl.Series, households: IntArray) -> pl.Series:
    present = np.flatnonzero(values.is_not_null().to_numpy())
    teller = np.full(int(households.max(initial=-1)) + 1, -1, dtype=np.int64)
    teller[households[present]] = present
    source = pl.Series(teller[households])
    return values.zip_with(values.is_not_null(), values.gather(source.set(source < 0, None)))


def _extremes(codes: IntArray, households: IntArray) -> _Extremes:
    number = int(households.max(initial=-1)) + 1
    low = np.full(number, np.iinfo(np.int64).max)
    high = np.full(number, MISSING, dtype=np.int64)
    present = codes != MISSING
    np.minimum.at(low, households[present], codes[present])
    np.maximum.at(high, households[present], codes[present])
    return _Extremes(low, high, np.bincount(households[present], minlength=number))
