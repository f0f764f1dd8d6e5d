"""What a published table shows: the values that a public half of a manifest may name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from discreet.bands import edges_of
from discreet.coding import labels_of
from discreet.table import Column, Described, Scale, Table, levels_in_order


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shown:
    """What the columns of a masking step show once they are published.

    `columns` are those of the step that are published; `types` are the types that columns had before masking, in which
    the edges of bands are read.
    """

    table: Described
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
        counted = self.table.value_counts(column)
        found: dict[str, int] = {}
        for label, count in zip(
            labels_of(counted["value"]).to_list(), counted["count"].to_list(), strict=True
        ):
            found[label] = found.get(label, 0) + count
        return found

    def labels(self) -> set[str]:
        """All labels that the columns of the step show."""
        return {label for name in self.columns for label in self.counts(name)}

    def numbers(self) -> set[float]:
        """All numbers that the columns of the step show: as values, or as the edges of bands."""
        found: set[float] = set()
        for name in self.columns:
            values = self.table.value_counts(name)["value"]
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
    return replace(table, columns=columns_as_shown(table))


def columns_as_shown(table: Described) -> tuple[Column, ...]:
    """The columns of a table or a dataset, described by what they show."""
    return tuple(_as_shown(table, each) for each in table.columns)


def _as_shown(table: Described, column: Column) -> Column:
    return replace(
        column,
        order=_levels_shown(table, column),
        value_labels=_labels_shown(table, column),
        missing_codes=(),
        importance=1.0,
    )


def _levels_shown(table: Described, column: Column) -> tuple[str, ...]:
    if column.scale != Scale.ORDINAL or not column.order:
        return ()
    there = set(table.value_counts(column.name)["value"].to_list())
    levels = levels_in_order(column.order, table.dtype(column.name))
    return tuple(text for text, level in zip(column.order, levels, strict=True) if level in there)


def _labels_shown(table: Described, column: Column) -> dict[str, str]:
    labels = column.value_labels
    if not labels:
        return {}
    values = table.value_counts(column.name)["value"]
    if not values.dtype.is_numeric():
        there = set(labels_of(values).to_list())
        return {code: label for code, label in labels.items() if code in there}
    numbers = set(values.cast(pl.Float64).to_list())
    return {code: label for code, label in labels.items() if _number(code) in numbers}


def _number(code: str) -> float | None:
    try:
        return float(code)
    except ValueError:
        return None
