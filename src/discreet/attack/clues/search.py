"""The masked records that every clue allows for a known one, and the nearest of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from discreet._kernels.counting.distinct import distinct_rows
from discreet._kernels.nearest.link import link, link_within, tie_limits
from discreet._kernels.nearest.tie_loops import Nearest
from discreet._kernels.nearest.window_loops import Windows
from discreet._kernels.nearest.windows import link_inside, sorted_positions
from discreet.attack.clues.kinds import Near, Range, Same
from discreet.attack.points import Stacked
from discreet.progress import SILENT, Progress
from discreet.table import BoolArray, FloatArray, IntArray

Hard = Range | Same | Near
PAIRS_AT_ONCE = 4_000_000
QUERIES_AT_ONCE = 1 << 18


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Narrowed:
    """For each query: how many masked records are allowed, whether the true one is, and the nearest of them."""

    sizes: IntArray
    inside: BoolArray
    best: FloatArray
    ties: IntArray
    hit: BoolArray
    first: IntArray

    @classmethod
    def nothing(cls, count: int) -> Narrowed:
        return cls(
            sizes=np.zeros(count, np.int64),
            inside=np.zeros(count, np.bool_),
            best=np.full(count, np.inf),
            ties=np.zeros(count, np.int64),
            hit=np.zeros(count, np.bool_),
            first=np.full(count, -1, np.int64),
        )

    def put(self, queries: IntArray, found: Narrowed) -> None:
        """Replaces what is there for some queries."""
        for each in fields(self):
            getattr(self, each.name)[queries] = getattr(found, each.name)

    def add(self, found: Narrowed, rows: IntArray, slack: float) -> None:
        """Adds what was found for all queries among some more of the masked records."""
        nearest = Nearest(found.best, found.ties, found.hit, found.first)
        self.take_in(np.arange(len(self.sizes)), rows, found.sizes, nearest, slack)
        self.inside[:] |= found.inside

    def take_in(
        self, queries: IntArray, rows: IntArray, sizes: IntArray, found: Nearest, slack: float
    ) -> None:
        """Adds what was found for some queries among some of the masked records."""
        self.sizes[queries] += sizes
        nearer = tie_limits(found.best_distance2, slack) < self.best[queries]
        self.ties[queries[nearer]] = 0
        self.hit[queries[nearer]] = False
        self.first[queries[nearer]] = np.iinfo(np.int64).max
        self.best[queries] = np.minimum(self.best[queries], found.best_distance2)
        level = (found.best_distance2 <= tie_limits(self.best[queries], slack)) & (found.ties > 0)
        chosen = queries[level]
        self.ties[chosen] += found.ties[level]
        self.hit[chosen] |= found.hit[level]
        self.first[chosen] = np.minimum(self.first[chosen], rows[found.first[level]])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComparedPoints:
    """The points whose distance decides among what the clues leave: of the queries, and of all masked records.

    `truth` is the masked record of each query, -1 where it is not among these. Records that are no more than
    `slack` farther than the nearest are as near.
    """

    known: Stacked
    masked: Stacked
    truth: IntArray
    slack: float

    def about(self, queries: IntArray) -> ComparedPoints:
        """The same for some of the queries."""
        return replace(self, known=self.known.only(queries), truth=self.truth[queries])


def narrow(clues: Sequence[Hard], points: ComparedPoints, progress: Progress = SILENT) -> Narrowed:
    """What the clues leave for each query, and the nearest of it by the distance of the points.

    What the clues say of known records is of the queries: entry i belongs to query i. No matrix of queries by records
    is made, and the points of only so many queries at once. Of the nearest groups as few are taken in as leave a
    record.
    """
    count = len(points.known)
    found = Narrowed.nothing(count)
    for start in range(0, count, QUERIES_AT_ONCE):
        progress(start, count, "transparency")
        some = np.arange(start, min(count, start + QUERIES_AT_ONCE))
        hard, about = [clue.about(some) for clue in clues], points.about(some)

        def tried(
            queries: IntArray, groups: int, hard: Sequence[Hard] = hard, about: ComparedPoints = about
        ) -> Narrowed:
            return narrowed([within(clue, groups).about(queries) for clue in hard], about.about(queries))

        found.put(some, with_few_groups(hard, len(some), tried))
    return found


def with_few_groups(
    clues: Sequence[Hard], count: int, tried: Callable[[IntArray, int], Narrowed]
) -> Narrowed:
    """What is tried with as few of the nearest groups as leave a record, for each of so many queries."""
    ladder = next((clue.tried for clue in clues if isinstance(clue, Near)), (1,))
    found = Narrowed.nothing(count)
    for groups in ladder:
        open_yet = np.flatnonzero(found.sizes == 0)
        if len(open_yet) == 0:
            break
        found.put(open_yet, tried(open_yet, groups))
    return found


def within(clue: Hard, groups: int) -> Hard:
    """The clue with so many of the nearest groups."""
    return clue.within(groups) if isinstance(clue, Near) else clue


def narrowed(clues: Sequence[Hard], points: ComparedPoints) -> Narrowed:
    """What the clues leave for each query, and the nearest of it."""
    found = Narrowed.nothing(len(points.known))
    lines = [clue for clue in clues if not isinstance(clue, Near)]
    groups = [clue for clue in clues if isinstance(clue, Near)]
    if groups:
        _among_groups(found, groups[0], [*groups[1:], *lines], points)
    else:
        for stratum in _strata(lines, len(points.masked)):
            _on_axes(found, lines, stratum, points)
    queries = np.arange(len(points.known))
    found.inside[:] = points.truth >= 0
    for clue in clues:
        found.inside[:] &= admits(clue, queries, points.truth)
    return found


def admits(clue: Hard, queries: IntArray, rows: IntArray) -> BoolArray:
    """Of each pair of a query and a masked record, whether the clue allows it."""
    if isinstance(clue, Near):
        near: BoolArray = (clue.labels[rows, None] == clue.groups[queries]).any(axis=1)
        return near
    if isinstance(clue, Same):
        same: BoolArray = clue.known[queries] == clue.masked[rows]
        return same | (clue.masked[rows] < 0) if clue.may_vanish else same
    place, low, high = clue.axis[rows], clue.low[queries], clue.high[queries]
    gone = np.isnan(place) & (np.isnan(low) | clue.may_vanish)
    within: BoolArray = (place >= low) & (place <= high)
    return within | gone


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Stratum:
    """Masked records that lack the same cells: their rows, and which of the clues they have a place for."""

    rows: IntArray
    present: BoolArray


def _strata(clues: Sequence[Range | Same], count: int) -> Iterator[_Stratum]:
    """The masked records by what is missing, since a missing cell has no place on an axis."""
    gaps = np.zeros((count, len(clues)), dtype=np.int64)
    for place, clue in enumerate(clues):
        if isinstance(clue, Range):
            gaps[:, place] = np.isnan(clue.axis)
        elif clue.may_vanish:
            gaps[:, place] = clue.masked < 0
    patterns = distinct_rows(gaps)
    present = gaps[patterns.firsts] == 0
    del gaps
    for label, there in enumerate(present):
        yield _Stratum(rows=np.flatnonzero(patterns.labels == label), present=there)


def _on_axes(
    found: Narrowed, clues: Sequence[Range | Same], stratum: _Stratum, points: ComparedPoints
) -> None:
    """Adds the nearest records of a stratum that lie within the bounds of every clue."""
    possible = np.ones(len(points.known), dtype=bool)
    for clue, there in zip(clues, stratum.present, strict=True):
        if isinstance(clue, Range):
            possible &= ~np.isnan(clue.low) if there else np.isnan(clue.low) | clue.may_vanish
    queries = np.flatnonzero(possible)
    if len(queries) == 0:
        return
    rows, some, slack = stratum.rows, points.about(queries), points.slack
    own = np.searchsorted(rows, some.truth).clip(max=len(rows) - 1)
    own = np.where(rows[own] == some.truth, own, -1)
    there = [clue for clue, present in zip(clues, stratum.present, strict=True) if present]
    axis, low, high = _axes(there, rows, queries)
    if axis.shape[1] == 0:
        nearest = link(some.known.made(), points.masked.only(rows).made(), own, slack=slack)
        found.take_in(queries, rows, np.full(len(queries), len(rows)), nearest, slack)
        return
    begin, end = np.empty(low.shape, np.int32), np.empty(high.shape, np.int32)
    for place in range(axis.shape[1]):
        column = np.sort(axis[:, place])
        begin[:, place] = np.searchsorted(column, low[:, place], side="left")
        end[:, place] = np.searchsorted(column, high[:, place], side="right")
    windows = Windows(begin, np.maximum(begin, end))
    positions = sorted_positions(axis)
    del axis, low, high, column
    targets = points.masked.only(rows).made()
    sizes, nearest = link_inside(some.known.made(), targets, own, positions, windows, slack=slack)
    found.take_in(queries, rows, sizes, nearest, slack)


def _axes(
    clues: Sequence[Range | Same], rows: IntArray, queries: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The places of the masked records on every axis, and the bounds of the queries.

    Clues that ask for the same code are put together as one axis of combinations: its windows are the narrowest.
    """
    same = [clue for clue in clues if isinstance(clue, Same)]
    lines = [clue for clue in clues if isinstance(clue, Range)]
    axis = [clue.axis[rows] for clue in lines]
    low, high = [clue.low[queries] for clue in lines], [clue.high[queries] for clue in lines]
    if same:
        codes = np.concatenate(
            [
                np.column_stack([clue.masked[rows] for clue in same]),
                np.column_stack([clue.known[queries] for clue in same]),
            ]
        )
        labels = distinct_rows(codes).labels.astype(np.float64)
        axis.append(labels[: len(rows)])
        low.append(labels[len(rows) :])
        high.append(labels[len(rows) :])
    return (
        np.column_stack([np.empty((len(rows), 0)), *axis]),
        np.column_stack([np.empty((len(queries), 0)), *low]),
        np.column_stack([np.empty((len(queries), 0)), *high]),
    )


def _among_groups(found: Narrowed, base: Near, clues: Sequence[Hard], points: ComparedPoints) -> None:
    """Adds the nearest of the members of a query's groups that every other clue allows."""
    members = np.argsort(base.labels, kind="stable")
    counts = np.bincount(base.labels, minlength=int(base.groups.max(initial=-1)) + 1)
    starts = np.cumsum(counts) - counts
    everyone, targets = np.arange(len(points.masked)), points.masked.made()
    for queries in _portions(counts[base.groups].sum(axis=1)):
        chosen = base.groups[queries]
        lengths = counts[chosen].ravel()
        asker = np.repeat(np.repeat(queries, chosen.shape[1]), lengths)
        offset = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        candidate = members[np.repeat(starts[chosen].ravel(), lengths) + offset]
        allowed = np.ones(len(asker), dtype=bool)
        for clue in clues:
            allowed &= admits(clue, asker, candidate)
        asker, candidate = asker[allowed], candidate[allowed]
        sizes = np.bincount(asker - queries[0], minlength=len(queries))
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        some = points.about(queries)
        nearest = link_within(some.known.made(), targets, some.truth, indptr, candidate, slack=some.slack)
        found.take_in(queries, everyone, sizes, nearest, some.slack)


def _portions(pairs: IntArray) -> Iterator[IntArray]:
    """The queries in runs that have no more than so many candidates in all, one query at least."""
    start = 0
    upto = np.cumsum(pairs)
    while start < len(pairs):
        done = upto[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(upto, done + PAIRS_AT_ONCE, side="right")))
        yield np.arange(start, stop)
        start = stop
