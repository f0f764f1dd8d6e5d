"""Guarantees about the values and the number of records of the published file, with nothing to compare it with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import polars as pl

from discreet.guarantees.guarantee import Guarantee, ceiling, exact_words, floor, quoted
from discreet.shapes import Check, maybe, number, whole
from discreet.shown import Shown
from discreet.table import Described, Table

FEW_DIGITS = 2
"""How many digits a bound has in the manifest where no record shows it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Multiples(Guarantee):
    """Each value is a whole multiple of the base."""

    base: float
    shape: ClassVar[Mapping[str, Check]] = {"base": number}

    def says(self) -> str:
        return f"all values of {quoted(self.columns)} are multiples of {exact_words(self.base)}"

    def fault(self, published: Table) -> str:
        steps = published.numbers(self.columns) / self.base
        off = np.abs(steps - np.round(steps)) > 1e-9 * np.maximum(1.0, np.abs(steps))
        return f"{int(off.sum())} values that are not" if off.any() else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Within(Guarantee):
    """No value lies below `low` or above `high`; None is no bound."""

    low: float | None = None
    high: float | None = None
    shape: ClassVar[Mapping[str, Check]] = {"low": maybe(number), "high": maybe(number)}

    def says(self) -> str:
        bounds = [] if self.low is None else [f"below {exact_words(floor(self.low))}"]
        bounds += [] if self.high is None else [f"above {exact_words(ceiling(self.high))}"]
        return f"no value of {quoted(self.columns)} is {' or '.join(bounds)}"

    def fault(self, published: Table) -> str:
        values = published.numbers(self.columns)
        out = np.zeros(values.shape, dtype=bool)
        if self.low is not None:
            out |= values < self.low
        if self.high is not None:
            out |= values > self.high
        return f"{int(out.sum())} values outside" if out.any() else ""

    def as_shown(self, published: Described) -> Guarantee:
        """The bounds as they are where a record shows them, and else rounded outward to few digits."""
        shown = Shown(table=published, columns=self.columns, types={}).numbers()
        low = self.low if self.low is None or self.low in shown else floor(self.low, FEW_DIGITS)
        high = self.high if self.high is None or self.high in shown else ceiling(self.high, FEW_DIGITS)
        return replace(self, low=low, high=high)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OnlyLevels(Guarantee):
    """Each column holds no other category than those listed, and so no more than `most`.

    The list is not told in public, where some of its categories may not occur.
    """

    levels: tuple[str, ...] = field(default=(), repr=False)
    most: int = -1
    shape: ClassVar[Mapping[str, Check]] = {"most": whole(0)}

    def __post_init__(self) -> None:
        if self.most < 0:
            object.__setattr__(self, "most", len(self.levels))

    def says(self) -> str:
        holds = "holds" if len(self.columns) == 1 else "hold"
        many = "category" if self.most == 1 else "categories"
        return f"{quoted(self.columns)} {holds} at most {self.most} {many}"

    def fault(self, published: Table) -> str:
        texts = [published.frame[name].cast(pl.String).drop_nulls() for name in self.columns]
        if self.levels:
            strange = sum(int((~each.is_in(list(self.levels))).sum()) for each in texts)
            return f"{strange} values of other categories" if strange else ""
        more = max((each.n_unique() for each in texts), default=0)
        return f"{more} categories" if more > self.most else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordCount(Guarantee):
    """The file holds this many records."""

    records: int
    shape: ClassVar[Mapping[str, Check]] = {"records": whole(0)}

    def says(self) -> str:
        return f"the file holds {self.records} records"

    def fault(self, published: Table) -> str:
        return self.fault_of(len(published))

    def fault_of(self, records: int) -> str:
        """What is wrong with a file of so many records."""
        return f"{records} records" if records != self.records else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AtMostRecords(Guarantee):
    """There are at most so many different combinations of values of the columns."""

    most: int
    shape: ClassVar[Mapping[str, Check]] = {"most": whole(0)}

    def says(self) -> str:
        return f"there are at most {self.most} different combinations of {quoted(self.columns)}"

    def fault(self, published: Table) -> str:
        found = published.frame.select(self.columns).n_unique() if self.columns else 0
        return f"{found} of them" if found > self.most else ""
