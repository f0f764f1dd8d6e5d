"""What a published step gives away about a known record: clues about which masked records can be its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from discreet.attack.points import Axes
from discreet.comparing import numbers_of
from discreet.dataset import Dataset
from discreet.in_parts import holding
from discreet.manifest import PublicManifest
from discreet.registry import find
from discreet.stored import Matrix, StoredMatrix, Workroom
from discreet.table import FloatArray, IntArray, Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Range:
    """A masked record can belong to a known one only if its place on an axis is between low and high, ends included.

    `axis` holds the place of each masked record, NaN where its cell is missing; `low` and `high` are those of each
    known record, NaN where its cell is missing. Missing stays missing; with `may_vanish` a cell that was present can
    be missing too. A clue that is not `sound` rests on an estimate and can rule out the true record.
    """

    columns: tuple[str, ...]
    axis: FloatArray
    low: FloatArray
    high: FloatArray
    may_vanish: bool = False
    sound: bool = True

    def about(self, people: IntArray) -> Range:
        """The clue about these of the known records, one for each query."""
        return replace(self, low=self.low[people], high=self.high[people])

    def open_where_unknown(self) -> Range:
        """The clue that rules nothing out where a cell is missing that nobody's is in the masked file.

        Missing stays missing, so such a cell was never missing: the intruder does not know it.
        """
        if np.isnan(self.axis).any():
            return self
        low = np.where(np.isnan(self.low), -np.inf, self.low)
        return replace(self, low=low, high=np.where(np.isnan(self.high), np.inf, self.high))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Same:
    """A masked record can belong to a known one only if they hold the same code; -1 is missing."""

    columns: tuple[str, ...]
    known: IntArray
    masked: IntArray
    may_vanish: bool = False
    sound: bool = True

    def about(self, people: IntArray) -> Same:
        """The clue about these of the known records, one for each query."""
        return replace(self, known=self.known[people])

    def turned(self) -> Same:
        """The clue for masked records that look for a known one."""
        return replace(self, known=self.masked, masked=self.known)

    def open_where_unknown(self) -> Range | Same:
        """The clue that rules nothing out where a cell is missing that nobody's is in the masked file."""
        if (self.known >= 0).all() or (self.masked < 0).any():
            return self
        known = np.where(self.known < 0, np.nan, self.known)
        places = self.masked.astype(np.float64)
        line = Range(
            columns=self.columns,
            axis=places,
            low=known,
            high=known,
            may_vanish=self.may_vanish,
            sound=self.sound,
        )
        return line.open_where_unknown()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Near:
    """A masked record probably belongs to a known one only if its group is one of the nearest.

    `labels` are the groups of the masked records, `groups[i]` the nearest of known record i, from near to far. `tried`
    says how many of these are taken in: the first number that leaves a record, together with the other clues.
    """

    columns: tuple[str, ...]
    labels: IntArray
    groups: IntArray
    tried: tuple[int, ...]
    sound: bool = False

    def about(self, people: IntArray) -> Near:
        """The clue about these of the known records, one for each query."""
        return replace(self, groups=self.groups[people])

    def within(self, count: int) -> Near:
        """The clue that takes in so many of the nearest groups."""
        return replace(self, groups=self.groups[:, :count])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Points:
    """Coordinates whose squared distance is minus twice the logarithm of the likelihood, but for a constant.

    Records that are equally likely can be `slack` farther apart, because coordinates are rounded. The likelihood is
    that of a masked record for one known record, over its share in the file. `back` holds coordinates of the masked and
    the known records for the likelihood itself, with one constant for all: whom a masked record likeliest comes from.
    Without it they are the same.
    """

    columns: tuple[str, ...]
    known: Axes
    masked: Axes
    slack: float = 0.0
    back: tuple[Axes, Axes] | None = None

    def turned(self) -> Points:
        """The clue for masked records that look for the known one they likeliest come from."""
        masked, known = self.back or (self.masked, self.known)
        return replace(self, known=masked, masked=known)


Clue = Range | Same | Near | Points


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PublishedStep:
    """A published step as an attack sees it: the columns the intruder knows, both files, and what came after.

    `blanked` says of which columns cells were blanked by another step, and `blanked_before` of which before this one:
    the step then saw fewer values than the intruder knows. `whole` says whether the intruder holds the file that was
    published, nobody more and nobody less; `dropped_after` whether records were dropped after this step, so that the
    masked file no longer holds all that it left. `p_at_most` and `nearest` are what the intruder goes by in place of
    what is published. `truth` says what labels stand for that their own words do not explain, and nothing else. Of
    datasets, `people` are the rows of those who are looked for, and `room` is where they are judged.
    """

    method: str
    parameters: Mapping[str, Any]
    columns: tuple[str, ...]
    known: Table | Dataset
    masked: Table | Dataset
    blanked: frozenset[str]
    blanked_before: frozenset[str]
    whole: bool
    dropped_after: bool
    p_at_most: float | None = None
    nearest: int | None = None
    truth: IntArray = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    transitions: Mapping[str, Any] = field(default_factory=dict, repr=False)

    people: IntArray | None = field(default=None, repr=False)
    room: Workroom | None = field(default=None, repr=False)

    @property
    def variant(self) -> str:
        return str(self.parameters.get("variant", ""))

    @property
    def held(self) -> int:
        """Of how many records points are made at once."""
        records = max(len(self.known), len(self.masked))
        return records if self.room is None else min(records, self.room.part_records)

    def tables(self, name: str) -> tuple[Table, Table]:
        """A known and a published table that hold a column: of datasets that column alone."""
        return holding(self.known, name), holding(self.masked, name)

    def numbers(self, name: str) -> tuple[FloatArray, FloatArray]:
        """The known and the published numbers of a column."""
        known, masked = self.tables(name)
        return numbers_of(known, name), numbers_of(masked, name)

    def matrix(self, columns: Iterable[FloatArray]) -> Matrix:
        """Columns of numbers side by side; those of datasets lie in files, one after the other being held."""
        if self.room is None:
            return np.column_stack(list(columns))
        stored = tuple(self.room.stored(each) for each in columns)
        return StoredMatrix(stored, len(self.known))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepClues:
    """The clues that one step gives, and why a column of it gives none."""

    clues: tuple[Clue, ...] = ()
    silent: Mapping[str, str] = field(default_factory=dict)


def touched(manifest: PublicManifest, keys: tuple[str, ...]) -> dict[str, list[int]]:
    """For each key the numbers of the steps that changed it."""
    found: dict[str, list[int]] = {name: [] for name in keys}
    for number, step in enumerate(manifest.steps):
        if not find("mask", step["method"]).changes_values:
            continue
        named = step["parameters"].get("columns")
        for name in keys if named is None else [each for each in named if each in found]:
            found[name].append(number)
    return found


def drops_records(step: Mapping[str, Any]) -> bool:
    """Whether a step leaves out or adds records."""
    return not find("mask", step["method"]).keeps_rows


def present(values: FloatArray) -> FloatArray:
    """The values that are there, sorted."""
    return np.sort(values[~np.isnan(values)])
