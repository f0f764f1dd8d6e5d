"""Steps that mask near records together: each block of them by the method itself, as if it were the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from discreet import seeds
from discreet.dataset import DataFile, Dataset
from discreet.engine.all_parts import AllParts, Where
from discreet.engine.blocks import FEWEST, Coordinates, Cuts, cuts_of, joined_leaves, leaves_of
from discreet.engine.running import Engine
from discreet.engine.scratch import Cut, cut_by, gathered, order_by, put_at, runs, write_arrow
from discreet.engine.steps import PartDone, Step, done_to, put_together
from discreet.progress import Progress, part
from discreet.table import IntArray, Table

ROW = "(row)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorting:
    """Sorts the records of one part by their leaf."""

    dataset: Dataset
    seen: tuple[str, ...]
    coordinates: Coordinates
    cuts: Cuts
    folder: Path
    part_records: int

    def __call__(self, first: int) -> Cut:
        records = min(self.part_records, len(self.dataset) - first)
        table = self.dataset.part(first, records, self.seen)
        leaf = leaves_of(self.coordinates.of(table), self.cuts)
        frame = table.frame.with_columns(pl.Series(ROW, np.arange(first, first + records)))
        path = self.folder / f"leaves-{first // self.part_records:06}.arrow"
        return cut_by(frame, leaf, self.cuts.leaves, path)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockWork:
    """Masks some neighbouring blocks, and sorts the new values by the part that they go back to."""

    dataset: Dataset
    step: Step
    everybody: AllParts
    sorted_parts: tuple[Cut, ...]
    block: IntArray
    folder: Path
    part_records: int

    def __call__(self, leaves: range) -> tuple[PartDone, Cut]:
        sizes = [np.diff(each.starts[leaves.start : leaves.stop + 1]) for each in self.sorted_parts]
        # The parts come one after the other, so that the records of a leaf are put together here.
        leaf = np.concatenate([np.repeat(np.arange(len(leaves)), each) for each in sizes])
        frame = gathered(self.sorted_parts, leaves)[order_by(leaf, len(leaves))]
        block = self.block[leaves.start : leaves.stop]
        edges = _edges(block, np.sum(sizes, axis=0))
        done, fresh = [], []
        for number, (start, stop) in enumerate(pairwise(edges), start=int(block[0])):
            one, values = self._masked(frame[start:stop], number)
            done.append(one)
            fresh.append(values)
        written = pl.concat(fresh, how="vertical_relaxed")
        bins = written[ROW].to_numpy() // self.part_records
        number = -(-len(self.dataset) // self.part_records)
        path = self.folder / f"blocks-{leaves.start:06}.arrow"
        return put_together(self.step, done), cut_by(written, bins, number, path)

    def _masked(self, frame: pl.DataFrame, number: int) -> tuple[PartDone, pl.DataFrame]:
        described = tuple(self.dataset[name] for name in self.step.seen)
        table = Table(
            name=self.dataset.name,
            columns=described,
            frame=frame.select(self.step.seen),
            home=self.dataset.home,
        )
        seed = seeds.derive(self.step.seed, number)
        masked = self.step.run(table, seed=seed, all_records=self.everybody)
        values = masked.table.frame.select(self.step.columns).with_columns(frame[ROW])
        return done_to(masked, self.step.columns), values


@dataclass(frozen=True, slots=True, kw_only=True)
class PuttingBack:
    """Puts the new values of one part in the order of its records."""

    sorted_blocks: tuple[Cut, ...]
    columns: tuple[str, ...]
    folder: Path
    part_records: int

    def __call__(self, place: int) -> DataFile:
        frame = gathered(self.sorted_blocks, range(place, place + 1))
        inside = frame[ROW].to_numpy() % self.part_records
        path = self.folder / f"rows-{place:06}.arrow"
        write_arrow(put_at(inside, frame.select(self.columns)), path)
        return DataFile.of(path, frame.height)


def masked_by_blocks(
    dataset: Dataset,
    step: Step,
    folder: Path,
    part_records: int,
    engine: Engine,
    progress: Progress,
) -> PartDone:
    """The new columns of all parts: records sorted by block, masked block by block, and put back."""
    name, where = step.call.name, Where(engine, folder, part_records)
    everybody = AllParts(dataset, where)
    coordinates = Coordinates(dataset, step.columns, everybody)
    numbers_alone = coordinates.numeric == step.seen
    block_records = (numbers_alone and step.method.block_of_numbers) or step.method.block_records
    cuts = cuts_of(dataset, coordinates, block_records, where)
    sorting = Sorting(
        dataset=dataset,
        seen=step.seen,
        coordinates=coordinates,
        cuts=cuts,
        folder=folder,
        part_records=part_records,
    )
    starts = range(0, max(1, len(dataset)), part_records)
    parts = tuple(
        engine.each(sorting, starts, scratch=folder, progress=part(progress, 0, 3, name), what=name)
    )
    sizes = np.sum([np.diff(each.starts) for each in parts], axis=0)
    work = BlockWork(
        dataset=dataset,
        step=step,
        everybody=everybody,
        sorted_parts=parts,
        block=joined_leaves(sizes, min(FEWEST, block_records)),
        folder=folder,
        part_records=part_records,
    )
    portions = _whole_blocks(work.block, sizes, part_records // 2)
    done = list(engine.each(work, portions, scratch=folder, progress=part(progress, 1, 3, name), what=name))
    putting = PuttingBack(
        sorted_blocks=tuple(cut for _, cut in done),
        columns=step.columns,
        folder=folder,
        part_records=part_records,
    )
    files = engine.each(
        putting, range(len(starts)), scratch=folder, progress=part(progress, 2, 3, name), what=name
    )
    return replace(put_together(step, [one for one, _ in done]), files=tuple(files))


def _edges(block: IntArray, sizes: IntArray) -> list[int]:
    """Where the blocks of some leaves begin and end among their records."""
    ends = np.cumsum(sizes)
    last = np.flatnonzero(np.diff(block, append=-1))
    return [0, *ends[last].tolist()]


def _whole_blocks(block: IntArray, sizes: IntArray, most: int) -> Sequence[range]:
    """Leaves in runs of whole blocks, of about so many records each."""
    of_block = np.bincount(block, weights=sizes).astype(np.int64)
    first = np.searchsorted(block, np.arange(len(of_block) + 1))
    return [range(int(first[run.start]), int(first[run.stop])) for run in runs(of_block, most)]
