"""Synthetic tables: what is modelled of a table, and how drawn columns become a table again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from discreet.errors import BadTable, NotComputable
from discreet.guarantees import Guarantee, OnlyLevels, RecordCount, WithinRange
from discreet.mask.categories import coded, decoded
from discreet.mask.decimals import written_like
from discreet.registry import DeclaredGuarantee
from discreet.results import FROM_NOBODY, Masked
from discreet.table import FloatArray, Role, Scale, Table

NOT_MODELLED = (Role.IDENTIFIER, Role.PERSON, Role.HOUSEHOLD)

GUARANTEES = (
    DeclaredGuarantee("numbers lie between the smallest and the largest of their column", WithinRange),
    DeclaredGuarantee("columns hold no other categories than before", OnlyLevels),
    DeclaredGuarantee("there are as many records as were asked for", RecordCount),
)
BY_DESIGN = (
    "every record comes from nobody",
    "numbers have no more decimals than their column",
    "identifiers, numbers of persons and households, and texts are left empty",
    "weights add up as before, but for the draw",
)
MISSING = "drawn like a value: a column is missing about as often as before, and with the same others"


def modelled(table: Table, method: str) -> tuple[str, ...]:
    """The columns that a synthetic table draws: all but identifiers, persons, households and texts."""
    if len(table) == 0:
        raise NotComputable(f"{method}: the table has no records to learn from.")
    names = tuple(
        each.name for each in table.columns if each.role not in NOT_MODELLED and each.scale != Scale.TEXT
    )
    if not names:
        raise BadTable(
            f"{method}: table '{table.name}' has nothing to draw: all its columns are identifiers, numbers of persons "
            "or households, or free text."
        )
    table.check_range(names)
    return names


def is_ordered(table: Table, name: str) -> bool:
    """Whether the column's values have an order: numbers and ordinal categories."""
    return table[name].scale in (Scale.NUMERIC, Scale.ORDINAL)


def values_of(table: Table, name: str) -> FloatArray:
    """The column as floats: numbers, or the places of the categories that occur; missing is NaN."""
    if table[name].scale == Scale.NUMERIC:
        return table.numbers([name])[:, 0]
    codes = coded(table, name).codes
    return np.where(codes < 0, np.nan, codes.astype(np.float64))


def synthetic(
    table: Table, drawn: Mapping[str, FloatArray], records: int, facts: Mapping[str, object]
) -> Masked:
    """The synthetic table of drawn columns, as `values_of` has them."""
    fresh: dict[str, pl.Series] = {}
    guarantees: list[Guarantee] = [RecordCount(columns=(), records=records)]
    empty = pl.DataFrame(
        {name: pl.repeat(None, records, dtype=dtype, eager=True) for name, dtype in _types(table)}
    )
    skeleton = Table(name=table.name, columns=table.columns, frame=empty, native=table.native)
    for name, values in drawn.items():
        if table[name].scale == Scale.NUMERIC:
            fresh[name] = _numbers(table, skeleton, name, values, records)
            if table[name].role != Role.WEIGHT:
                guarantees.append(WithinRange(columns=(name,), before=table))
            continue
        column = coded(table, name)
        codes = np.where(np.isnan(values), -1, np.nan_to_num(values)).astype(np.int64)
        fresh[name] = decoded(table, name, codes, column.levels)
        guarantees.append(OnlyLevels(columns=(name,), levels=column.labels))
    return Masked(
        table=skeleton.with_values(fresh),
        facts=facts,
        guarantees=tuple(guarantees),
        origin=np.full(records, FROM_NOBODY, dtype=np.int64),
    )


def _types(table: Table) -> Sequence[tuple[str, pl.DataType]]:
    return list(table.frame.schema.items())


def _numbers(table: Table, skeleton: Table, name: str, values: FloatArray, records: int) -> pl.Series:
    """Drawn numbers in the range, the decimals and the type of their column; weights stand for all the people."""
    own = table.numbers([name])[:, 0]
    if np.isnan(own).all():
        return skeleton.frame[name]
    fresh = np.clip(written_like(own, values), np.nanmin(own), np.nanmax(own))
    if table[name].role == Role.WEIGHT:
        fresh = fresh * (len(table) / records)
    return skeleton.with_numbers([name], fresh[:, None]).frame[name]
