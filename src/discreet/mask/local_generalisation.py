"""Local generalisation: rare combinations join the one that costs least, both brought to what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np

from discreet import registry
from discreet._kernels.tuples import tuples_of
from discreet.errors import NotComputable, Unreachable
from discreet.mask.generalisation import MeasureParameter, labels_of_nodes
from discreet.mask.hierarchies import Hierarchy, hierarchies_of
from discreet.mask.mixed import as_words, ontologies_of
from discreet.ontology.columns import (
    Interpretation,
    MappingParameter,
    OntologyParameter,
    UnmappedParameter,
)
from discreet.parameters import CATEGORY_KEYS, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.promises import KAnonymous
from discreet.results import Masked
from discreet.table import FloatArray, IntArray, Table

MOST_COMBINATIONS = 30_000
Cost = Callable[[IntArray, IntArray], FloatArray]


@registry.mask(
    family="generalisation",
    scales=registry.ANY_SCALE,
    missing="stays missing, or becomes the most general value together with others",
    guarantees=(
        "every combination of the columns is shared by at least k records",
        "each value is published as it is or as one that holds it",
        "records that were alike stay alike",
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
    ontology: OntologyParameter = None,
    mapping: MappingParameter = None,
    unmapped: UnmappedParameter = "error",
    progress: Progress = SILENT,
) -> Masked:
    """The table with rare combinations brought up their hierarchies, each no further than it needs.

    Again and again the rarest combination joins another: in every column both become the most special value that holds
    both. The partner is the one for which this loses least over all the records it changes. Frequent combinations stay
    as they are unless that is cheapest, so that far less is lost than when a whole column moves to one level; in return
    a column holds values of several levels. Best first, one step at a time: near the least loss, not proven.

    Raises Unreachable where the table has fewer than k records, and NotComputable for more combinations than can be
    compared with each other.
    """
    if len(table) < k:
        raise Unreachable(
            f"generalise_locally: k={k} needs at least {k} records and the table has {len(table)}. Lower k."
        )
    how = Interpretation(ontology=ontology, mapping=mapping, unmapped=unmapped, measured=False)
    trees = hierarchies_of(table, columns, how)
    distinct = tuples_of(np.column_stack([each.codes for each in trees]))
    if len(distinct.codes) > MOST_COMBINATIONS:
        raise NotComputable(
            f"generalise_locally: the columns have {len(distinct.codes)} distinct combinations, more than can be "
            "compared with each other. Use generalise or mondrian, or name fewer columns."
        )
    nodes = np.column_stack([tree.leaf[distinct.codes[:, place]] for place, tree in enumerate(trees)])
    joined = _Joining(trees, nodes, distinct.frequencies, measure)
    joined.until(k, progress)
    final = joined.final()[distinct.which]
    changed = {
        tree.column: int((final[:, place] != tree.leaf[tree.codes]).sum()) for place, tree in enumerate(trees)
    }
    return Masked(
        table=with_nodes(table, trees, final),
        facts={
            "combinations_before": len(nodes),
            "combinations_after": len(np.unique(joined.final(), axis=0)),
            "steps": joined.steps,
            "changed": changed,
            "ontologies": ontologies_of({each.column: each.space for each in trees}),
        },
        promises=(KAnonymous(columns=tuple(columns), k=k),),
    )


def with_nodes(table: Table, trees: Sequence[Hierarchy], nodes: IntArray) -> Table:
    """The table with what is published for nodes, records by columns; columns that do not change stay as they are."""
    fresh, told = {}, []
    for place, tree in enumerate(trees):
        if (nodes[:, place] != tree.leaf[tree.codes]).any():
            fresh[tree.column] = labels_of_nodes(tree, nodes[:, place])
            told.append(as_words(table[tree.column], fresh[tree.column]))
    return table.with_values(fresh, told)


class _Joining:
    """Combinations of nodes that join each other; a combination that has joined another has no records any more."""

    def __init__(self, trees: Sequence[Hierarchy], nodes: IntArray, counts: IntArray, measure: str) -> None:
        self.nodes = nodes.copy()
        self.counts = counts.copy()
        self.becomes = np.arange(len(nodes))
        self.above = [tree.above() for tree in trees]
        self.costs = [_cost(tree, measure) for tree in trees]
        self.place = {row.tobytes(): number for number, row in enumerate(self.nodes)}
        self.steps = 0

    def until(self, k: int, progress: Progress) -> None:
        """Joins the rarest combination to its cheapest partner until none has fewer than k records."""
        while True:
            present = np.flatnonzero(self.counts)
            rarest = int(present[np.argmin(self.counts[present])])
            if self.counts[rarest] >= k or len(present) == 1:
                return
            progress(self.steps, self.steps + len(present), "generalise")
            self._join(rarest, *self._cheapest(rarest, present[present != rarest]))

    def _cheapest(self, one: int, others: IntArray) -> tuple[int, IntArray]:
        """The partner for which joining costs least, and what both become."""
        total = np.zeros(len(others))
        common = np.empty((len(others), self.nodes.shape[1]), dtype=np.int64)
        for place, (above, cost) in enumerate(zip(self.above, self.costs, strict=True)):
            own, theirs = self.nodes[one, place], self.nodes[others, place]
            shared = (above[theirs] == above[own]).sum(axis=1)
            common[:, place] = above[own, shared - 1]
            total += self.counts[one] * cost(np.full(len(others), own), common[:, place])
            total += self.counts[others] * cost(theirs, common[:, place])
        best = int(np.argmin(total))
        return int(others[best]), common[best]

    def _join(self, one: int, other: int, common: IntArray) -> None:
        self.steps += 1
        for row in (one, other):
            self.place.pop(self.nodes[row].tobytes(), None)
        self._move(one, other)
        self.nodes[other] = common
        same = self.place.setdefault(common.tobytes(), other)
        if same != other:
            self._move(other, same)

    def _move(self, one: int, other: int) -> None:
        self.counts[other] += self.counts[one]
        self.counts[one] = 0
        self.becomes[one] = other

    def final(self) -> IntArray:
        """What each combination has become."""
        target = self.becomes
        while True:
            further = target[target]
            if (further == target).all():
                return np.asarray(self.nodes[target])
            target = further


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
