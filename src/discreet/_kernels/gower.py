"""Exact nearest neighbours with ties for records of mixed columns, by Gower's distance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Flags, Floats, Ints
from discreet._kernels.compile import numba_is_loaded
from discreet._kernels.distinct import Distinct, distinct_rows
from discreet._kernels.gower_loops import nearest_mixed
from discreet._kernels.nearest import LARGEST
from discreet._kernels.neighbours import LANES, Cut, cut_into_blocks, in_groups
from discreet._kernels.threads import Progress, in_threads, thread_count

Codes = NDArray[np.int32]
PLAIN_CELLS = 20_000_000
BLOCK_CELLS = 1 << 18
QUERIES_A_TASK = 512
MISSING = -1


class Mixed(NamedTuple):
    """Records of mixed columns: numbers [records, p], NaN if missing, and codes [records, c], negative if missing.

    Numbers are already on the scale on which their differences count: a range or a standard deviation for numeric
    columns, rank / (levels - 1) for ordinal ones.
    """

    numbers: Floats
    codes: Ints


class NearestMixed(NamedTuple):
    """For each query: the least distance, how many targets are at it, whether the true one is, and the lowest.

    A query that shares no present column with any target has distance infinity, 0 ties, no hit and first -1.
    """

    distance: Floats
    ties: Ints
    hit: Flags
    first: Ints


class _Measure(NamedTuple):
    """How records are compared: over how many columns (0: those present), and with which slack."""

    columns: int
    slack: float


class Bounds(NamedTuple):
    """What holds for the whole of some boxes of records: least and greatest numbers, and the codes that are held.

    Each is [..., columns, boxes]. `held` has a bit set for each code, modulo 64. A column with a missing value bounds
    nothing.
    """

    low: Floats
    high: Floats
    held: NDArray[np.uint64]

    def together(self) -> Bounds:
        """The bounds of all boxes of each set [sets, columns, boxes] together, as the boxes of one set."""
        return Bounds(
            np.ascontiguousarray(self.low.min(axis=2).T),
            np.ascontiguousarray(self.high.max(axis=2).T),
            np.ascontiguousarray(np.bitwise_or.reduce(self.held, axis=2).T),
        )


class Blocks(NamedTuple):
    """Distinct targets in blocks of 64 lanes, bounds of the blocks and of groups of them.

    `numbers`, `present` and `codes` are [blocks, columns, lanes].
    """

    numbers: Floats
    present: Floats
    codes: Codes
    bounds: Bounds
    group_bounds: Bounds


def link_mixed(
    queries: Mixed,
    targets: Mixed,
    truth: Ints,
    *,
    columns: int | None = None,
    slack: float = 0.0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> NearestMixed:
    """The nearest targets of each query by Gower's distance, ties counted exactly, and whether the true one is there.

    The distance is the mean over the columns that are present in both records: the difference of two numbers,
    and 0 or 1 for two equal or different codes. A column missing on either side is left out of
    the mean (Gower 1971), so a missing value is neither near nor far. Differences of numbers are summed from left to
    right in float64, then the number of different codes is added, then the sum is divided by the number of columns
    present, or by `columns` for all records alike. Targets tie with the nearest one when they are at most `slack`
    farther away, which is for the rounding of the numbers; without slack when the results are the same bit for bit.

    Identical targets, and identical queries, are compared once; targets are compared in blocks of 64 that share
    bounds, against the distance to the true target, or the best so far. Takes memory of n + m, and in the worst
    case the time of all pairs of distinct records. Raises ValueError for arrays that do not fit each other, infinite
    numbers, or no targets.
    """
    workers = thread_count(threads)
    _check(queries, targets, truth)
    askers, places = _distinct(queries), _distinct(targets)
    asked, placed = _rows(queries, askers.firsts), _rows(targets, places.firsts)
    how = _Measure(columns or 0, slack)
    own = _own_distances(queries, targets, truth, how)
    width = queries.numbers.shape[1] + queries.codes.shape[1]
    if len(asked.numbers) * len(placed.numbers) * width <= PLAIN_CELLS and not numba_is_loaded():
        distance, ties, first = _plain(asked, placed, places, how)
    else:
        bounds = np.full(len(askers.firsts), np.inf)
        np.minimum.at(bounds, askers.labels, own)
        distance, ties, first = _by_blocks(asked, placed, places, bounds, how, workers, progress)
    distance = distance[askers.labels]
    hit = (own <= distance + slack) & np.isfinite(own)
    return NearestMixed(distance, ties[askers.labels], hit, first[askers.labels])


def _by_blocks(
    queries: Mixed,
    targets: Mixed,
    places: Distinct,
    bounds: Floats,
    how: _Measure,
    threads: int,
    progress: Progress | None,
) -> tuple[Floats, Ints, Ints]:
    scale = np.maximum(targets.codes.max(axis=0, initial=1), 1).astype(np.float64)
    cut = cut_into_blocks(np.ascontiguousarray(_as_numbers(targets, scale).T), LANES, threads)
    blocks = _blocks(targets, cut)
    counts, firsts = places.counts[cut.order], places.firsts[cut.order]
    homes, order = cut.homes(_as_numbers(queries, scale), threads)
    total = len(bounds)
    codes = queries.codes.astype(np.int32)
    distance = np.empty(total)
    ties = np.empty(total, np.int64)
    first = np.empty(total, np.int64)

    def task(start: int) -> int:
        some = order[start : start + QUERIES_A_TASK]
        nearest, tied, lowest = (
            np.empty(len(some)),
            np.empty(len(some), np.int64),
            np.empty(len(some), np.int64),
        )
        nearest_mixed(
            queries.numbers[some], codes[some], bounds[some], homes[some], cut.starts, blocks.numbers,
            blocks.present, blocks.codes, *blocks.bounds, *blocks.group_bounds, counts, firsts, *how,
            nearest, tied, lowest,
        )  # fmt: skip
        distance[some], ties[some], first[some] = nearest, tied, lowest
        return start + len(some)

    nearest_mixed.machine_code()
    for done in in_threads(task, range(0, total, QUERIES_A_TASK), threads):
        if progress is not None:
            progress(done, total)
    return distance, ties, first


def _as_numbers(records: Mixed, scale: Floats) -> Floats:
    """All columns as numbers, to split at: codes divided by the scale, and 0 where missing."""
    return np.asarray(np.nan_to_num(np.concatenate([records.numbers, records.codes / scale], axis=1)))


def _blocks(targets: Mixed, cut: Cut) -> Blocks:
    numbers = cut.in_lanes(targets.numbers, np.nan)
    coded = cut.in_lanes(targets.codes.astype(np.int32), MISSING)
    sizes = np.diff(cut.starts)
    some = np.arange(LANES) < sizes[:, None, None]
    gap = np.isnan(numbers)
    open_ended = (gap & some).any(axis=2)
    low = np.where(open_ended, -np.inf, np.where(gap, np.inf, numbers).min(axis=2, initial=np.inf))
    high = np.where(open_ended, np.inf, np.where(gap, -np.inf, numbers).max(axis=2, initial=-np.inf))
    marks = np.where(coded < 0, ~np.uint64(0), np.uint64(1) << (coded & 63).astype(np.uint64))
    held = np.bitwise_or.reduce(np.where(some, marks, np.uint64(0)), axis=2)
    bounds = Bounds(in_groups(low), in_groups(high), in_groups(held))
    present = (~gap).astype(np.float64)
    return Blocks(np.where(gap, 0.0, numbers), present, coded, bounds, bounds.together())


def _plain(queries: Mixed, targets: Mixed, places: Distinct, how: _Measure) -> tuple[Floats, Ints, Ints]:
    total = len(queries.numbers)
    distance = np.empty(total)
    ties = np.zeros(total, np.int64)
    first = np.full(total, MISSING, np.int64)
    step = max(1, BLOCK_CELLS // len(targets.numbers))
    for start in range(0, total, step):
        some = slice(start, start + step)
        block = Mixed(queries.numbers[some, None, :], queries.codes[some, None, :])
        distances = _distances(block, targets, how)
        distance[some] = distances.min(axis=1)
        nearest = (distances <= distance[some, None] + how.slack) & np.isfinite(distances)
        ties[some] = nearest @ places.counts
        lowest = np.where(nearest, places.firsts, np.iinfo(np.int64).max).min(axis=1)
        first[some] = np.where(nearest.any(axis=1), lowest, MISSING)
    return distance, ties, first


def _distances(queries: Mixed, targets: Mixed, how: _Measure) -> Floats:
    """Gower's distances of records that broadcast against each other; infinity where no column is shared."""
    shape = np.broadcast_shapes(queries.numbers.shape[:-1], targets.numbers.shape[:-1])
    total = np.zeros(shape)
    present = np.zeros(shape)
    for j in range(queries.numbers.shape[-1]):
        gap = np.abs(queries.numbers[..., j] - targets.numbers[..., j])
        shared = ~np.isnan(gap)
        total += np.where(shared, gap, 0.0)
        present += shared
    different = np.zeros(shape)
    for j in range(queries.codes.shape[-1]):
        ours, theirs = queries.codes[..., j], targets.codes[..., j]
        shared = (ours >= 0) & (theirs >= 0)
        different += shared & (ours != theirs)
        present += shared
    total += different
    among = how.columns or present
    return np.asarray(np.divide(total, among, out=np.full(shape, np.inf), where=present > 0))


def _own_distances(queries: Mixed, targets: Mixed, truth: Ints, how: _Measure) -> Floats:
    known = truth >= 0
    partner = np.where(known, truth, 0)
    own = _distances(queries, _rows(targets, partner), how)
    own[~known] = np.inf
    return own


def _rows(records: Mixed, rows: Ints) -> Mixed:
    return Mixed(
        np.ascontiguousarray(records.numbers[rows]),
        np.ascontiguousarray(np.maximum(records.codes[rows], MISSING)),
    )


def _distinct(records: Mixed) -> Distinct:
    numbers = np.where(np.isnan(records.numbers), np.nan, records.numbers + 0.0).view(np.int64)
    return distinct_rows(np.concatenate([numbers, np.maximum(records.codes, MISSING)], axis=1))


def _check(queries: Mixed, targets: Mixed, truth: Ints) -> None:
    for name, records in (("queries", queries), ("targets", targets)):
        numbers, codes = records
        if numbers.ndim != 2 or codes.ndim != 2 or len(numbers) != len(codes):
            raise ValueError(f"{name} must have numbers and codes for the same records")
        if numbers.dtype != np.float64 or codes.dtype != np.int64:
            raise ValueError(
                f"{name} must be float64 numbers and int64 codes; got {numbers.dtype}, {codes.dtype}"
            )
        if float(np.abs(numbers).max(initial=0.0, where=~np.isnan(numbers))) > LARGEST:
            raise ValueError(f"{name} must have finite numbers of magnitude at most {LARGEST:g}")
        if int(codes.max(initial=0)) >= 2**31:
            raise ValueError(f"{name} must have codes below 2**31")
    widths = [part.shape[1] for part in (*queries, *targets)]
    if widths[:2] != widths[2:] or sum(widths) == 0 or len(targets.numbers) == 0:
        raise ValueError(f"queries and targets must have the same columns, and targets records; got {widths}")
    if truth.shape != (len(queries.numbers),) or truth.dtype != np.int64:
        raise ValueError(f"truth must be one int64 for each of {len(queries.numbers)} queries")
    if len(truth) and not -1 <= int(truth.min()) <= int(truth.max()) < len(targets.numbers):
        raise ValueError(f"truth must be -1 or the number of one of {len(targets.numbers)} targets")
