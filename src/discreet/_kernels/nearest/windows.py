"""Records inside windows of sorted positions in several columns at once, without a matrix of all pairs.

This serves the attacks that know how far a masking can have moved a value in the sorted column, such as the
intersection attack on rank swapping (Nin, Herranz and Torra).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Int32s, Ints
from discreet._kernels.compile import numba_is_loaded
from discreet._kernels.nearest.link import checked_points, link_within
from discreet._kernels.nearest.tie_loops import Nearest, Points
from discreet._kernels.nearest.window_loops import SortedBy, Windows, nearest_inside
from discreet._kernels.threads import Progress, in_threads, thread_count

PLAIN_CELLS = 20_000_000
BLOCK_CELLS = 1 << 20
QUERIES_A_TASK, CELLS_A_TASK = 1024, 1 << 25
"""A task is as many queries as look at so many cells: it takes a tenth of a second, after which a stop is heard."""


class Positions(NamedTuple):
    """Where the records of a file stand in each sorted column.

    order[j] lists the records by column j; rank[i, j] is the position of record i there. Equal values stand
    next to each other, in the order of the file.
    """

    order: Ints
    rank: Int32s


def sorted_positions(masked: Floats) -> Positions:
    """The positions of the records [m, columns] in each sorted column. Raises ValueError for missing values."""
    if masked.ndim != 2 or masked.dtype != np.float64 or masked.shape[1] == 0:
        raise ValueError(f"masked must be float64 records by columns; got {masked.dtype} {masked.shape}")
    if np.isnan(masked).any():
        raise ValueError("masked must have no missing values: they have no sorted position")
    order = np.argsort(masked, axis=0, kind="stable").T
    rank = np.empty(masked.shape, np.int32)
    for j, records in enumerate(order):
        rank[records, j] = np.arange(len(records), dtype=np.int32)
    return Positions(np.ascontiguousarray(order), rank)


def link_inside(
    queries: Floats,
    targets: Floats,
    truth: Ints,
    positions: Positions,
    windows: Windows,
    *,
    slack: float = 0.0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[Ints, Nearest]:
    """How many targets are inside all the windows of each query, and the nearest of those, with ties.

    queries [n, d] and targets [m, d] are the points whose distance decides among the targets inside; positions
    are those of the targets. Distances and ties are those of `link`; a query with nothing inside its windows
    has distance infinity, 0 ties, no hit and first -1. Takes time in proportion to the queries times their narrowest
    windows, and memory in proportion to the records: no candidate list is kept.
    """
    queries, targets, truth = checked_points(queries, targets, truth)
    _check(positions, windows, truth)
    if len(targets) != len(positions.rank):
        raise ValueError(f"{len(targets)} targets cannot have the positions of {len(positions.rank)} records")
    if _is_small(positions, windows):
        indptr, indices = _plain_lists(positions, windows)
        return np.diff(indptr), link_within(queries, targets, truth, indptr, indices, slack=slack)
    sizes = np.zeros(len(queries), np.int64)
    points, found = Points(queries, targets, truth), Nearest.nothing(len(queries))

    def task(sorted_by: SortedBy, some: Ints) -> None:
        nearest_inside(sorted_by, windows, points, some, slack, sizes, found)

    nearest_inside.machine_code()
    _by_narrowest(positions, windows, task, threads, progress)
    return sizes, found


def _by_narrowest(
    positions: Positions,
    windows: Windows,
    work: Callable[[SortedBy, Ints], None],
    threads: int | None,
    progress: Progress | None,
) -> None:
    """Do `work` for the queries of each narrowest column, with the ranks of all columns in that column's order.

    Queries are taken by the start of their window, so that neighbours find the same ranks in the cache.
    """
    workers = thread_count(threads)
    total, width = windows.low.shape
    narrowest = (windows.high - windows.low).argmin(axis=1)
    done = 0
    for base in range(width):
        queries = np.flatnonzero(narrowest == base)
        if len(queries) == 0:
            continue
        queries = queries[np.argsort(windows.low[queries, base], kind="stable")]
        order = positions.order[base]
        sorted_by = SortedBy(base, np.ascontiguousarray(positions.rank[order].T), order)
        cells = width * max(1, int((windows.high[queries, base] - windows.low[queries, base]).max()))
        step = min(QUERIES_A_TASK, max(1, CELLS_A_TASK // cells))

        def task(
            start: int, sorted_by: SortedBy = sorted_by, queries: Ints = queries, step: int = step
        ) -> int:
            some = queries[start : start + step]
            work(sorted_by, some)
            return len(some)

        for finished in in_threads(task, range(0, len(queries), step), workers):
            done += finished
            if progress is not None:
                progress(done, total)


def _is_small(positions: Positions, windows: Windows) -> bool:
    return len(windows.low) * positions.rank.size <= PLAIN_CELLS and not numba_is_loaded()


def _plain_lists(positions: Positions, windows: Windows) -> tuple[Ints, Ints]:
    """The records inside all the windows of each query, from all pairs in blocks.

    Those of query i are the second array from the first one's entry i to its entry i + 1.
    """
    step = max(1, BLOCK_CELLS // max(1, positions.rank.size))
    sizes = [np.zeros(1, np.int64)]
    found = [np.zeros(0, np.int64)]
    for start in range(0, len(windows.low), step):
        low = windows.low[start : start + step, None, :]
        high = windows.high[start : start + step, None, :]
        inside = ((positions.rank >= low) & (positions.rank < high)).all(axis=2)
        sizes.append(inside.sum(axis=1))
        found.append(np.nonzero(inside)[1])
    return np.cumsum(np.concatenate(sizes)), np.concatenate(found)


def _check(positions: Positions, windows: Windows, truth: Ints) -> None:
    records, width = positions.rank.shape
    if windows.low.shape != windows.high.shape or windows.low.shape != (len(truth), width):
        raise ValueError(
            f"windows must be of {len(truth)} queries by {width} columns; got {windows.low.shape}"
        )
    if windows.low.size and (int(windows.low.min()) < 0 or int(windows.high.max()) > records):
        raise ValueError(f"windows must lie within the {records} positions")
    if len(truth) and not -1 <= int(truth.min()) <= int(truth.max()) < records:
        raise ValueError(f"truth must be -1 or the number of one of {records} records")
