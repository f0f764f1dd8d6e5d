"""Steps that mask each column by itself: one column of all records fits in memory, and is masked as in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

import polars as pl

from discreet.dataset import DataFile, Dataset, Shelf
from discreet.engine.running import Engine
from discreet.engine.scratch import write_arrow
from discreet.engine.steps import PartDone, Step, light
from discreet.guarantees import Compared, Guarantee
from discreet.progress import Progress
from discreet.results import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnWork:
    """Masks one column of all records, with the columns beside it that the method looks at, and writes it in parts."""

    dataset: Dataset
    step: Step
    folder: Path
    part_records: int

    def __call__(self, place: int) -> PartDone:
        name = self.step.columns[place]
        others = [each for each in self.step.seen if each not in self.step.columns]
        table = self.dataset.whole([name, *others])
        masked = replace(self.step, columns=(name,)).run(table, first_column=place)
        fresh = masked.table.frame.select(name)
        return PartDone(
            files=tuple(self._written(fresh, place)),
            columns=(masked.table[name],),
            types={name: fresh[name].dtype},
            facts=plain({each: fact for each, fact in masked.facts.items() if each != "labels"}),
            guarantees=tuple(light(each) for each in masked.guarantees),
            parameters=masked.parameters,
        )

    def _written(self, fresh: pl.DataFrame, place: int) -> list[DataFile]:
        files = []
        for first in range(0, max(1, fresh.height), self.part_records):
            some = fresh[first : first + self.part_records]
            path = self.folder / f"column-{place:04}-{first // self.part_records:06}.arrow"
            write_arrow(some, path)
            files.append(DataFile.of(path, some.height))
        return files


def masked_by_columns(
    dataset: Dataset, step: Step, folder: Path, part_records: int, engine: Engine, progress: Progress
) -> PartDone:
    """The new columns, each masked by itself over all records."""
    work = ColumnWork(dataset=dataset, step=step, folder=folder, part_records=part_records)
    places = range(len(step.columns))
    done = list(engine.each(work, places, scratch=folder, progress=progress, what=step.call.name))
    return PartDone(
        shelves=tuple(
            Shelf(names=(name,), files=each.files) for name, each in zip(step.columns, done, strict=True)
        ),
        columns=tuple(column for each in done for column in each.columns),
        types={name: dtype for each in done for name, dtype in each.types.items()},
        facts=reduce(_facts_of_both, (each.facts for each in done)),
        guarantees=_of_all_columns([guarantee for each in done for guarantee in each.guarantees]),
        parameters={**done[0].parameters, "columns": list(step.columns)},
    )


def _facts_of_both(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Counts added up, and facts by column side by side."""
    both = {**one, **other}
    for name in set(one) & set(other):
        first, second = one[name], other[name]
        if isinstance(first, Mapping) and isinstance(second, Mapping):
            both[name] = {**first, **second}
        elif isinstance(first, int | float) and not isinstance(first, bool):
            both[name] = first + second
    return both


def _of_all_columns(guarantees: Sequence[Guarantee]) -> tuple[Guarantee, ...]:
    """What is guaranteed of all columns, as the method says it of a table: comparisons are of all together."""
    alone = [each for each in guarantees if not isinstance(each, Compared)]
    together: dict[type[Guarantee], Guarantee] = {}
    for each in guarantees:
        if isinstance(each, Compared):
            known = together.get(type(each))
            names = each.columns if known is None else (*known.columns, *each.columns)
            together[type(each)] = replace(each, columns=names)
    return (*alone, *together.values())
