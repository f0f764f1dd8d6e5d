"""Steps that mask each record by itself, once a few statistics of all records are known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from discreet.dataset import DataFile, Dataset
from discreet.engine.all_parts import AllParts, Where
from discreet.engine.running import Engine
from discreet.engine.scratch import write_arrow
from discreet.engine.steps import PartDone, Step, done_to, put_together
from discreet.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class RowWork:
    """Masks one part, and writes its new columns."""

    dataset: Dataset
    step: Step
    everybody: AllParts
    folder: Path
    part_records: int

    def __call__(self, first: int) -> PartDone:
        records = min(self.part_records, len(self.dataset) - first)
        part = self.dataset.part(first, records, self.step.seen)
        masked = self.step.run(part, all_records=self.everybody.at(first))
        path = self.folder / f"rows-{first // self.part_records:06}.arrow"
        write_arrow(masked.table.frame.select(self.step.columns), path)
        return done_to(masked, self.step.columns, (DataFile.of(path, records),))


def masked_by_rows(
    dataset: Dataset, step: Step, folder: Path, part_records: int, engine: Engine, progress: Progress
) -> PartDone:
    """The new columns of all parts.

    The first part is masked here, so that whatever statistics the method asks for are known before the others begin.
    """
    everybody = AllParts(dataset, Where(engine, folder, part_records))
    work = RowWork(dataset=dataset, step=step, everybody=everybody, folder=folder, part_records=part_records)
    starts = range(0, max(1, len(dataset)), part_records)
    first = work(starts[0])
    rest = engine.each(work, starts[1:], scratch=folder, progress=progress, what=step.call.name)
    return put_together(step, [first, *rest])
