"""A dataset: a table that has not been read, in files that may be larger than memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import polars as pl

from discreet.errors import BadFile, Mismatch
from discreet.formats import BY_NAME
from discreet.stored import Workroom
from discreet.table import Column, Described, FloatArray, IntArray, Role, Source, Table

PART_RECORDS = 1 << 20
"""Records that are worked on together."""


class Reader(Protocol):
    """Reads some columns of the records from `start` to `stop` of a file, or of a piece of it."""

    def __call__(self, path: Path, start: int, stop: int, columns: Sequence[str]) -> pl.DataFrame: ...


class DataFile(NamedTuple):
    """A file of records: where it lies, how many it holds, and its size and time of change when it was looked at.

    A `reader` reads what is no plain Parquet or Arrow file: of a text each piece is a file of its own.
    """

    path: str
    records: int
    stamp: tuple[int, int]
    reader: Reader | None = None

    @classmethod
    def of(cls, path: Path, records: int) -> DataFile:
        return cls(str(path), records, stamp_of(path))

    def check_unchanged(self) -> None:
        """Raises Mismatch where the file is another than the one that was looked at."""
        if stamp_of(Path(self.path)) != self.stamp:
            raise Mismatch(
                f"{Path(self.path).name} was changed while it was read; nothing was published. Start anew."
            )


def stamp_of(path: Path) -> tuple[int, int]:
    """The size and the time of change of a file; BadFile where it is gone."""
    try:
        found = path.stat()
    except OSError as problem:
        raise BadFile(f"{path} cannot be read: {problem.strerror}.") from None
    return found.st_size, found.st_mtime_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """Some columns of all records, in files one after the other.

    Those of the original are Parquet or Arrow files as they came; those that masking made are Arrow files.
    """

    names: tuple[str, ...]
    files: tuple[DataFile, ...]

    @property
    def records(self) -> int:
        return sum(each.records for each in self.files)

    def frame(self, first: int, records: int, columns: Sequence[str]) -> pl.DataFrame:
        """Some columns of so many records from `first` on."""
        pieces = [
            _slice(file, max(0, first - start), min(file.records, first + records - start), columns)
            for file, start in zip(self.files, self._starts(), strict=True)
            if start < first + records and first < start + file.records
        ]
        # In one piece: records are taken out of many pieces several times more slowly.
        return pl.concat(pieces).rechunk() if pieces else _slice(self.files[0], 0, 0, columns)

    def _starts(self) -> list[int]:
        """The place of each file's first record among all."""
        return [0, *accumulate(each.records for each in self.files)][:-1]


def _slice(file: DataFile, start: int, stop: int, columns: Sequence[str]) -> pl.DataFrame:
    """Some records of a file; BadFile where it cannot be read, or holds fewer than when it was looked at."""
    path = Path(file.path)
    try:
        read = records_of if file.reader is None else file.reader
        found = read(path, start, stop, columns)
    except (pl.exceptions.PolarsError, OSError):
        found = None
    if found is None or found.height != stop - start:
        raise BadFile(
            f"{path.name} cannot be read: it is damaged, or was changed while it was read."
        ) from None
    return found


def records_of(path: Path, start: int, stop: int, columns: Sequence[str]) -> pl.DataFrame:
    """Some records of a Parquet or Arrow file."""
    return lazy_file(path).select(columns).slice(start, stop - start).collect()


def lazy_file(path: Path) -> pl.LazyFrame:
    """A Parquet or Arrow file that is read when it is asked for."""
    return pl.scan_ipc(path) if path.suffix.lower() in BY_NAME["arrow"].endings else pl.scan_parquet(path)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dataset(Described):
    """Columns with roles and scales, and the files that hold their values.

    It has the names of a `Table`, and reads as much as it is asked for. `types` are those that columns have in memory.
    `room` is where it is judged, for one that is.
    """

    name: str
    columns: tuple[Column, ...]
    shelves: tuple[Shelf, ...] = field(repr=False)
    types: Mapping[str, pl.DataType] = field(repr=False)
    source: Source | None = None
    home: str = ""
    room: Workroom | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return self.shelves[0].records

    def __str__(self) -> str:
        files = len(self.paths)
        return f"dataset '{self.name}': {len(self)} records, {len(self.columns)} columns in {files} files"

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of the original, in their order."""
        return tuple(dict.fromkeys(each.path for each in self.shelves[0].files))

    def dtype(self, column: str) -> pl.DataType:
        return self.types[column]

    def value_counts(self, column: str) -> pl.DataFrame:
        if self.is_parquet:
            # Counted by several threads, without making texts of each part first.
            counted = self.lazy([column]).drop_nulls().group_by(pl.col(column).alias("value"))
            return counted.agg(pl.len().cast(pl.UInt32).alias("count")).collect(engine="streaming")
        found = [part.value_counts(column) for _, part in self.parts([column])]
        return pl.concat(found).group_by("value").agg(pl.col("count").sum())

    def weights(self) -> FloatArray | None:
        """The sampling weights of all records, or None where no column has that role."""
        holders = self.having(Role.WEIGHT)
        return self.whole(holders).weights() if holders else None

    def null_count(self, column: str) -> int:
        return sum(part.null_count(column) for _, part in self.parts([column]))

    def part(self, first: int, records: int, columns: Sequence[str] | None = None) -> Table:
        """The records from `first` on as a table, with these columns or all."""
        wanted = self.names if columns is None else tuple(columns)
        described = tuple(self[name] for name in wanted)
        found: dict[str, pl.Series] = {}
        for shelf in self.shelves:
            own = [name for name in wanted if name in shelf.names]
            if own:
                frame = shelf.frame(first, records, own)
                found.update({each.name: _typed(each, self.types[each.name]) for each in frame})
        frame = pl.DataFrame([found[name] for name in wanted])
        return Table(name=self.name, columns=described, frame=frame, home=self.home)

    def parts(
        self, columns: Sequence[str] | None = None, *, records: int = PART_RECORDS
    ) -> Iterator[tuple[int, Table]]:
        """The records in parts, each with the place of its first record."""
        for first in range(0, max(1, len(self)), records):
            yield first, self.part(first, min(records, len(self) - first), columns)

    def whole(self, columns: Sequence[str]) -> Table:
        """A few columns of all records in memory."""
        return self.part(0, len(self), columns)

    def rows(self, rows: IntArray, columns: Sequence[str]) -> Table:
        """A few columns of some records, given in rising order."""
        ends = np.searchsorted(rows, range(0, len(self) + PART_RECORDS, PART_RECORDS))
        found = [
            part.frame[rows[begin:end] - first]
            for (first, part), begin, end in zip(self.parts(columns), ends[:-1], ends[1:], strict=False)
        ]
        described = tuple(self[name] for name in columns)
        return Table(name=self.name, columns=described, frame=pl.concat(found), home=self.home)

    @property
    def is_parquet(self) -> bool:
        """Whether all columns lie in Parquet files that are read as they are, as those of a release."""
        files = self.shelves[0].files
        return len(self.shelves) == 1 and all(
            each.reader is None and each.path.endswith(".parquet") for each in files
        )

    def lazy(self, columns: Sequence[str]) -> pl.LazyFrame:
        """Some columns of a dataset whose files are one shelf of Parquet, for a query that runs in pieces."""
        files = [each.path for each in self.shelves[-1].files]
        return pl.scan_parquet(files).select(columns)

    def read(self) -> Table:
        """All of it in memory."""
        return replace(self.part(0, len(self)), source=self.source)

    def without(self, columns: Iterable[str]) -> Dataset:
        """The dataset without these columns."""
        gone = set(columns)
        return replace(self, columns=tuple(each for each in self.columns if each.name not in gone))

    def with_shelf(
        self, shelf: Shelf, described: Iterable[Column], types: Mapping[str, pl.DataType]
    ) -> Dataset:
        """The dataset with the columns of a shelf in place of its own of these names."""
        changed = {each.name: each for each in described}
        older = tuple(
            replace(each, names=tuple(name for name in each.names if name not in shelf.names))
            for each in self.shelves
        )
        return replace(
            self,
            columns=tuple(changed.get(each.name, each) for each in self.columns),
            shelves=(*older, shelf),
            types={**self.types, **types},
        )

    def check_unchanged(self) -> None:
        """Raises Mismatch where a file of the original is another than when it was looked at."""
        for shelf in self.shelves:
            for file in {each.path: each for each in shelf.files}.values():
                file.check_unchanged()

    def counts_people(self) -> bool:
        """Whether a column says which records are of the same person."""
        return bool(self.having(Role.PERSON))


def _typed(values: pl.Series, dtype: pl.DataType) -> pl.Series:
    """The values in the type that the column has in memory, NaN as missing."""
    if values.dtype != dtype:
        values = values.cast(dtype)
    return values.fill_nan(None) if dtype.is_float() else values
