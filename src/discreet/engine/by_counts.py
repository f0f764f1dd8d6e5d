"""Steps that need to know how many records have each combination of values, and nothing else of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.dataset import DataFile, Dataset
from discreet.engine.running import Engine
from discreet.engine.scratch import write_arrow
from discreet.engine.steps import PartDone, Step, refuse_repeated_persons
from discreet.guarantees import AboutClasses
from discreet.progress import Progress, part
from discreet.table import IntArray, Role, Table

COUNT, PLACE = "(count)", "(place)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """The combinations that occur in one part, and how many records have each."""

    dataset: Dataset
    columns: tuple[str, ...]
    part_records: int

    def __call__(self, first: int) -> pl.DataFrame:
        records = min(self.part_records, len(self.dataset) - first)
        frame = self.dataset.part(first, records, self.columns).frame
        return frame.group_by(self.columns).agg(pl.len().cast(pl.Int64).alias(COUNT))


class Combinations(NamedTuple):
    """The distinct combinations of a dataset with their counts, and for each part those that occur in it."""

    table: Table
    counts: IntArray
    parts: tuple[pl.DataFrame, ...]


def combinations_of(
    dataset: Dataset,
    columns: Sequence[str],
    folder: Path,
    part_records: int,
    engine: Engine,
    progress: Progress,
) -> Combinations:
    """The combinations of some columns of a dataset, each with its count."""
    work = Counting(dataset=dataset, columns=tuple(columns), part_records=part_records)
    starts = range(0, max(1, len(dataset)), part_records)
    parts = list(engine.each(work, starts, scratch=folder, progress=progress, what="count"))
    every = pl.concat(parts).group_by(columns).agg(pl.col(COUNT).sum()).sort(columns)
    every = every.with_row_index(PLACE).with_columns(pl.col(PLACE).cast(pl.Int64))
    known = every.drop(COUNT)
    placed = [
        each.join(known, on=columns, how="left", nulls_equal=True).select(PLACE, COUNT).sort(PLACE)
        for each in parts
    ]
    table = Table(
        name=dataset.name,
        columns=tuple(dataset[name] for name in columns),
        frame=every.select(columns),
        home=dataset.home,
    )
    return Combinations(table, every[COUNT].to_numpy(), tuple(placed))


class Share(NamedTuple):
    """A part, and of each combination in it how many records come before it in the file."""

    first: int
    places: IntArray
    earlier: IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacing:
    """Puts what became of its combination in the place of each record of one part."""

    dataset: Dataset
    known: pl.DataFrame
    begins: IntArray
    ends: IntArray
    fresh: pl.DataFrame
    folder: Path
    part_records: int

    def __call__(self, share: Share) -> DataFile:
        records = min(self.part_records, len(self.dataset) - share.first)
        columns = [name for name in self.known.columns if name != PLACE]
        frame = self.dataset.part(share.first, records, columns).frame
        place = frame.join(self.known, on=columns, how="left", nulls_equal=True, maintain_order="left")[
            PLACE
        ].to_numpy()
        earlier = share.earlier[np.searchsorted(share.places, place)]
        item = np.searchsorted(
            self.ends, self.begins[place] + earlier + _rank_among_equals(place), side="right"
        )
        path = self.folder / f"rows-{share.first // self.part_records:06}.arrow"
        write_arrow(self.fresh[item], path)
        return DataFile.of(path, records)


def _rank_among_equals(values: IntArray) -> IntArray:
    """How many equal values come before each value."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.searchsorted(ordered, ordered)
    rank = np.empty(len(values), dtype=np.int64)
    rank[order] = np.arange(len(values)) - starts
    return rank


def masked_by_counts(
    dataset: Dataset, step: Step, folder: Path, part_records: int, engine: Engine, progress: Progress
) -> PartDone:
    """The new columns of all parts: combinations counted, masked by their counts, and put in place."""
    refuse_repeated_persons(dataset, step)
    assert step.method.by_counts is not None
    name = step.call.name
    found = combinations_of(dataset, step.columns, folder, part_records, engine, part(progress, 0, 3, name))
    given = {each.name: each.default for each in step.method.parameters} | dict(step.call.parameters)
    given["columns"] = step.columns
    masking = step.method.by_counts(found.table, found.counts, progress=part(progress, 1, 3, name), **given)
    ends = np.cumsum(masking.counts)
    begins = np.concatenate([[0], np.cumsum(np.bincount(masking.origin, weights=masking.counts))])[:-1]
    work = Replacing(
        dataset=dataset,
        known=found.table.frame.with_columns(pl.Series(PLACE, np.arange(len(found.table)))),
        begins=begins.astype(np.int64),
        ends=ends,
        fresh=masking.frame,
        folder=folder,
        part_records=part_records,
    )
    shares = list(_shares(found, part_records))
    files = tuple(engine.each(work, shares, scratch=folder, progress=part(progress, 2, 3, name), what=name))
    return PartDone(
        files=files,
        columns=masking.columns,
        types={each: masking.frame[each].dtype for each in step.columns},
        facts=masking.facts,
        guarantees=tuple(
            replace(each, people=bool(dataset.having(Role.PERSON)))
            if isinstance(each, AboutClasses)
            else each
            for each in masking.guarantees
        ),
        parameters=given | {"columns": list(step.columns)},
    )


def _shares(found: Combinations, part_records: int) -> Iterator[Share]:
    before = np.zeros(len(found.counts), dtype=np.int64)
    for number, each in enumerate(found.parts):
        places, counts = each[PLACE].to_numpy(), each[COUNT].to_numpy()
        yield Share(number * part_records, places, before[places])
        before[places] += counts
