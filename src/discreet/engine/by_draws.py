"""Steps that draw some of the records: the draw sees a few columns of all of them, and the others follow in parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.dataset import DataFile, Dataset, Shelf
from discreet.engine.running import Engine
from discreet.engine.scratch import write_arrow
from discreet.engine.steps import Step
from discreet.guarantees import Guarantee, NoOtherValues
from discreet.mask.sample import columns_as_they_are
from discreet.progress import Progress
from discreet.results import Masked, plain
from discreet.table import IntArray, Role, Table

LONG = "stands_for"
"""A fact that has a number for each record; the weights say the same."""


class Share(NamedTuple):
    """A part: its first record, those of its records that were drawn, and the new values of columns of these."""

    first: int
    rows: IntArray
    fresh: pl.DataFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """Writes the records of one part that were drawn."""

    dataset: Dataset
    folder: Path
    part_records: int

    def __call__(self, share: Share) -> DataFile:
        records = min(self.part_records, len(self.dataset) - share.first)
        frame = self.dataset.part(share.first, records).frame[share.rows]
        path = self.folder / f"drawn-{share.first // self.part_records:06}.arrow"
        write_arrow(frame.with_columns(share.fresh.get_columns()), path)
        return DataFile.of(path, frame.height)


class Drawn(NamedTuple):
    """The records that were drawn, where each of them stood, and what is told of the step."""

    dataset: Dataset
    origin: IntArray
    step: Masked


def drawn_of(
    dataset: Dataset, step: Step, folder: Path, part_records: int, engine: Engine, progress: Progress
) -> Drawn:
    """The dataset of the records that a step draws, in the order they had."""
    looked_at = _looked_at(dataset, step)
    masked: Masked = step.method.function(looked_at, **step.call.parameters, seed=step.seed)
    assert masked.origin is not None
    origin = masked.origin
    weights = list(dataset.having(Role.WEIGHT))
    fresh = masked.table.frame.select(weights)
    starts = range(0, max(1, len(dataset)), part_records)
    ends = np.searchsorted(origin, [*starts, len(dataset)]).tolist()
    shares = [
        Share(first, origin[begin:end] - first, fresh[begin:end])
        for first, begin, end in zip(starts, ends[:-1], ends[1:], strict=True)
    ]
    work = Keeping(dataset=dataset, folder=folder, part_records=part_records)
    files = tuple(engine.each(work, shares, scratch=folder, progress=progress, what=step.call.name))
    types = {**dataset.types, **{name: fresh[name].dtype for name in weights}}
    shelf = Shelf(names=dataset.names, files=files)
    kept = replace(dataset, shelves=(shelf,), types=types)
    told = replace(
        masked,
        table=Table(name=dataset.name, columns=(), frame=pl.DataFrame()),
        facts=plain({name: fact for name, fact in masked.facts.items() if name != LONG}),
        guarantees=tuple(_of_all(each, dataset) for each in masked.guarantees),
        origin=None,
    )
    return Drawn(kept, origin, told)


def _looked_at(dataset: Dataset, step: Step) -> Table:
    """The columns that the draw depends on, and one that is published as it is, so that this is guaranteed."""
    names = dict.fromkeys(
        (*step.seen, *dataset.having(Role.STRATUM), *columns_as_they_are(dataset)[:1], *dataset.names[:1])
    )
    return dataset.whole(list(names))


def _of_all(guarantee: Guarantee, dataset: Dataset) -> Guarantee:
    """The guarantee about all columns that the step left as they were."""
    if not isinstance(guarantee, NoOtherValues):
        return guarantee
    return replace(guarantee, columns=columns_as_they_are(dataset), before=None)
