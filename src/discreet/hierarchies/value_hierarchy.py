"""What each value of a column becomes at each level, as a file of levels has it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from discreet.errors import BadFile, BadParameter, BadValues
from discreet.mask.hierarchies import free_label
from discreet.ontology.readers.rows import rows_of
from discreet.writing import write_text

ENDING = ".hierarchy.csv"
EVERYTHING = "*"
"""What is above all values."""


def file_name(column: str) -> str:
    """The usual name of the file that holds the hierarchy of a column."""
    return (re.sub(r"[^\w.-]", "_", column).strip(".") or "column") + ENDING


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level: what it is, into how many groups it parts the values, and how many records the groups have.

    `smallest` and `largest` are counts of records, of groups that any record is in; 0 where no record is in any.
    """

    level: int
    what: str
    groups: int
    smallest: int
    largest: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "level": self.level,
            "what": self.what,
            "groups": self.groups,
            "smallest": self.smallest,
            "largest": self.largest,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueHierarchy:
    """The values of a column and what each becomes, level by level.

    `rows` are as in a file of levels: a value, what it is at level 1, and so on up to one text for all of them.
    `names` say what each level is. `records` counts those with each value; a value of an order that no record has
    counts 0. Each level is a coarsening of the one before: what is alike stays alike.
    """

    column: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = field(repr=False)
    records: tuple[int, ...] = field(repr=False)

    @classmethod
    def of(
        cls, column: str, records: Mapping[str, int], levels: Sequence[tuple[str, Sequence[str]]]
    ) -> ValueHierarchy:
        """The hierarchy of these values, counted, with its levels above them: the name of each, and its texts.

        Raises BadValues where a value cannot stand in a file of levels.
        """
        named = [("values", list(records)), *levels]
        named.append(("everything", [free_label(EVERYTHING, records)] * len(records)))
        rows = tuple(zip(*(texts for _, texts in named), strict=True))
        made = cls(
            column=column,
            names=tuple(name for name, _ in named),
            rows=rows,
            records=tuple(records.values()),
        )
        made.check_written()
        finer = made.broken_at()
        if finer:
            raise BadValues(
                f"column '{column}': level {finer} tells values apart that are alike one level below."
            )
        return made

    @classmethod
    def read(
        cls, path: str | Path, *, column: str = "", records: Mapping[str, int] | None = None
    ) -> ValueHierarchy:
        """The hierarchy in a file of levels, as this system, ARX and others write it: CSV, a row for each value.

        With `records` every value that these count must have a row. Raises BadFile, with the line, for rows of
        different lengths, a value that stands there twice and a level that is no coarsening of the one below;
        BadValues where values are missing, which it counts.
        """
        place = Path(path)
        rows: dict[str, tuple[str, ...]] = {}
        for line, row in enumerate(rows_of(place), start=1):
            if not any(row):
                continue
            first = next(iter(rows.values()), tuple(row))
            if len(row) != len(first) or not all(row) or len(row) < 2:
                raise BadFile(
                    f"'{place}', line {line}: expected {max(2, len(first))} texts, a value and what it becomes at each "
                    f"level; found {sum(map(bool, row))}."
                )
            if row[0] in rows:
                raise BadFile(f"'{place}', line {line}: this value stands there a second time.")
            rows[row[0]] = tuple(row)
        if not rows:
            raise BadFile(f"'{place}' has no rows.")
        counted = dict(records or {})
        head = next(iter(rows))
        if column and head.casefold() == column.casefold() and counted and head not in counted:
            raise BadFile(f"'{place}', line 1: a row of names. A file of levels has none: take it out.")
        missed = [value for value in counted if value not in rows]
        if missed:
            raise BadValues(
                f"'{place}' lacks {len(missed)} of the {len(counted)} values of column '{column}'."
            )
        length = len(next(iter(rows.values())))
        made = cls(
            column=column,
            names=("values", *[f"level {level}" for level in range(1, length)]),
            rows=tuple(rows.values()),
            records=tuple(counted.get(value, 0) for value in rows),
        )
        finer = made.broken_at()
        if finer:
            raise BadFile(f"'{place}': level {finer} tells values apart that are alike one level below.")
        return made

    def __str__(self) -> str:
        groups = ", ".join(str(each.groups) for each in self.levels)
        return f"{self.column}: {len(self.rows)} values of {sum(self.records)} records; by level {groups}"

    @property
    def levels(self) -> tuple[Level, ...]:
        """All levels, that of the values first."""
        return tuple(self._level(number) for number in range(len(self.names)))

    def mapping(self, level: int) -> dict[str, str]:
        """What each value becomes at a level, for instance for `recode`."""
        if not 0 <= level < len(self.names):
            raise BadParameter(f"level must be from 0 to {len(self.names) - 1}; got {level}.")
        return {row[0]: row[level] for row in self.rows}

    def lines(self, lowest: int = 0) -> Iterator[tuple[int, str, int, int]]:
        """The tree from its top down to a level: how deep a group stands, its text, its values and its records."""
        top = len(self.names) - 1
        whole = range(len(self.rows))
        yield from self._below(top, whole, 0, lowest)

    def to_text(self) -> str:
        """The file of levels: a row for each value, parted by semicolons, without a head."""
        text = io.StringIO()
        csv.writer(text, delimiter=";", lineterminator="\n").writerows(self.rows)
        return text.getvalue()

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Writes the file of levels, whole or not at all. Raises WouldOverwrite."""
        write_text(path, self.to_text(), force=force)

    def to_dict(self) -> dict[str, Any]:
        """The counts of the levels, without a value."""
        return {
            "version": 1,
            "column": self.column,
            "values": len(self.rows),
            "records": sum(self.records),
            "levels": [each.to_dict() for each in self.levels],
        }

    def check_written(self) -> None:
        """Raises BadValues where a file of levels would not be read back as it was written."""
        for text in {text for row in self.rows for text in row}:
            if text != text.strip() or not text or "\n" in text or "\r" in text or "\0" in text:
                raise BadValues(
                    f"column '{self.column}' has values that are empty, have spaces around them or break a line, which "
                    "no file of levels can hold. Tidy them first."
                )

    def broken_at(self) -> int:
        """The first level that is no coarsening of the one below it, or in which a text returns; 0 where none is."""
        for level, (low, high) in enumerate(pairwise(zip(*self.rows, strict=True)), start=1):
            becomes: dict[str, str] = {}
            if any(becomes.setdefault(below, above) != above for below, above in zip(low, high, strict=True)):
                return level
        return 0

    def _level(self, number: int) -> Level:
        counts: dict[str, int] = {}
        for row, records in zip(self.rows, self.records, strict=True):
            counts[row[number]] = counts.get(row[number], 0) + records
        there = [count for count in counts.values() if count]
        return Level(
            level=number,
            what=self.names[number],
            groups=len(counts),
            smallest=min(there, default=0),
            largest=max(there, default=0),
        )

    def _below(
        self, level: int, places: Sequence[int], depth: int, lowest: int
    ) -> Iterator[tuple[int, str, int, int]]:
        groups: dict[str, list[int]] = {}
        for place in places:
            groups.setdefault(self.rows[place][level], []).append(place)
        for text, members in groups.items():
            yield depth, text, len(members), sum(self.records[place] for place in members)
            # A group that is the same further down is shown once.
            below = level - 1
            while below >= lowest and all(self.rows[place][below] == text for place in members):
                below -= 1
            if below >= lowest:
                yield from self._below(below, members, depth + 1, lowest)
