"""Value generalisation hierarchies: for each column a tree from its values up to one that holds them all.

The tree of categories comes from their ontology; of several parents the first of those nearest to the root counts.
Numbers are held by intervals and ordered categories by runs of neighbours, each twice as wide as the ones below it.
Categories without an ontology have nothing but "(any)" above them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import polars as pl

from discreet.errors import BadParameter, WrongScale
from discreet.households import filled_by_members, household_columns
from discreet.mask.mixed import CodedColumn, coded_concepts, coded_numbers
from discreet.mask.runs import Run
from discreet.ontology import VIRTUAL_ROOT, Space
from discreet.ontology.columns import EXACT, Interpretation
from discreet.parameters import Choice
from discreet.table import FloatArray, IntArray, Scale, Table

MeasureParameter = Annotated[
    str,
    Choice(
        among=("spread", "steps", "distance"),
        about="what generalising loses: how many values one stands for, steps up, or semantic distance",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hierarchy:
    """The tree of one column.

    `codes` are the records' values, missing as -1. `leaf` is the node of each value, and in its last place that of a
    missing one, which stands right below the root. `parent` leads up, from the root to itself; `depth` counts from the
    root, and `level` from the values: the column of a file of levels, else the steps above the deepest value.
    `labels` are what is published for a node, None for the missing one. `spread` says how vague a node is: 0 for one
    value, 1 for all. `rank` orders the nodes of one level where values have an order, else it is empty; `numbers`
    are then the coordinates of the values.
    """

    column: str
    codes: IntArray
    leaf: IntArray
    parent: IntArray
    depth: IntArray
    level: IntArray
    labels: tuple[str | None, ...]
    spread: FloatArray
    rank: FloatArray
    numbers: FloatArray
    space: Space | None = None

    @classmethod
    def of(
        cls,
        coded: CodedColumn,
        leaf: IntArray,
        parent: IntArray,
        labels: Sequence[str],
        *,
        spread: FloatArray | None = None,
        rank: FloatArray | None = None,
        level: IntArray | None = None,
    ) -> Hierarchy:
        """The tree of a column, completed with depths and levels, and with a node for missing values."""
        root = int(np.flatnonzero(parent == np.arange(len(parent)))[0])
        up = np.append(parent, root)
        vague = _share_below(leaf, parent) if spread is None else spread
        depth = _depths(up)
        return cls(
            column=coded.name,
            codes=coded.codes,
            leaf=np.append(leaf, len(parent)),
            parent=up,
            depth=depth,
            level=depth.max() - depth if level is None else np.append(level, 0),
            labels=(*labels, None),
            spread=np.append(vague, 0.0),
            rank=np.empty(0) if rank is None else np.append(rank, np.inf),
            numbers=coded.values,
            space=coded.space,
        )

    @property
    def ordered(self) -> bool:
        """Whether the values have an order: numbers, and ordered categories without an ontology."""
        return len(self.rank) > 0

    def above(self) -> IntArray:
        """For each node (rows) its ancestor at each depth (columns), itself from its own depth on."""
        chain = np.empty((len(self.parent), int(self.depth.max()) + 1), dtype=np.int64)
        current = np.arange(len(self.parent))
        for level in range(chain.shape[1] - 1, -1, -1):
            current = np.where(self.depth[current] > level, self.parent[current], current)
            chain[:, level] = current
        return chain

    def levels(self) -> IntArray:
        """The node of each value (columns, missing last) at each level (rows): the values themselves, up to the root.

        Levels that join no more than the one below them are left out.
        """
        return self.joining()[1]

    def joining(self, highest: int | None = None) -> tuple[IntArray, IntArray]:
        """The levels that join more than the one below, up to the highest: their numbers, and their nodes."""
        occurs = np.ones(len(self.leaf), dtype=bool)
        occurs[-1] = bool((self.codes < 0).any())
        numbers, rows = [0], [self.leaf]
        top = int(self.level.max())
        for level in range((top if highest is None else min(highest, top)) + 1):
            nodes = self.at(level)
            if len(np.unique(nodes[occurs])) < len(np.unique(rows[-1][occurs])):
                numbers.append(level)
                rows.append(nodes)
        return np.array(numbers), np.array(rows)

    def at(self, level: int) -> IntArray:
        """The node of each value, missing last, at this level: the highest above it that is not of a higher level."""
        nodes = self.leaf
        while True:
            up = self.parent[nodes]
            higher = np.where(self.level[up] <= level, up, nodes)
            if bool((higher == nodes).all()):
                return nodes
            nodes = higher


def hierarchies_of(table: Table, columns: Sequence[str], how: Interpretation) -> list[Hierarchy]:
    """The hierarchy of each column: from the ontology given for it or its own, else made from its scale.

    One ontology that is given for all columns is that of the nominal ones.
    """
    return [_hierarchy(table, name, how) for name in columns]


def with_household_codes(table: Table, trees: Sequence[Hierarchy]) -> list[Hierarchy]:
    """The hierarchies with what other members of a household tell in place of blanks, as classes are counted."""
    households = table.households()
    of_households = household_columns(table, [each.column for each in trees])
    if households is None:
        return list(trees)
    return [
        replace(each, codes=filled_by_members(each.codes + 1, households) - 1)
        if each.column in of_households
        else each
        for each in trees
    ]


def labels_of_nodes(tree: Hierarchy, nodes: IntArray) -> pl.Series:
    """What is published for nodes, missing where nothing is."""
    return pl.Series(list(tree.labels), dtype=pl.String).gather(pl.Series(nodes, dtype=pl.Int64))


def texts_at_level(table: Table, method: str, column: str, level: int) -> dict[str, str]:
    """What each value of a column becomes at a level of its own ontology.

    Raises BadParameter where the column has none, or not so many levels.
    """
    if not table[column].ontology:
        raise BadParameter(
            f"{method}: column '{column}' has no hierarchy. `discreet hierarchy FILE {column}` builds one; name it as "
            "the column's ontology."
        )
    tree = hierarchies_of(table, [column], Interpretation(measured=False))[0]
    highest = int(tree.level.max())
    if level > highest:
        raise BadParameter(
            f"{method}: the hierarchy of column '{column}' has {highest} levels; got level {level}."
        )
    values = table.frame[column].cast(pl.String)
    published = labels_of_nodes(tree, tree.at(level)[tree.codes])
    pairs = pl.DataFrame({"value": values, "text": published}).drop_nulls().unique().sort("value")
    return dict(pairs.iter_rows())


def _hierarchy(table: Table, name: str, how: Interpretation) -> Hierarchy:
    column = table[name]
    if isinstance(table.frame[name].dtype, pl.Duration):
        raise WrongScale(f"column '{name}' holds lengths of time; make numbers of them first.")
    own = bool(column.ontology) or (isinstance(how.ontology, Mapping) and name in how.ontology)
    if own or (column.scale == Scale.NOMINAL and how.ontology and not isinstance(how.ontology, Mapping)):
        return _of_concepts(coded_concepts(table, name, how))
    if column.scale == Scale.NOMINAL:
        alone = Interpretation(distance=EXACT, measured=how.measured)
        return _of_concepts(coded_concepts(table, name, alone))
    return _of_runs(table, coded_numbers(table, name))


def _of_concepts(coded: CodedColumn) -> Hierarchy:
    """The tree of a column's concepts; a second word for a concept stands below the first."""
    space = coded.space
    assert space is not None
    up, labels = _tree(space)
    parent = up.tolist()
    level = _levels(space, len(parent))
    leaf = space.own.astype(np.int64)
    seen: set[int] = set()
    for value, node in enumerate(leaf.tolist()):
        if node in seen:
            leaf[value] = len(parent)
            parent.append(node)
            labels.append(space.values[value])
        seen.add(node)
    occurring = leaf if bool((coded.codes >= 0).any()) else leaf[:0]
    if level is not None:
        level = np.append(level, np.zeros(len(parent) - len(level), dtype=np.int64))
    return Hierarchy.of(coded, occurring, np.array(parent, dtype=np.int64), labels, level=level)


def _levels(space: Space, nodes: int) -> IntArray | None:
    """The columns in which a file of levels has the candidates, 0 for values apart; None for another source."""
    known = space.distance.ontology.level
    if not len(known) or nodes > len(space.concepts):
        return None
    return np.where(space.concepts >= 0, known[space.concepts], 0).astype(np.int64)


def _tree(space: Space) -> tuple[IntArray, list[str]]:
    """One parent for each candidate, and the labels; values apart stand below the root, which is added if need be."""
    ontology = space.distance.ontology
    concepts = space.concepts.astype(np.int64)
    known = np.flatnonzero(concepts >= 0)
    labels = [space.texts[place] for place in range(len(concepts))]
    if not len(known):
        root = len(concepts)
        return np.full(root + 1, root, dtype=np.int64), [*labels, free_label(VIRTUAL_ROOT, labels)]
    root = int(np.searchsorted(concepts[known], ontology.root))
    parent = np.full(len(concepts), root, dtype=np.int64)
    for place in known.tolist():
        if place != root:
            above = ontology.parents[int(concepts[place])]
            higher = above[ontology.depth[above] == ontology.depth[concepts[place]] - 1]
            parent[place] = np.searchsorted(concepts[known], higher.min())
    return parent, labels


def _of_runs(table: Table, coded: CodedColumn) -> Hierarchy:
    """The tree of numbers, or of places in an order: each level of intervals twice as wide as the one below."""
    run = Run.of(table, coded)
    finest = np.searchsorted(run.edges, run.values, side="right") - 1
    labels = list(run.texts)
    bounds = [(value, value) for value in run.values.tolist()]
    parent = list(range(len(labels)))
    current, width = np.arange(len(labels)), 1
    while len(np.unique(finest // width)) > 1:
        distinct, places = np.unique(finest // width, return_inverse=True)
        nodes = len(labels) + places
        for number in distinct.tolist():
            ends = number * width, min((number + 1) * width, len(run.edges) - 1)
            bounds.append((float(run.edges[ends[0]]), float(run.edges[ends[1]])))
            labels.append(run.label(*bounds[-1]))
            parent.append(len(parent))
        for below, above in zip(current.tolist(), nodes.tolist(), strict=True):
            parent[below] = above
        current, width = nodes, 2 * width
    root = len(parent)
    for below in set(current.tolist()):
        parent[below] = root
    bounds.append((-math.inf, math.inf))
    up = np.array([*parent, root], dtype=np.int64)
    return Hierarchy.of(
        coded,
        np.arange(len(run.texts)),
        up,
        [*labels, free_label(VIRTUAL_ROOT, labels)],
        spread=None if coded.ordinal or not run.wide else _widths(run.values, bounds),
        rank=np.array([each[0] for each in bounds]),
    )


def _depths(parent: IntArray) -> IntArray:
    depth = np.zeros(len(parent), dtype=np.int64)
    current = np.arange(len(parent))
    while bool((parent[current] != current).any()):
        depth += parent[current] != current
        current = parent[current]
    return depth


def _share_below(leaf: IntArray, parent: IntArray) -> FloatArray:
    """For each node how many of the values it holds, as a share: 0 for one of them, 1 for all."""
    held = np.zeros(len(parent))
    current = leaf
    while len(current):
        np.add.at(held, current, 1)
        current = parent[current[parent[current] != current]]
    return np.maximum(0.0, held - 1) / max(1, len(leaf) - 1)


def _widths(values: FloatArray, bounds: list[tuple[float, float]]) -> FloatArray:
    """For each interval its share of the range of the numbers, halved so that no difference is beyond all numbers."""
    low, high = values[0] / 2, values[-1] / 2
    ends = np.clip(np.array(bounds) / 2, low, high)
    return np.asarray((ends[:, 1] - ends[:, 0]) / (high - low))


def free_label(label: str, taken: Collection[str]) -> str:
    """The label, in further brackets where it is taken."""
    while label in taken:
        label = f"({label})"
    return label
