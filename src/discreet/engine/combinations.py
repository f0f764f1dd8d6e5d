"""The distinct combinations of values in some columns of a dataset, and which of them each record has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from discreet._kernels.counting.distinct import distinct_rows
from discreet.dataset import Dataset
from discreet.engine.running import Engine
from discreet.engine.scratch import write_array
from discreet.progress import Progress
from discreet.table import IntArray, Table

DENSE_CELLS_A_RECORD = 4


class Counted(NamedTuple):
    """Combinations as codes by column, how many records have each, and which of them each row of codes is."""

    codes: list[IntArray]
    counts: IntArray
    which: IntArray


class Found(NamedTuple):
    """The combinations that occur in a part: codes of the levels of each column, from 1 on; 0 is missing.

    The file `which` holds for each record of the part which of them it has.
    """

    levels: tuple[pl.Series, ...]
    codes: tuple[NDArray[np.int32], ...]
    counts: IntArray
    which: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """Finds the combinations that occur in one part, and how many records have each."""

    dataset: Dataset
    columns: tuple[str, ...]
    folder: Path
    part_records: int

    def __call__(self, first: int) -> Found:
        records = min(self.part_records, len(self.dataset) - first)
        frame = self.dataset.part(first, records, self.columns).frame
        coded = [coded_by_levels(frame[name]) for name in self.columns]
        counted = counted_codes(
            [codes for _, codes in coded],
            [len(levels) + 1 for levels, _ in coded],
            np.ones(records, np.int64),
        )
        path = self.folder / f"which-{first // self.part_records:06}.npy"
        write_array(counted.which.astype(np.uint32), path)
        codes = tuple(each.astype(np.int32) for each in counted.codes)
        return Found(tuple(levels for levels, _ in coded), codes, counted.counts, str(path))


class Occurring(NamedTuple):
    """The combinations in a part: the file that says which each record has, their places among all, their counts."""

    which: str
    places: IntArray
    counts: IntArray


class Combinations(NamedTuple):
    """The distinct combinations of a dataset in the order of their values, their counts, and those of each part."""

    table: Table
    counts: IntArray
    parts: tuple[Occurring, ...]


def combinations_of(
    dataset: Dataset,
    columns: Sequence[str],
    folder: Path,
    part_records: int,
    engine: Engine,
    progress: Progress,
) -> Combinations:
    """The combinations of some columns of a dataset, each with its count."""
    work = Counting(dataset=dataset, columns=tuple(columns), folder=folder, part_records=part_records)
    starts = range(0, max(1, len(dataset)), part_records)
    found = list(engine.each(work, starts, scratch=folder, progress=progress, what="count"))
    levels, codes = [], []
    for place, name in enumerate(columns):
        own = [each.levels[place] for each in found]
        known = pl.concat(own).unique().sort()
        levels.append(known)
        codes.append(np.concatenate([_recoded(each, place, known) for each in found]))
        assert known.name == name
    counted = counted_codes(
        codes, [len(each) + 1 for each in levels], np.concatenate([each.counts for each in found])
    )
    frame = pl.DataFrame(
        [known.extend_constant(None, 1)[own - 1] for known, own in zip(levels, counted.codes, strict=True)]
    )
    described = tuple(dataset[name] for name in columns)
    table = Table(name=dataset.name, columns=described, frame=frame, home=dataset.home)
    ends = np.cumsum([len(each.counts) for each in found]).tolist()
    places = np.split(counted.which, ends[:-1])
    parts = tuple(Occurring(each.which, own, each.counts) for each, own in zip(found, places, strict=True))
    return Combinations(table, counted.counts, parts)


def coded_by_levels(values: pl.Series) -> tuple[pl.Series, IntArray]:
    """The levels that occur in order, and for each value the number of its level, from 1 on; 0 is missing."""
    levels = values.drop_nulls().unique().sort()
    return levels, _places(values, levels)


def _places(values: pl.Series, levels: pl.Series) -> IntArray:
    if not len(levels):
        return np.zeros(len(values), dtype=np.int64)
    if values.dtype == pl.String:
        places = values.cast(pl.Enum(levels)).to_physical().cast(pl.Int64)
    else:
        numbers = pl.Series(np.arange(len(levels)))
        places = values.replace_strict(levels, numbers, default=None, return_dtype=pl.Int64)
    return (places + 1).fill_null(0).to_numpy()


def _recoded(found: Found, place: int, known: pl.Series) -> IntArray:
    """The codes of a part by the levels of all parts."""
    codes = np.concatenate([[0], _places(found.levels[place], known)])
    recoded: IntArray = codes[found.codes[place]]
    return recoded


def counted_codes(codes: Sequence[IntArray], levels: Sequence[int], weights: IntArray) -> Counted:
    """The distinct rows of codes below these numbers of levels, in their order, with the sums of their weights."""
    rows = len(weights)
    cells = int(np.prod([float(each) for each in levels]))
    if cells > DENSE_CELLS_A_RECORD * rows + 1024:
        return _by_rows(codes, weights)
    key = np.zeros(rows, dtype=np.int64)
    for own, number in zip(codes, levels, strict=True):
        key *= number
        key += own
    counts = np.bincount(key, weights=weights, minlength=cells).astype(np.int64)
    occurring = np.flatnonzero(counts)
    place = np.empty(cells, dtype=np.int64)
    place[occurring] = np.arange(len(occurring))
    return Counted(list(np.unravel_index(occurring, tuple(levels))), counts[occurring], place[key])


def _by_rows(codes: Sequence[IntArray], weights: IntArray) -> Counted:
    """The same where there are far more possible combinations than rows."""
    distinct = distinct_rows(np.column_stack(codes).astype(np.int64))
    found = [each[distinct.firsts].astype(np.int64) for each in codes]
    order = np.lexsort(found[::-1])
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    which = rank[distinct.labels]
    counts = np.bincount(which, weights=weights, minlength=len(order)).astype(np.int64)
    return Counted([each[order] for each in found], counts, which)
