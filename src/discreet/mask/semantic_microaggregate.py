"""Semantic microaggregation: categories replaced by the concept in the middle of at least k similar records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from discreet import registry
from discreet._kernels.counting.tuples import tuples_of
from discreet.guarantees import Guarantee, SameMeans
from discreet.mask.attributes import Attribute
from discreet.mask.coordinates import averaged
from discreet.mask.missing import strata
from discreet.mask.mixed import (
    CodedColumn,
    attributes_of,
    coded_columns,
    missing_cells,
    ontologies_of,
    suppressed,
    with_centres,
)
from discreet.mask.people import people_of
from discreet.mask.required import SHARED_BY_K, guaranteed
from discreet.mask.semantic_groups import (
    TupleGroups,
    adaptive_groups,
    fixed_groups,
    joined_groups,
    labels_of_records,
)
from discreet.ontology.columns import (
    DistanceParameter,
    Interpretation,
    MappingParameter,
    OntologyParameter,
    SensesParameter,
    UnmappedParameter,
)
from discreet.parameters import SEMANTIC_KEYS, Choice, Flag, Masking, Real, Whole
from discreet.progress import SILENT, Progress
from discreet.registry import DeclaredGuarantee
from discreet.requirement import Holdings, Requirement
from discreet.results import Masked
from discreet.table import FloatArray, IntArray, Table

Variant = Annotated[
    str,
    Choice(
        among=("adaptive", "static", "fixed"),
        about="groups of whole tuples around a moving or a static centre, or groups of k records",
    ),
]
Centroid = Annotated[
    str,
    Choice(
        among=("semantic", "lcs", "mode"),
        about="the concept nearest to all, their common subsumer, or the most frequent value",
    ),
]


@registry.mask(
    family="microaggregation",
    title="Semantic microaggregate",
    meaning="values become the centre of a group of records of like meaning",
    tells=registry.Tells(
        "the least size of the groups and the ontology; records are compared by meaning with link_semantic"
    ),
    splits=registry.Split.BLOCKS,
    scales=registry.ANY_SCALE,
    missing="stays missing; where fewer than k miss the same cells, a few others lose these too",
    guarantees=(
        SHARED_BY_K,
        DeclaredGuarantee(
            "the means of numeric columns are kept where no further cell is suppressed",
            SameMeans,
            when={"columns": ["occupation", "age"]},
        ),
    ),
    by_design=("records that were alike stay alike, except with the variant 'fixed'",),
    cites=(
        "Martínez, Sánchez and Valls, Computers & Security 31(5), 2012 (adaptive, semantic)",
        "Domingo-Ferrer and Torra, Data Mining and Knowledge Discovery 11(2), 2005 (fixed, exact, mode)",
        "Abril, Navarro-Arribas and Torra, Modeling Decisions for Artificial Intelligence, 2010 (wu_palmer, lcs)",
    ),
)
def semantic_microaggregate(
    table: Table,
    *,
    columns: Masking = SEMANTIC_KEYS,
    k: Annotated[int, Whole(at_least=2, usual=(2, 30), about="fewest records in a group")] = 3,
    variant: Variant = "adaptive",
    distance: DistanceParameter = "log_sc",
    centroid: Centroid = "semantic",
    ontology: OntologyParameter = None,
    mapping: MappingParameter = None,
    senses: SensesParameter = "first",
    unmapped: UnmappedParameter = "error",
    numeric_weight: Annotated[
        float,
        Real(
            above=0, at_most=1000, about="how much a numeric or ordered column counts against a semantic one"
        ),
    ] = 1.0,
    weighted: Annotated[
        bool,
        Flag(about="whether a tuple is as many times as far away as it has records, as the authors have it"),
    ] = False,
    progress: Progress = SILENT,
) -> Masked:
    """The table with each record's values replaced by the centre of a group of at least k records of like meaning.

    Distances between records are means over the columns. The centre of categories is the concept of their ontology
    that is nearest to them all, published under the file's own word for it where there is one; that of numbers is the
    mean, that of ordered categories without an ontology the median. All copies of a tuple of values stay together and
    groups have no upper bound, so that what is frequent stays as it is; `fixed` makes groups of k records instead. The
    work grows with the number of distinct tuples, not of records.

    Frequencies count in centres and sizes. With `weighted` they count in distances too, as in the authors' comparison
    operator; this gathers rare tuples that have little in common and loses up to twice as much on the Adult file.

    `adaptive` is SA-MDAV (Martínez, Sánchez and Valls 2012), `fixed` is MDAV (Domingo-Ferrer and Torra 2005).

    >>> print(dc.mask.semantic_microaggregate(table, columns=["occupation"], k=5))
    semantic_microaggregate: 400 records (groups 24, distinct_tuples 27, suppressed_cells 0)
    """
    how = Interpretation(
        ontology=ontology, distance=distance, mapping=mapping, senses=senses, unmapped=unmapped
    )
    coded = coded_columns(table, columns, how)

    def group(attributes: Sequence[Attribute], frequencies: IntArray) -> TupleGroups:
        if variant == "fixed":
            return fixed_groups(attributes, frequencies, k, progress=progress)
        static = variant == "static"
        return adaptive_groups(
            attributes, frequencies, k, static=static, weighted=weighted, progress=progress
        )

    made = _aggregated(coded, people_of(table, k, "semantic_microaggregate"), centroid, numeric_weight, group)
    return Masked(
        table=with_centres(table, coded, made.centres),
        facts={
            "groups": int(made.label.max(initial=-1)) + 1,
            "distinct_tuples": made.tuples,
            "suppressed_cells": suppressed(coded, made.centres),
            "ontologies": ontologies_of({each.name: each.space for each in coded}),
            "labels": made.label,
        },
        guarantees=_guarantees(table, columns, coded, made.centres, k),
    )


class _Aggregated(NamedTuple):
    """The centre that each record gets, the group of each, and how many distinct tuples were grouped."""

    centres: FloatArray
    label: IntArray
    tuples: int


def _aggregated(
    coded: Sequence[CodedColumn],
    people: Holdings,
    centroid: str,
    numeric_weight: float,
    group: Callable[[Sequence[Attribute], IntArray], TupleGroups],
) -> _Aggregated:
    """The groups among records with values in the same columns, and their centres."""
    records = len(coded[0].codes)
    centres = np.full((records, len(coded)), np.nan)
    label = np.zeros(records, dtype=np.int64)
    groups, tuples = 0, 0
    for stratum in strata(missing_cells(coded), people):
        rows, own = stratum.rows, [coded[place] for place in stratum.present]
        label[rows] = groups
        if own:
            distinct = tuples_of(np.column_stack([each.codes[rows] for each in own]))
            attributes = attributes_of(own, distinct, centroid=centroid, numeric_weight=numeric_weight)
            made = group(attributes, distinct.frequencies)
            labels = labels_of_records(made, distinct)
            labels, made = joined_groups(attributes, distinct, labels, made, rows, people)
            centres[np.ix_(rows, stratum.present)] = made.centres[labels]
            label[rows] += labels
            tuples += len(distinct.codes)
        groups = int(label[rows].max()) + 1
    return _Aggregated(centres, label, tuples)


def _guarantees(
    table: Table, columns: Sequence[str], coded: Sequence[CodedColumn], centres: FloatArray, k: int
) -> tuple[Guarantee, ...]:
    means = averaged(table, columns)
    together = guaranteed(table, columns, Requirement(k=k))
    if means and not suppressed(coded, centres):
        return (*together, SameMeans(columns=means, before=table))
    return together
