"""Identifiers and households of a dataset under new names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from discreet.dataset import DataFile, Dataset, Shelf
from discreet.engine.running import Engine
from discreet.engine.scratch import write_arrow
from discreet.progress import SILENT
from discreet.protection import pseudonyms, renumbering
from discreet.table import Role, Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Renaming:
    """Gives the records of one part their pseudonyms and the new numbers of their households."""

    dataset: Dataset
    pseudonymise: tuple[str, ...]
    households: dict[str, pl.DataFrame]
    seed: int
    folder: Path
    part_records: int

    def __call__(self, first: int) -> DataFile:
        records = min(self.part_records, len(self.dataset) - first)
        names = (*self.pseudonymise, *self.households)
        frame = self.dataset.part(first, records, names).frame
        fresh = [pseudonyms(frame[name], self.seed) for name in self.pseudonymise]
        for name, numbers in self.households.items():
            joined = frame.select(name).join(numbers, on=name, how="left", maintain_order="left")
            fresh.append(joined["number"].alias(name))
        path = self.folder / f"identities-{first // self.part_records:06}.arrow"
        write_arrow(pl.DataFrame(fresh), path)
        return DataFile.of(path, records)


def new_identities(
    dataset: Dataset, pseudonymise: Sequence[str], seed: int, folder: Path, part_records: int, engine: Engine
) -> Dataset:
    """The dataset with pseudonyms for the identifiers named, and new numbers for households."""
    holders = dataset.having(Role.HOUSEHOLD)
    if not pseudonymise and not holders:
        return dataset
    households = {name: renumbering(dataset.value_counts(name)["value"], name, seed) for name in holders}
    work = Renaming(
        dataset=dataset,
        pseudonymise=tuple(pseudonymise),
        households=households,
        seed=seed,
        folder=folder,
        part_records=part_records,
    )
    starts = range(0, max(1, len(dataset)), part_records)
    files = tuple(engine.each(work, starts, scratch=folder, progress=SILENT, what="identities"))
    names = (*pseudonymise, *holders)
    types = {**dict.fromkeys(pseudonymise, pl.String()), **dict.fromkeys(holders, pl.Int64())}
    described = [replace(dataset[name], scale=Scale.NOMINAL) for name in pseudonymise]
    return dataset.with_shelf(Shelf(names=names, files=files), described, types)
