"""Guarantees about classes of records that are alike: k-anonymity, l-diversity and t-closeness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet._kernels.counting.tuples import tuples_of
from discreet.classes import classes_of, matching_people
from discreet.guarantees.guarantee import SLACK, Guarantee, ceiling, exact_words, floor, quoted
from discreet.households import codes_filled_from_household
from discreet.models import VARIANTS, Variant
from discreet.requirement import Holdings, Requirement
from discreet.shapes import Check, flag, list_of, maybe, number, one_of, text, whole
from discreet.table import IntArray, Table


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
        return f"every combination of {quoted(self.columns)} is shared by at least {self.k} {self.counted}"

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
        return f"at least {self.k} {self.counted} match each on {quoted(self.columns)}, where missing matches anything"

    def fault(self, published: Table) -> str:
        if unknown := self.unknown_people(published):
            return unknown
        codes, persons = codes_filled_from_household(published, self.columns, self.told), published.persons()
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
        least, most = exact_words(floor(self.l)), exact_words(ceiling(self.c))
        ways = {
            "distinct": f"at least {least} different values",
            "entropy": f"values as diverse as {least} equally frequent ones",
            "recursive": f"values that are recursively ({most}, {least})-diverse",
        }
        return (
            f"every combination of {_keys_of(self)} has {ways[self.variant]} of {quoted(self.confidential)}"
        )

    def fault(self, published: Table) -> str:
        return self.fault_of_counted(published, None)

    def fault_of_counted(self, published: Table, times: IntArray | None) -> str:
        """What is wrong where each row stands for so many records; each for one where None is given."""
        wanted = Requirement(
            k=1, l=self.l - SLACK, variant=self.variant, c=self.c, confidential=self.confidential
        )
        return _short(self, published, wanted, times)


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
            f"within every combination of {_keys_of(self)} the values of {quoted(self.confidential)} are distributed "
            f"as in the file, to a distance of {exact_words(ceiling(self.t))}"
        )

    def fault(self, published: Table) -> str:
        return self.fault_of_counted(published, None)

    def fault_of_counted(self, published: Table, times: IntArray | None) -> str:
        """What is wrong where each row stands for so many records; each for one where None is given."""
        wanted = Requirement(k=1, t=self.t + SLACK, confidential=self.confidential)
        return _short(self, published, wanted, times)


def _keys_of(guarantee: LDiverse | TClose) -> str:
    return quoted(tuple(name for name in guarantee.columns if name not in guarantee.confidential))


def _short(guarantee: AboutClasses, published: Table, wanted: Requirement, times: IntArray | None) -> str:
    """How many records are in classes that fall short of what is wanted, in words; empty where none is."""
    if unknown := guarantee.unknown_people(published):
        return unknown
    keys = [name for name in guarantee.columns if name not in wanted.confidential]
    label = classes_of(published, keys, guarantee.told).label
    found = Holdings(published, wanted, times=times).standing(label)
    if not found.fails.any():
        return ""
    short = found.fails[label]
    records = int(short.sum()) if times is None else int(times[short].sum())
    return f"{records} records in {int(found.fails.sum())} groups that fall short"
