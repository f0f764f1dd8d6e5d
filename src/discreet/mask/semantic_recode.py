"""Semantic recoding: rare combinations of categories become the nearest one that is less rare."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from discreet import registry
from discreet._kernels.counting.tuples import Tuples, tuples_of
from discreet.mask.attributes import Attribute, mean_distance
from discreet.mask.missing import strata
from discreet.mask.mixed import (
    MISSING,
    attributes_of,
    coded_columns,
    missing_cells,
    ontologies_of,
    with_codes,
)
from discreet.mask.people import Distances, joined_for_people, people_of
from discreet.mask.required import SHARED_BY_K, guaranteed
from discreet.ontology.columns import (
    DistanceParameter,
    Interpretation,
    MappingParameter,
    OntologyParameter,
    SensesParameter,
    UnmappedParameter,
)
from discreet.parameters import SEMANTIC_KEYS, Choice, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.requirement import Holdings
from discreet.results import Masked
from discreet.table import BoolArray, FloatArray, IntArray, Table

TIE = 1e-12


@registry.mask(
    family="recoding",
    title="Semantic recode",
    meaning="rare combinations become others that are near in meaning",
    tells=registry.Tells(
        "the ontology, and how many records at least share a combination; which ones were replaced is not published, "
        "and records are compared by meaning with link_semantic"
    ),
    splits=registry.Split.WHOLE,
    instead="suppress, which blanks cells of rare combinations",
    scales=registry.CATEGORIES,
    missing="stays missing; where fewer than k miss the same cells, a few others lose these too",
    guarantees=(SHARED_BY_K,),
    by_design=(
        "every published combination is one that the original has, where no further cell is suppressed",
        "records that were alike stay alike",
    ),
    cites=("Martínez, Sánchez, Valls and Batet, Information Fusion 13(4), 2012",),
)
def semantic_recode(
    table: Table,
    *,
    columns: Masking = SEMANTIC_KEYS,
    k: Annotated[int, Whole(at_least=2, usual=(2, 30), about="fewest records that share a combination")] = 3,
    variant: Annotated[
        str,
        Choice(
            among=("weighted", "nearest"),
            about="to a less rare combination, rarer ones first, or to the nearest of all",
        ),
    ] = "weighted",
    distance: DistanceParameter = "log_sc",
    ontology: OntologyParameter = None,
    mapping: MappingParameter = None,
    senses: SensesParameter = "first",
    unmapped: UnmappedParameter = "error",
    progress: Progress = SILENT,
) -> Masked:
    """The table with each rare combination of values replaced by one that is near in meaning, until none is rare.

    Again and again the combinations with the fewest records, fewer than k, are replaced, each by the one with the
    least distance times frequency among those that have more records; a tie goes to the least frequent. Where all
    have equally many they are joined one by one. `nearest` takes the least distance to any other combination: it loses
    less, above all where most combinations are about equally rare, and weighs down the frequent ones.

    `weighted` is the semantic recoding of Martínez, Sánchez, Valls and Batet 2012.

    >>> print(dc.mask.semantic_recode(table, columns=["occupation"], k=5))
    semantic_recode: 400 records (combinations_before 27, combinations_after 24, suppressed_cells 0)
    """
    how = Interpretation(
        ontology=ontology, distance=distance, mapping=mapping, senses=senses, unmapped=unmapped
    )
    coded = coded_columns(table, columns, how)
    codes = np.full((len(table), len(coded)), MISSING, dtype=np.int64)
    before, after = 0, 0
    people = people_of(table, k, "semantic_recode")
    for stratum in strata(missing_cells(coded), people):
        rows, own = stratum.rows, [coded[place] for place in stratum.present]
        if own:
            distinct = tuples_of(np.column_stack([each.codes[rows] for each in own]))
            attributes = attributes_of(own, distinct)
            target = recoded(attributes, distinct.frequencies, k, variant == "weighted", progress)
            target = _for_people(attributes, distinct, target, rows, people)
            codes[np.ix_(rows, stratum.present)] = distinct.codes[target[distinct.which]]
            before, after = before + len(target), after + len(np.unique(target))
    changed = {each.name: int((codes[:, place] != each.codes).sum()) for place, each in enumerate(coded)}
    return Masked(
        table=with_codes(table, coded, codes),
        facts={
            "combinations_before": before,
            "combinations_after": after,
            "changed": changed,
            "suppressed_cells": int(((codes == MISSING) & ~missing_cells(coded)).sum()),
            "ontologies": ontologies_of({each.name: each.space for each in coded}),
        },
        guarantees=guaranteed(table, columns, people.requirement),
    )


def _for_people(
    attributes: Sequence[Attribute], distinct: Tuples, target: IntArray, rows: IntArray, people: Holdings
) -> IntArray:
    """For each tuple the tuple it becomes, those with too few people becoming the nearest of the others."""
    ends, label = np.unique(target, return_inverse=True)
    label = label.reshape(-1).astype(np.int64)

    def distances_of() -> Distances:
        return lambda group: mean_distance([each.to_tuple(int(ends[group])) for each in attributes])[ends]

    fresh = joined_for_people(label[distinct.which], rows, people, distances_of)
    # A group is published as that of its tuples which stood for most records before.
    held = np.bincount(label[distinct.which], minlength=len(ends))
    best = np.zeros(int(fresh.max()) + 1, dtype=np.int64)
    order = np.argsort(held[label[distinct.which]], kind="stable")
    best[fresh[order]] = target[distinct.which][order]
    found = np.empty_like(target)
    found[distinct.which] = best[fresh]
    return found


def recoded(
    attributes: Sequence[Attribute],
    frequencies: IntArray,
    k: int,
    weighted: bool,
    progress: Progress = SILENT,
) -> IntArray:
    """For each tuple the tuple it becomes, so that none stands for fewer than k records."""
    counts = frequencies.astype(np.int64)
    target = np.arange(len(counts))
    while True:
        present = counts > 0
        least = int(counts[present].min())
        progress(min(least, k), k, "recode")
        if least >= k:
            return _followed(target)
        rarest = np.flatnonzero(present & (counts == least))
        outside = present & (counts != least)
        together = weighted and bool(outside.any())
        weights = counts.copy()
        for row in rarest.tolist():
            if counts[row] != least:
                # It has taken in another one, so it is no longer among the rarest.
                continue
            allowed = outside if together else counts > 0
            chosen = _nearest(attributes, row, allowed, weights if together else counts, weighted)
            target[row] = chosen
            counts[chosen] += least
            counts[row] = 0


def _nearest(
    attributes: Sequence[Attribute], row: int, allowed: BoolArray, counts: IntArray, weighted: bool
) -> int:
    """The allowed tuple with the least distance to a row (times its count where weighted), the rarest of several."""
    apart: FloatArray = mean_distance([each.to_tuple(row) for each in attributes])
    if weighted:
        apart *= counts
    apart = np.where(allowed, apart, np.inf)
    apart[row] = np.inf
    tied = np.flatnonzero(apart <= apart.min() + TIE)
    return int(tied[np.argmin(counts[tied])])


def _followed(target: IntArray) -> IntArray:
    """Where each tuple ends when every target has been replaced in its turn."""
    while True:
        further = target[target]
        if (further == target).all():
            return target
        target = further
