"""Columns of tables in their ontologies: values as codes, and the space that says how far apart they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from discreet.coding import aligned, labels_of
from discreet.errors import BadTable, UnmappedValues
from discreet.ontology.builder import VIRTUAL_ROOT, of_edges
from discreet.ontology.chosen import Given, OntologyKind, in_home, ontology_of
from discreet.ontology.distances import DEFAULT, DISTANCES, distance
from discreet.ontology.graph import Ontology
from discreet.ontology.links import Adjacency
from discreet.ontology.mapping import MappedValues, Meaning, Senses, Unmapped, map_values, read_mapping
from discreet.ontology.space import Space
from discreet.parameters import Choice, PairsOrFile
from discreet.table import Column, IntArray, Scale, Table

EXACT = "exact"
"""The distance of values that mean nothing: 0 to themselves, 1 to all others."""

Pairing = Mapping[str, str] | str
OntologyParameter = Annotated[
    Given | None, OntologyKind(about="what the values mean something in; each column's own if left out")
]
DistanceParameter = Annotated[
    str,
    Choice(among=(*DISTANCES, EXACT), about="how far apart two concepts are; exact: 0 or 1, by the words"),
]
MappingParameter = Annotated[
    Pairing | None,
    PairsOrFile(about="which concept a value stands for, where its own word does not say it"),
]
SensesParameter = Annotated[
    str, Choice(among=("first", "all"), about="the likeliest sense of a word, or the nearest of all")
]
UnmappedParameter = Annotated[
    str, Choice(among=("error", "apart"), about="values without a concept: an error, or 0/1 distances")
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Interpretation:
    """How the values of columns are to be understood; `measured` says that the distances between them are wanted."""

    ontology: Given | None = None
    distance: str = DEFAULT
    mapping: Pairing | None = None
    senses: Senses | str = "first"
    unmapped: Unmapped | str = "error"
    measured: bool = True


def means_something(column: Column, how: Interpretation) -> bool:
    """Whether the values of the column are taken for concepts, and not for numbers or places in an order.

    So are nominal columns, and ordinal ones that have an ontology of their own or are given one by name.
    """
    if column.scale == Scale.NOMINAL:
        return True
    named = isinstance(how.ontology, Mapping) and column.name in how.ontology
    return column.scale == Scale.ORDINAL and (bool(column.ontology) or named)


class Understood(NamedTuple):
    """A column of one or more tables: the space of all values, and each table's values as codes; missing is -1."""

    space: Space
    codes: tuple[IntArray, ...]


def understood(tables: Sequence[Table], column: str, how: Interpretation) -> Understood:
    """The column of the tables in its ontology: that of the interpretation, else that of the first table's column.

    Values are numbered in the order of their texts. A mapping that is given goes before the column's own, and that
    before the labels that codes have. Raises UnmappedValues, BadTable where a column has no ontology and its values may
    not stand apart, and whatever reading the ontology raises.
    """
    series = [labels_of(table.frame[column]) for table in tables]
    if len(series) == 2:
        series = list(aligned(series[0], series[1]))
    values = pl.concat(series).drop_nulls().unique().sort()
    places = pl.Series(np.arange(len(values)), dtype=pl.Int64)
    codes = tuple(
        each.replace_strict(values, places, default=None, return_dtype=pl.Int64).fill_null(-1).to_numpy()
        for each in series
    )
    space = _space(tables[0], column, tuple(values.to_list()), how)
    return Understood(space, tuple(np.asarray(each, dtype=np.int64) for each in codes))


def meanings_of(table: Table, column: str) -> list[Meaning]:
    """What each value of a column with an ontology is taken for, for the steward to check; those of nothing first.

    Raises BadTable where the column has no ontology, and whatever reading it raises.
    """
    ontology = ontology_of(table, column, None)
    if ontology is None:
        raise BadTable(f"column '{column}' has no ontology.")
    values = labels_of(table.frame[column]).drop_nulls().unique().sort().to_list()
    mapped = _mapped(table, column, ontology, tuple(values), Interpretation(unmapped="apart"))
    return sorted(mapped.meanings(), key=lambda each: each.identifier != "")


def _space(table: Table, column: str, values: tuple[str, ...], how: Interpretation) -> Space:
    if how.distance == EXACT or not values:
        return flat(values or (VIRTUAL_ROOT,), measured=how.measured)
    ontology = ontology_of(table, column, how.ontology)
    if ontology is not None:
        mapped = _mapped(table, column, ontology, values, how)
        return Space.of(distance(ontology, how.distance), mapped, measured=how.measured)
    if how.unmapped == "apart":
        return flat(values, measured=how.measured)
    raise BadTable(
        f"column '{column}' has no ontology. Give one (ontology=…), name it in the project file, or let the values "
        "stand apart (unmapped='apart')."
    )


def _mapped(
    table: Table, column: str, ontology: Ontology, values: tuple[str, ...], how: Interpretation
) -> MappedValues:
    senses: Senses = "all" if how.senses == "all" else "first"
    unmapped: Unmapped = "apart" if how.unmapped == "apart" else "error"
    mapping = _pairs(table[column].mapping, table.home) | _pairs(how.mapping, table.home)
    mapping = _with_labels(mapping, table[column].value_labels)
    try:
        return map_values(ontology, values, mapping=mapping, senses=senses, unmapped=unmapped)
    except UnmappedValues as error:
        raise UnmappedValues(f"column '{column}': {error}", error.values) from None


def _with_labels(mapping: dict[str, str], labels: Mapping[str, str]) -> dict[str, str]:
    """The mapping, and that a code stands for its label, where the codes of a column have labels.

    What is mapped, by its code or by its label, goes by the mapping. Without this the code 1 would be a number.
    """
    meant = {code: mapping.get(code) or mapping.get(label) or label for code, label in labels.items()}
    by_label = {label: meant[code] for code, label in labels.items() if meant[code] != label}
    return by_label | mapping | meant


def _pairs(given: Pairing | None, home: str) -> dict[str, str]:
    return read_mapping(in_home(given, home)) if isinstance(given, str) and given else dict(given or {})


def flat(values: Sequence[str], *, measured: bool = True) -> Space:
    """The space of values that mean nothing: each is at distance 0 from itself and 1 from all others."""
    nowhere: NDArray[np.int32] = np.empty(0, dtype=np.int32)
    none = Adjacency(np.zeros(len(values) + 1, dtype=np.int64), nowhere)
    return Space.of(
        distance(_nothing(), DEFAULT),
        MappedValues(ontology=_nothing(), values=tuple(values), senses=none),
        measured=measured,
    )


@cache
def _nothing() -> Ontology:
    return of_edges([], labels={VIRTUAL_ROOT: VIRTUAL_ROOT}, name="nothing")
