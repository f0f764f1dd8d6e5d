"""What is known of all records of a dataset, from passes over its parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from discreet.all_records import (
    Centre,
    Moments,
    Squares,
    Sums,
    centre_of,
    counts_by_block,
    moments_about,
    squares_of,
    sums_of,
)
from discreet.dataset import PART_RECORDS, Dataset
from discreet.engine.running import Engine
from discreet.progress import SILENT
from discreet.table import FloatArray, Role, Scale, Table, levels_in_order

T = TypeVar("T")


class Where(NamedTuple):
    """Where the passes over the parts run, and where what they share may lie meanwhile."""

    engine: Engine
    scratch: Path
    part_records: int = PART_RECORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Look(Generic[T]):
    """What is found in some columns of one part."""

    dataset: Dataset
    columns: tuple[str, ...]
    find: Callable[[Table], T]
    part_records: int

    def __call__(self, first: int) -> T:
        records = min(self.part_records, len(self.dataset) - first)
        return self.find(self.dataset.part(first, records, self.columns))


class AllParts:
    """All records of a dataset, for a mask that sees those from `first` on.

    Each statistic is worked out when it is first asked for, and kept: whoever asks on one part has it for all others.
    Where it says `where`, the parts are gone through side by side.
    """

    def __init__(self, dataset: Dataset, where: Where | None = None) -> None:
        self.dataset = dataset
        self.first = 0
        self._where = where
        self._moments: dict[tuple[str, ...], Moments] = {}
        self._counts: dict[tuple[str, bool], dict[object, float]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """What goes along to a worker: it does not ask others in its turn."""
        return {**self.__dict__, "_where": None}

    def at(self, first: int) -> AllParts:
        """The same statistics, for the part that begins with this record."""
        there = AllParts(self.dataset, self._where)
        there._moments, there._counts = self._moments, self._counts
        there.first = first
        return there

    def _each(self, columns: Sequence[str], find: Callable[[Table], T]) -> Iterator[T]:
        """What is found in each part, in order."""
        records = PART_RECORDS if self._where is None else self._where.part_records
        look = Look(dataset=self.dataset, columns=tuple(columns), find=find, part_records=records)
        starts = range(0, max(1, len(self.dataset)), records)
        if self._where is None:
            return map(look, starts)
        engine, scratch, _ = self._where
        return engine.each(look, starts, scratch=scratch, progress=SILENT, what="statistics")

    def moments(self, columns: Sequence[str]) -> Moments:
        names = tuple(columns)
        if names not in self._moments:
            sums = [each for part in self._each(names, partial(_sums_in, names)) for each in part]
            centre = centre_of(sums)
            squares = self._each(names, partial(_squares_in, names, centre))
            self._moments[names] = moments_about(centre, [each for part in squares for each in part])
        return self._moments[names]

    def numbers(self, column: str) -> FloatArray:
        out, first = np.empty(len(self.dataset)), 0
        for values in self._each([column], partial(_numbers_in, column)):
            out[first : first + len(values)] = values
            first += len(values)
        return out

    def weights(self) -> FloatArray | None:
        holders = self.dataset.having(Role.WEIGHT)
        if not holders:
            return None
        return np.concatenate([each for each in self._each(holders, Table.weights) if each is not None])

    def levels(self, column: str) -> tuple[object, ...]:
        return tuple(self.counts(column))

    def counts(self, column: str, *, weighted: bool = False) -> Mapping[object, float]:
        asked = (column, weighted)
        if asked not in self._counts:
            self._counts[asked] = self._counted(column, weighted=weighted)
        return self._counts[asked]

    def _counted(self, column: str, *, weighted: bool) -> dict[object, float]:
        names = [column, *(self.dataset.having(Role.WEIGHT) if weighted else ())]
        found: dict[object, list[float]] = {}
        for part in self._each(names, partial(_counts_in, column, weighted)):
            for block in part:
                for level, count in block.items():
                    found.setdefault(level, []).append(count)
        return {level: math.fsum(found[level]) for level in self._in_order(column, found)}

    def _in_order(self, column: str, levels: Mapping[object, object]) -> list[object]:
        described = self.dataset[column]
        if described.scale == Scale.ORDINAL and described.order:
            known = levels_in_order(described.order, self.dataset.types[column])
            return [level for level in known if level in levels]
        return sorted(levels)  # type: ignore[type-var]


def _sums_in(columns: tuple[str, ...], part: Table) -> list[Sums]:
    return sums_of(part.numbers(columns))


def _squares_in(columns: tuple[str, ...], centre: Centre, part: Table) -> list[Squares]:
    return squares_of(part.numbers(columns), centre)


def _numbers_in(column: str, part: Table) -> FloatArray:
    return part.numbers([column])[:, 0]


def _counts_in(column: str, weighted: bool, part: Table) -> list[dict[object, float]]:
    return counts_by_block(part, column, weighted=weighted)
