"""Full-domain generalisation: every value of a column at one level of its hierarchy, the best levels for k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np
import polars as pl

from discreet import registry
from discreet._kernels.counting.classes import class_sizes
from discreet._kernels.counting.tuples import Tuples, tuples_of
from discreet.errors import NotComputable, Unreachable
from discreet.mask.hierarchies import (
    Hierarchy,
    MeasureParameter,
    hierarchies_of,
    labels_of_nodes,
    with_household_codes,
)
from discreet.mask.lattice import Levels, Outcome, least_loss
from discreet.mask.mixed import as_words, ontologies_of
from discreet.mask.record_suppression import RecordSuppression, with_company
from discreet.mask.required import (
    DIVERSE_AND_CLOSE,
    SHARED_BY_K,
    USUAL_C,
    ClosenessParameter,
    DiversityParameter,
    DiversityVariant,
    Protected,
    RecursiveParameter,
    guaranteed,
    required,
)
from discreet.ontology import Space
from discreet.ontology.columns import (
    Interpretation,
    MappingParameter,
    OntologyParameter,
    UnmappedParameter,
)
from discreet.parameters import KEYS, Masking, Real, Whole
from discreet.progress import SILENT, Progress
from discreet.requirement import Holdings, Requirement
from discreet.results import Masked
from discreet.table import BoolArray, Column, FloatArray, IntArray, Scale, Table

MOST_COMBINATIONS = 20_000_000


@registry.mask(
    family="generalisation",
    title="Generalise",
    meaning="categories and numbers become more general, each column to one level",
    tells=registry.Tells("each published value says which true ones it can stand for", clue="held"),
    splits=registry.Split.COUNTS,
    searched=registry.Searched(
        to_a_goal=(
            {},
            {"max_suppressed": 0.02},
            {"max_suppressed": 0.05},
        ),
        jointly=({"max_suppressed": 0.05},),
    ),
    scales=registry.ANY_SCALE,
    in_words=registry.InWords(
        besides={
            "k": "so that at least {} share each combination",
            "max_suppressed": "after at most {%} of the records lost all their values",
        }
    ),
    missing="stays missing, a value of its own, except in a column whose every value becomes the most general one",
    guarantees=(SHARED_BY_K, *DIVERSE_AND_CLOSE),
    by_design=(
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
    """The table with each column at the level of its hierarchy that together lose least for k records alike.

    The hierarchy of a column is its ontology, or a CSV file with a row from each value to the most general one, such as
    `discreet hierarchy` builds. Levels are the columns of such a file, else steps above the deepest value; those that
    join nothing are not tried. Without a hierarchy numbers become intervals and ordered categories runs of neighbours,
    twice as wide from level to level. Records that are still rare
    may be suppressed, up to a share: they lose their values in all the columns, and so do a few others where fewer
    than k would stand out by that. Of all combinations of levels the best is found.

    With `l` and `t` records that are alike have diverse confidential values as well, and values like those of the file.
    Where records belong to people, k counts people; where a key is that of a household, its members are suppressed
    together.

    Raises Unreachable where no combination up to the highest level is enough.

    Full-domain generalisation as in Samarati 2001; ways up the lattice are halved as in Flash (Kohlmayer and others
    2012).

    >>> masked = dc.mask.generalise(table, columns=["sex", "age", "education"], k=5)
    >>> masked.facts["levels"]
    {'sex': 0, 'age': 6, 'education': 3}
    """
    wanted = required(
        table, "generalise", columns, k=k, l=l, l_variant=l_variant, c=c, t=t, confidential=confidential
    )
    how = Interpretation(
        ontology=ontology, mapping=mapping, unmapped=unmapped, measured=measure == "distance"
    )
    trees = hierarchies_of(table, columns, how)
    joining = [each.joining(highest) for each in trees]
    ladders = [rows for _, rows in joining]
    size = float(np.prod([float(len(each)) for each in ladders]))
    if size > MOST_COMBINATIONS:
        raise NotComputable(
            f"generalise: {len(ladders)} columns have {size:.3g} combinations of levels, more than can be searched. "
            "Name fewer columns, or bound the levels with highest."
        )
    filled = with_household_codes(table, trees)
    file = _File(table, filled, ladders, measure, wanted, max_suppressed, times)
    found = least_loss(file.totals(), file.allowed, lambda levels: file.outcome(levels, progress))
    if found is None:
        raise file.unreachable(max_suppressed, highest)
    gone = file.suppressed(found.levels)
    facts: dict[str, Any] = {
        "levels": {
            name: int(numbers[place])
            for name, (numbers, _), place in zip(columns, joining, found.levels, strict=True)
        },
        "suppressed_records": int(gone.sum()),
        "loss": found.outcome.loss,
        "combinations": int(size),
        "combinations_tried": found.tried,
        "ontologies": ontologies_of({each.column: each.space for each in trees}),
    }
    guarantees = guaranteed(table, columns, wanted)
    if times is not None:
        parted = _parted(gone, times)
        fresh = _written(table, trees, ladders, found.levels, np.zeros(len(table), dtype=bool))
        blank = {name: fresh.frame[name][parted.origin].set(pl.Series(parted.gone), None) for name in columns}
        fresh = fresh.take(parted.origin).with_values(blank)
        return Masked(
            table=fresh, facts=facts, guarantees=guarantees, origin=parted.origin, times=parted.times
        )
    return Masked(
        table=_written(table, trees, ladders, found.levels, gone > 0), facts=facts, guarantees=guarantees
    )


class _Parted(NamedTuple):
    """Rows that stand for records of a combination: for those that are suppressed, which come first, or the others."""

    origin: IntArray
    gone: BoolArray
    times: IntArray


def _parted(gone: IntArray, times: IntArray) -> _Parted:
    both = np.column_stack([gone, times - gone]).reshape(-1)
    some = np.flatnonzero(both)
    return _Parted(some // 2, some % 2 == 0, both[some])


class _File:
    """The distinct tuples of a file and what each level does to them."""

    def __init__(
        self,
        table: Table,
        trees: Sequence[Hierarchy],
        ladders: Sequence[IntArray],
        measure: str,
        wanted: Requirement,
        max_suppressed: float,
        times: IntArray | None,
    ) -> None:
        codes = np.column_stack([each.codes for each in trees])
        self.tuples: Tuples = tuples_of(codes, times)
        self.wanted, self.times = wanted, times
        self.records = len(table) if times is None else int(times.sum())
        self.allowed = int(max_suppressed * self.records)
        self.holdings = Holdings(table, wanted, self.tuples.which, times)
        self.monotone = self.holdings.monotone(suppressing=self.allowed > 0)
        columns = [each.column for each in trees]
        self.suppression = RecordSuppression(table, columns, wanted, self.allowed, times)
        # The last place of each row is that of missing values, whose code is -1.
        self.nodes = list(ladders)
        self.blank = np.array([each.leaf[-1] for each in trees])
        self.lost = [losses_of(tree, ladder, measure) for tree, ladder in zip(trees, ladders, strict=True)]
        self.tried = 0

    def totals(self) -> list[FloatArray]:
        """For each column what each level loses, on average over all cells."""
        cells = max(1, self.records * len(self.lost))
        return [
            (each[:, self.tuples.codes[:, place]] @ self.tuples.frequencies) / cells
            for place, each in enumerate(self.lost)
        ]

    def classes(self, levels: Levels) -> tuple[IntArray, int]:
        """The class of each tuple at these levels, and the class of those without any value, -1 where there is none."""
        placed = enumerate(zip(self.nodes, levels, strict=True))
        nodes = np.column_stack([each[level, self.tuples.codes[:, place]] for place, (each, level) in placed])
        label = class_sizes(nodes).label
        empty = np.flatnonzero((nodes == self.blank).all(axis=1))
        return label, int(label[empty[0]]) if len(empty) else -1

    def outcome(self, levels: Levels, progress: Progress) -> Outcome:
        self.tried += 1
        progress(self.tried, self.tried + 1, "generalise")
        label, empty = self.classes(levels)
        below, fails = self._short(label)
        if below > self.allowed:
            return Outcome(below, np.inf)
        gone = self._gone(label, empty, fails)
        if gone is None:
            return Outcome(below, np.inf)
        kept = self.tuples.frequencies - gone
        lost = sum(
            float(each[level, self.tuples.codes[:, place]] @ kept)
            for place, (each, level) in enumerate(zip(self.lost, levels, strict=True))
        )
        cells = max(1, self.records * len(self.lost))
        suppressed = self.records - int(kept.sum())
        return Outcome(below, (lost + suppressed * len(self.lost)) / cells, suppressed)

    def _short(self, label: IntArray) -> tuple[int, BoolArray]:
        """How many records are in classes that are sure to fall short in finer combinations too, and all that do."""
        small = self.holdings.people(label) < self.wanted.k
        below = int(self.tuples.frequencies[small[label]].sum())
        if self.wanted.plain or below > self.allowed:
            return below, small
        found = self.holdings.standing(label)
        sure = found.fails if self.monotone else found.hopeless
        return int(self.tuples.frequencies[sure[label]].sum()), found.fails

    def _gone(self, label: IntArray, empty: int, fails: BoolArray) -> IntArray | None:
        """How many records of each tuple are suppressed where some classes fall short; None where too many would be."""
        if not fails.any():
            return np.zeros_like(self.tuples.frequencies)
        if not self.suppression.needed:
            gone = with_company(self.tuples.frequencies, label, fails, self.wanted.k)
            return gone if int(gone.sum()) <= self.allowed else None
        records = self.suppression.records(label[self.tuples.which], empty, fails)
        if records is None:
            return None
        weights = None if self.times is None else self.times[records]
        return np.bincount(self.tuples.which[records], weights=weights, minlength=len(label)).astype(np.int64)

    def suppressed(self, levels: Levels) -> IntArray:
        """How many records lose their values at these levels, of those for which each row stands."""
        times = np.ones(len(self.tuples.which), dtype=np.int64) if self.times is None else self.times
        label, empty = self.classes(levels)
        fails = self._short(label)[1]
        if fails.any() and self.suppression.needed:
            records = self.suppression.records(label[self.tuples.which], empty, fails)
            assert records is not None
            return np.where(records, times, 0)
        gone = self._gone(label, empty, fails)
        assert gone is not None
        # Of each tuple those that come first.
        order = np.argsort(self.tuples.which, kind="stable")
        before = np.empty_like(order)
        before[order] = np.cumsum(times[order]) - times[order]
        starts = np.cumsum(self.tuples.frequencies) - self.tuples.frequencies
        left = gone[self.tuples.which] - (before - starts[self.tuples.which])
        return np.clip(left, 0, times)

    def unreachable(self, share: float, highest: int | None) -> Unreachable:
        top = tuple(len(each) - 1 for each in self.nodes)
        label = self.classes(top)[0]
        found = self.holdings.standing(label)
        left = int(self.tuples.frequencies[found.fails[label]].sum())
        level = f" up to level {highest}" if highest is not None else ""
        simple = self.wanted.plain
        short = (
            "below k"
            if simple
            else f"in classes that fall short; the worst have {found.reached(self.wanted)}"
        )
        return Unreachable(
            f"generalise: no recoding{level} gives {self.wanted} with at most {100 * share:g}% suppressed; the best "
            f"leaves {left} of {self.records} records {short}. Allow more suppression, a higher level or a lower "
            f"{'k' if simple else 'aim'}."
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
    described: list[Column] = []
    for tree, ladder, level in zip(trees, ladders, levels, strict=True):
        if level == 0:
            values = table.frame[tree.column]
        else:
            values = labels_of_nodes(tree, ladder[level][tree.codes])
            described.append(_described(as_words(table[tree.column], values), tree, ladder[level]))
        fresh[tree.column] = values.set(pl.Series(gone), None) if gone.any() else values
    return table.with_values(fresh, described)


def _described(column: Column, tree: Hierarchy, nodes: IntArray) -> Column:
    """The column of words as it is now: with an order where its values had one."""
    if not tree.ordered:
        return column
    distinct = np.unique(nodes)
    ordered = distinct[np.argsort(tree.rank[distinct], kind="stable")]
    order = tuple(label for label in (tree.labels[node] for node in ordered.tolist()) if label is not None)
    return replace(column, scale=Scale.ORDINAL, order=order)
