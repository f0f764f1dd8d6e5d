"""Exact nearest neighbours with ties, between two sets of points whose true pairs are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Ints, as_kernels_take
from discreet._kernels.compile import compiled, numba_is_loaded
from discreet._kernels.counting.distinct import Distinct, distinct_rows
from discreet._kernels.nearest.tie_loops import (
    NO_TARGET,
    START_AGAIN,
    Nearest,
    NearestDistinct,
    Points,
    Ties,
    count_tie,
    tie_limit,
)
from discreet._kernels.nearest.tree import QUERIES_A_TASK, nearest_in
from discreet._kernels.nearest.window_loops import squared_distance
from discreet._kernels.threads import Progress, in_threads, thread_count

PLAIN_WORK = 60_000_000
PLAIN_PAIRS = 2_000_000
BLOCK_CELLS = 1 << 18
LARGEST = 1e150
MERGED_UNSEEN = 20_000
SAMPLE_OF_POINTS = 2048
# A prime that divides no number of points that there can be, so that the places are different ones.
IRREGULAR = 2_654_435_761


class Candidates(NamedTuple):
    """The targets that each query may be: those of query i are indices[indptr[i] : indptr[i + 1]]."""

    indptr: Ints
    indices: Ints


def link(
    queries: Floats,
    targets: Floats,
    truth: Ints,
    *,
    slack: float = 0.0,
    bounds: Floats | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Nearest:
    """The nearest targets of each query, ties counted exactly, and whether the true target is among them.

    queries [n, d] and targets [m, d] are finite float64 of magnitude at most 1e150; truth[n] is the number of
    the target that belongs to each query, or -1 where none is known. Squared distances are summed over the
    columns from left to right in float64 without fused multiply-add. Targets tie with the nearest one when they
    are at most `slack` farther away, which is for the rounding of the points; without slack when their squared
    distances are the same bit for bit. So the result is one definite answer: the same with any number of
    threads, and the same from the plain NumPy blocks used for small inputs as from the compiled tree.

    Identical targets, and identical queries, are searched once where there are many. The distance to the true target
    is the first bound: where nothing is nearer, the search ends soon. Memory grows as n + m. `progress(done, total)`
    is called from the calling thread as queries are finished.

    The targets may be a part of all: `bounds` then holds the squared distance of each query to one of the others, or
    infinity. A query with nothing nearer here has that distance, and as many ties as there are here, perhaps none.

    Raises ValueError for arrays of other shapes or kinds, no columns, no targets, values that are not finite
    or too large, or a truth outside the targets.
    """
    workers = thread_count(threads)
    queries, targets, truth = checked_points(queries, targets, truth)
    if len(targets) == 0 or queries.shape[1] == 0:
        raise ValueError(
            f"link needs targets and columns; got {len(targets)} targets of {queries.shape[1]} columns"
        )
    own = own_distances(queries, targets, truth)
    nearer = own if bounds is None else np.minimum(own, bounds)
    if len(queries) == 0:
        return Nearest(own, np.zeros(0, np.int64), np.zeros(0, np.bool_), np.zeros(0, np.int64))
    askers = _merged(queries)
    places = _merged(targets)
    distinct = _rows(queries, askers)
    placed = _rows(targets, places)
    least = nearer
    if len(distinct) < len(own):
        least = np.full(len(distinct), np.inf)
        np.minimum.at(least, askers.labels, nearer)
    if len(distinct) * len(placed) * queries.shape[1] <= PLAIN_WORK and not numba_is_loaded():
        found = _plain_nearest(distinct, placed, least, places, slack, progress)
    else:
        found = nearest_in(
            placed,
            distinct,
            least,
            places.counts,
            places.firsts,
            slack=slack,
            threads=workers,
            progress=progress,
        )
    if len(distinct) < len(own):
        found = found.of(askers.labels)
    return Nearest(found.distance, found.ties, own <= tie_limits(found.distance, slack), found.first)


def link_within(
    queries: Floats,
    targets: Floats,
    truth: Ints,
    indptr: Ints,
    indices: Ints,
    *,
    slack: float = 0.0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Nearest:
    """The nearest among each query's own candidates, ties counted exactly, and whether the true one is there.

    The candidates of query i are the targets indices[indptr[i] : indptr[i + 1]], each named once; the rest is as
    in `link`. The true target gives a hit only when it is a candidate. A query without candidates has distance
    infinity, 0 ties, no hit and first -1.
    """
    workers = thread_count(threads)
    queries, targets, truth = checked_points(queries, targets, truth)
    indptr, indices = _checked_candidates(indptr, indices, len(queries), len(targets))
    if len(indices) * queries.shape[1] <= PLAIN_PAIRS and not numba_is_loaded():
        return _plain_within(queries, targets, truth, indptr, indices, slack)
    total = len(queries)
    points, candidates = Points(queries, targets, truth), Candidates(indptr, indices)
    found = Nearest.nothing(total)

    def task(start: int) -> int:
        stop = min(start + QUERIES_A_TASK, total)
        nearest_candidates(points, candidates, start, stop, slack, found)
        return stop

    nearest_candidates.machine_code()
    for done in in_threads(task, range(0, total, QUERIES_A_TASK), workers):
        if progress is not None:
            progress(done, total)
    return found


@compiled
def nearest_candidates(
    points: Points, candidates: Candidates, start: int, stop: int, slack: float, found: Nearest
) -> None:
    """Fill what is found for queries start to stop: min_t sum_j (x_j - y_tj)^2, t among the query's own candidates."""
    for query in range(start, stop):
        own = np.inf
        ties = Ties(np.inf, 0.0, START_AGAIN, NO_TARGET)
        while ties.tied < 0:
            ties = Ties(ties.nearest, 0.0, 0, NO_TARGET)
            for place in range(candidates.indptr[query], candidates.indptr[query + 1]):
                target = candidates.indices[place]
                distance = squared_distance(points.queries, points.targets, query, target)
                own = distance if target == points.truth[query] else own
                ties = count_tie(distance, 1, target, slack, True, ties)
        found.best_distance2[query], found.ties[query] = ties.nearest, ties.tied
        found.hit[query] = own < np.inf and own <= tie_limit(ties.nearest, slack, True)
        found.first[query] = ties.lowest if ties.tied else -1


def _plain_within(
    queries: Floats, targets: Floats, truth: Ints, indptr: Ints, indices: Ints, slack: float
) -> Nearest:
    asker = np.repeat(np.arange(len(queries)), np.diff(indptr))
    distances = np.zeros(len(indices))
    for j in range(queries.shape[1]):
        gap = queries[asker, j] - targets[indices, j]
        distances += gap * gap
    best = np.full(len(queries), np.inf)
    np.minimum.at(best, asker, distances)
    nearest = distances <= tie_limits(best, slack)[asker]
    asker, chosen = asker[nearest], indices[nearest]
    hit = np.zeros(len(queries), np.bool_)
    hit[asker[chosen == truth[asker]]] = True
    first = np.full(len(queries), len(targets))
    np.minimum.at(first, asker, chosen)
    first[first == len(targets)] = -1
    return Nearest(best, np.bincount(asker, minlength=len(queries)), hit, first)


def own_distances(queries: Floats, targets: Floats, truth: Ints) -> Floats:
    """Squared distance of each query to its true target, infinity where none is known."""
    own = np.where(truth >= 0, 0.0, np.inf)
    partner = np.maximum(truth, 0)
    step = max(1, BLOCK_CELLS // max(1, queries.shape[1]))
    for start in range(0, len(queries) if len(targets) else 0, step):
        some = slice(start, start + step)
        gaps = queries[some] - targets.take(partner[some], axis=0)
        gaps *= gaps
        for column in gaps.T:
            own[some] += column
    return own


def _merged(points: Floats) -> Distinct:
    """The distinct points, or each point by itself where some from irregular places are all different.

    Merging only saves work, and hardly any where a few thousand points show none to be saved.
    """
    count = len(points)
    if count > MERGED_UNSEEN:
        some = points[np.arange(SAMPLE_OF_POINTS) * IRREGULAR % count]
        if len(distinct_rows(some).firsts) == len(some):
            alone = np.arange(count)
            return Distinct(alone, alone, np.ones(count, np.int64))
    return distinct_rows(points)


def _rows(points: Floats, distinct: Distinct) -> Floats:
    if len(distinct.firsts) == len(points):
        return points
    return points[distinct.firsts]


def _plain_nearest(
    queries: Floats,
    targets: Floats,
    bounds: Floats,
    places: Distinct,
    slack: float,
    progress: Progress | None,
) -> NearestDistinct:
    total = len(queries)
    best, ties, first = found = NearestDistinct.room(total)
    step = max(1, BLOCK_CELLS // len(targets))
    beyond = np.iinfo(np.int64).max
    for start in range(0, total, step):
        some = slice(start, min(start + step, total))
        distances = squared_distances(queries[some], targets)
        best[some] = np.minimum(distances.min(axis=1), bounds[some])
        nearest = distances <= tie_limits(best[some], slack)[:, None]
        ties[some] = nearest @ places.counts
        first[some] = np.where(nearest, places.firsts, beyond).min(axis=1)
        if progress is not None:
            progress(some.stop, total)
    return found


def tie_limits(best: Floats, slack: float) -> Floats:
    """The greatest squared distances that tie with the least ones."""
    farthest = np.sqrt(best) + slack
    return np.maximum(best, farthest * farthest)


def squared_distances(queries: Floats, targets: Floats) -> Floats:
    """All squared distances [queries, targets], summed over the columns from left to right."""
    total = np.zeros((len(queries), len(targets)))
    for j in range(queries.shape[1]):
        gap = queries[:, j, None] - targets[None, :, j]
        gap *= gap
        total += gap
    return total


def checked_points(queries: Floats, targets: Floats, truth: Ints) -> tuple[Floats, Floats, Ints]:
    """The arguments as contiguous arrays; ValueError says what is wrong with them."""
    if queries.ndim != 2 or targets.ndim != 2 or queries.shape[1] != targets.shape[1]:
        raise ValueError(f"queries {queries.shape} and targets {targets.shape} must have the same columns")
    if queries.dtype != np.float64 or targets.dtype != np.float64 or truth.dtype != np.int64:
        raise ValueError(
            f"link takes float64 points and int64 truth; got {queries.dtype}, {targets.dtype} and {truth.dtype}"
        )
    if truth.shape != queries.shape[:1]:
        raise ValueError(f"truth must have one entry for each of {len(queries)} queries; got {truth.shape}")
    for name, points in (("queries", queries), ("targets", targets)):
        if points.size and not max(-float(points.min()), float(points.max())) <= LARGEST:
            raise ValueError(f"{name} must be finite and of magnitude at most {LARGEST:g}")
    if len(truth) and not -1 <= int(truth.min()) <= int(truth.max()) < len(targets):
        raise ValueError(f"truth must be -1 or the number of one of {len(targets)} targets")
    return as_kernels_take(queries), as_kernels_take(targets), as_kernels_take(truth)


def _checked_candidates(indptr: Ints, indices: Ints, queries: int, targets: int) -> tuple[Ints, Ints]:
    if indptr.dtype != np.int64 or indices.dtype != np.int64 or indptr.ndim != 1 or indices.ndim != 1:
        raise ValueError(f"candidates must be flat int64 arrays; got {indptr.dtype} and {indices.dtype}")
    whole = len(indptr) == queries + 1 and indptr[0] == 0 and indptr[-1] == len(indices)
    if not whole or (np.diff(indptr) < 0).any():
        raise ValueError(f"indptr must rise from 0 to {len(indices)} in {queries} steps")
    if len(indices) and not 0 <= int(indices.min()) <= int(indices.max()) < targets:
        raise ValueError(f"candidates must be numbers of one of {targets} targets")
    return as_kernels_take(indptr), as_kernels_take(indices)
