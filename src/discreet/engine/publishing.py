"""Writing the published files of a dataset: its records in the published order, in parts, each read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from discreet.dataset import DataFile, Dataset, Shelf
from discreet.engine.checking import BY_RECORDS, check_records
from discreet.engine.running import Engine
from discreet.engine.scratch import Cut, cut_by, gathered, put_at
from discreet.errors import GuaranteeBroken
from discreet.guarantees import Guarantee
from discreet.manifest import PublishedPart
from discreet.progress import Progress, part
from discreet.reading.content import file_digest
from discreet.table import Column, Table
from discreet.writing.arrow import write_parquet
from discreet.writing.plain import texts_of_categories

PLACE = "(place)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spreading:
    """Sorts the records of one part by the published file that they go to."""

    dataset: Dataset
    places: Path
    folder: Path
    part_records: int

    def __call__(self, first: int) -> Cut:
        records = min(self.part_records, len(self.dataset) - first)
        frame = self.dataset.part(first, records).frame
        place = np.load(self.places, mmap_mode="r")[first : first + records]
        file = place // self.part_records
        inside = pl.Series(PLACE, (place - file * self.part_records).astype(np.uint32))
        path = self.folder / f"spread-{first // self.part_records:06}.arrow"
        files = -(-len(self.dataset) // self.part_records)
        return cut_by(frame.with_columns(inside), file, files, path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Writes one published file, reads it back, and checks what is guaranteed of each record in it."""

    cuts: tuple[Cut, ...]
    name: str
    columns: tuple[Column, ...]
    guarantees: tuple[Guarantee, ...]
    folder: Path

    def __call__(self, place: int) -> PublishedPart:
        frame = gathered(self.cuts, range(place, place + 1))
        names = [each.name for each in self.columns]
        plain = texts_of_categories(put_at(frame[PLACE].to_numpy(), frame.select(names)))
        del frame
        path = self.folder / f"part-{place:05}.parquet"
        write_parquet(plain, path)
        written = pl.read_parquet(path)
        if not written.equals(plain, null_equal=True):
            raise GuaranteeBroken(
                f"the published file {path.name} does not read back as it was written; nothing was published."
            )
        del plain
        check_records(self.guarantees, Table(name=self.name, columns=self.columns, frame=written))
        return PublishedPart(name=path.name, digest=file_digest(path), records=written.height)


def write_parts(
    dataset: Dataset,
    places: Path,
    folder: Path,
    scratch: Path,
    part_records: int,
    engine: Engine,
    progress: Progress,
    guarantees: Sequence[Guarantee],
) -> tuple[PublishedPart, ...]:
    """The published files: the record at place p of the order is the p-th of all files together.

    `places` is a file with the place of each record of the dataset. Of the guarantees those about each record are
    checked on each file.
    """
    spreading = Spreading(dataset=dataset, places=places, folder=scratch, part_records=part_records)
    starts = range(0, max(1, len(dataset)), part_records)
    cuts = tuple(
        engine.each(spreading, starts, scratch=scratch, progress=part(progress, 0, 2, "write"), what="write")
    )
    writing = Writing(
        cuts=cuts,
        name=dataset.name,
        columns=dataset.columns,
        guarantees=tuple(each for each in guarantees if isinstance(each, BY_RECORDS)),
        folder=folder,
    )
    return tuple(
        engine.each(
            writing, range(len(starts)), scratch=scratch, progress=part(progress, 1, 2, "write"), what="write"
        )
    )


def as_written(dataset: Dataset, folder: Path, parts: Sequence[PublishedPart]) -> Dataset:
    """The dataset of the published files."""
    files = tuple(DataFile.of(folder / each.name, each.records) for each in parts)
    types = texts_of_categories(pl.DataFrame(schema=dict(_types(dataset)))).schema
    return replace(dataset, shelves=(Shelf(names=dataset.names, files=files),), types=types)


def _types(dataset: Dataset) -> dict[str, pl.DataType]:
    return {name: dataset.types[name] for name in dataset.names}
