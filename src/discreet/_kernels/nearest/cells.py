"""Exact nearest neighbours with ties for records of cells: numbers or bands of them, categories or groups, blanks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Flags, Floats, Int32s, Ints, UInt64s
from discreet._kernels.compile import numba_is_loaded
from discreet._kernels.counting.distinct import Distinct, distinct_rows
from discreet._kernels.nearest.cell_loops import (
    Blocks,
    Bounds,
    CellQueries,
    LoopCosts,
    Members,
    nearest_cells,
)
from discreet._kernels.nearest.link import LARGEST, tie_limits
from discreet._kernels.nearest.neighbours import LANES, Cut, cut_into_blocks, in_groups
from discreet._kernels.nearest.tie_loops import NearestDistinct
from discreet._kernels.threads import Progress, in_threads, thread_count

PLAIN_CELLS = 20_000_000
BLOCK_CELLS = 1 << 18
BLOCKS_AT_ONCE, PAIRS_AT_ONCE = 512, 1 << 15
QUERIES_A_TASK = 512
BLANK = -1


class Cells(NamedTuple):
    """Records: from `low` to `high` in each column of numbers [records, p], NaN where blank, and codes [records, c].

    Numbers are already on the scale on which their differences count. A negative code is blank. Where no number is a
    band, both ends may be the same array.
    """

    low: Floats
    high: Floats
    codes: Ints

    @classmethod
    def points(cls, numbers: Floats, codes: Ints) -> Cells:
        """Records whose numbers are no bands."""
        return cls(numbers, numbers, codes)

    @property
    def records(self) -> int:
        """How many records there are."""
        return len(self.low)

    def rows(self, rows: Ints) -> Cells:
        """These of the records."""
        low = np.ascontiguousarray(self.low[rows])
        high = low if self.high is self.low else np.ascontiguousarray(self.high[rows])
        return Cells(low, high, np.ascontiguousarray(self.codes[rows]))


class Costs(NamedTuple):
    """What differences cost: a blank beside a value in each column of numbers and of codes, and two unlike codes.

    Codes below `levels` are plain. `holds[j]` [levels, general] says which of them are under each general code of
    column j, which are numbered from `levels` on; a column without general codes has none.
    """

    blank: Floats
    blank_code: Floats
    unlike: Floats
    holds: tuple[Flags, ...]

    @classmethod
    def plain(cls, cells: Cells) -> Costs:
        """A blank costs one, and so do unlike codes; no code is general."""
        width, coded = cells.low.shape[1], cells.codes.shape[1]
        none = tuple(np.zeros((int(column.max(initial=0)) + 1, 0), bool) for column in cells.codes.T)
        return cls(np.ones(width), np.ones(coded), np.ones(coded), none)


class NearestCells(NamedTuple):
    """For each query: the least distance, how many targets are at it, whether the true one is, and the lowest."""

    distance: Floats
    ties: Ints
    hit: Flags
    first: Ints


class _Measure(NamedTuple):
    """How records are compared: what differences cost, with which slack, and whether differences are squared."""

    costs: Costs
    slack: float
    squared: bool


def link_cells(
    queries: Cells,
    targets: Cells,
    truth: Ints,
    costs: Costs,
    *,
    slack: float = 0.0,
    squared: bool = False,
    bounds: Floats | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> NearestCells:
    """The nearest targets of each query, ties counted exactly, and whether the true one is there.

    The distance is the sum over the columns: the gap between two bands of numbers (squared where asked for), nothing
    where they meet; the cost of unlike codes, nothing where one is the other or is under it; the cost of a blank beside
    a value. Numbers are summed from left to right in float64, then codes, then both are added. Targets tie with the
    nearest one when they are at most `slack` farther away, which is for the rounding of the numbers; the slack is not
    squared.

    Identical targets, and identical queries, are compared once; targets are compared in blocks of 64 that share
    bounds, against the distance to the true target, or the best so far. Takes memory of n + m, and in the worst
    case the time of all pairs of distinct records. Where the targets are a part of all, `bounds` holds the distance of
    each query to one of the others, as in `link`. Raises ValueError for arrays that do not fit each other, infinite
    numbers, or no targets.
    """
    workers = thread_count(threads)
    _check(queries, targets, truth)
    askers, places = _distinct(queries), _distinct(targets)
    distinct = queries.rows(askers.firsts)
    how = _Measure(costs, slack, squared)
    own = _own_distances(queries, targets, truth, how)
    width = queries.low.shape[1] + queries.codes.shape[1]
    least = np.full(len(askers.firsts), np.inf)
    np.minimum.at(least, askers.labels, own if bounds is None else np.minimum(own, bounds))
    if distinct.records * len(places.firsts) * width <= PLAIN_CELLS and not numba_is_loaded():
        found = _plain(distinct, targets.rows(places.firsts), places, least, how)
    else:
        found = _by_blocks(distinct, targets.rows(places.firsts), places, least, how, workers, progress)
    distance, ties, first = found.of(askers.labels)
    hit = (own <= _limits(distance, how)) & np.isfinite(own)
    return NearestCells(distance, ties, hit, first)


def _limits(distance: Floats, how: _Measure) -> Floats:
    """The greatest distance that ties with each of the least ones."""
    return tie_limits(distance, how.slack) if how.squared else distance + how.slack


def _by_blocks(
    queries: Cells,
    targets: Cells,
    places: Distinct,
    bounds: Floats,
    how: _Measure,
    threads: int,
    progress: Progress | None,
) -> NearestDistinct:
    scale = _Scale.of(targets)
    cut = cut_into_blocks(scale.columns(targets), LANES, threads)
    blocks = _blocks(targets, cut)
    del targets
    boxes = _bounds(blocks, np.diff(cut.starts), how.costs)
    groups = _together(boxes)
    members = Members(cut.starts, places.counts[cut.order], places.firsts[cut.order])
    homes, order = cut.homes(np.ascontiguousarray(scale.columns(queries).T), threads)
    total = len(bounds)
    codes, marks = queries.codes.astype(np.int32), _marks(queries, how.costs)
    costs = _for_loops(how.costs)
    found = NearestDistinct.room(total)

    def task(start: int) -> int:
        some = order[start : start + QUERIES_A_TASK]
        numbers = queries.low[some], queries.high[some]
        taken = CellQueries(*numbers, codes[some], marks[some], bounds[some], homes[some])
        here = NearestDistinct.room(len(some))
        nearest_cells(taken, blocks, members, boxes, groups, costs, how.slack, how.squared, here)
        found.put(some, here)
        return start + len(some)

    nearest_cells.machine_code()
    for done in in_threads(task, range(0, total, QUERIES_A_TASK), threads):
        if progress is not None:
            progress(done, total)
    return found


class _Scale(NamedTuple):
    """How cells become numbers to split at: codes over the greatest, blanks beyond all numbers."""

    beyond: Floats
    largest: Floats

    @classmethod
    def of(cls, cells: Cells) -> _Scale:
        high = np.where(np.isnan(cells.high), -np.inf, cells.high).max(axis=0, initial=-1.0)
        largest = np.maximum(cells.codes.max(axis=0, initial=1), 1).astype(np.float64)
        return cls(np.where(np.isfinite(high), high, 0.0) + 1.0, largest)

    def columns(self, cells: Cells) -> Floats:
        width = len(self.beyond)
        out = np.empty((width + len(self.largest), cells.records))
        for j, (low, high) in enumerate(zip(cells.low.T, cells.high.T, strict=True)):
            out[j] = np.where(np.isnan(low), self.beyond[j], low / 2 + high / 2)
        for j, codes in enumerate(cells.codes.T):
            out[width + j] = codes / self.largest[j]
        return out


def _blocks(targets: Cells, cut: Cut) -> Blocks:
    is_blank = np.isnan(targets.low)
    plain = ((targets.low == targets.high) | is_blank).all(axis=0) & ~is_blank.any(axis=0)
    low = _without_blanks(cut.in_lanes(targets.low, np.inf, np.float64))
    # Where no cell is a band, one array serves as both ends: whatever is beyond all numbers is far from each of them.
    points = _are_points(targets)
    high = low if points else _without_blanks(cut.in_lanes(targets.high, -np.inf, np.float64))
    return Blocks(
        low,
        high,
        cut.in_lanes(is_blank, 0.0, np.float64),
        cut.in_lanes(targets.codes, BLANK, np.int32),
        plain.astype(np.int64),
    )


def _without_blanks(lanes: Floats) -> Floats:
    """The lanes, in their own memory, with zero where a number is missing."""
    lanes[np.isnan(lanes)] = 0.0
    return lanes


def _bounds(blocks: Blocks, sizes: Ints, costs: Costs) -> Bounds:
    """The bounds of each block, in groups; lanes that are empty bound nothing. `sizes` are those of the blocks."""
    parts = []
    for start in range(0, len(sizes), BLOCKS_AT_ONCE):
        some = slice(start, start + BLOCKS_AT_ONCE)
        low, high, blank, codes, _ = blocks
        parts.append(_of_blocks(low[some], high[some], blank[some], codes[some], sizes[some], costs))
    return Bounds(*(in_groups(np.concatenate(each)) for each in zip(*parts, strict=True)))


def _together(bounds: Bounds) -> Bounds:
    """The bounds of all boxes of each set [sets, columns, boxes] together, as the boxes of one set."""
    return Bounds(
        np.ascontiguousarray(bounds.low.min(axis=2).T),
        np.ascontiguousarray(bounds.high.max(axis=2).T),
        np.ascontiguousarray(bounds.void.min(axis=2).T),
        np.ascontiguousarray(np.bitwise_or.reduce(bounds.held, axis=2).T),
        np.ascontiguousarray(bounds.void_code.min(axis=2).T),
    )


def _of_blocks(low: Floats, high: Floats, blank: Floats, codes: Int32s, sizes: Ints, costs: Costs) -> Bounds:
    """The bounds of some blocks [blocks, columns, lanes], by blocks and columns."""
    some = np.arange(LANES) < sizes[:, None, None]
    there = some & (blank == 0)
    gap = some & (codes < 0)
    marks = np.where(codes < 0, np.uint64(0), np.uint64(1) << (codes & 63).astype(np.uint64))
    empty, empty_code = (some & (blank > 0)).any(axis=2), gap.any(axis=2)
    return Bounds(
        np.where(there, low, np.inf).min(axis=2, initial=np.inf),
        np.where(there, high, -np.inf).max(axis=2, initial=-np.inf),
        np.where(empty, costs.blank, np.inf),
        np.bitwise_or.reduce(np.where(some, marks, np.uint64(0)), axis=2),
        np.where(empty_code, costs.blank_code, np.inf),
    )


def _marks(queries: Cells, costs: Costs) -> UInt64s:
    """For each query and column of codes the bits of the codes that are like its own; none where it is blank."""
    marks = np.zeros(queries.codes.shape, np.uint64)
    for j, holds in enumerate(costs.holds):
        code = queries.codes[:, j]
        bit = np.where(code < 0, np.uint64(0), np.uint64(1) << (np.maximum(code, 0) & 63).astype(np.uint64))
        levels, generals = holds.shape
        if generals:
            bits = np.uint64(1) << (np.arange(levels + generals) & 63).astype(np.uint64)
            up = np.bitwise_or.reduce(np.where(holds, bits[levels:], np.uint64(0)), axis=1)
            down = np.bitwise_or.reduce(np.where(holds.T, bits[:levels], np.uint64(0)), axis=1)
            bit |= np.where(code < 0, np.uint64(0), np.concatenate([up, down])[np.maximum(code, 0)])
        marks[:, j] = bit
    return marks


def _for_loops(costs: Costs) -> LoopCosts:
    levels = np.array([holds.shape[0] for holds in costs.holds], dtype=np.int64)
    generals = np.array([holds.shape[1] for holds in costs.holds], dtype=np.int64)
    sizes = levels * generals
    flat = [np.ascontiguousarray(holds).astype(np.uint8).reshape(-1) for holds in costs.holds]
    held = np.concatenate([np.zeros(0, np.uint8), *flat])
    offsets = np.cumsum(sizes) - sizes
    return LoopCosts(costs.blank, costs.blank_code, costs.unlike, levels, generals, offsets, held)


def _plain(
    queries: Cells, targets: Cells, places: Distinct, bounds: Floats, how: _Measure
) -> NearestDistinct:
    total = queries.records
    distance, ties, first = found = NearestDistinct.room(total)
    step = max(1, BLOCK_CELLS // targets.records)
    for start in range(0, total, step):
        some = slice(start, start + step)
        block = Cells(queries.low[some, None], queries.high[some, None], queries.codes[some, None])
        distances = distances_of(block, targets, how.costs, squared=how.squared)
        distance[some] = np.minimum(distances.min(axis=1), bounds[some])
        nearest = (distances <= _limits(distance[some], how)[:, None]) & np.isfinite(distances)
        ties[some] = nearest @ places.counts
        lowest = np.where(nearest, places.firsts, np.iinfo(np.int64).max).min(axis=1)
        first[some] = np.where(nearest.any(axis=1), lowest, BLANK)
    return found


def distances_of(queries: Cells, targets: Cells, costs: Costs, *, squared: bool = False) -> Floats:
    """The distances of records that broadcast against each other."""
    shape = np.broadcast_shapes(queries.low.shape[:-1], targets.low.shape[:-1])
    total, coded = np.zeros(shape), np.zeros(shape)
    for j, cost in enumerate(costs.blank.tolist()):
        ours, theirs = queries.low[..., j], targets.low[..., j]
        with np.errstate(invalid="ignore"):
            gap = np.maximum(theirs - queries.high[..., j], ours - targets.high[..., j])
        gap = np.where(gap > 0.0, gap, 0.0)
        one, other = np.isnan(ours), np.isnan(theirs)
        gap = np.where(one | other, np.where(one & other, 0.0, cost), gap)
        total += gap * gap if squared else gap
    for j, holds in enumerate(costs.holds):
        mine, others = queries.codes[..., j], targets.codes[..., j]
        alike = _alike(mine, others, holds)
        blank = (mine < 0) ^ (others < 0)
        coded += np.where(blank, costs.blank_code[j], np.where(alike, 0.0, costs.unlike[j]))
    return np.asarray(total + coded)


def _alike(mine: Ints, others: Ints, holds: Flags) -> Flags:
    """Whether codes are the same, or one is under the other; blank is like blank."""
    alike: Flags = (mine == others) | ((mine < 0) & (others < 0))
    levels, generals = holds.shape
    if not generals or not levels:
        return alike
    for one, other in ((mine, others), (others, mine)):
        level, general = np.clip(one, 0, levels - 1), np.clip(other - levels, 0, generals - 1)
        alike = alike | ((one >= 0) & (one < levels) & (other >= levels) & holds[level, general])
    return alike


def _own_distances(queries: Cells, targets: Cells, truth: Ints, how: _Measure) -> Floats:
    own = np.empty(queries.records)
    for start in range(0, len(own), PAIRS_AT_ONCE):
        some = slice(start, start + PAIRS_AT_ONCE)
        cells = Cells(queries.low[some], queries.high[some], queries.codes[some])
        partner = targets.rows(np.maximum(truth[some], 0))
        own[some] = distances_of(cells, partner, how.costs, squared=how.squared)
    own[truth < 0] = np.inf
    return own


def _distinct(cells: Cells) -> Distinct:
    width, ends = cells.low.shape[1], [cells.low] if _are_points(cells) else [cells.low, cells.high]
    bits = np.empty((cells.records, width * len(ends) + cells.codes.shape[1]), np.int64)
    for start in range(0, cells.records, PAIRS_AT_ONCE):
        some = slice(start, start + PAIRS_AT_ONCE)
        for place, each in enumerate(ends):
            plain = np.where(np.isnan(each[some]), np.nan, each[some] + 0.0)
            bits[some, place * width : (place + 1) * width] = plain.view(np.int64)
        bits[some, width * len(ends) :] = np.maximum(cells.codes[some], BLANK)
    return distinct_rows(bits)


def _are_points(cells: Cells) -> bool:
    """Whether no number is a band."""
    if cells.high is cells.low:
        return True
    pairs = zip(cells.low.T, cells.high.T, strict=True)
    return all(bool(np.array_equal(low, high, equal_nan=True)) for low, high in pairs)


def _check(queries: Cells, targets: Cells, truth: Ints) -> None:
    for name, records in (("queries", queries), ("targets", targets)):
        low, high, codes = records
        if low.ndim != 2 or codes.ndim != 2 or len(low) != len(codes) or low.shape != high.shape:
            raise ValueError(f"{name} must have numbers and codes for the same records")
        if low.dtype != np.float64 or high.dtype != np.float64 or codes.dtype != np.int64:
            raise ValueError(
                f"{name} must be float64 numbers and int64 codes; got {low.dtype}, {codes.dtype}"
            )
        if max(float(np.abs(each).max(initial=0.0, where=~np.isnan(each))) for each in (low, high)) > LARGEST:
            raise ValueError(f"{name} must have finite numbers of magnitude at most {LARGEST:g}")
        if int(codes.max(initial=0)) >= 2**31:
            raise ValueError(f"{name} must have codes below 2**31")
    widths = [part.shape[1] for part in (queries.low, queries.codes, targets.low, targets.codes)]
    if widths[:2] != widths[2:] or sum(widths) == 0 or targets.records == 0:
        raise ValueError(f"queries and targets must have the same columns, and targets records; got {widths}")
    if truth.shape != (queries.records,) or truth.dtype != np.int64:
        raise ValueError(f"truth must be one int64 for each of {queries.records} queries")
    if len(truth) and not -1 <= int(truth.min()) <= int(truth.max()) < targets.records:
        raise ValueError(f"truth must be -1 or the number of one of {targets.records} targets")
