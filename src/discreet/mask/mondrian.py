"""Mondrian: the records cut into parts again and again, along the column in which they differ most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple, Protocol

import numpy as np
import polars as pl

from discreet import registry
from discreet._kernels.counting.tuples import Tuples, tuples_of
from discreet.guarantees import SameMeans
from discreet.households import household_columns
from discreet.mask.centres import centres
from discreet.mask.coordinates import averaged, with_coordinates
from discreet.mask.hierarchies import Hierarchy, hierarchies_of, with_household_codes
from discreet.mask.missing import strata
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
from discreet.parameters import KEYS, Choice, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.requirement import Holdings
from discreet.results import Masked
from discreet.table import BoolArray, IntArray, Scale, Table

MOST_CUTS = 50
"""So many places to cut a column at are tried, those nearest to the median first."""


@registry.mask(
    family="generalisation",
    title="Mondrian",
    meaning="values become ranges or averages of a part of the file that holds at least k records",
    tells=registry.Tells(
        "each published value, but for averages, says which true ones it can stand for", clue="held"
    ),
    splits=registry.Split.BLOCKS,
    whole_only=(registry.WholeOnly("t", None, "generalise, which reaches t in parts too"),),
    searched=registry.Searched(
        to_a_goal=(
            {},
            {"numbers": "mean"},
        ),
        jointly=({"numbers": "mean"}, {}),
    ),
    scales=registry.ANY_SCALE,
    in_words=registry.InWords(
        instead={"k": "values become ranges or averages of a part of the file that holds at least {} records"}
    ),
    missing="stays missing; where fewer than k miss the same cells, a few others lose these too",
    guarantees=(SHARED_BY_K, *DIVERSE_AND_CLOSE),
    by_design=(
        "a value of a household is published in the same way for all its members",
        "each value is published as one that holds it, or with numbers='mean' as the average of its part",
        "records that were alike stay alike",
    ),
    cites=("LeFevre, DeWitt and Ramakrishnan, International Conference on Data Engineering, 2006",),
)
def mondrian(
    table: Table,
    *,
    columns: Masking = KEYS,
    k: Annotated[int, Whole(at_least=2, usual=(2, 30), about="fewest records in a part")] = 3,
    numbers: Annotated[
        str,
        Choice(
            among=("interval", "mean"),
            about="what numbers and ordered categories become: from the least to the most in the part, or the average",
        ),
    ] = "interval",
    l: DiversityParameter = None,  # noqa: E741
    l_variant: DiversityVariant = "distinct",
    c: RecursiveParameter = USUAL_C,
    t: ClosenessParameter = None,
    confidential: Protected = None,
    ontology: OntologyParameter = None,
    mapping: MappingParameter = None,
    unmapped: UnmappedParameter = "error",
    progress: Progress = SILENT,
) -> Masked:
    """The table with each record's values replaced by what holds those of all records in its part, at least k.

    All records are one part at first. A part is cut along the column in which it is widest, measured against the whole
    file, where a cut leaves at least k records on every side: numbers and ordered categories near the median,
    categories by the branches of their hierarchy, small branches together. When no column can be cut any more, numbers
    become the interval from the least to the most in the part (or their mean, which keeps the column numeric), and
    categories the most special value that holds them all.

    With `l` and `t` a part is cut only where the confidential values on every side are diverse enough, or near enough
    to those of the file. Where records belong to people, k counts people. Columns that are the same for all members of
    a household are cut first and by themselves, so that no member tells more of them than another.

    Raises Unreachable where all records together are not enough.

    Multidimensional cuts as in LeFevre, DeWitt and Ramakrishnan 2006.

    >>> masked = dc.mask.mondrian(table, columns=["age", "sex", "education"], k=5)
    >>> list(zip(table.frame["age"][:3], masked.table.frame["age"][:3]))
    [(40, '[37, 43]'), (39, '[36, 46]'), (6, '[5, 6]')]
    """
    wanted = required(
        table, "mondrian", columns, k=k, l=l, l_variant=l_variant, c=c, t=t, confidential=confidential
    )
    check_reachable(table, "mondrian", wanted)
    how = Interpretation(ontology=ontology, mapping=mapping, unmapped=unmapped, measured=False)
    trees = hierarchies_of(table, columns, how)
    of_households = household_columns(table, columns)
    holdings = Holdings(table, wanted)
    cut = _cut_twice(with_household_codes(table, trees), of_households, holdings, progress)
    check_reached(holdings, "mondrian", cut.label)
    masked = table
    present = np.empty((len(table), len(trees)), dtype=bool)
    for place, tree in enumerate(trees):
        present[:, place] = cut.present[:, place] & (tree.codes >= 0)
        label = cut.outer if tree.column in of_households else cut.label
        masked = _written(masked, tree, label, int(label.max()) + 1, present[:, place], numbers)
    suppressed = sum(int((~present[:, place] & (tree.codes >= 0)).sum()) for place, tree in enumerate(trees))
    guarantees = guaranteed(table, columns, wanted)
    means = tuple(name for name in averaged(table, columns) if masked[name].scale == Scale.NUMERIC)
    if numbers == "mean" and means and not suppressed:
        guarantees = (*guarantees, SameMeans(columns=means, before=table))
    return Masked(
        table=masked,
        facts={
            "parts": int(cut.label.max()) + 1,
            "suppressed_cells": suppressed,
            "labels": cut.label,
            "ontologies": ontologies_of({each.column: each.space for each in trees}),
        },
        guarantees=guarantees,
    )


class _Parts(NamedTuple):
    """The part of each record; `outer` is that by the columns of households alone; `present` are the cells kept."""

    label: IntArray
    outer: IntArray
    present: BoolArray


def _cut_twice(
    trees: Sequence[Hierarchy], of_households: Sequence[str], holdings: Holdings, progress: Progress
) -> _Parts:
    """The records cut by the columns of households, and each part again by the other columns."""
    records = len(trees[0].codes)
    everyone = np.arange(records)
    outer, label = np.zeros((2, records), dtype=np.int64)
    present = np.zeros((records, len(trees)), dtype=bool)
    first = [place for place, tree in enumerate(trees) if tree.column in of_households]
    rest = [place for place, tree in enumerate(trees) if tree.column not in of_households]
    if first:
        outer, present[:, first] = _cut_records([trees[j] for j in first], everyone, holdings, progress)
    order = np.argsort(outer, kind="stable")
    parts = 0
    for rows in np.split(order, np.flatnonzero(np.diff(outer[order])) + 1):
        label[rows] = parts
        if rest:
            own, kept = _cut_records([trees[j] for j in rest], rows, holdings, progress)
            label[rows] += own
            present[np.ix_(rows, np.array(rest))] = kept
        parts = int(label[rows].max()) + 1
    return _Parts(label, outer, present)


def _cut_records(
    trees: Sequence[Hierarchy], rows: IntArray, holdings: Holdings, progress: Progress
) -> tuple[IntArray, BoolArray]:
    """The part of each of the rows, counted from 0, and in which columns it has values."""
    codes = np.column_stack([each.codes[rows] for each in trees])
    label = np.zeros(len(rows), dtype=np.int64)
    present = np.zeros(codes.shape, dtype=bool)
    parts = 0
    for stratum in strata(codes < 0, holdings, rows):
        own = stratum.rows
        label[own] = parts
        if len(stratum.present):
            present[np.ix_(own, stratum.present)] = True
            distinct = tuples_of(codes[np.ix_(own, stratum.present)])
            held = holdings.among(rows[own], distinct.which)
            label[own] += partition([trees[j] for j in stratum.present], distinct, held, progress)[
                distinct.which
            ]
        parts = int(label[own].max()) + 1
    return label, present


class _Column(Protocol):
    def width(self, rows: IntArray) -> float:
        """How far apart the tuples are, as a share of the whole column."""

    def cut(self, rows: IntArray, holdings: Holdings) -> list[IntArray]:
        """The tuples in parts that all reach what is wanted; one part where that is not possible."""


def partition(
    trees: Sequence[Hierarchy], distinct: Tuples, holdings: Holdings, progress: Progress = SILENT
) -> IntArray:
    """The part of each tuple, counted from 0."""
    k = holdings.requirement.k
    columns: list[_Column] = [
        _Ordered(tree, distinct.codes[:, place], distinct.frequencies)
        if tree.ordered
        else _Branched(tree, distinct.codes[:, place], distinct.frequencies)
        for place, tree in enumerate(trees)
    ]
    labels = np.empty(len(distinct.codes), dtype=np.int64)
    waiting = [np.arange(len(distinct.codes))]
    finished, done = 0, 0
    while waiting:
        rows = waiting.pop()
        parts = _cut(columns, rows, holdings) if int(distinct.frequencies[rows].sum()) >= 2 * k else [rows]
        if len(parts) > 1:
            waiting.extend(reversed(parts))
            continue
        labels[rows] = finished
        finished, done = finished + 1, done + len(rows)
        progress(done, len(labels), "cut")
    return labels


def _cut(columns: Sequence[_Column], rows: IntArray, holdings: Holdings) -> list[IntArray]:
    """The tuples cut along the widest column that can be cut."""
    widths = np.array([each.width(rows) for each in columns])
    for place in np.argsort(-widths, kind="stable").tolist():
        if widths[place] <= 0:
            break
        parts: list[IntArray] = columns[place].cut(rows, holdings)
        if len(parts) > 1:
            return parts
    return [rows]


class _Ordered:
    """A column of numbers or of ordered categories; codes are in the order of the values."""

    def __init__(self, tree: Hierarchy, codes: IntArray, counts: IntArray) -> None:
        self.codes, self.counts = codes, counts
        self.values = tree.rank[tree.leaf[:-1]]
        self.range = float(self.values[-1] - self.values[0]) if len(self.values) else 0.0

    def width(self, rows: IntArray) -> float:
        own = self.codes[rows]
        return float(self.values[own.max()] - self.values[own.min()]) / (self.range or 1.0)

    def cut(self, rows: IntArray, holdings: Holdings) -> list[IntArray]:
        """Two parts around the value nearest to the median that leaves enough on either side."""
        own = self.codes[rows]
        low, k = int(own.min()), holdings.requirement.k
        held = np.bincount(own - low, weights=self.counts[rows])
        below = np.cumsum(held)
        total = below[-1]
        allowed = np.flatnonzero((held > 0) & (below >= k) & (total - below >= k))
        nearest = allowed[np.argsort(np.abs(below[allowed] - total / 2), kind="stable")]
        for place in nearest[:MOST_CUTS].tolist():
            left = own - low <= place
            if holdings.plain or not holdings.standing((~left).astype(np.int64), rows).fails.any():
                return [rows[left], rows[~left]]
        return [rows]


class _Branched:
    """A column of categories with a hierarchy."""

    def __init__(self, tree: Hierarchy, codes: IntArray, counts: IntArray) -> None:
        self.above = tree.above()[tree.leaf[codes]]
        self.spread, self.depth, self.counts = tree.spread, tree.depth, counts

    def width(self, rows: IntArray) -> float:
        chains = self.above[rows]
        if bool((chains[:, -1] == chains[0, -1]).all()):
            return 0.0
        return float(self.spread[_common(chains)])

    def cut(self, rows: IntArray, holdings: Holdings) -> list[IntArray]:
        """A part for each branch that has enough, and one for the others; it takes in the smallest while it must."""
        chains = self.above[rows]
        branch = chains[:, int(self.depth[_common(chains)]) + 1]
        which = np.unique(branch, return_inverse=True)[1].reshape(-1).astype(np.int64)
        held = np.bincount(which, weights=self.counts[rows]).astype(np.int64)
        small = holdings.standing(which, rows).fails
        while 0 < int(small.sum()) < len(small) and not holdings.reaches(rows[small[which]]):
            small[np.argmin(np.where(small, np.iinfo(np.int64).max, held))] = True
        if int((~small).sum()) + int(bool(small.any())) < 2:
            return [rows]
        parts = [rows[which == place] for place in np.flatnonzero(~small).tolist()]
        return [*parts, rows[small[which]]] if bool(small.any()) else parts


def _common(chains: IntArray) -> int:
    """The deepest node on all the chains from the root."""
    shared = int((chains == chains[0]).all(axis=0).sum())
    return int(chains[0, shared - 1])


def _written(
    table: Table, tree: Hierarchy, label: IntArray, parts: int, present: BoolArray, numbers: str
) -> Table:
    """The table with one column replaced, part by part."""
    rows = np.flatnonzero(present)
    ordinal = table[tree.column].scale == Scale.ORDINAL
    if tree.ordered and numbers == "mean":
        middle = np.full((len(label), 1), np.nan)
        own = np.unique(label[rows], return_inverse=True)[1]
        middle[rows] = centres(
            tree.numbers[tree.codes[rows]][:, None], own, [Scale.ORDINAL if ordinal else Scale.NUMERIC]
        )
        return with_coordinates(table, [tree.column], middle)
    if tree.ordered:
        texts = _intervals(tree, label[rows], tree.codes[rows], parts, ordinal)
    else:
        texts = [tree.labels[node] for node in _common_nodes(tree, label[rows], tree.codes[rows], parts)]
    published = pl.Series([*texts, None], dtype=pl.String)
    fresh = published.gather(pl.Series(np.where(present, label, parts), dtype=pl.Int64))
    return table.with_values({tree.column: fresh}, [as_words(table[tree.column], fresh)])


def _intervals(
    tree: Hierarchy, label: IntArray, codes: IntArray, parts: int, ordinal: bool
) -> list[str | None]:
    """From the least to the most in each part."""
    low, high = np.full(parts, len(tree.leaf)), np.full(parts, -1)
    np.minimum.at(low, label, codes)
    np.maximum.at(high, label, codes)
    texts = [tree.labels[node] for node in tree.leaf.tolist()]
    form = "{} to {}" if ordinal else "[{}, {}]"
    return [
        texts[first] if first >= last else form.format(texts[first], texts[last])
        for first, last in zip(np.minimum(low, len(tree.leaf) - 1).tolist(), high.tolist(), strict=True)
    ]


def _common_nodes(tree: Hierarchy, label: IntArray, codes: IntArray, parts: int) -> list[int]:
    """The most special node that holds all of each part; the missing one for a part without values."""
    chains = tree.above()[tree.leaf[codes]]
    order = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.diff(label[order], prepend=-1))
    found = np.full(parts, len(tree.labels) - 1)
    if len(order):
        low, high = (each.reduceat(chains[order], starts, axis=0) for each in (np.minimum, np.maximum))
        shared = (low == high).sum(axis=1)
        found[label[order][starts]] = low[np.arange(len(starts)), shared - 1]
    return [int(node) for node in found]
