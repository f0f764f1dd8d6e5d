"""Local generalisation: rare combinations join the one that costs least, both brought to what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from discreet import registry
from discreet._kernels.counting.classes import class_sizes
from discreet._kernels.counting.tuples import tuples_of
from discreet.errors import NotComputable
from discreet.households import household_columns
from discreet.mask.hierarchies import (
    Hierarchy,
    MeasureParameter,
    hierarchies_of,
    labels_of_nodes,
    with_household_codes,
)
from discreet.mask.joining import Cost, Joining
from discreet.mask.mixed import as_words, ontologies_of
from discreet.mask.required import (
    DIVERSE_AND_CLOSE,
    SHARED_BY_K,
    USUAL_C,
    ClosenessParameter,
    DiversityParameter,
    DiversityVariant,
    Protected,
    RecursiveParameter,
    check_reachable,
    check_reached,
    guaranteed,
    required,
)
from discreet.ontology.columns import (
    Interpretation,
    MappingParameter,
    OntologyParameter,
    UnmappedParameter,
)
from discreet.parameters import CATEGORY_KEYS, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.requirement import Holdings, Requirement
from discreet.results import Masked
from discreet.table import BoolArray, IntArray, Table

MOST_COMBINATIONS = 30_000


@registry.mask(
    family="generalisation",
    title="Generalise locally",
    meaning="rare combinations become more general, each as far as it needs",
    tells=registry.Tells("each published value says which true ones it can stand for", clue="held"),
    splits=registry.Split.COUNTS,
    searched=registry.Searched(to_a_goal=({},), jointly=({},)),
    scales=registry.ANY_SCALE,
    in_words=registry.InWords(besides={"k": "so that at least {} share each combination"}),
    missing="stays missing, or becomes the most general value together with others",
    guarantees=(SHARED_BY_K, *DIVERSE_AND_CLOSE),
    by_design=(
        "a value of a household is published in the same way for all its members",
        "each value is published as it is or as one that holds it",
        "records that were alike stay alike, but for what their households have in common",
    ),
    cites=(
        "He and Naughton, Proceedings of the VLDB Endowment 2(1), 2009",
        "Martínez, Sánchez and Valls, International Journal of Innovative Computing, Information and Control 8(7A), "
        "2012 (best first)",
    ),
)
def generalise_locally(
    table: Table,
    *,
    columns: Masking = CATEGORY_KEYS,
    k: Annotated[int, Whole(at_least=2, usual=(2, 10), about="fewest records that share a combination")] = 3,
    measure: MeasureParameter = "spread",
    l: DiversityParameter = None,  # noqa: E741
    l_variant: DiversityVariant = "distinct",
    c: RecursiveParameter = USUAL_C,
    t: ClosenessParameter = None,
    confidential: Protected = None,
    ontology: OntologyParameter = None,
    mapping: MappingParameter = None,
    unmapped: UnmappedParameter = "error",
    times: IntArray | None = None,
    progress: Progress = SILENT,
) -> Masked:
    """The table with rare combinations brought up their hierarchies, each no further than it needs.

    Again and again the rarest combination joins another: in every column both become the most special value that holds
    both. The partner is the one for which this loses least over all the records it changes. Frequent combinations stay
    as they are unless that is cheapest, so that far less is lost than when a whole column moves to one level; in return
    a column holds values of several levels. Best first, one step at a time: near the least loss, not proven.

    With `l` and `t` combinations are rare too whose confidential values are not diverse enough, or too unlike those of
    the file. Where records belong to people, k counts people. A column that is the same for all members of a household
    is brought up for all of them at once.

    Raises Unreachable where all records together are not enough, and NotComputable for more combinations than can be
    compared with each other.

    Local generalisation as in He and Naughton 2009, best first as in Martínez, Sánchez and Valls 2012.

    >>> print(dc.mask.generalise_locally(table, columns=["sex", "education", "marital_status"], k=5))
    generalise_locally: 400 records (combinations_before 54, combinations_after 29, steps 25)
    """
    wanted = required(
        table,
        "generalise_locally",
        columns,
        k=k,
        l=l,
        l_variant=l_variant,
        c=c,
        t=t,
        confidential=confidential,
    )
    check_reachable(table, "generalise_locally", wanted, times)
    how = Interpretation(ontology=ontology, mapping=mapping, unmapped=unmapped, measured=False)
    trees = hierarchies_of(table, columns, how)
    codes = np.column_stack([each.codes for each in with_household_codes(table, trees)])
    joined = _joined_for_households(table, trees, codes, measure, wanted, times, progress)
    check_reached(Holdings(table, wanted, times=times), "generalise_locally", class_sizes(joined.nodes).label)
    final = np.where(
        np.column_stack([_stays_missing(tree, joined.nodes[:, place]) for place, tree in enumerate(trees)]),
        [tree.leaf[-1] for tree in trees],
        joined.nodes,
    )
    records = np.ones(len(table), dtype=np.int64) if times is None else times
    changed = {
        tree.column: int(records[final[:, place] != tree.leaf[tree.codes]].sum())
        for place, tree in enumerate(trees)
    }
    return Masked(
        table=with_nodes(table, trees, final),
        facts={
            "combinations_before": joined.before,
            "combinations_after": len(np.unique(joined.nodes, axis=0)),
            "steps": joined.steps,
            "changed": changed,
            "ontologies": ontologies_of({each.column: each.space for each in trees}),
        },
        guarantees=guaranteed(table, columns, wanted),
    )


class _Joined(NamedTuple):
    """The nodes of each record at last, how many combinations there were at first, and how many steps were taken."""

    nodes: IntArray
    before: int
    steps: int


def _joined_for_households(
    table: Table,
    trees: Sequence[Hierarchy],
    codes: IntArray,
    measure: str,
    wanted: Requirement,
    times: IntArray | None,
    progress: Progress,
) -> _Joined:
    """Joins combinations until all reach what is wanted with the values of households alike for their members."""
    of_households = household_columns(table, [tree.column for tree in trees])
    households = table.households() if of_households else None
    distinct = tuples_of(codes, times)
    if len(distinct.codes) > MOST_COMBINATIONS:
        raise NotComputable(
            f"generalise_locally: the columns have {len(distinct.codes)} distinct combinations, more than can be "
            "compared with each other. Use generalise or mondrian, or name fewer columns."
        )
    before, steps = len(distinct.codes), 0
    costs = [_cost(tree, measure) for tree in trees]
    leaves = np.column_stack([tree.leaf[distinct.codes[:, place]] for place, tree in enumerate(trees)])
    distinct = distinct._replace(codes=leaves)
    while True:
        holdings = Holdings(table, wanted, distinct.which, times)
        joining = Joining(distinct, holdings, [tree.above() for tree in trees], costs)
        joining.join_all(progress)
        steps += joining.steps
        nodes = joining.final()[distinct.which]
        if households is None or not joining.steps:
            return _Joined(nodes, before, steps)
        for place, tree in enumerate(trees):
            if tree.column in of_households:
                nodes[:, place] = _common_of_household(tree, nodes[:, place], households)
        distinct = tuples_of(nodes)


def _common_of_household(tree: Hierarchy, nodes: IntArray, households: IntArray) -> IntArray:
    """For each record the most special node that holds those of all members of its household."""
    chains = tree.above()[nodes]
    order = np.argsort(households, kind="stable")
    starts = np.flatnonzero(np.diff(households[order], prepend=-1))
    low, high = (each.reduceat(chains[order], starts, axis=0) for each in (np.minimum, np.maximum))
    shared = (low == high).sum(axis=1)
    common = np.empty(len(starts), dtype=np.int64)
    common[households[order][starts]] = low[np.arange(len(starts)), shared - 1]
    return common[households]


def _stays_missing(tree: Hierarchy, nodes: IntArray) -> BoolArray:
    """Which records had no value and were not brought up to the most general one."""
    root = int(tree.above()[0, 0])
    missing: BoolArray = (tree.codes < 0) & (nodes != root)
    return missing


def with_nodes(table: Table, trees: Sequence[Hierarchy], nodes: IntArray) -> Table:
    """The table with what is published for nodes, records by columns; columns that do not change stay as they are."""
    fresh, described = {}, []
    for place, tree in enumerate(trees):
        if (nodes[:, place] != tree.leaf[tree.codes]).any():
            fresh[tree.column] = labels_of_nodes(tree, nodes[:, place])
            described.append(as_words(table[tree.column], fresh[tree.column]))
    return table.with_values(fresh, described)


def _cost(tree: Hierarchy, measure: str) -> Cost:
    """What it costs one record to go from a node up to another."""
    if measure == "distance" and tree.space is not None:
        space = tree.space
        known = np.flatnonzero(space.concepts >= 0)
        between = np.ones((len(tree.parent), len(tree.parent)))
        np.fill_diagonal(between, 0.0)
        if len(known):
            concepts = space.concepts[known]
            between[np.ix_(known, known)] = space.distance.matrix(concepts) / space.distance.largest
        return lambda low, high: between[low, high]
    if measure == "steps":
        height = max(1, int(tree.depth.max()))
        return lambda low, high: (tree.depth[low] - tree.depth[high]) / height
    return lambda low, high: np.maximum(0.0, tree.spread[high] - tree.spread[low])
