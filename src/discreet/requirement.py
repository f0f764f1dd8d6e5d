"""What classes must reach: k people, and confidential values that are diverse (l) and close to the file's (t)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from discreet.classes import people_in
from discreet.models import (
    Tally,
    Variant,
    closeness,
    counted,
    different_values,
    diversity,
    overall_shares,
    places_of,
)
from discreet.table import BoolArray, FloatArray, IntArray, Scale, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """What every class must reach: k people, l values of each confidential column, and at most t from the file."""

    k: int
    l: float | None = None  # noqa: E741
    variant: Variant = "distinct"
    c: float = 3.0
    t: float | None = None
    confidential: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether only k is asked for."""
        return self.l is None and self.t is None

    def __str__(self) -> str:
        parts = [f"k={self.k}"]
        if self.l is not None:
            how = f" ({self.variant}{f', c={self.c:g}' if self.variant == 'recursive' else ''})"
            parts.append(f"l={self.l:g}{how if self.variant != 'distinct' else ''}")
        if self.t is not None:
            parts.append(f"t={self.t:g}")
        return _and(parts)


class Standing(NamedTuple):
    """What each class reaches, and whether it falls short.

    `diverse` is infinite where a class has no confidential value. `hopeless` are the classes that fall short in a way
    that every class inside of them does too: too few people, or too few different values where all are known.
    """

    people: IntArray
    diverse: FloatArray
    distance: FloatArray
    fails: BoolArray
    hopeless: BoolArray

    def reached(self, requirement: Requirement) -> str:
        """What the class that reaches least has, in words."""
        parts = [f"k={int(self.people.min(initial=np.iinfo(np.int64).max))}"] if len(self.people) else ["k=0"]
        if requirement.l is not None:
            parts.append(f"l={float(self.diverse.min(initial=np.inf)):.3g}")
        if requirement.t is not None:
            parts.append(f"t={float(self.distance.max(initial=0.0)):.3g}")
        return _and(parts)


class _Column(NamedTuple):
    """The confidential values of units: entries of a unit, a code, and a person or a number of records."""

    units: IntArray
    codes: IntArray
    persons: IntArray | None
    times: IntArray | None
    starts: IntArray
    overall: FloatArray
    ordered: bool
    complete: bool


class _Values(NamedTuple):
    """A confidential column: its codes, the share of each in the file, whether in an order and complete."""

    codes: IntArray
    overall: FloatArray
    ordered: bool
    complete: bool


class Holdings:
    """What units of a file hold: how many people, and which confidential values.

    A unit is a record, or all records with the same combination of values. What a class of units holds is then found
    without looking at each record again. `together` says which records tell of each other: those of a household, else
    those of a person; None where each tells of itself alone. `times` says how many records each row of the
    table stands for, where nobody has several.
    """

    def __init__(
        self,
        table: Table,
        requirement: Requirement,
        which: IntArray | None = None,
        times: IntArray | None = None,
    ) -> None:
        self.requirement = requirement
        self.times = times
        self.persons = _repeated(table.persons())
        households = table.households()
        self.together = households if households is not None else table.persons()
        wanted = () if requirement.plain else requirement.confidential
        self._values = [_values(table, name, self.persons, times) for name in wanted]
        self._group(np.arange(len(table)), np.arange(len(table)) if which is None else which)

    def among(self, rows: IntArray, which: IntArray) -> Holdings:
        """What units of some records hold: `which` says the unit of each of these rows; t is against the whole file."""
        found = copy(self)
        found._group(rows, which)
        return found

    def _group(self, rows: IntArray, units: IntArray) -> None:
        self.count = int(units.max(initial=-1)) + 1
        times = None if self.times is None else self.times[rows]
        self.records = np.bincount(units, weights=times, minlength=self.count).astype(np.int64)
        own = None if self.persons is None else self.persons[rows]
        self._people = None if own is None else _entries(units, own, self.count)
        self._columns = [_column(each, rows, units, own, times, self.count) for each in self._values]

    @property
    def by_people(self) -> bool:
        """Whether people are counted who can have several records."""
        return self.persons is not None

    @property
    def plain(self) -> bool:
        """Whether only the number of records matters."""
        return self.requirement.plain and not self.by_people

    def monotone(self, *, suppressing: bool) -> bool:
        """Whether units in classes that fall short are no fewer in classes that are finer.

        People and different values only grow as classes are joined. Entropies, recursive diversity and distances of two
        classes that reach them are reached by both together, but not where one of them falls short, nor where a person
        in both is counted once. A class without any value falls short of nothing, until it joins one that does.
        """
        if self.requirement.plain:
            return True
        simple = self.requirement.variant == "distinct" and self.requirement.t is None
        complete = all(each.complete for each in self._values)
        return not self.by_people and (not suppressing or (simple and complete))

    def standing(self, label: IntArray, units: IntArray | None = None) -> Standing:
        """What each class reaches: `label` says in which class each unit is (of those given, or of all), from 0."""
        wanted = self.requirement
        classes = int(label.max(initial=-1)) + 1
        people = self.people(label, units)
        diverse, distance = np.full(classes, np.inf), np.zeros(classes)
        hopeless: BoolArray = people < wanted.k
        fails = hopeless.copy()
        for column in self._columns:
            tally = _tally(column, label, units, classes)
            seen = tally.present > 0
            if wanted.l is not None:
                levels = np.where(seen, diversity(tally, wanted.variant, wanted.c), np.inf)
                diverse = np.minimum(diverse, levels)
                if column.complete:
                    hopeless = hopeless | (seen & (different_values(tally) < wanted.l))
            if wanted.t is not None:
                moved = closeness(tally, column.overall, ordered=column.ordered)
                distance = np.maximum(distance, moved)
        if wanted.l is not None:
            fails |= diverse < wanted.l
        if wanted.t is not None:
            fails |= distance > wanted.t
        return Standing(people, diverse, distance, fails, hopeless)

    def reaches(self, units: IntArray) -> bool:
        """Whether these units together are a class that falls short of nothing."""
        return not bool(self.standing(np.zeros(len(units), dtype=np.int64), units).fails.any())

    def people(self, label: IntArray, units: IntArray | None = None) -> IntArray:
        """How many people each class has: records, where each is of a person of its own."""
        classes = int(label.max(initial=-1)) + 1
        if self._people is None:
            records = self.records if units is None else self.records[units]
            return np.bincount(label, weights=records, minlength=classes).astype(np.int64)
        owners, persons, starts = self._people
        if units is None:
            return people_in(label[owners], persons, classes)
        rows, own = _gathered(starts, units)
        return people_in(label[own], persons[rows], classes)


def _tally(column: _Column, label: IntArray, units: IntArray | None, classes: int) -> Tally:
    if units is None:
        rows: IntArray | slice = slice(None)
        own = label[column.units]
    else:
        rows, places = _gathered(column.starts, units)
        own = label[places]
    tally = counted(
        own,
        column.codes[rows],
        persons=None if column.persons is None else column.persons[rows],
        times=None if column.times is None else column.times[rows],
    )
    wanting = classes - len(tally.present)
    if not wanting:
        return tally
    more = np.zeros(wanting, dtype=np.int64)
    return tally._replace(present=np.append(tally.present, more), people=np.append(tally.people, more))


def _values(table: Table, name: str, persons: IntArray | None, times: IntArray | None) -> _Values:
    codes = places_of(table, name)
    ordered, complete = table[name].scale != Scale.NOMINAL, bool(codes.all())
    return _Values(codes, overall_shares(codes, persons, times), ordered, complete)


def _column(
    values: _Values,
    rows: IntArray,
    units: IntArray,
    persons: IntArray | None,
    weights: IntArray | None,
    count: int,
) -> _Column:
    """The values of a column by unit, each once with how many records have it, or with each person who does."""
    codes = values.codes[rows]
    known = np.flatnonzero(codes)
    width = len(values.overall)
    pairs, which = np.unique(units[known] * width + codes[known], return_inverse=True)
    owners: IntArray | None = None
    times: IntArray | None = None
    if persons is None:
        weighed = None if weights is None else weights[known]
        times = np.bincount(which.reshape(-1), weights=weighed, minlength=len(pairs)).astype(np.int64)
    else:
        several = int(persons.max(initial=0)) + 1
        once = np.unique(which.reshape(-1) * several + persons[known])
        pairs, owners = pairs[once // several], once % several
    own = pairs // width
    starts = np.searchsorted(own, np.arange(count + 1))
    return _Column(own, pairs % width, owners, times, starts, *values[1:])


def _repeated(persons: IntArray | None) -> IntArray | None:
    """The persons, or None where nobody has several records: then records are people."""
    return None if persons is None or len(np.unique(persons)) == len(persons) else persons


def _entries(units: IntArray, persons: IntArray, count: int) -> tuple[IntArray, IntArray, IntArray]:
    """Each person of each unit once, in the order of the units, and where those of each unit begin."""
    several = int(persons.max(initial=0)) + 1
    once = np.unique(units * several + persons)
    owners = once // several
    return owners, once % several, np.searchsorted(owners, np.arange(count + 1))


def _gathered(starts: IntArray, units: IntArray) -> tuple[IntArray, IntArray]:
    """The entries of some units, and for each entry the place of its unit among them."""
    sizes = starts[units + 1] - starts[units]
    place = np.repeat(np.arange(len(units)), sizes)
    begin = np.cumsum(sizes) - sizes
    return np.arange(len(place)) - begin[place] + starts[units][place], place


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
