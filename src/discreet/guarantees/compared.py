"""Guarantees about the published file beside what it was before the step that guarantees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl

from discreet.bands import read_band
from discreet.coding import labels_of, places_of
from discreet.guarantees.guarantee import SLACK, Guarantee, quoted
from discreet.shapes import Check, flag, number, text
from discreet.table import Role, Scale, Table

THE_ORIGINAL = "the original"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compared(Guarantee):
    """A property of columns beside what they were before the step that guarantees it.

    `about` says what that is: the original, or what an earlier step left of it. `before` is None where a guarantee was
    read from a manifest: then nothing is there to compare with.
    """

    before: Table | None = field(default=None, repr=False)
    about: str = THE_ORIGINAL
    shape: ClassVar[Mapping[str, Check]] = {"about": text}

    @property
    def known_before(self) -> Table:
        if self.before is None:
            raise TypeError("a guarantee that was read from a manifest has nothing to compare with")
        return self.before

    def unchecked(self, published: Table) -> str:
        if self.before is None:
            return f"it is about {self.about}, which is not here"
        return Guarantee.unchecked(self, published)

    def compared_columns(self) -> tuple[str, ...]:
        """The columns whose values the guarantee depends on."""
        return self.columns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SameValues(Compared):
    """Each column holds the same values as before, each as often, in other places."""

    def says(self) -> str:
        return f"{quoted(self.columns)} keep their values, each as often as in {self.about}"

    def fault(self, published: Table) -> str:
        before = self.known_before.frame
        changed = [name for name in self.columns if not _same_values(published.frame[name], before[name])]
        return f"other values in {quoted(changed)}" if changed else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoOtherValues(Compared):
    """Each column holds no value that it did not hold before; missing may be new."""

    def says(self) -> str:
        return f"{quoted(self.columns)} hold no value that they do not hold in {self.about}"

    def fault(self, published: Table) -> str:
        before = self.known_before.frame
        strange = [name for name in self.columns if _new_values(published.frame[name], before[name])]
        return f"new values in {quoted(strange)}" if strange else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WithinRange(Compared):
    """No value lies outside the smallest and the largest value that its column had before."""

    def says(self) -> str:
        return f"no value of {quoted(self.columns)} lies outside the range that it has in {self.about}"

    def fault(self, published: Table) -> str:
        old, new = _places(self.known_before, published, self.columns)
        with np.errstate(invalid="ignore"):
            low = np.nanmin(old, axis=0, initial=np.inf)
            high = np.nanmax(old, axis=0, initial=-np.inf)
            slack = SLACK * (1.0 + np.maximum(np.abs(low), np.abs(high)))
            out = (new < low - slack) | (new > high + slack)
        return f"{int(out.sum())} values outside" if out.any() else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SameOrder(Compared):
    """Who had the larger value of a column before has no smaller one now; it takes a file in the order of before."""

    in_order: ClassVar[bool] = True

    def says(self) -> str:
        return (
            f"whoever has more of {quoted(self.columns)} than another in {self.about} has no less of it here"
        )

    def fault(self, published: Table) -> str:
        old, new = _places(self.known_before, published, self.columns)
        if len(old) != len(new):
            return f"{abs(len(old) - len(new))} records more or fewer"
        wrong = [name for place, name in enumerate(self.columns) if _falls(old[:, place], new[:, place])]
        return f"another order in {quoted(wrong)}" if wrong else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SameMeans(Compared):
    """Each column keeps its mean, to rounding; when `weighted`, that of the records by their sampling weights.

    `within` is how far a mean may be off because the values were rounded to the decimals of their file.
    """

    weighted: bool = False
    within: float = 0.0
    shape: ClassVar[Mapping[str, Check]] = {**Compared.shape, "weighted": flag, "within": number}

    def says(self) -> str:
        near = f", to within {self.within:g}" if self.within else ""
        means = f"{'weighted ' if self.weighted else ''}means"
        return f"the {means} of {quoted(self.columns)} are those of {self.about}{near}"

    def compared_columns(self) -> tuple[str, ...]:
        return (*self.columns, *(self.known_before.having(Role.WEIGHT) if self.weighted else ()))

    def fault(self, published: Table) -> str:
        before = self.known_before
        old, new = before.numbers(self.columns), published.numbers(self.columns)
        with np.errstate(invalid="ignore"):
            scale = np.nanmax(np.abs(old), axis=0, initial=1.0) + 1.0
        weights = [each.weights() if self.weighted else None for each in (before, published)]
        if self.weighted and weights[1] is None:
            return "no sampling weights"
        far = np.abs(_means(old, weights[0]) - _means(new, weights[1])) > 1e-9 * scale + self.within
        names = [name for name, bad in zip(self.columns, far, strict=True) if bad]
        return f"other means of {quoted(names)}" if names else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intervals(Compared):
    """Each value is an interval [low, high) that contains the value it stands for; all intervals are equally wide.

    The order of a file does not tell whose interval is whose. Where each interval of one width contains its own
    value, the i-th lowest interval contains the i-th lowest value too, and that is what is checked.
    """

    def says(self) -> str:
        return (
            f"the intervals of {quoted(self.columns)} contain the values of {self.about} that they stand for"
        )

    def fault(self, published: Table) -> str:
        outside = sum(self._outside(published.frame[name], name) for name in self.columns)
        return f"{outside} values outside of every interval that could be theirs" if outside else ""

    def _outside(self, intervals: pl.Series, name: str) -> int:
        before = self.known_before
        values = np.sort(before.numbers([name])[:, 0])
        values = values[~np.isnan(values)]
        labels = intervals.cast(pl.String).drop_nulls()
        distinct = labels.unique().sort()
        read = [read_band(label, before.frame[name].dtype) for label in distinct.to_list()]
        bands = [band for band in read if band is not None]
        if len(labels) != len(values) or len(bands) < len(read):
            return max(1, abs(len(labels) - len(values)))
        ends = np.array(bands).reshape(-1, 2)[places_of(labels, distinct)]
        low, high = np.sort(ends[:, 0]), np.sort(ends[:, 1])
        return int(((values < low) | (values > high)).sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SameTotals(Compared):
    """The weights add up as before, in all and in every category of the other columns; missing is a category."""

    weight: str
    shape: ClassVar[Mapping[str, Check]] = {**Compared.shape, "weight": text}

    def says(self) -> str:
        others = tuple(name for name in self.columns if name != self.weight)
        inside = f", in all and in every category of {quoted(others)}" if others else ""
        return f"the weights in {quoted((self.weight,))} add up as in {self.about}{inside}"

    def fault(self, published: Table) -> str:
        wrong = sum(self._wrong(published, [name] if name != self.weight else []) for name in self.columns)
        return f"{wrong} other totals" if wrong else ""

    def _wrong(self, published: Table, by: list[str]) -> int:
        sums = [
            each.frame.group_by([pl.col(name).cast(pl.String) for name in by] or [pl.lit("all").alias("all")])
            .agg(pl.col(self.weight).sum())
            .rename({self.weight: place})
            for place, each in (("old", self.known_before), ("new", published))
        ]
        keys = by or ["all"]
        both = sums[0].join(sums[1], on=keys, how="full", nulls_equal=True).fill_null(0.0)
        return int(((both["old"] - both["new"]).abs() > 1e-6 * (both["old"].abs() + 1.0)).sum())


def _same_values(one: pl.Series, other: pl.Series) -> bool:
    """Whether two columns hold the same values; whole numbers are compared to the last digit."""
    whole = one.dtype.is_integer() and other.dtype.is_integer()
    first, second = (_comparable(each, whole=whole).sort().alias("") for each in (one, other))
    return first.equals(second, null_equal=True)


def _new_values(published: pl.Series, before: pl.Series) -> bool:
    whole = published.dtype.is_integer() and before.dtype.is_integer()
    there = _comparable(before, whole=whole).unique()
    return bool((~_comparable(published, whole=whole).drop_nulls().is_in(there.implode())).any())


def _places(before: Table, published: Table, columns: tuple[str, ...]) -> tuple[Any, Any]:
    """Both tables as numbers, ordinal categories as their places in the order of before; missing is NaN."""
    sides = [np.empty((len(each), len(columns))) for each in (before, published)]
    for place, name in enumerate(columns):
        order = before[name].order if before[name].scale == Scale.ORDINAL else ()
        for side, each in zip(sides, (before, published), strict=True):
            if order:
                codes = places_of(labels_of(each.frame[name]), pl.Series(list(order), dtype=pl.String))
                side[:, place] = np.where(codes < 0, np.nan, codes)
            else:
                side[:, place] = each.numbers([name])[:, 0]
    return sides[0], sides[1]


def _falls(old: Any, new: Any) -> bool:
    """Whether somebody who had more before has less now."""
    both = ~np.isnan(old) & ~np.isnan(new)
    rising = np.argsort(old[both], kind="stable")
    before, after = old[both][rising], new[both][rising]
    _, group = np.unique(before, return_inverse=True)
    if len(group) == 0:
        return False
    low, high = np.full(group.max() + 1, np.inf), np.full(group.max() + 1, -np.inf)
    np.minimum.at(low, group, after)
    np.maximum.at(high, group, after)
    reached = np.maximum.accumulate(high)[:-1]
    return bool((low[1:] < reached - SLACK * (1.0 + np.abs(reached))).any())


def _comparable(values: pl.Series, *, whole: bool) -> pl.Series:
    if isinstance(values.dtype, pl.Duration):
        values = values.dt.total_nanoseconds()
    if whole:
        return values.cast(pl.Int128)
    return values.cast(pl.Float64) if values.dtype.is_numeric() else values.cast(pl.String)


def _means(values: Any, weights: Any) -> Any:
    """The mean of each column over the values present; zero where there are none, or none that weigh."""
    return np.array([_mean(column, weights) for column in values.T])


def _mean(values: Any, weights: Any) -> float:
    counted = np.where(np.isnan(values), 0.0, 1.0 if weights is None else weights)
    total = counted.sum()
    share = counted / (total if total > 0 else 1.0)
    return float((np.where(np.isnan(values), 0.0, values) * share).sum())
