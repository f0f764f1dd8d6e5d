"""Arrays of all records in files, for work that sees a part of them at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from discreet.progress import Progress
from discreet.table import IntArray

R = TypeVar("R")


class Stored(NamedTuple):
    """An array with an element for each record, in a file that all workers see."""

    path: str

    @classmethod
    def of(cls, values: npt.NDArray[Any], path: Path) -> Stored:
        """The values, written to a new file."""
        np.save(path, values)
        return cls(str(path))

    def rows(self, some: slice | IntArray) -> npt.NDArray[Any]:
        """The elements of some records, in memory."""
        return np.array(np.load(self.path, mmap_mode="r")[some])


class Matrix(Protocol):
    """Numbers by records and columns, of which some rows or some columns are taken at a time."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, some: Any, /) -> Any: ...


@dataclass(frozen=True, slots=True)
class StoredMatrix:
    """Columns of numbers of all records, in a file each, read as they are asked for."""

    columns: tuple[Stored, ...]
    records: int

    @property
    def shape(self) -> tuple[int, ...]:
        return self.records, len(self.columns)

    def __len__(self) -> int:
        return self.records

    def __getitem__(self, some: Any, /) -> npt.NDArray[Any]:
        """Some records of all columns, or of some of them, in memory."""
        rows: slice
        columns: slice
        rows, columns = some if isinstance(some, tuple) else (some, slice(None))
        return np.column_stack([each.rows(rows) for each in self.columns[columns]])


class Workroom(Protocol):
    """Where a dataset is judged: the people looked for, files for what is worked out, and whatever runs the parts.

    `people` are the rows of those whom attacks look for among all records, in rising order.
    """

    @property
    def people(self) -> IntArray: ...
    @property
    def part_records(self) -> int: ...
    @property
    def whole_cells(self) -> int:
        """Up to so many cells of both sides are held at once for what does not work in parts."""

    @property
    def persons(self) -> Stored | None:
        """Which records are of the same person, where the original tells."""

    def stored(self, values: npt.NDArray[Any]) -> Stored:
        """The values in a file that lasts as long as the room."""

    def once(self, what: tuple[object, ...], make: Callable[[], R]) -> R:
        """What `make` gives, made when it is first asked for under this name, and kept."""

    def each(
        self, work: Callable[[int], R], starts: Sequence[int], progress: Progress, what: str
    ) -> Iterator[R]:
        """What the work gives for the part that begins with each of these records, in their order."""
