"""Properties that a masking promises, each of which can be checked on the file as it was written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from discreet._kernels.tuples import tuples_of
from discreet.bands import read_band
from discreet.classes import classes_of, matching_people
from discreet.coding import places_of
from discreet.errors import PromiseBroken
from discreet.households import told_codes
from discreet.models import Variant
from discreet.requirement import Holdings, Requirement
from discreet.table import Table

SLACK = 1e-9
"""How far a computed l or t may be off by its last digits."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Promise:
    """A property of some columns of the published file."""

    columns: tuple[str, ...]

    def says(self) -> str:
        """The property in plain words."""
        raise TypeError(f"{type(self).__name__} does not say what it promises")

    def fault(self, published: Table) -> str:
        """What is wrong in the published table, in plain words; empty when the promise holds."""
        raise TypeError(f"{type(self).__name__} cannot be checked")

    def check(self, published: Table) -> None:
        """Raises PromiseBroken when the published table lacks the property."""
        fault = self.fault(published)
        if fault:
            raise PromiseBroken(f"promised: {self.says()}; found in the published file: {fault}.")

    def to_dict(self) -> dict[str, Any]:
        return {"promise": type(self).__name__, "columns": list(self.columns), "says": self.says()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AboutClasses(Promise):
    """A property of classes of records that are alike, counted in people where `people` is true.

    `told` are the columns whose values are those of a household: a blank in them counts as the value that another
    member has. Where left out, such columns are found in the published file.
    """

    people: bool = False
    told: tuple[str, ...] | None = None

    @property
    def counted(self) -> str:
        return "people" if self.people else "records"

    def unknown_people(self, published: Table) -> str:
        """Why people cannot be counted; empty where they can or need not be."""
        missing = self.people and published.persons() is None
        return "nothing that says which records are of the same person" if missing else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KAnonymous(AboutClasses):
    """Each combination of values of the columns is shared by at least k records or people; missing is a value."""

    k: int

    def says(self) -> str:
        return f"every combination of {_words(self.columns)} is shared by at least {self.k} {self.counted}"

    def fault(self, published: Table) -> str:
        if unknown := self.unknown_people(published):
            return unknown
        classes = classes_of(published, self.columns, self.told)
        below = classes.sizes < self.k
        groups = len(np.unique(classes.label[below]))
        return f"{int(below.sum())} records in {groups} smaller groups" if groups else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KMatched(AboutClasses):
    """At least k records, or people, agree with each record on the columns wherever neither is missing."""

    k: int

    def says(self) -> str:
        return f"at least {self.k} {self.counted} match each on {_words(self.columns)}, where missing matches anything"

    def fault(self, published: Table) -> str:
        if unknown := self.unknown_people(published):
            return unknown
        codes, persons = told_codes(published, self.columns, self.told), published.persons()
        distinct = tuples_of(codes)
        matches = matching_people(distinct, persons)
        below = int(distinct.frequencies[matches < self.k].sum())
        return f"{below} records with fewer matches" if below else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LDiverse(AboutClasses):
    """In each class of records alike in the other columns, each confidential column is at least l-diverse."""

    confidential: tuple[str, ...]
    l: float  # noqa: E741
    variant: Variant = "distinct"
    c: float = 3.0

    def says(self) -> str:
        ways = {
            "distinct": f"at least {self.l:g} different values",
            "entropy": f"values as diverse as {self.l:g} equally frequent ones",
            "recursive": f"values that are recursively ({self.c:g}, {self.l:g})-diverse",
        }
        return (
            f"every combination of {_keys_of(self)} has {ways[self.variant]} of {_words(self.confidential)}"
        )

    def fault(self, published: Table) -> str:
        wanted = Requirement(
            k=1, l=self.l - SLACK, variant=self.variant, c=self.c, confidential=self.confidential
        )
        return _short(self, published, wanted, self.confidential)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TClose(AboutClasses):
    """In each class of records alike in the other columns, the confidential values are within t of the file's."""

    confidential: tuple[str, ...]
    t: float

    def says(self) -> str:
        return (
            f"within every combination of {_keys_of(self)} the values of {_words(self.confidential)} are distributed "
            f"as in the file, to a distance of {self.t:g}"
        )

    def fault(self, published: Table) -> str:
        wanted = Requirement(k=1, t=self.t + SLACK, confidential=self.confidential)
        return _short(self, published, wanted, self.confidential)


def _keys_of(promise: LDiverse | TClose) -> str:
    return _words(tuple(name for name in promise.columns if name not in promise.confidential))


def _short(
    promise: AboutClasses, published: Table, wanted: Requirement, confidential: tuple[str, ...]
) -> str:
    """How many records are in classes that fall short of what is wanted, in words; empty where none is."""
    if unknown := promise.unknown_people(published):
        return unknown
    keys = [name for name in promise.columns if name not in confidential]
    label = classes_of(published, keys, promise.told).label
    found = Holdings(published, wanted).standing(label)
    if not found.fails.any():
        return ""
    return f"{int(found.fails[label].sum())} records in {int(found.fails.sum())} groups that fall short"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SameValues(Promise):
    """Each column holds the same values as before, each as often, in other places."""

    before: Table = field(repr=False)

    def says(self) -> str:
        return f"{_words(self.columns)} keep their values, each as often as before"

    def fault(self, published: Table) -> str:
        changed = [
            name for name in self.columns if not _same_values(published.frame[name], self.before.frame[name])
        ]
        return f"other values in {_words(changed)}" if changed else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SameMeans(Promise):
    """Each column keeps its mean, to rounding; when `weighted`, that of the records by their sampling weights."""

    before: Table = field(repr=False)
    weighted: bool = False

    def says(self) -> str:
        return f"the {'weighted ' if self.weighted else ''}means of {_words(self.columns)} are kept"

    def fault(self, published: Table) -> str:
        old, new = self.before.numbers(self.columns), published.numbers(self.columns)
        with np.errstate(invalid="ignore"):
            scale = np.nanmax(np.abs(old), axis=0, initial=1.0) + 1.0
        weights = [each.weights() if self.weighted else None for each in (self.before, published)]
        if self.weighted and weights[1] is None:
            return "no sampling weights"
        far = np.abs(_means(old, weights[0]) - _means(new, weights[1])) > 1e-9 * scale
        names = [name for name, bad in zip(self.columns, far, strict=True) if bad]
        return f"other means of {_words(names)}" if names else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Multiples(Promise):
    """Each value is a whole multiple of the base."""

    base: float

    def says(self) -> str:
        return f"all values of {_words(self.columns)} are multiples of {self.base:g}"

    def fault(self, published: Table) -> str:
        steps = published.numbers(self.columns) / self.base
        off = np.abs(steps - np.round(steps)) > 1e-9 * np.maximum(1.0, np.abs(steps))
        return f"{int(off.sum())} values that are not" if off.any() else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Within(Promise):
    """No value lies below `low` or above `high`."""

    low: float = float("-inf")
    high: float = float("inf")

    def says(self) -> str:
        bounds = [f"below {self.low:g}"] if self.low > float("-inf") else []
        bounds += [f"above {self.high:g}"] if self.high < float("inf") else []
        return f"no value of {_words(self.columns)} is {' or '.join(bounds)}"

    def fault(self, published: Table) -> str:
        values = published.numbers(self.columns)
        out = (values < self.low) | (values > self.high)
        return f"{int(out.sum())} values outside" if out.any() else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OnlyLevels(Promise):
    """Each column holds no other category than those listed."""

    levels: tuple[str, ...] = field(repr=False)

    def says(self) -> str:
        holds = "holds" if len(self.columns) == 1 else "hold"
        return f"{_words(self.columns)} {holds} at most {len(self.levels)} categories"

    def fault(self, published: Table) -> str:
        strange = sum(
            int((~published.frame[name].cast(pl.String).is_in(list(self.levels))).sum())
            for name in self.columns
        )
        return f"{strange} values of other categories" if strange else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intervals(Promise):
    """Each value is an interval [low, high) that contains the value it stands for; all intervals are equally wide.

    The order of a file does not tell whose interval is whose. Where each interval of one width contains its own
    value, the i-th lowest interval contains the i-th lowest value too, and that is what is checked.
    """

    before: Table = field(repr=False)

    def says(self) -> str:
        return f"the intervals of {_words(self.columns)} contain the values they stand for"

    def fault(self, published: Table) -> str:
        outside = sum(self._outside(published.frame[name], name) for name in self.columns)
        return f"{outside} values outside of every interval that could be theirs" if outside else ""

    def _outside(self, intervals: pl.Series, name: str) -> int:
        values = np.sort(self.before.numbers([name])[:, 0])
        values = values[~np.isnan(values)]
        labels = intervals.cast(pl.String).drop_nulls()
        distinct = labels.unique().sort()
        read = [read_band(label, self.before.frame[name].dtype) for label in distinct.to_list()]
        bands = [band for band in read if band is not None]
        if len(labels) != len(values) or len(bands) < len(read):
            return max(1, abs(len(labels) - len(values)))
        ends = np.array(bands).reshape(-1, 2)[places_of(labels, distinct)]
        low, high = np.sort(ends[:, 0]), np.sort(ends[:, 1])
        return int(((values < low) | (values > high)).sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SameTotals(Promise):
    """The weights add up as before, in all and in every category of the other columns; missing is a category."""

    weight: str
    before: Table = field(repr=False)

    def says(self) -> str:
        others = tuple(name for name in self.columns if name != self.weight)
        inside = f", in all and in every category of {_words(others)}" if others else ""
        return f"the weights in {_words((self.weight,))} add up as before{inside}"

    def fault(self, published: Table) -> str:
        wrong = sum(self._wrong(published, [name] if name != self.weight else []) for name in self.columns)
        return f"{wrong} other totals" if wrong else ""

    def _wrong(self, published: Table, by: list[str]) -> int:
        sums = [
            each.frame.group_by([pl.col(name).cast(pl.String) for name in by] or [pl.lit("all").alias("all")])
            .agg(pl.col(self.weight).sum())
            .rename({self.weight: place})
            for place, each in (("old", self.before), ("new", published))
        ]
        keys = by or ["all"]
        both = sums[0].join(sums[1], on=keys, how="full", nulls_equal=True).fill_null(0.0)
        return int(((both["old"] - both["new"]).abs() > 1e-6 * (both["old"].abs() + 1.0)).sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordCount(Promise):
    """The file holds this many records."""

    records: int

    def says(self) -> str:
        return f"the file holds {self.records} records"

    def fault(self, published: Table) -> str:
        return f"{len(published)} records" if len(published) != self.records else ""


def _words(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _same_values(one: pl.Series, other: pl.Series) -> bool:
    """Whether two columns hold the same values; whole numbers are compared to the last digit."""
    whole = one.dtype.is_integer() and other.dtype.is_integer()
    first, second = (_comparable(each, whole=whole).sort().alias("") for each in (one, other))
    return first.equals(second, null_equal=True)


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
