"""Properties that a masking guarantees, each of which can be checked on the file as it was written."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any, ClassVar

import numpy as np
import polars as pl

from discreet._kernels.counting.tuples import tuples_of
from discreet.bands import read_band
from discreet.classes import classes_of, matching_people
from discreet.coding import labels_of, places_of
from discreet.errors import BadFile, GuaranteeBroken
from discreet.households import told_codes
from discreet.models import VARIANTS, Variant
from discreet.requirement import Holdings, Requirement
from discreet.shapes import Check, flag, list_of, maybe, number, one_of, record, text, whole
from discreet.shown import Shown
from discreet.table import Role, Scale, Table

SLACK = 1e-9
"""How far a computed l or t may be off by its last digits."""
DIGITS, FEW_DIGITS = 6, 2
"""How many digits a bound has in words, and in the manifest where no record shows it."""
THE_ORIGINAL = "the original"
_PRIVATE = ("columns", "before", "levels")
"""Fields that the public half does not tell as they are."""


def floor(value: float, digits: int = DIGITS) -> float:
    """The greatest number of so many digits that is not above the value."""
    return _rounded(value, digits, ROUND_FLOOR)


def ceiling(value: float, digits: int = DIGITS) -> float:
    """The least number of so many digits that is not below the value."""
    return _rounded(value, digits, ROUND_CEILING)


def _rounded(value: float, digits: int, way: str) -> float:
    if not math.isfinite(value):
        return value
    short = float(Context(prec=digits, rounding=way).create_decimal(Decimal(value)))
    inward = short > value if way == ROUND_FLOOR else short < value
    # A decimal number that is no float may be read as the next one inward, or as none at all.
    return value if inward or math.isinf(short) else short


def _said(value: float) -> str:
    """A number that reads back as the same one, without a point where it is whole."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Guarantee:
    """A property of some columns of the published file.

    `shape` declares the numbers that the public half tells of a guarantee, from which `guarantee_of` makes it again.
    A guarantee that is `in_order` can be checked only where the records are in the order of before.
    """

    columns: tuple[str, ...]
    shape: ClassVar[Mapping[str, Check]] = {}
    in_order: ClassVar[bool] = False

    def says(self) -> str:
        """The property in plain words."""
        raise TypeError(f"{type(self).__name__} does not say what it guarantees")

    def fault(self, published: Table) -> str:
        """What is wrong in the published table, in plain words; empty when the guarantee holds."""
        raise TypeError(f"{type(self).__name__} cannot be checked")

    def check(self, published: Table) -> None:
        """Raises GuaranteeBroken when the published table lacks the property."""
        fault = self.fault(published)
        if fault:
            raise GuaranteeBroken(f"guaranteed: {self.says()}; found in the published file: {fault}.")

    def unchecked(self, published: Table) -> str:
        """Why the published table alone cannot tell whether the guarantee holds, in plain words; empty where it can."""
        gone = [name for name in self.columns if name not in published.names]
        return f"the file has no column {_words(gone)}" if gone else ""

    def as_shown(self, published: Table) -> Guarantee:
        """The guarantee as the public half tells it: with nothing that the published table does not show."""
        return self

    def to_dict(self) -> dict[str, Any]:
        numbers = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in _PRIVATE}
        return {
            "guarantee": type(self).__name__,
            "columns": list(self.columns),
            **{name: list(value) if isinstance(value, tuple) else value for name, value in numbers.items()},
            "says": self.says(),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AboutClasses(Guarantee):
    """A property of classes of records that are alike, counted in people where `people` is true.

    `told` are the columns whose values are those of a household: a blank in them counts as the value that another
    member has. Where left out, such columns are found in the published file.
    """

    people: bool = False
    told: tuple[str, ...] | None = None
    shape: ClassVar[Mapping[str, Check]] = {"people": flag, "told": maybe(list_of(text))}

    def unchecked(self, published: Table) -> str:
        return Guarantee.unchecked(self, published) or (
            "which records are of one person is not published" if self.unknown_people(published) else ""
        )

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
    shape: ClassVar[Mapping[str, Check]] = {**AboutClasses.shape, "k": whole(1)}

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
    shape: ClassVar[Mapping[str, Check]] = {**AboutClasses.shape, "k": whole(1)}

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
    shape: ClassVar[Mapping[str, Check]] = {
        **AboutClasses.shape,
        "confidential": list_of(text),
        "l": number,
        "variant": one_of(*VARIANTS),
        "c": number,
    }

    def says(self) -> str:
        least, most = _said(floor(self.l)), _said(ceiling(self.c))
        ways = {
            "distinct": f"at least {least} different values",
            "entropy": f"values as diverse as {least} equally frequent ones",
            "recursive": f"values that are recursively ({most}, {least})-diverse",
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
    shape: ClassVar[Mapping[str, Check]] = {
        **AboutClasses.shape,
        "confidential": list_of(text),
        "t": number,
    }

    def says(self) -> str:
        return (
            f"within every combination of {_keys_of(self)} the values of {_words(self.confidential)} are distributed "
            f"as in the file, to a distance of {_said(ceiling(self.t))}"
        )

    def fault(self, published: Table) -> str:
        wanted = Requirement(k=1, t=self.t + SLACK, confidential=self.confidential)
        return _short(self, published, wanted, self.confidential)


def _keys_of(guarantee: LDiverse | TClose) -> str:
    return _words(tuple(name for name in guarantee.columns if name not in guarantee.confidential))


def _short(
    guarantee: AboutClasses, published: Table, wanted: Requirement, confidential: tuple[str, ...]
) -> str:
    """How many records are in classes that fall short of what is wanted, in words; empty where none is."""
    if unknown := guarantee.unknown_people(published):
        return unknown
    keys = [name for name in guarantee.columns if name not in confidential]
    label = classes_of(published, keys, guarantee.told).label
    found = Holdings(published, wanted).standing(label)
    if not found.fails.any():
        return ""
    return f"{int(found.fails[label].sum())} records in {int(found.fails.sum())} groups that fall short"


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
        return f"{_words(self.columns)} keep their values, each as often as in {self.about}"

    def fault(self, published: Table) -> str:
        before = self.known_before.frame
        changed = [name for name in self.columns if not _same_values(published.frame[name], before[name])]
        return f"other values in {_words(changed)}" if changed else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoOtherValues(Compared):
    """Each column holds no value that it did not hold before; missing may be new."""

    def says(self) -> str:
        return f"{_words(self.columns)} hold no value that they do not hold in {self.about}"

    def fault(self, published: Table) -> str:
        before = self.known_before.frame
        strange = [name for name in self.columns if _new_values(published.frame[name], before[name])]
        return f"new values in {_words(strange)}" if strange else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WithinRange(Compared):
    """No value lies outside the smallest and the largest value that its column had before."""

    def says(self) -> str:
        return f"no value of {_words(self.columns)} lies outside the range that it has in {self.about}"

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
            f"whoever has more of {_words(self.columns)} than another in {self.about} has no less of it here"
        )

    def fault(self, published: Table) -> str:
        old, new = _places(self.known_before, published, self.columns)
        if len(old) != len(new):
            return f"{abs(len(old) - len(new))} records more or fewer"
        wrong = [name for place, name in enumerate(self.columns) if _falls(old[:, place], new[:, place])]
        return f"another order in {_words(wrong)}" if wrong else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SameMeans(Compared):
    """Each column keeps its mean, to rounding; when `weighted`, that of the records by their sampling weights."""

    weighted: bool = False
    shape: ClassVar[Mapping[str, Check]] = {**Compared.shape, "weighted": flag}

    def says(self) -> str:
        return f"the {'weighted ' if self.weighted else ''}means of {_words(self.columns)} are those of {self.about}"

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
        far = np.abs(_means(old, weights[0]) - _means(new, weights[1])) > 1e-9 * scale
        names = [name for name, bad in zip(self.columns, far, strict=True) if bad]
        return f"other means of {_words(names)}" if names else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Multiples(Guarantee):
    """Each value is a whole multiple of the base."""

    base: float
    shape: ClassVar[Mapping[str, Check]] = {"base": number}

    def says(self) -> str:
        return f"all values of {_words(self.columns)} are multiples of {_said(self.base)}"

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
        bounds = [] if self.low is None else [f"below {_said(floor(self.low))}"]
        bounds += [] if self.high is None else [f"above {_said(ceiling(self.high))}"]
        return f"no value of {_words(self.columns)} is {' or '.join(bounds)}"

    def fault(self, published: Table) -> str:
        values = published.numbers(self.columns)
        out = np.zeros(values.shape, dtype=bool)
        if self.low is not None:
            out |= values < self.low
        if self.high is not None:
            out |= values > self.high
        return f"{int(out.sum())} values outside" if out.any() else ""

    def as_shown(self, published: Table) -> Guarantee:
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
        return f"{_words(self.columns)} {holds} at most {self.most} {many}"

    def fault(self, published: Table) -> str:
        texts = [published.frame[name].cast(pl.String).drop_nulls() for name in self.columns]
        if self.levels:
            strange = sum(int((~each.is_in(list(self.levels))).sum()) for each in texts)
            return f"{strange} values of other categories" if strange else ""
        more = max((each.n_unique() for each in texts), default=0)
        return f"{more} categories" if more > self.most else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intervals(Compared):
    """Each value is an interval [low, high) that contains the value it stands for; all intervals are equally wide.

    The order of a file does not tell whose interval is whose. Where each interval of one width contains its own
    value, the i-th lowest interval contains the i-th lowest value too, and that is what is checked.
    """

    def says(self) -> str:
        return (
            f"the intervals of {_words(self.columns)} contain the values of {self.about} that they stand for"
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
        inside = f", in all and in every category of {_words(others)}" if others else ""
        return f"the weights in {_words((self.weight,))} add up as in {self.about}{inside}"

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordCount(Guarantee):
    """The file holds this many records."""

    records: int
    shape: ClassVar[Mapping[str, Check]] = {"records": whole(0)}

    def says(self) -> str:
        return f"the file holds {self.records} records"

    def fault(self, published: Table) -> str:
        return f"{len(published)} records" if len(published) != self.records else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AtMostRecords(Guarantee):
    """There are at most so many different combinations of values of the columns."""

    most: int
    shape: ClassVar[Mapping[str, Check]] = {"most": whole(0)}

    def says(self) -> str:
        return f"there are at most {self.most} different combinations of {_words(self.columns)}"

    def fault(self, published: Table) -> str:
        found = published.frame.select(self.columns).n_unique() if self.columns else 0
        return f"{found} of them" if found > self.most else ""


GUARANTEES: dict[str, type[Guarantee]] = {
    each.__name__: each
    for each in (
        KAnonymous,
        KMatched,
        LDiverse,
        TClose,
        SameValues,
        NoOtherValues,
        WithinRange,
        SameOrder,
        SameMeans,
        Multiples,
        Within,
        OnlyLevels,
        Intervals,
        SameTotals,
        RecordCount,
        AtMostRecords,
    )
}


def guarantee_of(payload: Any, where: str) -> Guarantee:
    """The guarantee that `to_dict` told; BadFile where it is none, or where its words are not those of its numbers."""
    if not isinstance(payload, dict) or payload.get("guarantee") not in tuple(GUARANTEES):
        raise BadFile(f"{where} is not a guarantee that this version of discreet knows.")
    kind = GUARANTEES[payload["guarantee"]]
    record({"guarantee": text, "columns": list_of(text), "says": text, **kind.shape})(payload, where)
    numbers = {name: payload[name] for name in ("columns", *kind.shape)}
    made = kind(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in numbers.items()}
    )
    if made.says() != payload["says"]:
        raise BadFile(f"{where}: its words are not those of its numbers, so it was changed.")
    return made


def _words(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


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
