"""What a published table shows: the values that a public half of a manifest may name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from discreet.bands import edges_of
from discreet.coding import labels_of
from discreet.table import Column, Scale, Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shown:
    """What the columns of a masking step show once they are published.

    `columns` are those of the step that are published; `types` are the types that columns had before masking, in which
    the edges of bands are read.
    """

    table: Table
    columns: tuple[str, ...]
    types: Mapping[str, pl.DataType]

    @property
    def records(self) -> int:
        return len(self.table)

    def has_column(self, name: str) -> bool:
        """Whether a column of this name is published."""
        return name in self.table.names

    def counts(self, column: str) -> dict[str, int]:
        """How many records have each label of a column; none for a column that is not published."""
        if not self.has_column(column):
            return {}
        counted = labels_of(self.table.frame[column]).alias("label").drop_nulls().value_counts(name="count")
        return dict(zip(counted["label"].to_list(), counted["count"].to_list(), strict=True))

    def labels(self) -> set[str]:
        """All labels that the columns of the step show."""
        return {label for name in self.columns for label in self.counts(name)}

    def numbers(self) -> set[float]:
        """All numbers that the columns of the step show: as values, or as the edges of bands."""
        found: set[float] = set()
        for name in self.columns:
            values = self.table.frame[name].drop_nulls().unique()
            if values.dtype.is_numeric() or values.dtype.is_temporal():
                found.update(values.to_physical().cast(pl.Float64).to_list())
                continue
            kind = self.types.get(name, pl.Float64())
            found.update(edge for label in labels_of(values).to_list() for edge in edges_of(label, kind))
        return found


def as_shown(table: Table) -> Table:
    """The table whose columns are described by what they show, and by nothing else.

    The order of an ordinal column lists the levels that occur, value labels are those of codes that occur, and codes
    for missing values, which no record has any more, are left out.
    """
    return replace(table, columns=tuple(_as_shown(table, each) for each in table.columns))


def _as_shown(table: Table, column: Column) -> Column:
    return replace(
        column,
        order=_levels_shown(table, column),
        value_labels=_labels_shown(table.frame[column.name], column.value_labels),
        missing_codes=(),
    )


def _levels_shown(table: Table, column: Column) -> tuple[str, ...]:
    if column.scale != Scale.ORDINAL or not column.order:
        return ()
    there = set(table.frame[column.name].drop_nulls().unique().to_list())
    levels = table.levels(column.name)
    return tuple(text for text, level in zip(column.order, levels, strict=True) if level in there)


def _labels_shown(values: pl.Series, labels: Mapping[str, str]) -> dict[str, str]:
    if not labels:
        return {}
    if not values.dtype.is_numeric():
        there = set(labels_of(values).drop_nulls().unique().to_list())
        return {code: label for code, label in labels.items() if code in there}
    numbers = set(values.drop_nulls().cast(pl.Float64).unique().to_list())
    return {code: label for code, label in labels.items() if _number(code) in numbers}


def _number(code: str) -> float | None:
    try:
        return float(code)
    except ValueError:
        return None
