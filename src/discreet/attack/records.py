"""Known and published records in the form in which their distance is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

import numpy as np

from discreet import seeds
from discreet._kernels.nearest.cells import Cells, Costs, distances_of, link_cells
from discreet._kernels.nearest.link import link as nearest_points
from discreet._kernels.nearest.link import squared_distances, tie_limits
from discreet.attack.points import (
    ROUNDING,
    ScaledColumn,
    compared_columns,
    largest_of,
    slack_of,
    slack_within,
)
from discreet.comparing import AxisColumn, CategoryColumn, ComparedColumn
from discreet.progress import SILENT, Progress
from discreet.table import BoolArray, FloatArray, IntArray, Table

Records = FloatArray | Cells
MOST_CELLS_LINKED = 1e11
"""Known records times published ones times columns: beyond, a sample of people is looked for in the whole file."""
FEWEST_TRIED = 1000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Both:
    """The records that look for a partner and those looked at, as they are compared.

    Points lie at Euclidean distances; cells at the sum over their columns of what `costs` says, or of the squares.
    Records that are no more than `slack` farther than the nearest one are as near: rounding has parted them.
    """

    queries: Records
    targets: Records
    slack: float
    costs: Costs | None = None
    squared: bool = False

    def turned(self) -> Both:
        """The same with the files in each other's place."""
        return replace(self, queries=self.targets, targets=self.queries)

    def only(self, queries: IntArray) -> Both:
        """The same for some of the queries."""
        if isinstance(self.queries, Cells):
            return replace(self, queries=self.queries.rows(queries))
        return replace(self, queries=np.ascontiguousarray(self.queries[queries]))

    @property
    def most_queries(self) -> float:
        """How many records can be looked for in reasonable time; points take hardly any."""
        if not isinstance(self.targets, Cells):
            return np.inf
        width = self.targets.low.shape[1] + self.targets.codes.shape[1]
        return float(MOST_CELLS_LINKED / max(1, self.targets.records * width))

    def all_apart(self, queries: IntArray, targets: IntArray) -> FloatArray:
        """The distances of all these queries, by rows, to all these targets, squared where distances are."""
        if isinstance(self.queries, Cells) and isinstance(self.targets, Cells) and self.costs is not None:
            ours = self.queries.rows(queries)
            every = Cells(ours.low[:, None], ours.high[:, None], ours.codes[:, None])
            return distances_of(every, self.targets.rows(targets), self.costs, squared=self.squared)
        points = cast(FloatArray, self.queries)[queries], cast(FloatArray, self.targets)[targets]
        return squared_distances(*points)

    def apart(self, queries: IntArray, targets: IntArray) -> FloatArray:
        """The distance of each pair of a query and a target, squared where distances are."""
        if isinstance(self.queries, Cells) and isinstance(self.targets, Cells) and self.costs is not None:
            ours, theirs = self.queries.rows(queries), self.targets.rows(targets)
            return distances_of(ours, theirs, self.costs, squared=self.squared)
        gaps = cast(FloatArray, self.queries)[queries] - cast(FloatArray, self.targets)[targets]
        total = np.zeros(len(queries))
        for column in gaps.T:
            total += column * column
        return total

    def limits(self, nearest: FloatArray) -> FloatArray:
        """The greatest distance that is as near as each of the least ones."""
        return limits_of(nearest, self.slack, squared=self.squared or not isinstance(self.queries, Cells))


def limits_of(nearest: FloatArray, slack: float, *, squared: bool) -> FloatArray:
    """The greatest distance that is no more than the slack beyond each of the least ones."""
    return tie_limits(nearest, slack) if squared else nearest + slack


class NearestMatches(NamedTuple):
    """For each record that looked for a partner: its chance to be right, the partner, and among how many."""

    chance: FloatArray
    nearest: IntArray
    ties: IntArray
    exact: bool = True


class Least(NamedTuple):
    """For each record that looked for a partner: the least distance, how many are at it, and the lowest of these.

    `hit` says whether the true partner is among them. Distances are squared where those of `Both` are.
    """

    distance: FloatArray
    ties: IntArray
    hit: BoolArray
    first: IntArray


class Owners(NamedTuple):
    """Pairs of a query and a target that are of the same person, in the order of the queries."""

    query: IntArray
    target: IntArray


def nearest_records(
    both: Both, truth: IntArray, progress: Progress, owners: Owners | None = None
) -> NearestMatches:
    """The nearest target of each query, and the chance that it is of the right person.

    `truth` is the true target of each query, -1 for none. Where a person has several records, `owners` lists all
    targets of each query's person: to find any of them is to find the person.
    """
    nearest, ties, hit, first = least_distances(both, truth, progress=progress)
    right = hit.astype(np.float64)
    if owners is not None:
        near = both.apart(*owners) <= both.limits(nearest)[owners.query]
        right = np.bincount(owners.query[near], minlength=len(ties)).astype(np.float64)
    return NearestMatches(right / np.maximum(ties, 1), first, ties)


def least_distances(
    both: Both, truth: IntArray, bounds: FloatArray | None = None, *, progress: Progress = SILENT
) -> Least:
    """The least distance of each query to a target, or to the record that its bound speaks of where that is nearer.

    Only targets at that distance are counted, so that a query with a bound may have none.
    """

    def linked(done: int, total: int) -> None:
        progress(done, total, "link")

    queries, targets = both.queries, both.targets
    if isinstance(queries, Cells) and isinstance(targets, Cells) and both.costs is not None:
        cells = link_cells(
            queries,
            targets,
            truth,
            both.costs,
            slack=both.slack,
            squared=both.squared,
            bounds=bounds,
            progress=linked,
        )
        return Least(*cells)
    points = cast(FloatArray, queries), cast(FloatArray, targets)
    return Least(*nearest_points(*points, truth, slack=both.slack, bounds=bounds, progress=linked))


def same_person(truth: IntArray, persons: IntArray | None) -> Owners | None:
    """All pairs of a query and a target of one person, where the persons of the targets are known.

    The person of a query is that of its true target.
    """
    if persons is None:
        return None
    person = np.where(truth >= 0, persons[np.maximum(truth, 0)], -1)
    order = np.argsort(persons, kind="stable")
    begin = np.searchsorted(persons[order], person, side="left")
    count = np.searchsorted(persons[order], person, side="right") - begin
    query = np.repeat(np.arange(len(person)), count)
    within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return Owners(query, order[np.repeat(begin, count) + within])


def records_of(original: Table, masked: Table, keys: Sequence[str], truth: IntArray) -> Both:
    """Both tables in the form that the distance 'auto' compares, the original first."""
    return as_records(compared_columns(original, masked, keys, truth))


def as_records(columns: Sequence[ComparedColumn]) -> Both:
    """Columns in the form that the distance 'auto' compares, the original first."""
    columns = telling(columns)
    return as_points(columns) if are_points(columns) else as_cells(columns)


def telling(columns: Sequence[ComparedColumn]) -> Sequence[ComparedColumn]:
    """The columns without those of which every published cell can stand for every known one; all where none is left."""
    return [each for each in columns if not is_silent(each)] or columns


def is_silent(column: ComparedColumn) -> bool:
    """Whether every published cell of the column can stand for every known one."""
    if isinstance(column, CategoryColumn):
        silent = np.concatenate([np.zeros(column.levels, dtype=bool), column.holds.all(axis=1), [False]])
        return bool((column.known >= 0).all() and silent[column.published].all())
    least, greatest = column.known.min(initial=np.inf), column.known_high.max(initial=-np.inf)
    return bool((column.low <= least).all() and (column.high >= greatest).all())


def are_points(columns: Sequence[ComparedColumn]) -> bool:
    """Whether all columns are numbers or ranks without a band or a blank."""
    return all(is_point(each) for each in columns)


def is_point(column: ComparedColumn) -> bool:
    """Whether the column holds numbers or ranks without a band or a blank."""
    if isinstance(column, CategoryColumn):
        return False
    low, high = (column.low, column.known), (column.high, column.known_high)
    return all(bool((one == other).all()) for one, other in zip(low, high, strict=True))


def as_points(columns: Sequence[ComparedColumn], weights: FloatArray | None = None) -> Both:
    """Columns of plain numbers as points, each column times the root of its weight; the original first."""
    scaled = [ScaledColumn.of(cast(AxisColumn, each)) for each in columns]
    known = np.column_stack([each.known_low for each in scaled])
    published = np.column_stack([each.low for each in scaled])
    errors = np.array([each.error for each in scaled])
    if weights is not None:
        roots = np.sqrt(weights)
        known, published, errors = known * roots, published * roots, errors * roots
    return Both(queries=known, targets=published, slack=slack_of(errors, known, published))


def as_cells(
    columns: Sequence[ComparedColumn],
    weights: FloatArray | None = None,
    *,
    squared: bool = False,
    as_known: bool = False,
) -> Both:
    """Columns of any kind as cells; the original first.

    Numbers differ by their distance in standard deviations, bands by the gap to their nearer edge, categories by 0 or
    1. A blank is as far from a value as an average record is (1 where all are the same), and at no distance from a
    blank. With `as_known` published numbers are standardised as the known ones, so that equal values stay equal.
    """
    weigh = np.ones(len(columns)) if weights is None else weights
    pairs = list(zip(columns, weigh, strict=True))
    coded = [(each, w) for each, w in pairs if isinstance(each, CategoryColumn)]
    axes = [(each, w) for each, w in pairs if isinstance(each, AxisColumn)]
    factors = [float(np.sqrt(w)) if squared else float(w) for _, w in axes]
    counts = _length(columns, known=True), _length(columns, known=False)
    ends = tuple(_Ends.of(count, len(axes)) for count in counts)
    blank, errors = np.empty(len(axes)), np.empty(len(axes))
    for place, ((each, _), factor) in enumerate(zip(axes, factors, strict=True)):
        # One axis after the other, so that they are not held twice.
        scaled = ScaledColumn.of(each, as_known=as_known)
        ends[0].put(place, scaled.known_low, scaled.known_high, factor)
        ends[1].put(place, scaled.low, scaled.high, factor)
        blank[place], errors[place] = factor * mean_gap(scaled, squared), factor * scaled.error
        del scaled
    codes = [each.known for each, _ in coded], [each.published for each, _ in coded]
    sides = [
        Cells(side.low, side.high, _stacked_codes(parts, count))
        for side, parts, count in zip(ends, codes, counts, strict=True)
    ]
    costs = Costs(
        blank=blank,
        blank_code=np.array([w * share_unlike(each) for each, w in coded], dtype=np.float64),
        unlike=np.array([w for _, w in coded], dtype=np.float64),
        holds=tuple(np.ascontiguousarray(each.holds.T) for each, _ in coded),
    )
    numbers = [each for side in sides for each in (side.low, side.high)]
    slack = slack_of_cells(errors, largest_of(*numbers), len(columns), squared)
    return Both(queries=sides[0], targets=sides[1], slack=slack, costs=costs, squared=squared)


class _Ends:
    """Where the cells on axes begin and end, each axis times its factor; one array as long as none is a band."""

    def __init__(self, low: FloatArray) -> None:
        self.low = self.high = low

    @classmethod
    def of(cls, count: int, axes: int) -> _Ends:
        return cls(np.empty((count, axes)))

    def put(self, place: int, low: FloatArray, high: FloatArray, factor: float) -> None:
        """Puts in an axis; the axes before it have been put in."""
        np.multiply(low, factor, out=self.low[:, place])
        if self.high is self.low:
            if low is high or np.array_equal(low, high, equal_nan=True):
                return
            self.high = self.low.copy()
        np.multiply(high, factor, out=self.high[:, place])


def slack_of_cells(errors: FloatArray, largest: FloatArray, columns: int, squared: bool) -> float:
    """How much the distances of cells can differ by rounding alone; `largest` are the greatest numbers of each axis."""
    if len(errors) == 0:
        return 0.0 if squared else columns * ROUNDING
    if squared:
        return slack_within(errors, largest)
    return float(errors.sum()) + slack_within(np.array(columns * ROUNDING), largest)


def _length(columns: Sequence[ComparedColumn], *, known: bool) -> int:
    first = columns[0]
    if known:
        return len(first.known)
    return len(first.low if isinstance(first, AxisColumn) else first.published)


def _stacked_codes(parts: Sequence[IntArray], count: int) -> IntArray:
    return np.column_stack([np.empty((count, 0), np.int64), *parts])


def mean_gap(column: ScaledColumn, squared: bool) -> float:
    """The mean distance of a known from a published value, or the root of the mean squared one; 1 where it is 0."""
    known = column.known_low / 2 + column.known_high / 2
    published = column.low / 2 + column.high / 2
    known, published = np.sort(known[~np.isnan(known)]), np.sort(published[~np.isnan(published)])
    if len(known) == 0 or len(published) == 0:
        return 1.0
    if squared:
        apart = known.var() + published.var() + (known.mean() - published.mean()) ** 2
        return float(np.sqrt(apart)) or 1.0
    before = np.searchsorted(published, known, side="right")
    sums = np.concatenate([[0.0], np.cumsum(published)])
    total = known * (2 * before - len(published)) + sums[-1] - 2 * sums[before]
    return max(0.0, float(total.mean() / len(published))) or 1.0


def share_unlike(column: CategoryColumn) -> float:
    """The share of pairs of a known and a published record that differ in the category; 1 where none does."""
    known = np.bincount(column.known[column.known >= 0], minlength=column.levels).astype(np.float64)
    there = column.published[column.published >= 0]
    published = np.bincount(there, minlength=column.levels + len(column.holds))
    pairs = known.sum() * published.sum()
    if pairs == 0:
        return 1.0
    alike = known @ published[: column.levels] + published[column.levels :] @ (column.holds @ known)
    unlike = 1.0 - float(alike / pairs)
    return unlike if unlike > ROUNDING else 1.0


def people_tried(rows: IntArray, most: float) -> IntArray:
    """The rows, or where there are more than so many, that many of them drawn at random: a sample speaks for all.

    At least a thousand are tried, however large the file.
    """
    wanted = max(FEWEST_TRIED, most)
    if len(rows) <= wanted:
        return rows
    return np.sort(seeds.generator(0, len(rows)).choice(rows, size=int(wanted), replace=False))


def sampled(tried: int, of: int) -> dict[str, int]:
    """What a result says of a sample of people; nothing where all were tried."""
    return {"people_tried": tried, "people": of} if tried < of else {}


def shared_by_twins(chance: FloatArray, label: IntArray, judged: BoolArray) -> FloatArray:
    """The chances, each the mean over the judged records that nothing tells apart: who of them is right is luck."""
    size = int(label.max(initial=-1)) + 1
    total = np.bincount(label[judged], weights=chance[judged], minlength=size)
    count = np.bincount(label[judged], minlength=size)
    shared: FloatArray = np.where(judged, (total / np.maximum(1, count))[label], 0.0)
    return shared
