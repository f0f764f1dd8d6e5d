"""A dataset and its release beside each other, record by record, for the methods that judge them in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from discreet.attack.records import people_tried
from discreet.dataset import DataFile, Dataset, Shelf
from discreet.engine.running import Engine, Threads
from discreet.engine.scratch import scratch_beside, write_arrow
from discreet.households import filled_alike, told_by_members
from discreet.manifest import PrivateManifest
from discreet.plan import Plan
from discreet.progress import SILENT, Progress
from discreet.protection import dropped_columns
from discreet.public_half import public_half
from discreet.reading.scan import digest_of_files
from discreet.release import ReleaseInParts
from discreet.shown import columns_as_shown
from discreet.stored import Stored
from discreet.table import IntArray, Role, Source, Table

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Where a dataset is judged, as `Workroom` describes it; what it holds lies in a private folder."""

    people: IntArray
    part_records: int
    whole_cells: int
    engine: Engine
    scratch: Path
    kept: dict[tuple[object, ...], Any]
    numbers: Iterator[int]
    persons: Stored | None = None

    def stored(self, values: npt.NDArray[Any]) -> Stored:
        return Stored.of(values, self.scratch / f"array-{next(self.numbers)}.npy")

    def once(self, what: tuple[object, ...], make: Callable[[], R]) -> R:
        if what not in self.kept:
            self.kept[what] = make()
        return cast(R, self.kept[what])

    def each(
        self, work: Callable[[int], R], starts: Sequence[int], progress: Progress, what: str
    ) -> Iterator[R]:
        return self.engine.each(work, starts, scratch=self.scratch, progress=progress, what=what)


@contextmanager
def judging(
    original: Dataset, release: ReleaseInParts, *, engine: Engine | None = None
) -> Iterator[tuple[Dataset, Dataset]]:
    """The original and what was published of it, in the order of the original, while the block runs."""
    place = Path(original.shelves[0].files[0].path).parent if release.folder is None else release.folder
    rows = people_tried(np.arange(len(original)), release.people)
    with scratch_beside(place) as scratch:
        room = Room(
            people=rows,
            part_records=release.part_records,
            whole_cells=release.whole_cells,
            engine=engine or Threads(),
            scratch=scratch,
            kept={},
            numbers=count(),
        )
        holders = original.having(Role.PERSON)
        if holders:
            persons = original.whole(holders).persons()
            assert persons is not None
            room = replace(room, persons=room.stored(persons))
        masked = in_order_of_original(release, room)
        yield replace(original, room=room), replace(masked, room=room)
        original.check_unchanged()


def in_order_of_original(release: ReleaseInParts, room: Room) -> Dataset:
    """The published records in the order of the original: each column read, sorted and written by itself."""
    rows = release.order
    if rows is None:
        return release.table
    # As numbers that frames take without a copy: this is held once for each column that is sorted at the time.
    places = np.empty(len(rows), dtype=np.uint32)
    places[rows] = np.arange(len(rows), dtype=np.uint32)
    del rows
    names = release.table.names
    work = Sorting(dataset=release.table, places=room.stored(places), folder=room.scratch)
    files = list(room.each(work, range(len(names)), SILENT, "sort"))
    shelves = tuple(Shelf(names=(name,), files=(file,)) for name, file in zip(names, files, strict=True))
    return replace(release.table, shelves=shelves)


def as_read(original: Dataset, masked: Dataset, columns: Sequence[str]) -> tuple[Dataset, Dataset]:
    """Both datasets as an intruder reads them: what another member of a household tells stands in blanks.

    One column is held at a time.
    """
    assert masked.room is not None
    room = cast(Room, masked.room)
    if not masked.having(Role.HOUSEHOLD):
        return original, masked
    for name in columns:
        known, published = (
            side.whole(list(dict.fromkeys([name, *side.having(Role.HOUSEHOLD)])))
            for side in (original, masked)
        )
        if told_by_members(published, [name]):
            known, published = filled_alike(known, published, [name])
            original = _with_column(original, known, name, room)
            masked = _with_column(masked, published, name, room)
    return original, masked


def _with_column(dataset: Dataset, table: Table, name: str, room: Room) -> Dataset:
    """The dataset with a column of a table in place of its own, in a file."""
    path = room.scratch / f"filled-{next(room.numbers)}.arrow"
    write_arrow(table.frame.select(name), path)
    shelf = Shelf(names=(name,), files=(DataFile.of(path, len(dataset)),))
    return dataset.with_shelf(shelf, [dataset[name]], {name: table.dtype(name)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorting:
    """Puts one published column into the order of the original, in a file."""

    dataset: Dataset
    places: Stored
    folder: Path

    def __call__(self, number: int) -> DataFile:
        name = self.dataset.names[number]
        path = self.folder / f"column-{number:04}.arrow"
        places = pl.Series(self.places.rows(slice(None)))
        frame = self.dataset.whole([name]).frame.select(pl.all().gather(places))
        del places
        write_arrow(frame, path)
        return DataFile.of(path, frame.height)


def with_source(original: Dataset) -> Dataset:
    """The dataset with the digest of its files."""
    return replace(original, source=Source(path=original.name, digest=digest_of_files(original)))


def as_it_is(original: Dataset) -> ReleaseInParts:
    """The original with nothing masked, in its own order, without its identifiers."""
    dropped = dropped_columns(original, (), ())
    left = original.without(dropped)
    shown = replace(left, columns=columns_as_shown(left))
    manifest = public_half(
        shown,
        types=original.types,
        steps=(),
        guarantees=(),
        dropped=len(dropped),
        pseudonymised=(),
        order="kept",
        rows_kept=True,
    )
    secrets = PrivateManifest(
        seed=0,
        plan=Plan.of([]),
        original=original.source,
        original_records=len(original),
        dropped=tuple(dropped),
    )
    return ReleaseInParts(table=shown, manifest=manifest, private=secrets)
