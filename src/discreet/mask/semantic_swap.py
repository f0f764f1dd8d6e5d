"""Semantic swapping: categories change places with categories of like meaning, so every column keeps what it holds."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet.errors import BadParameter, Unreachable, listed
from discreet.guarantees import SameValues
from discreet.mask.classes import stratum_of
from discreet.mask.mixed import coded_concepts, ontologies_of, with_codes
from discreet.mask.ranks import PAIRINGS, moved_by_rank
from discreet.ontology import Space
from discreet.ontology.columns import (
    DistanceParameter,
    Interpretation,
    MappingParameter,
    OntologyParameter,
    SensesParameter,
    UnmappedParameter,
)
from discreet.parameters import SEMANTIC_KEYS, Choice, Columns, ColumnsKind, Masking, Real
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, IntArray, Table


@registry.mask(
    family="swapping",
    title="Semantic swap",
    meaning="categories are swapped with others of like meaning",
    tells=registry.Tells(
        "how far a category can have moved in the order of meanings, or usually did; records are compared by meaning "
        "with link_semantic"
    ),
    splits=registry.Split.RANGES,
    by_columns={},
    scales=registry.CATEGORIES,
    missing="stays missing, in its place; only present values are swapped",
    guarantees=(DeclaredGuarantee("each column keeps its values, each as often as before", SameValues),),
    by_design=(
        "so it does among the records that are alike in the columns of `within`",
        "with the variant 'window' no value moves by more than p percent of the places in the semantic order",
    ),
    cites=(
        "Dalenius and Reiss, Journal of Statistical Planning and Inference 6(1), 1982",
        "Moore, Controlled data-swapping techniques, US Bureau of the Census, 1996",
        "Martínez, Valls and Sánchez, Knowledge-Based Systems 35, 2012 (distances and centroids)",
    ),
    example={"p": 20},
)
def semantic_swap(
    table: Table,
    *,
    columns: Masking = SEMANTIC_KEYS,
    p: Annotated[
        float,
        Real(
            above=0, at_most=100, usual=(1, 20), about="how far a value may move, in percent of the records"
        ),
    ] = 5,
    variant: Annotated[
        str, Choice(among=("window", "buckets", "distribution"), about="how the partner of a value is drawn")
    ] = "window",
    within: Annotated[
        Columns | None,
        ColumnsKind(about="columns in which records that swap must be alike; none if left out"),
    ] = None,
    distance: DistanceParameter = "log_sc",
    ontology: OntologyParameter = None,
    mapping: MappingParameter = None,
    senses: SensesParameter = "first",
    unmapped: UnmappedParameter = "error",
    seed: Seed = None,
    first_column: int = 0,
) -> Masked:
    """The table with each column's categories swapped with categories of like meaning.

    The values of a column are put in an order: first the one farthest from the centroid, then always the one nearest
    to the last. Records are ranked by it, equal values at random, and swapped as in rank swapping: partners are at most
    p percent of the records away (`window`), or near ones are likelier (`buckets`, `distribution`). With `within` only
    records that are alike in those columns swap. What a column holds is kept exactly; what links the columns of one
    record is loosened.

    An order by growing distance to the first value alone would put next to each other what is equally far from it and
    has nothing else in common; on the Adult file that loses up to a third more.

    Rank swapping is by Moore 1996; the centroid is that of Martínez, Valls and Sánchez 2012.

    >>> dc.mask.semantic_swap(table, columns=["occupation"], p=5, seed=1).facts["swapped"]
    {'occupation': 320}
    """
    _check_within(columns, within)
    how = Interpretation(
        ontology=ontology, distance=distance, mapping=mapping, senses=senses, unmapped=unmapped
    )
    coded = [coded_concepts(table, name, how) for name in columns]
    stratum = stratum_of(table, within) if within else np.zeros(len(table), dtype=np.int64)
    codes = np.column_stack([each.codes for each in coded])
    swapped = {}
    for place, each in enumerate(coded):
        assert each.space is not None
        source = _sources(
            chain(each.space, each.codes),
            each.codes,
            stratum,
            p,
            variant,
            seeds.generator(seed, first_column + place),
        )
        swapped[each.name] = int((source != np.arange(len(source))).sum())
        codes[:, place] = each.codes[source]
    if len(table) and not any(swapped.values()):
        raise Unreachable(
            f"semantic_swap: p={p:g} percent of the records that may swap is less than one place everywhere, so "
            "nothing can be swapped. Raise p."
        )
    return Masked(
        table=with_codes(table, coded, codes),
        facts={"swapped": swapped, "ontologies": ontologies_of({each.name: each.space for each in coded})},
        guarantees=(SameValues(columns=tuple(columns), before=table),),
    )


def _check_within(columns: Columns, within: Columns | None) -> None:
    both = [name for name in columns if name in (within or ())]
    if both:
        raise BadParameter(f"semantic_swap: {listed(both)} cannot be both swapped and the same for partners.")


def chain(space: Space, codes: IntArray) -> FloatArray:
    """The place of each value on a way through all of them.

    It starts with the value farthest from the centroid and goes on with the nearest that has not been met; the first
    by text wins a tie.
    """
    frequencies = np.bincount(codes[codes >= 0], minlength=len(space))
    place = np.zeros(len(space))
    if not frequencies.any():
        return place
    current = int(np.argmax(space.distances[space.centroid(frequencies)]))
    met = np.zeros(len(space), dtype=bool)
    for step in range(len(space)):
        place[current], met[current] = step, True
        current = int(np.argmin(np.where(met, np.inf, space.between[current])))
    return place


def _sources(
    place: FloatArray,
    codes: IntArray,
    stratum: IntArray,
    p: float,
    variant: str,
    generator: np.random.Generator,
) -> IntArray:
    """For each record the record whose value it gets: itself where its value is missing or its stratum too small."""
    source = np.arange(len(codes))
    present = np.flatnonzero(codes >= 0)
    order = present[np.argsort(stratum[present], kind="stable")]
    for rows in np.split(order, np.flatnonzero(np.diff(stratum[order])) + 1):
        reach = int(p * len(rows) / 100)
        if reach >= 1:
            source[rows] = rows[moved_by_rank(place[codes[rows]], reach, PAIRINGS[variant], generator)]
    return source
