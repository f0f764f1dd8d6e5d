"""Linkage by the mean distance over the keys, each of which has distances between its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from discreet._kernels.counting.tuples import Tuples, tuples_of
from discreet.comparing import AxisColumn, CategoryColumn, compare_column
from discreet.errors import NotComputable
from discreet.matches import true_matches
from discreet.ontology.columns import EXACT, Interpretation, means_something, understood
from discreet.progress import Progress
from discreet.results import Risk, wilson
from discreet.table import BoolArray, FloatArray, IntArray, Table

ABOUT_MISSING = "a category of its own, as far as can be from all others"
CITES = (
    "Martínez, Sánchez and Valls, International Journal of Innovative Computing, Information and Control 8(7A), 2012",
)
TIE = 1e-9
CELLS_AT_ONCE = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SemanticLinks(Risk):
    """What linking achieved: `ties[i]` published records are equally near to known record i (0 where none is its own).

    `certain` people have their own published record alone at the least distance.
    """

    certain: int
    ties: IntArray = field(repr=False)


def linked_by_meaning(
    name: str,
    meaning: str,
    original: Table,
    masked: Table,
    keys: Sequence[str],
    how: Interpretation,
    truth: IntArray | None,
    progress: Progress,
) -> SemanticLinks:
    owner = true_matches(original, masked, truth)
    paired = owner >= 0
    if not paired.any():
        raise NotComputable(
            f"{name}: no published record belongs to a known person, so no link can be right."
        )
    columns = [_key(original, masked, key, how, owner) for key in keys]
    known = tuples_of(np.column_stack([each.known for each in columns]))
    published = tuples_of(np.column_stack([each.published for each in columns]))
    ties = _ties_of_hits([each.between for each in columns], known, published, owner, progress)
    hit = ties > 0
    chance = np.where(hit, 1.0 / np.maximum(ties, 1), 0.0)
    people = np.unique(owner[paired])
    linked = np.zeros(len(original), dtype=np.int64)
    linked[owner[hit]] = ties[hit]
    expected, certain = float(chance.sum()), int((linked == 1).sum())
    return SemanticLinks(
        name=name,
        risk=expected / len(people),
        meaning=meaning,
        reidentifies=True,
        records=chance,
        interval=wilson(expected, len(people)),
        baseline=1.0 / len(masked),
        attempts=len(people),
        details={
            "keys": list(keys),
            "expected": expected,
            "certain": certain,
            "in_reach": int((linked > 0).sum()),
            "distinct_known": len(known.codes),
            "distinct_published": len(published.codes),
        },
        certain=certain,
        ties=linked,
    )


class _Exact(NamedTuple):
    """Distances of 0 for the same code, or a general one that holds it, and of 1 for another.

    `holds` says which known codes are under each general one, which are numbered from `levels` on; the last known code
    of a row, a blank, is under none.
    """

    levels: int
    holds: BoolArray

    def apart(self, known: IntArray, published: IntArray) -> BoolArray:
        """Whether codes that broadcast against each other are at distance 1."""
        unlike: BoolArray = known != published
        if len(self.holds) == 0:
            return unlike
        row = published - self.levels
        held = self.holds[np.clip(row, 0, len(self.holds) - 1), np.minimum(known, self.levels)]
        return np.where((row >= 0) & (row < len(self.holds)), ~held, unlike)


Between = FloatArray | _Exact
"""Distances of known from published codes, as a matrix or without one."""


class _Key(NamedTuple):
    """One key: distances between codes, and the codes of both tables."""

    between: Between
    known: IntArray
    published: IntArray


def _key(original: Table, masked: Table, name: str, how: Interpretation, owner: IntArray) -> _Key:
    """Concepts by their distance; ordered categories without an ontology by the steps between them."""
    column = compare_column(original, masked, name, owner)
    if isinstance(column, AxisColumn) and (how.distance == EXACT or not means_something(original[name], how)):
        return _ordered_key(column, exact=how.distance == EXACT)
    if how.distance == EXACT and isinstance(column, CategoryColumn):
        return _exact_key(column)
    space, codes = understood([original, masked], name, how)
    between = space.between.copy()
    if isinstance(column, CategoryColumn):
        _join_words(between, column, *codes, apart=space.concepts[space.own] < 0)
    wider = _with_blank(between, space.distance.largest)
    return _Key(wider, *(np.where(each < 0, len(between), each) for each in codes))


def _with_blank(between: FloatArray, far: float) -> FloatArray:
    """One more code on either side for a missing value, as far as can be from all others."""
    wider = np.full((len(between) + 1, between.shape[1] + 1), far)
    wider[:-1, :-1] = between
    wider[-1, -1] = 0.0
    return wider


def _exact_key(column: CategoryColumn) -> _Key:
    """Categories that are the same, or under the published one, at no distance; all others at one."""
    blank = column.levels + len(column.holds)
    holds = np.column_stack([column.holds, np.zeros(len(column.holds), dtype=bool)])
    known, published = (np.where(each < 0, blank, each) for each in (column.known, column.published))
    return _Key(_Exact(column.levels, holds), known, published)


def _ordered_key(column: AxisColumn, *, exact: bool) -> _Key:
    """Ordered categories by the steps to the published run, over all steps; or 0 inside of it and 1 outside."""
    known, ours = np.unique(column.known[~np.isnan(column.known)], return_inverse=True)
    there = ~np.isnan(column.low)
    pairs = np.column_stack([column.low, column.high])[there]
    runs, theirs = np.unique(pairs, axis=0, return_inverse=True)
    gap = np.maximum(runs[None, :, 0] - known[:, None], known[:, None] - runs[None, :, 1])
    gap = np.maximum(gap, 0.0)
    span = max(1, column.steps - 1) if column.steps else (float(np.ptp(known)) if len(known) else 0.0) or 1.0
    between = (gap > 0).astype(np.float64) if exact else np.minimum(gap / span, 1.0)
    mine, others = np.full(len(column.known), len(known)), np.full(len(column.low), len(runs))
    mine[~np.isnan(column.known)], others[there] = ours, theirs.reshape(-1)
    return _Key(_with_blank(between, 1.0), mine, others)


def _join_words(
    between: FloatArray, column: CategoryColumn, known: IntArray, published: IntArray, *, apart: BoolArray
) -> None:
    """Brings what is under a general word without a concept to no distance from it."""
    general = (column.published >= column.levels) & (published >= 0)
    labels = np.unique(np.column_stack([published[general], column.published[general]]), axis=0)
    there = column.known >= 0
    levels = np.unique(np.column_stack([known[there], column.known[there]]), axis=0)
    for code, label in labels.tolist():
        if apart[code]:
            between[levels[column.holds[label - column.levels, levels[:, 1]], 0], code] = 0.0


def _ties_of_hits(
    between: Sequence[Between], known: Tuples, published: Tuples, owner: IntArray, progress: Progress
) -> IntArray:
    """Among how many nearest records each published one is for its owner; 0 where another is nearer, or nobody's."""
    least, ties = _nearest(between, known.codes, published.codes, published.frequencies, progress)
    paired = owner >= 0
    mine = known.which[owner[paired]]
    own = _distance(between, known.codes[mine], published.codes[published.which[paired]])
    among = np.zeros(len(owner), dtype=np.int64)
    among[paired] = np.where(own <= least[mine] + TIE, ties[mine], 0)
    return among


def _nearest(
    between: Sequence[Between], known: IntArray, published: IntArray, counts: IntArray, progress: Progress
) -> tuple[FloatArray, IntArray]:
    """For each known tuple the least distance to a published one, and how many records are at that distance."""
    least = np.empty(len(known))
    ties = np.empty(len(known), dtype=np.int64)
    step = max(1, CELLS_AT_ONCE // max(1, len(published)))
    for start in range(0, len(known), step):
        progress(start, len(known), "link")
        rows = slice(start, start + step)
        apart = np.zeros((len(known[rows]), len(published)))
        for place, each in enumerate(between):
            one, other = known[rows, place], published[:, place]
            apart += (
                each.apart(one[:, None], other[None, :]) if isinstance(each, _Exact) else each[one][:, other]
            )
        apart /= len(between)
        least[rows] = apart.min(axis=1)
        ties[rows] = (apart <= least[rows, None] + TIE) @ counts
    progress(len(known), len(known), "link")
    return least, ties


def _distance(between: Sequence[Between], one: IntArray, other: IntArray) -> FloatArray:
    """The mean distance of tuples, pair by pair."""
    total = np.zeros(len(one))
    for place, each in enumerate(between):
        mine, theirs = one[:, place], other[:, place]
        total += each.apart(mine, theirs) if isinstance(each, _Exact) else each[mine, theirs]
    return total / len(between)
