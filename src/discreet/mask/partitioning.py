"""Mondrian: the records cut into parts again and again, along the column in which they differ most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

import numpy as np
import polars as pl

from discreet import registry
from discreet._kernels.tuples import Tuples, tuples_of
from discreet.mask.centres import centres
from discreet.mask.coordinates import averaged, with_coordinates
from discreet.mask.hierarchies import Hierarchy, hierarchies_of
from discreet.mask.missing import strata
from discreet.mask.mixed import as_words, ontologies_of
from discreet.ontology.columns import (
    Interpretation,
    MappingParameter,
    OntologyParameter,
    UnmappedParameter,
)
from discreet.parameters import KEYS, Choice, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.promises import KAnonymous, Promise, SameMeans
from discreet.results import Masked
from discreet.table import BoolArray, IntArray, Scale, Table


@registry.mask(
    family="generalisation",
    scales=registry.ANY_SCALE,
    missing="stays missing; records whose pattern of missing values is rarer than k lose further cells",
    guarantees=(
        "every combination of the columns is shared by at least k records",
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
    """
    how = Interpretation(ontology=ontology, mapping=mapping, unmapped=unmapped, measured=False)
    trees = hierarchies_of(table, columns, how)
    label = np.zeros(len(table), dtype=np.int64)
    present = np.zeros((len(table), len(trees)), dtype=bool)
    parts = 0
    for stratum in strata(np.column_stack([each.codes < 0 for each in trees]), k, "mondrian"):
        rows, own = stratum.rows, [trees[place] for place in stratum.present]
        label[rows] = parts
        if own:
            present[np.ix_(rows, stratum.present)] = True
            distinct = tuples_of(np.column_stack([each.codes[rows] for each in own]))
            label[rows] += partition(own, distinct, k, progress)[distinct.which]
        parts = int(label[rows].max()) + 1
    masked = table
    for place, tree in enumerate(trees):
        masked = _written(masked, tree, label, parts, present[:, place], numbers)
    suppressed = sum(int((~present[:, place] & (tree.codes >= 0)).sum()) for place, tree in enumerate(trees))
    promises: tuple[Promise, ...] = (KAnonymous(columns=tuple(columns), k=k),)
    means = tuple(name for name in averaged(table, columns) if masked[name].scale == Scale.NUMERIC)
    if numbers == "mean" and means and not suppressed:
        promises = (*promises, SameMeans(columns=means, before=table))
    return Masked(
        table=masked,
        facts={
            "parts": parts,
            "suppressed_cells": suppressed,
            "labels": label,
            "ontologies": ontologies_of({each.column: each.space for each in trees}),
        },
        promises=promises,
    )


class _Column(Protocol):
    def width(self, rows: IntArray) -> float:
        """How far apart the tuples are, as a share of the whole column."""

    def cut(self, rows: IntArray, k: int) -> list[IntArray]:
        """The tuples in parts of at least k records each; one part where that is not possible."""


def partition(trees: Sequence[Hierarchy], distinct: Tuples, k: int, progress: Progress = SILENT) -> IntArray:
    """The part of each tuple, counted from 0."""
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
        parts = _cut(columns, rows, k) if int(distinct.frequencies[rows].sum()) >= 2 * k else [rows]
        if len(parts) > 1:
            waiting.extend(reversed(parts))
            continue
        labels[rows] = finished
        finished, done = finished + 1, done + len(rows)
        progress(done, len(labels), "cut")
    return labels


def _cut(columns: Sequence[_Column], rows: IntArray, k: int) -> list[IntArray]:
    """The tuples cut along the widest column that can be cut."""
    widths = np.array([each.width(rows) for each in columns])
    for place in np.argsort(-widths, kind="stable").tolist():
        if widths[place] <= 0:
            break
        parts: list[IntArray] = columns[place].cut(rows, k)
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

    def cut(self, rows: IntArray, k: int) -> list[IntArray]:
        """Two parts around the value nearest to the median that leaves k on either side."""
        own = self.codes[rows]
        low = int(own.min())
        below = np.cumsum(np.bincount(own - low, weights=self.counts[rows]))
        total = below[-1]
        allowed = np.flatnonzero((below >= k) & (total - below >= k))
        if not len(allowed):
            return [rows]
        place = allowed[np.argmin(np.abs(below[allowed] - total / 2))]
        left = own - low <= place
        return [rows[left], rows[~left]]


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

    def cut(self, rows: IntArray, k: int) -> list[IntArray]:
        """A part for each branch with k records, and one for the others; it takes in the smallest if it has too few."""
        chains = self.above[rows]
        branch = chains[:, int(self.depth[_common(chains)]) + 1]
        which = np.unique(branch, return_inverse=True)[1]
        held = np.bincount(which, weights=self.counts[rows]).astype(np.int64)
        small = held < k
        if 0 < int(held[small].sum()) < k and not bool(small.all()):
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
