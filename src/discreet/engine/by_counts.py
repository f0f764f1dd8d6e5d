"""Steps that need to know how many records have each combination of values, and nothing else of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.dataset import DataFile, Dataset
from discreet.engine.combinations import Combinations, combinations_of
from discreet.engine.running import Engine
from discreet.engine.scratch import write_arrow
from discreet.engine.steps import PartDone, Step, refuse_repeated_persons
from discreet.guarantees import AboutClasses
from discreet.method import CountedMasking
from discreet.progress import Progress, part
from discreet.table import BoolArray, IntArray, Role


class Share(NamedTuple):
    """A part, and what becomes of each combination in it: the item that is the only one, or its first record.

    `which` is the file that says which combination each record has. Where records of a combination become different
    things, its first record in this part is at `start` among all records of all items.
    """

    first: int
    which: str
    item: IntArray
    alone: BoolArray
    start: IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacing:
    """Puts what became of its combination in the place of each record of one part.

    The records of item i are those up to `ends[i]`, from where those of the item before it end.
    """

    ends: IntArray
    fresh: pl.DataFrame
    folder: Path
    part_records: int

    def __call__(self, share: Share) -> DataFile:
        which = np.load(share.which)
        item = share.item[which]
        shared = np.flatnonzero(~share.alone[which])
        own = which[shared]
        item[shared] = np.searchsorted(self.ends, share.start[own] + _rank_among_equals(own), side="right")
        path = self.folder / f"rows-{share.first // self.part_records:06}.arrow"
        write_arrow(self.fresh[item], path)
        return DataFile.of(path, len(which))


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
    work = Replacing(
        ends=np.cumsum(masking.counts),
        fresh=masking.frame.rechunk(),
        folder=folder,
        part_records=part_records,
    )
    shares = list(_shares(found, masking, part_records))
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


def _shares(found: Combinations, masking: CountedMasking, part_records: int) -> Iterator[Share]:
    items = np.bincount(masking.origin, minlength=len(found.counts))
    first_item = np.cumsum(items) - items
    # What comes before each combination among all records, and how many of its own came in the parts before.
    start = np.cumsum(found.counts) - found.counts
    for number, each in enumerate(found.parts):
        own = each.places
        yield Share(number * part_records, each.which, first_item[own], items[own] == 1, start[own])
        start[own] += each.counts
