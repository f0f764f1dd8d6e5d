"""Columns as predictors: what is known of a record, as numbers that a regression can use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from discreet.errors import BadParameter, listed
from discreet.mask.coordinates import mean_and_spread
from discreet.table import FloatArray, Role, Scale, Table

MOST_LEVELS = 20
"""How many categories of a nominal column have a number of their own; the rarer ones share what is left."""

NOT_PREDICTORS = (Role.IDENTIFIER, Role.PERSON, Role.HOUSEHOLD, Role.WEIGHT)


class Encoding(Protocol):
    """How the values of one column become numbers, settled on the original and used on masked values too."""

    def numbers(self, table: Table) -> FloatArray: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A number in standard deviations from the mean, and beside it whether it is missing."""

    name: str
    mean: float
    spread: float
    levels: tuple[object, ...] | None

    def numbers(self, table: Table) -> FloatArray:
        values = _raw(table, self.name, self.levels)
        missing = np.isnan(values)
        scaled = np.where(missing, 0.0, (values - self.mean) / self.spread)
        return np.column_stack([scaled, missing.astype(np.float64)])


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryIndicators:
    """One number a category: one where the record has it, else zero."""

    name: str
    levels: tuple[object, ...]
    shown: tuple[int, ...]

    def numbers(self, table: Table) -> FloatArray:
        codes = table.codes(self.name, self.levels)
        held: FloatArray = (codes[:, None] == np.array(self.shown, dtype=np.int64)).astype(np.float64)
        return held


def encoding(table: Table, name: str) -> Encoding:
    """How a column of the original is to be encoded."""
    levels = None if _is_numeric(table, name) else table.levels(name)
    if levels is not None and table[name].scale == Scale.NOMINAL:
        codes = table.codes(name, levels)
        counts = np.bincount(codes[codes >= 0], minlength=len(levels))
        common = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
        return CategoryIndicators(name=name, levels=levels, shown=tuple(common.tolist()))
    mean, spread = mean_and_spread(_raw(table, name, levels))
    return Measured(name=name, mean=mean, spread=spread if spread > 0 else 1.0, levels=levels)


def predictors_of(
    table: Table, masked: Sequence[str], given: Sequence[str] | None, method: str
) -> tuple[str, ...]:
    """The columns given, or all that are not masked and say something of a record."""
    if given is None:
        names = tuple(
            each.name
            for each in table.columns
            if each.name not in masked and each.role not in NOT_PREDICTORS and each.scale != Scale.TEXT
        )
        table.check_range(names)
        return names
    both = [name for name in given if name in masked]
    if both:
        raise BadParameter(
            f"{method}: predictors must not be among the columns to mask, and {listed(both)} are. "
            "Columns masked before another one predict it anyhow."
        )
    return tuple(given)


def _is_numeric(table: Table, name: str) -> bool:
    return table[name].scale == Scale.NUMERIC


def _raw(table: Table, name: str, levels: tuple[object, ...] | None) -> FloatArray:
    if levels is None:
        return table.numbers([name])[:, 0]
    codes = table.codes(name, levels)
    return np.where(codes < 0, np.nan, codes.astype(np.float64))
