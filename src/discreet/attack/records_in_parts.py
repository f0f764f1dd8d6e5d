"""Known and published records of datasets as they are compared, and the nearest ones looked for part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from discreet._kernels.nearest.cells import Cells, Costs
from discreet.attack.points import (
    ScaledColumn,
    columns_as_sets,
    compared_columns,
    largest_of,
    slack_within,
)
from discreet.attack.records import (
    MOST_CELLS_LINKED,
    Both,
    Least,
    NearestMatches,
    Records,
    is_point,
    is_silent,
    least_distances,
    limits_of,
    mean_gap,
    people_tried,
    share_unlike,
    slack_of_cells,
)
from discreet.comparing import AxisColumn, CategoryColumn, ComparedColumn, StoredColumn
from discreet.dataset import Dataset
from discreet.errors import NotSplit
from discreet.in_parts import room_of
from discreet.progress import Progress, part
from discreet.stored import Stored, Workroom
from discreet.table import BoolArray, FloatArray, IntArray


class KeyColumn(NamedTuple):
    """A key as it is compared, and what `is_point` and `is_silent` say of it."""

    stored: StoredColumn
    plain: bool
    silent: bool

    @property
    def column(self) -> ComparedColumn:
        """The column without its arrays."""
        return self.stored.column

    def whole(self) -> ComparedColumn:
        """The column in memory."""
        return self.stored.whole()


def stored_columns(
    original: Dataset, masked: Dataset, keys: Sequence[str], *, as_sets: bool = False
) -> list[KeyColumn]:
    """The keys as they are compared, one held at a time. Record i of one dataset belongs to record i of the other.

    With `as_sets` each published cell stands for all that it can (`columns_as_sets`).
    """
    room = room_of(masked)
    compared = columns_as_sets if as_sets else compared_columns

    def made(name: str) -> KeyColumn:
        tables = original.whole([name]), masked.whole([name])
        column = compared(*tables, [name], np.arange(len(masked)))[0]
        return KeyColumn(StoredColumn.of(column, room), is_point(column), is_silent(column))

    kind = "as sets" if as_sets else "compared"
    return [room.once((kind, name), partial(made, name)) for name in keys]


def telling_columns(columns: Sequence[KeyColumn]) -> list[KeyColumn]:
    """Those that `telling` would keep."""
    return [each for each in columns if not each.silent] or list(columns)


def refuse_truth(name: str, truth: IntArray | None, training: IntArray | None) -> None:
    """Raises NotSplit for pairs other than those of records in the same place."""
    if truth is not None or training is not None:
        raise NotSplit(f"{name}: truth and training do not work on a dataset in parts. Leave them out.")


def refuse_pairs(name: str, masked: Dataset, truth: IntArray | None, training: IntArray | None) -> None:
    """Raises NotSplit for pairs other than those of records in the same place, and for people with several records."""
    refuse_truth(name, truth, training)
    if room_of(masked).persons is not None:
        raise NotSplit(
            f"{name}: where several records are of one person, a dataset in parts is not linked yet. Read the table "
            "(discreet.read) where it fits in memory."
        )


def among(people: IntArray, tried: IntArray, chance: FloatArray) -> FloatArray:
    """The chances of those tried, in the places that they have among all people; NaN for the others."""
    found = np.full(len(people), np.nan)
    found[np.searchsorted(people, tried)] = chance
    return found


class StoredRecords(NamedTuple):
    """The records of one dataset as they are compared, an array in a file for each column; points have no codes."""

    low: tuple[Stored, ...]
    high: tuple[Stored, ...]
    codes: tuple[Stored, ...]
    points: bool

    @property
    def width(self) -> int:
        return len(self.low) + len(self.codes)

    def rows(self, some: slice | IntArray) -> Records:
        """Some of the records, in memory."""
        codes = [each.rows(some).astype(np.int64) for each in self.codes]
        low = [each.rows(some) for each in self.low]
        count = len((low or codes)[0])
        numbers = np.column_stack([np.empty((count, 0)), *low])
        if self.points:
            return numbers
        ends = numbers
        if self.high != self.low:
            ends = np.column_stack([np.empty((count, 0)), *(each.rows(some) for each in self.high)])
        return Cells(numbers, ends, np.column_stack([np.empty((count, 0), np.int64), *codes]))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBoth:
    """The records that look for a partner and those looked at, as in `Both`, in files."""

    queries: StoredRecords
    targets: StoredRecords
    slack: float
    costs: Costs | None = None
    squared: bool = False

    def turned(self) -> StoredBoth:
        """The same with the datasets in each other's place."""
        return replace(self, queries=self.targets, targets=self.queries)

    def both(self, queries: Records, targets: Records) -> Both:
        """Some records of both in memory."""
        return Both(
            queries=queries, targets=targets, slack=self.slack, costs=self.costs, squared=self.squared
        )

    def limits(self, nearest: FloatArray) -> FloatArray:
        """The greatest distance that is as near as each of the least ones."""
        return limits_of(nearest, self.slack, squared=self.squared or self.targets.points)

    def apart(self, queries: IntArray, targets: IntArray) -> FloatArray:
        """The distance of each pair of a query and a target, as in `Both`."""
        places = np.arange(len(queries))
        return self.both(self.queries.rows(queries), self.targets.rows(targets)).apart(places, places)

    def tried(self, people: IntArray, records: int) -> IntArray:
        """Those of the people who can be looked for in reasonable time."""
        if self.targets.points:
            return people
        return people_tried(people, MOST_CELLS_LINKED / max(1, records * self.targets.width))


def stored_points(
    columns: Sequence[KeyColumn], room: Workroom, weights: FloatArray | None = None
) -> StoredBoth:
    """Columns of plain numbers as points, as in `as_points`."""
    roots = np.ones(len(columns)) if weights is None else np.sqrt(weights)
    sides: tuple[list[Stored], list[Stored]] = ([], [])
    errors, largest = np.empty(len(columns)), np.empty(len(columns))
    for place, (each, root) in enumerate(zip(columns, roots.tolist(), strict=True)):
        column = each.whole()
        assert isinstance(column, AxisColumn)
        scaled = ScaledColumn.of(column)
        del column
        ends = tuple(each if root == 1 else each * root for each in (scaled.known_low, scaled.low))
        errors[place] = scaled.error * root
        largest[place] = max(float(largest_of(end[:, None])[0]) for end in ends)
        for side, end in zip(sides, ends, strict=True):
            side.append(room.stored(end))
    known, published = (StoredRecords(tuple(side), tuple(side), (), True) for side in sides)
    return StoredBoth(queries=known, targets=published, slack=slack_within(errors, largest))


def stored_records(columns: Sequence[KeyColumn], room: Workroom) -> StoredBoth:
    """Columns in the form that the distance 'auto' compares, as in `as_records`."""
    told = telling_columns(columns)
    names = (each.column.name for each in told)
    plain = all(each.plain for each in told)
    return room.once(
        ("as records", *names), lambda: stored_points(told, room) if plain else stored_cells(told, room)
    )


class _Axis(NamedTuple):
    """Where the cells of a column of numbers begin and end, and what a blank and rounding come to."""

    known: tuple[Stored, Stored]
    published: tuple[Stored, Stored]
    blank: float
    error: float
    largest: float


def _axis(column: AxisColumn, factor: float, room: Workroom, *, squared: bool, as_known: bool) -> _Axis:
    scaled = ScaledColumn.of(column, as_known=as_known)
    sides, largest = [], 0.0
    for low, high in ((scaled.known_low, scaled.known_high), (scaled.low, scaled.high)):
        same = high is low or np.array_equal(low, high, equal_nan=True)
        least = room.stored(low * factor)
        sides.append((least, least if same else room.stored(high * factor)))
        largest = max(largest, *(float(largest_of((end * factor)[:, None])[0]) for end in (low, high)))
    blank = factor * mean_gap(scaled, squared)
    return _Axis(sides[0], sides[1], blank, factor * scaled.error, largest)


def stored_cells(
    columns: Sequence[KeyColumn],
    room: Workroom,
    weights: FloatArray | None = None,
    *,
    squared: bool = False,
    as_known: bool = False,
) -> StoredBoth:
    """Columns of any kind as cells, as in `as_cells`, one column held at a time."""
    weigh = np.ones(len(columns)) if weights is None else weights
    axes, codes, unlike, blank_code, holds = [], [], [], [], []
    for each, weight in zip(columns, weigh.tolist(), strict=True):
        if isinstance(each.column, CategoryColumn):
            column = each.whole()
            assert isinstance(column, CategoryColumn)
            codes.append(each.stored.arrays)
            unlike.append(weight)
            blank_code.append(weight * share_unlike(column))
            holds.append(np.ascontiguousarray(column.holds.T))
        else:
            axis = each.whole()
            assert isinstance(axis, AxisColumn)
            factor = float(np.sqrt(weight)) if squared else float(weight)
            axes.append(_axis(axis, factor, room, squared=squared, as_known=as_known))
    known, published = (
        StoredRecords(
            tuple(low for low, _ in ends), tuple(high for _, high in ends), tuple(code), points=False
        )
        for ends, code in (
            ([each.known for each in axes], [each[0] for each in codes]),
            ([each.published for each in axes], [each[1] for each in codes]),
        )
    )
    errors, largest = (
        np.array([getattr(each, name) for each in axes], dtype=np.float64) for name in ("error", "largest")
    )
    costs = Costs(
        blank=np.array([each.blank for each in axes], dtype=np.float64),
        blank_code=np.array(blank_code, dtype=np.float64),
        unlike=np.array(unlike, dtype=np.float64),
        holds=tuple(holds),
    )
    slack = slack_of_cells(errors, largest, len(columns), squared)
    return StoredBoth(queries=known, targets=published, slack=slack, costs=costs, squared=squared)


@dataclass(frozen=True, slots=True, kw_only=True)
class Looking:
    """Looks for some records in one part of the others: what is nearer than what each is known to have."""

    stored: StoredBoth
    queries: Records
    bounds: FloatArray
    part_records: int

    def __call__(self, first: int) -> Least:
        targets = self.stored.targets.rows(slice(first, first + self.part_records))
        nobody = np.full(len(self.bounds), -1)
        found = least_distances(self.stored.both(self.queries, targets), nobody, self.bounds)
        return found._replace(first=found.first + first)


def nearest_in_parts(
    stored: StoredBoth, people: IntArray, records: int, room: Workroom, progress: Progress
) -> tuple[NearestMatches, FloatArray]:
    """The nearest of all targets of some queries, whose partners have their own rows; and the least distances.

    The parts are looked into each by itself, with the own partner as what is known. Where the least distances of two
    parts differ by no more than rounding, both hold ties, and are counted again by the least one of all.
    """
    queries = stored.queries.rows(people)
    own = own_distances(stored, people, queries)
    work = Looking(stored=stored, queries=queries, bounds=own, part_records=room.part_records)
    starts = range(0, records, room.part_records)
    found = _Merged.nothing(own)
    for each in room.each(work, starts, part(progress, 0, 2, "link"), "link"):
        found.add(each, stored)
    again = np.flatnonzero(found.unsure)
    if len(again):
        some = queries.rows(again) if isinstance(queries, Cells) else queries[again]
        work = replace(work, queries=some, bounds=found.distance[again])
        ties, first = np.zeros(len(again), dtype=np.int64), np.full(len(again), -1)
        for each in room.each(work, starts, part(progress, 1, 2, "link"), "link"):
            first = np.where((first < 0) & (each.ties > 0), each.first, first)
            ties += each.ties
        found.ties[again], found.first[again] = ties, first
    right = own <= stored.limits(found.distance)
    chance = right / np.maximum(found.ties, 1)
    return NearestMatches(chance, found.first, found.ties), found.distance


def own_distances(stored: StoredBoth, people: IntArray, queries: Records) -> FloatArray:
    """How far each of the people is from the own record."""
    places = np.arange(len(people))
    return stored.both(queries, stored.targets.rows(people)).apart(places, places)


@dataclass(slots=True)
class _Merged:
    """What the parts so far have found for each query; `unsure` are those whose ties must be counted again."""

    distance: FloatArray
    ties: IntArray
    first: IntArray
    unsure: BoolArray

    @classmethod
    def nothing(cls, bounds: FloatArray) -> _Merged:
        count = np.zeros(len(bounds), dtype=np.int64)
        return cls(bounds.copy(), count, np.full(len(bounds), -1), np.zeros(len(bounds), dtype=bool))

    def add(self, part: Least, stored: StoredBoth) -> None:
        """Adds what one more part has found."""
        least = np.minimum(self.distance, part.distance)
        limit = stored.limits(least)
        mine = (self.ties > 0) & (self.distance <= limit)
        theirs = (part.ties > 0) & (part.distance <= limit)
        self.unsure |= (mine & (self.distance > least)) | (theirs & (part.distance > least))
        self.first = np.where(theirs & ~mine, part.first, self.first)
        self.ties = np.where(mine, self.ties, 0) + np.where(theirs, part.ties, 0)
        self.distance = least
