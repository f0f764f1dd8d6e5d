"""Columns of any scale as codes of their distinct values, and centres back as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from discreet._kernels.counting.tuples import Tuples
from discreet.mask.attributes import Attribute, Concepts, NumberColumn
from discreet.mask.coordinates import coordinates, with_coordinates
from discreet.ontology import Space
from discreet.ontology.columns import Interpretation, means_something, understood
from discreet.table import Column, FloatArray, IntArray, Scale, Table

MISSING = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedColumn:
    """One column: each record's value as a code, missing as -1; what the codes stand for is in `space` or `values`."""

    name: str
    codes: IntArray
    space: Space | None
    values: FloatArray
    ordinal: bool


def coded_columns(table: Table, columns: Sequence[str], how: Interpretation) -> list[CodedColumn]:
    """The columns as codes: categories in their ontologies, numbers and ordered categories without one as they are."""
    return [
        coded_concepts(table, name, how) if means_something(table[name], how) else coded_numbers(table, name)
        for name in columns
    ]


def coded_concepts(table: Table, name: str, how: Interpretation) -> CodedColumn:
    """The column as codes of concepts, its values taken as words whatever their scale."""
    space, codes = understood([table], name, how)
    return CodedColumn(name=name, codes=codes[0], space=space, values=np.empty(0), ordinal=False)


def coded_numbers(table: Table, name: str) -> CodedColumn:
    """The column as codes of its numbers, or of its places in an order, in their order.

    Values are told apart as they are, so that numbers of many digits that are one in float64 stay two.
    """
    series = table.frame[name]
    ordinal = table[name].scale == Scale.ORDINAL
    points = coordinates(table, [name])[:, 0]
    if ordinal and table[name].order:
        places = table.codes(name)
        codes = np.where(places < 0, MISSING, np.searchsorted(np.unique(places[places >= 0]), places))
    else:
        codes = series.rank("dense").fill_null(0).cast(pl.Int64).to_numpy() - 1
    values = np.empty(int(codes.max(initial=MISSING)) + 1)
    values[codes[codes != MISSING]] = points[codes != MISSING]
    return CodedColumn(name=name, codes=codes, space=None, values=values, ordinal=ordinal)


def attributes_of(
    columns: Sequence[CodedColumn], tuples: Tuples, *, centroid: str = "semantic", numeric_weight: float = 1.0
) -> list[Attribute]:
    """The columns of distinct tuples, each with its distances and centres.

    Distances of numbers are put on the scale of the semantic ones: at most `numeric_weight` times the largest of them.
    """
    largest = max((each.space.distance.largest for each in columns if each.space is not None), default=1.0)
    found: list[Attribute] = []
    for place, each in enumerate(columns):
        codes = tuples.codes[:, place]
        if each.space is not None:
            found.append(Concepts(each.space, codes, centroid))
        else:
            found.append(
                NumberColumn(
                    each.values[codes],
                    tuples.frequencies,
                    ordinal=each.ordinal,
                    weight=numeric_weight * largest,
                )
            )
    return found


def with_centres(table: Table, columns: Sequence[CodedColumn], centres: FloatArray) -> Table:
    """The table with a centre in each cell: candidates of spaces as their texts, numbers as they are; NaN is missing.

    A column of concepts becomes nominal: a concept has no place in an order.
    """
    plain = [place for place, each in enumerate(columns) if each.space is None]
    result = with_coordinates(table, [columns[place].name for place in plain], centres[:, plain])
    fresh, described = {}, []
    for place, each in enumerate(columns):
        if each.space is not None:
            fresh[each.name] = _texts(each.space, centres[:, place])
            described.append(as_words(table[each.name], fresh[each.name]))
    return result.with_values(fresh, described)


def as_words(column: Column, published: pl.Series) -> Column:
    """The column as one of words without an order; codes that are still in it keep their labels."""
    there = set(published.drop_nulls().unique())
    labels = {code: label for code, label in column.value_labels.items() if code in there}
    return replace(column, scale=Scale.NOMINAL, order=(), value_labels=labels, missing_codes=())


def with_codes(table: Table, columns: Sequence[CodedColumn], codes: IntArray) -> Table:
    """The table with the values that codes stand for, records by columns; -1 is missing. Types and scales stay."""
    fresh = {}
    for place, each in enumerate(columns):
        first = np.zeros(int(each.codes.max(initial=MISSING)) + 1, dtype=np.int64)
        present = np.flatnonzero(each.codes != MISSING)[::-1]
        first[each.codes[present]] = present
        rows = np.where(codes[:, place] == MISSING, MISSING, np.append(first, 0)[codes[:, place]])
        taken = pl.Series(rows, dtype=pl.Int64)
        fresh[each.name] = table.frame[each.name].gather(taken.set(taken < 0, None))
    return table.with_values(fresh)


def _texts(space: Space, candidates: FloatArray) -> pl.Series:
    published = pl.Series([space.texts[place] for place in range(len(space.concepts))], dtype=pl.String)
    return published.gather(pl.Series(candidates, dtype=pl.Float64).fill_nan(None).cast(pl.UInt32))


def missing_cells(columns: Sequence[CodedColumn]) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which cells are missing, records by columns."""
    return np.column_stack([each.codes == MISSING for each in columns])


def suppressed(columns: Sequence[CodedColumn], centres: FloatArray) -> int:
    """How many cells are missing now that were not before."""
    return int((np.isnan(centres) & ~missing_cells(columns)).sum())


def ontologies_of(spaces: Mapping[str, Space | None]) -> dict[str, dict[str, str]]:
    """The ontology that the values of each column were understood in, by name and digest; words alone have none.

    The digest is that of concepts and links (`Ontology.digest`), so that whoever has the file can check that it is it.
    """
    return {
        column: {"name": space.distance.ontology.name, "sha256": space.distance.ontology.digest}
        for column, space in spaces.items()
        if space is not None and bool((space.concepts >= 0).any())
    }
