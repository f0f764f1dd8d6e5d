"""What a manifest gives away of a dataset: known people looked for among all published records, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from discreet.attack.clues.kinds import Clue, Near, Points, Same
from discreet.attack.clues.search import (
    ComparedPoints,
    Hard,
    Narrowed,
    narrowed,
    with_few_groups,
    within,
)
from discreet.attack.clues.told import KnownFiles, clues_told, holds_all
from discreet.attack.compared_points import axes_count, can_go_back, settled_by, unsettled
from discreet.attack.disclosed import Disclosed, Told, chances, disclosed, sample_told
from discreet.attack.points import (
    Axes,
    CodedPoints,
    Stacked,
    TurnedPoints,
    axes_of,
    axes_of_rows,
    errors_of,
    largest_of,
    most_axes,
    slack_within,
)
from discreet.attack.records import people_tried
from discreet.attack.records_in_parts import KeyColumn, refuse_truth, stored_columns
from discreet.classes import classes_of
from discreet.comparing import AxisColumn, known_orders
from discreet.dataset import Dataset
from discreet.errors import DoesNotApply, NotComputable
from discreet.in_parts import room_of
from discreet.manifest import PublicManifest
from discreet.progress import SILENT, Progress, part
from discreet.stored import Stored, StoredMatrix, Workroom
from discreet.table import FloatArray, IntArray

MOST_PAIRS = 4e11
"""People times published records: beyond, fewer of the people are looked for in all parts."""


class StoredCodes(NamedTuple):
    """Points at few places, with the codes of all records in a file."""

    places: FloatArray
    codes: Stored


StoredAxes = StoredMatrix | StoredCodes | TurnedPoints
"""Points of all records, in files."""


def stored_axes(axes: Axes, room: Workroom) -> StoredAxes:
    """Points in files, one axis after the other."""
    if isinstance(axes, CodedPoints):
        return StoredCodes(axes.places, room.stored(axes.codes.astype(np.int32)))
    if isinstance(axes, TurnedPoints | StoredMatrix):
        return axes
    columns = (axes[:, place : place + 1] for place in range(axes.shape[1]))
    return StoredMatrix(tuple(room.stored(each[:, 0]) for each in columns), len(axes))


def axes_in(axes: StoredAxes, rows: slice) -> Axes:
    """The points of some records, in memory."""
    if isinstance(axes, StoredCodes):
        return CodedPoints(axes.places, axes.codes.rows(rows).astype(np.int64))
    if isinstance(axes, TurnedPoints):
        return TurnedPoints(axes.columns[rows], axes.stretch)
    return axes[rows]


class KeptClue(NamedTuple):
    """A clue about the people looked for, and what it says of the published records in a file."""

    clue: Hard
    published: Stored

    @classmethod
    def of(cls, clue: Hard, people: IntArray, room: Workroom) -> KeptClue:
        """The clue without what it says of anybody else."""
        none = np.zeros(0, dtype=np.int64)
        if isinstance(clue, Near):
            return cls(replace(clue, labels=none), room.stored(clue.labels))
        if isinstance(clue, Same):
            return cls(replace(clue.about(people), masked=none), room.stored(clue.masked))
        return cls(replace(clue.about(people), axis=none.astype(np.float64)), room.stored(clue.axis))

    def part(self, rows: slice) -> Hard:
        """The clue with what it says of some of the published records."""
        values = self.published.rows(rows)
        if isinstance(self.clue, Near):
            return replace(self.clue, labels=values)
        if isinstance(self.clue, Same):
            return replace(self.clue, masked=values)
        return replace(self.clue, axis=values)

    def about(self, people: IntArray) -> KeptClue:
        return self._replace(clue=self.clue.about(people))


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """Looks for people in one part of the published records, which lie in files; `truth` are their own rows."""

    clues: tuple[KeptClue, ...]
    known: Stacked
    masked: tuple[StoredAxes, ...]
    truth: IntArray
    slack: float
    records: int
    part_records: int
    groups: int = 1

    def about(self, people: IntArray) -> Narrowing:
        """The same for some of the people."""
        clues = tuple(each.about(people) for each in self.clues)
        return replace(self, clues=clues, known=self.known.only(people), truth=self.truth[people])

    def __call__(self, first: int) -> Narrowed:
        stop = min(self.records, first + self.part_records)
        rows, count = slice(first, stop), stop - first
        here = (self.truth >= first) & (self.truth < stop)
        points = ComparedPoints(
            known=self.known,
            masked=Stacked(parts=tuple(axes_in(each, rows) for each in self.masked), rows=np.arange(count)),
            truth=np.where(here, self.truth - first, -1),
            slack=self.slack,
        )
        return narrowed([within(each.part(rows), self.groups) for each in self.clues], points)

    def in_all_parts(self, room: Workroom, progress: Progress) -> Narrowed:
        """What is found among all published records."""
        starts = range(0, self.records, self.part_records)

        def tried(queries: IntArray, groups: int) -> Narrowed:
            work = replace(self.about(queries), groups=groups)
            found = Narrowed.nothing(len(queries))
            for first, each in zip(starts, room.each(work, starts, progress, "transparency"), strict=True):
                found.add(each, np.arange(first, min(self.records, first + self.part_records)), self.slack)
            return found

        return with_few_groups([each.clue for each in self.clues], len(self.truth), tried)


@dataclass(slots=True)
class _Clues:
    """The clues of a manifest as they come: those that rule out, and points that are likely."""

    people: IntArray
    room: Workroom
    hard: list[KeptClue] = field(default_factory=list)
    likely: list[Points] = field(default_factory=list)
    masked: list[StoredAxes] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)

    def keep(self, clue: Clue) -> None:
        """Keeps a clue for the people looked for, with what it says of published records in files."""
        self.kinds[", ".join(clue.columns)] = type(clue).__name__.lower()
        if not isinstance(clue, Points):
            self.hard.append(KeptClue.of(clue, self.people, self.room))
            return
        self.masked.append(stored_axes(clue.masked, self.room))
        known = axes_of_rows(clue.known, self.people)
        self.likely.append(replace(clue, known=known, masked=np.zeros((0, 0))))

    @property
    def all(self) -> list[Clue]:
        return [*(each.clue for each in self.hard), *self.likely]


def transparency_in_parts(
    original: Dataset,
    masked: Dataset,
    *,
    keys: Sequence[str],
    p: float | None,
    nearest: int | None,
    truth: IntArray | None,
    manifest: PublicManifest | None,
    progress: Progress = SILENT,
) -> Disclosed:
    """What `transparency` finds of the people looked for among all records of a dataset in parts."""
    if manifest is None:
        raise DoesNotApply("transparency: the intruder does not know the method, so there is nothing to use.")
    refuse_truth("transparency", truth, None)
    if len(masked) == 0:
        raise NotComputable("transparency: there is no record, so no link can be right or wrong.")
    room, names = room_of(masked), sorted(keys)
    wider = {each.name: each for each in known_orders(original, masked)}
    masked = replace(masked, columns=tuple(wider.get(each.name, each) for each in masked.columns))
    everybody, whole = np.arange(len(masked)), holds_all(original, masked, names)
    clues, turned = _Clues(room.people, room), _Clues(room.people, room)

    def keep(clue: Clue) -> None:
        clues.keep(clue)
        if isinstance(clue, Points | Same):
            turned.keep(clue.turned())

    files = KnownFiles(original, masked, manifest, everybody, whole, p, nearest, room.people, room)
    silent = clues_told(files, names, keep)
    columns = stored_columns(original, masked, names)
    tried = _tried(room.people, columns, clues.all, len(masked))
    places = np.searchsorted(room.people, tried)
    work = _narrowing(clues, columns, tried, places, len(masked))
    found = work.in_all_parts(room, part(progress, 0, 3, "transparency"))
    sound = tuple(each for each in work.clues if each.clue.sound)
    surely = found
    if len(sound) < len(work.clues):
        surely = replace(work, clues=sound).in_all_parts(room, part(progress, 1, 3, "transparency"))
    chance = chances(found)
    lost = np.flatnonzero(found.sizes == 0)
    if len(lost):
        plain = _narrowing(_Clues(room.people, room), columns, tried[lost], places[lost], len(masked))
        chance[lost] = chances(plain.in_all_parts(room, part(progress, 2, 3, "transparency")))
    told = Told(clues.kinds, silent)
    if can_go_back(clues.all):
        back = _narrowing(turned, columns, tried, places, len(masked), back=True)
        twins = classes_of(masked.rows(tried, names), names).label
        others = back.in_all_parts(room, part(progress, 2, 3, "transparency"))
        told, chance = told.with_back(chance, others, twins)
    result = disclosed(found, surely, chance, told, places, len(room.people), len(masked))
    untried = np.setdiff1d(np.arange(len(room.people)), places)
    return sample_told(result, untried, len(tried), len(masked))


def _tried(people: IntArray, columns: Sequence[KeyColumn], clues: Sequence[Clue], records: int) -> IntArray:
    """Those of the people who can be looked for in reasonable time."""
    most = axes_count((each.column for each in columns), clues).most_tried(records)
    return people_tried(people, min(most, MOST_PAIRS / records))


def _narrowing(
    clues: _Clues,
    columns: Sequence[KeyColumn],
    tried: IntArray,
    places: IntArray,
    records: int,
    *,
    back: bool = False,
) -> Narrowing:
    """The search for those tried, who are at these places among the people, by clues and by what is left to compare.

    With `back` their masked records look for them, by clues that are turned.
    """
    room, settled = clues.room, settled_by(clues.all)
    ordered = sorted(zip(clues.likely, clues.masked, strict=True), key=lambda pair: -pair[0].known.shape[1])
    known = [axes_of_rows(each.known, places) for each, _ in ordered]
    masked = [each for _, each in ordered]
    errors = np.array([_error(each, room) for each in columns])
    axes = most_axes(min(records, room.part_records))
    for column in unsettled((each.whole() for each in columns), settled, axes):
        left, right = axes_of(column)[::-1] if back else axes_of(column)
        known.append(axes_of_rows(left, tried))
        masked.append(stored_axes(right, room))
    stacked = Stacked(parts=tuple(known), rows=np.arange(len(tried)))
    largest = largest_of(stacked)
    for each in _pieces(masked, records, room.part_records):
        largest = np.maximum(largest, largest_of(each))
    return Narrowing(
        clues=tuple(each.about(places) for each in clues.hard),
        known=stacked,
        masked=tuple(masked),
        truth=tried,
        slack=slack_within(errors, largest) + sum(each.slack for each in clues.likely),
        records=records,
        part_records=room.part_records,
    )


def _pieces(masked: Sequence[StoredAxes], records: int, part_records: int) -> Iterator[Stacked]:
    """The points of the published records, part by part."""
    for first in range(0, records, part_records):
        rows = slice(first, min(records, first + part_records))
        yield Stacked(
            parts=tuple(axes_in(each, rows) for each in masked), rows=np.arange(rows.stop - rows.start)
        )


def _error(key: KeyColumn, room: Workroom) -> float:
    """By how much standardised values of a key can be off."""

    def made() -> float:
        return float(errors_of([key.whole()])[0]) if isinstance(key.column, AxisColumn) else 0.0

    return room.once(("error", key.column.name), partial(made))
