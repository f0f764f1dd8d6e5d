"""Full-domain generalisation: every value of a column at one level of its hierarchy, the best levels for k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
import polars as pl

from discreet import registry
from discreet._kernels.classes import class_sizes
from discreet._kernels.tuples import Tuples, tuples_of
from discreet.errors import NotComputable, Unreachable
from discreet.mask.hierarchies import Hierarchy, hierarchies_of
from discreet.mask.lattice import Levels, Outcome, least_loss
from discreet.mask.mixed import as_words, ontologies_of
from discreet.ontology import Space
from discreet.ontology.columns import (
    Interpretation,
    MappingParameter,
    OntologyParameter,
    UnmappedParameter,
)
from discreet.parameters import KEYS, Choice, Masking, Real, Whole
from discreet.progress import SILENT, Progress
from discreet.promises import KAnonymous
from discreet.results import Masked
from discreet.table import BoolArray, Column, FloatArray, IntArray, Scale, Table

MOST_COMBINATIONS = 20_000_000
MeasureParameter = Annotated[
    str,
    Choice(
        among=("spread", "steps", "distance"),
        about="what generalising loses: how many values one stands for, steps up, or semantic distance",
    ),
]


@registry.mask(
    family="generalisation",
    scales=registry.ANY_SCALE,
    missing="stays missing, a value of its own, except in a column whose every value becomes the most general one",
    guarantees=(
        "every combination of the columns is shared by at least k records",
        "each value is published as it is, as one that holds it, or not at all",
        "all values of a column are at one level of its hierarchy",
        "no other combination of levels within the limits loses less by the measure",
    ),
    cites=(
        "Samarati, IEEE Transactions on Knowledge and Data Engineering 13(6), 2001",
        "Kohlmayer, Prasser, Eckert, Kemper and Kuhn, International Conference on Privacy, Security, Risk and Trust, "
        "2012 (Flash)",
    ),
)
def generalise(
    table: Table,
    *,
    columns: Masking = KEYS,
    k: Annotated[int, Whole(at_least=2, usual=(2, 10), about="fewest records that share a combination")] = 3,
    max_suppressed: Annotated[
        float,
        Real(
            at_least=0, below=1, usual=(0.0, 0.1), about="the share of records that may lose all their values"
        ),
    ] = 0.0,
    highest: Annotated[
        int | None,
        Whole(at_least=1, about="the highest level that a column may be brought to; any if left out"),
    ] = None,
    measure: MeasureParameter = "spread",
    ontology: OntologyParameter = None,
    mapping: MappingParameter = None,
    unmapped: UnmappedParameter = "error",
    progress: Progress = SILENT,
) -> Masked:
    """The table with each column at the level of its hierarchy that together lose least for k records alike.

    The hierarchy of categories is that of their ontology, or of a CSV file with a row from each value to the most
    general one. Levels are counted from the deepest value; those that join nothing are left out. Numbers become
    intervals and ordered categories runs of neighbours, twice as wide from level to level. Records that are still rare
    may be suppressed, up to a share: they lose their values in all the columns, and so do a few others where fewer
    than k would stand out by that. Of all combinations of levels the best is found.

    Raises Unreachable where no combination up to the highest level is enough.
    """
    how = Interpretation(
        ontology=ontology, mapping=mapping, unmapped=unmapped, measured=measure == "distance"
    )
    trees = hierarchies_of(table, columns, how)
    ladders = [each.levels()[: None if highest is None else highest + 1] for each in trees]
    size = float(np.prod([float(len(each)) for each in ladders]))
    if size > MOST_COMBINATIONS:
        raise NotComputable(
            f"generalise: {len(ladders)} columns have {size:.3g} combinations of levels, more than can be searched. "
            "Name fewer columns, or bound the levels with highest."
        )
    file = _File(trees, ladders, measure, k, len(table), int(max_suppressed * len(table)))
    found = least_loss(file.totals(), file.allowed, lambda levels: file.outcome(levels, progress))
    if found is None:
        raise file.unreachable(max_suppressed, highest)
    gone = file.suppressed(found.levels)[0]
    facts: dict[str, Any] = {
        "levels": dict(zip(columns, found.levels, strict=True)),
        "suppressed_records": int(gone.sum()),
        "loss": found.outcome.loss,
        "combinations": int(size),
        "combinations_tried": found.tried,
        "ontologies": ontologies_of({each.column: each.space for each in trees}),
    }
    return Masked(
        table=_written(table, trees, ladders, found.levels, gone),
        facts=facts,
        promises=(KAnonymous(columns=tuple(columns), k=k),),
    )


class _File:
    """The distinct tuples of a file and what each level does to them."""

    def __init__(
        self,
        trees: Sequence[Hierarchy],
        ladders: Sequence[IntArray],
        measure: str,
        k: int,
        records: int,
        allowed: int,
    ) -> None:
        self.tuples: Tuples = tuples_of(np.column_stack([each.codes for each in trees]))
        self.k, self.records, self.allowed = k, records, allowed
        # The last place of each row is that of missing values, whose code is -1.
        self.nodes = list(ladders)
        self.lost = [losses_of(tree, ladder, measure) for tree, ladder in zip(trees, ladders, strict=True)]
        self.tried = 0

    def totals(self) -> list[FloatArray]:
        """For each column what each level loses, on average over all cells."""
        cells = max(1, self.records * len(self.lost))
        return [
            (each[:, self.tuples.codes[:, place]] @ self.tuples.frequencies) / cells
            for place, each in enumerate(self.lost)
        ]

    def sizes(self, levels: Levels) -> tuple[IntArray, IntArray]:
        """The class of each tuple at these levels, and the number of records in it."""
        placed = enumerate(zip(self.nodes, levels, strict=True))
        codes = np.column_stack([each[level, self.tuples.codes[:, place]] for place, (each, level) in placed])
        label = class_sizes(codes).label
        held = np.bincount(label, weights=self.tuples.frequencies, minlength=1).astype(np.int64)
        return label, held[label] if len(label) else label

    def outcome(self, levels: Levels, progress: Progress) -> Outcome:
        self.tried += 1
        progress(self.tried, self.tried + 1, "generalise")
        label, sizes = self.sizes(levels)
        below = int(self.tuples.frequencies[sizes < self.k].sum())
        if below > self.allowed:
            return Outcome(below, np.inf)
        gone, lent = self._company(label, sizes, below)
        if below + int(lent.sum()) > self.allowed:
            return Outcome(below, np.inf)
        kept = self.tuples.frequencies - lent - np.where(gone, self.tuples.frequencies, 0)
        lost = sum(
            float(each[level, self.tuples.codes[:, place]] @ kept)
            for place, (each, level) in enumerate(zip(self.lost, levels, strict=True))
        )
        cells = max(1, self.records * len(self.lost))
        return Outcome(below, (lost + (self.records - int(kept.sum())) * len(self.lost)) / cells)

    def _company(self, label: IntArray, sizes: IntArray, below: int) -> tuple[BoolArray, IntArray]:
        """The tuples that are suppressed, and how many records of others are too so that k are.

        They come from the largest class, which keeps k or goes whole.
        """
        gone = sizes < self.k
        lent = np.zeros(len(sizes), dtype=np.int64)
        need = self.k - below
        if below == 0 or need <= 0 or bool(gone.all()):
            return gone, lent
        largest = np.flatnonzero(label == label[np.argmax(sizes)])
        if int(sizes[largest[0]]) - need < self.k:
            need = int(sizes[largest[0]])
        for row in largest.tolist():
            lent[row] = min(need, int(self.tuples.frequencies[row]))
            need -= int(lent[row])
        return gone, lent

    def suppressed(self, levels: Levels) -> tuple[BoolArray, int]:
        """Which records lose their values at these levels, and how many are below k."""
        label, sizes = self.sizes(levels)
        below = int(self.tuples.frequencies[sizes < self.k].sum())
        gone, lent = self._company(label, sizes, below)
        records: BoolArray = gone[self.tuples.which]
        for row in np.flatnonzero(lent).tolist():
            records[np.flatnonzero(self.tuples.which == row)[: int(lent[row])]] = True
        return records, below

    def unreachable(self, share: float, highest: int | None) -> Unreachable:
        top = tuple(len(each) - 1 for each in self.nodes)
        best = self.suppressed(top)[1]
        level = f" up to level {highest}" if highest is not None else ""
        return Unreachable(
            f"generalise: no recoding{level} gives k={self.k} with at most {100 * share:g}% suppressed; the best "
            f"leaves {best} of {self.records} records below k. Allow more suppression, a higher level or a lower k."
        )


def losses_of(tree: Hierarchy, ladder: IntArray, measure: str) -> FloatArray:
    """What each level (rows) loses of each value (columns): 0 for a value as it is, at most 1, never less higher up."""
    if measure == "steps":
        lost = (tree.depth[tree.leaf] - tree.depth[ladder]) / np.maximum(1, tree.depth[tree.leaf])
    elif measure == "distance" and tree.space is not None:
        lost = _distances(tree.space, ladder)
    else:
        lost = tree.spread[ladder]
    unchanged = ladder == tree.leaf
    unchanged[:, -1] = True
    return np.maximum.accumulate(np.where(unchanged, 0.0, np.clip(lost, 0.0, 1.0)), axis=0)


def _distances(space: Space, ladder: IntArray) -> FloatArray:
    """The semantic distance of each value to its node; 1 to a root that was added."""
    concept = ladder < len(space.concepts)
    values = np.minimum(np.arange(ladder.shape[1]), len(space) - 1)
    apart = space.distances[np.where(concept, ladder, 0), values[None, :]] / space.distance.largest
    return np.where(concept, apart, 1.0)


def _written(
    table: Table, trees: Sequence[Hierarchy], ladders: Sequence[IntArray], levels: Levels, gone: BoolArray
) -> Table:
    fresh: dict[str, pl.Series] = {}
    told: list[Column] = []
    for tree, ladder, level in zip(trees, ladders, levels, strict=True):
        if level == 0:
            values = table.frame[tree.column]
        else:
            values = labels_of_nodes(tree, ladder[level][tree.codes])
            told.append(_described(as_words(table[tree.column], values), tree, ladder[level]))
        fresh[tree.column] = values.set(pl.Series(gone), None) if gone.any() else values
    return table.with_values(fresh, told)


def labels_of_nodes(tree: Hierarchy, nodes: IntArray) -> pl.Series:
    """What is published for nodes, missing where nothing is."""
    return pl.Series(list(tree.labels), dtype=pl.String).gather(pl.Series(nodes, dtype=pl.Int64))


def _described(column: Column, tree: Hierarchy, nodes: IntArray) -> Column:
    """The column of words as it is now: with an order where its values had one."""
    if not tree.ordered:
        return column
    distinct = np.unique(nodes)
    ordered = distinct[np.argsort(tree.rank[distinct], kind="stable")]
    order = tuple(label for label in (tree.labels[node] for node in ordered.tolist()) if label is not None)
    return replace(column, scale=Scale.ORDINAL, order=order)
