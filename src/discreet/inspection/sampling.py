"""A sample of a dataset: runs of records spread over all files, for a look that need not read them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from discreet.dataset import Dataset
from discreet.project import Project, ReadOptions
from discreet.reading.content import Content, is_dataset, is_text
from discreet.reading.layout import laid_out
from discreet.reading.scan import files_of, is_large, scan, scanned
from discreet.table import ColumnSpec, Role, Table

RUNS, RUN = 64, 512
"""So many runs of so many records are looked at. Records of one household often stand beside each other."""
ENDS = 1 << 19
"""Bytes at the begin and the end of a text that tell where titles and notes stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A dataset of which nothing is known, a sample of it, how it is read, and what was found out of that."""

    dataset: Dataset
    sample: Table
    options: ReadOptions
    found: Mapping[str, str]


def is_in_parts(path: Path) -> bool:
    """Whether a sample is looked at rather than the file: it stands for several files, or is large."""
    return is_dataset(path) or is_large(path)


def looked_at(path: Path, given: ReadOptions) -> Looked:
    """A dataset of which nothing is known, and a sample of it."""
    files = files_of(path)
    options = laid_out(_ends_of(files[0]), "csv", given) if is_text(files[0]) else given

    def nothing_said(names: list[str]) -> Mapping[str, ColumnSpec]:
        return dict.fromkeys(names, ColumnSpec(role=Role.INSENSITIVE))

    dataset = scanned(files, options, nothing_said, by="roles")
    found = getattr(dataset.shelves[0].files[0].reader, "found", {})
    return Looked(
        dataset=dataset,
        sample=sample_of(dataset),
        options=replace(options, encoding=given.encoding),
        found=found,
    )


def sample_of(dataset: Dataset) -> Table:
    """Runs of records from the first to the last, or all of them where there are not many more."""
    records = len(dataset)
    if records <= 2 * RUNS * RUN:
        return dataset.read()
    starts = [run * (records - RUN) // (RUNS - 1) for run in range(RUNS)]
    parts = [dataset.part(start, RUN) for start in starts]
    return replace(parts[0], frame=pl.concat([each.frame for each in parts]))


def sample_described(path: Path, project: Project) -> Table:
    """The same sample, its columns described as a project says."""
    return sample_of(scan(path, project=project))


def _ends_of(path: Path) -> Content:
    """The first and the last lines of a text."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= 2 * ENDS:
            return Content(path, file.read(), "")
        first = file.read(ENDS)
        file.seek(size - ENDS)
        last = file.read()
    return Content(path, first[: first.rfind(b"\n") + 1] + last[last.find(b"\n") + 1 :], "")
