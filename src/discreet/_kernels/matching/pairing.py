"""One-to-one pairing of the records of two files by the weight of their pattern of agreement."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Flags, Floats, Ints, Kind, Singles
from discreet._kernels.compile import numba_is_loaded
from discreet._kernels.counting.distinct import Distinct, distinct_rows
from discreet._kernels.matching.into_classes import into_classes
from discreet._kernels.matching.pattern_loops import GOLDEN, Blocks, PairLists, Weighing, best_pairs_of
from discreet._kernels.matching.patterns import MISSING, PLAIN_PAIRS, Agreement, Places, pair_patterns
from discreet._kernels.nearest.neighbours import LANES, cut_into_blocks, in_groups
from discreet._kernels.threads import Progress, in_threads, thread_count

RECORDS_A_TASK = 256
ROWS_AT_ONCE = 1 << 15
DENSE_PAIRS = 30_000_000
FEW_PAIRS = 100_000
"""So few pairs that it makes no difference how the best pairing is found."""
ALIKE = 2
"""How many records of a file are equal, on average, where the best pairing is found by classes of equal ones."""
UNPAIRED = -1


class BestPairs(NamedTuple):
    """For each record of the first file its pairs of greatest weight.

    Those of record a are indices[indptr[a] : indptr[a + 1]] with their weights, by falling weight. `complete` says
    of which records all pairs above the floor are listed, and `compared` how many pairs were looked at for the lists.
    """

    indptr: Ints
    indices: Ints | Places
    weights: Floats | Singles
    complete: Flags
    compared: int = 0


def best_pairs(
    agreement: Agreement,
    weights: Floats | Singles,
    *,
    keep: int,
    floor: float = 0.0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> BestPairs:
    """The at most `keep` pairs of greatest weight above `floor` of each record of the first file.

    weights[pattern] is the weight of a pair with that pattern of agreement, bit j for column j. Among equal weights
    at the cut some are kept, chosen without regard to which pair is the true one. Records of the second file are looked
    at in blocks of neighbours, but for those that can agree on too few columns to be listed; in the worst case
    all pairs are compared. Keeps memory of n * keep, less where weights are of single precision.
    """
    workers = thread_count(threads)
    _check_weights(agreement, weights)
    if keep < 1:
        raise ValueError(f"keep must be at least 1; got {keep}")
    total, other = len(agreement.low), len(agreement.place)
    keep = min(keep, other)
    gains: Floats | Singles = np.empty((total, keep), weights.dtype)
    lists = PairLists(
        found=np.full((total, keep), UNPAIRED, np.int32),
        gains=gains,
        above=np.zeros(total, np.int64),
        looked=np.zeros(total, np.int64),
    )
    if other == 0 or (total * other <= PLAIN_PAIRS and not numba_is_loaded()):
        for start in range(0, total, RECORDS_A_TASK):
            _list_plainly(agreement, weights, slice(start, min(start + RECORDS_A_TASK, total)), floor, lists)
    else:
        _list_by_blocks(agreement, weights, floor, lists, workers, progress)
    return _one_after_the_other(lists)


def _list_by_blocks(
    agreement: Agreement,
    weights: Floats | Singles,
    floor: float,
    lists: PairLists,
    workers: int,
    progress: Progress | None,
) -> None:
    """Fills the lists of all records, in threads."""
    total = len(agreement.low)
    blocks = _blocks_of(agreement.place, workers)
    highest = _ceilings(weights)
    ceilings = np.unique(highest)
    ranks = np.searchsorted(ceilings, highest).astype(np.uint16)
    weighing = Weighing(weights, ranks, ceilings, floor)

    def task(start: int) -> int:
        stop = min(start + RECORDS_A_TASK, total)
        best_pairs_of(agreement.low, agreement.high, start, stop, blocks, weighing, lists)
        return stop

    best_pairs_of.machine_code()
    for done in in_threads(task, range(0, total, RECORDS_A_TASK), workers):
        if progress is not None:
            progress(done, total)


def _one_after_the_other(lists: PairLists) -> BestPairs:
    """The lists without the room that they left, in their own memory."""
    total, keep = lists.found.shape
    sizes = np.empty(total, np.int64)
    for start in range(0, total, ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        sizes[some] = (lists.found[some] != UNPAIRED).sum(axis=1)
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    kept = slice(0, int(indptr[-1]))
    for rows in (lists.found, lists.gains):
        _move_up(rows, sizes)
    return BestPairs(
        indptr,
        lists.found.reshape(-1)[kept],
        lists.gains.reshape(-1)[kept],
        lists.above <= keep,
        int(lists.looked.sum()),
    )


def _move_up(rows: Places | Floats | Singles, sizes: Ints) -> None:
    """Puts the first so many numbers of each row one after the other, in the memory of the rows."""
    flat, end = rows.reshape(-1), 0
    for start in range(0, len(rows), ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        listed = rows[some][np.arange(rows.shape[1]) < sizes[some, None]]
        flat[end : end + len(listed)] = listed
        end += len(listed)


def _blocks_of(place: Places, threads: int) -> Blocks:
    scaled = np.empty(place.shape[::-1])
    for column, greatest in enumerate(np.maximum(place.max(axis=0), 1)):
        np.divide(place[:, column], greatest, out=scaled[column])
    cut = cut_into_blocks(scaled, LANES, threads)
    del scaled
    ordered = place[cut.order]
    low = in_groups(np.minimum.reduceat(ordered, cut.starts[:-1]))
    high = in_groups(np.maximum.reduceat(ordered, cut.starts[:-1]))
    together = np.ascontiguousarray(low.min(axis=2).T), np.ascontiguousarray(high.max(axis=2).T)
    return Blocks(cut.in_lanes(place, MISSING, np.int32), cut.order, cut.starts, low, high, *together)


def _ceilings(weights: NDArray[Kind]) -> NDArray[Kind]:
    """For each set of columns the greatest weight of a pair that agrees in some of them only."""
    ceilings = weights.copy()
    for column in range(len(weights).bit_length() - 1):
        halves = ceilings.reshape(-1, 2, 1 << column)
        halves[:, 1] = halves.max(axis=1)
    return ceilings


def _list_plainly(
    agreement: Agreement, weights: Floats | Singles, some: slice, floor: float, lists: PairLists
) -> None:
    """As `best_pairs_of`: by falling weight, and from the record's own start among equal weights."""
    other, keep = len(agreement.place), lists.found.shape[1]
    all_gains = np.asarray(weights, np.float64)[pair_patterns(agreement, some)]
    turn = (np.arange(some.start, some.stop, dtype=np.uint64) * GOLDEN >> np.uint64(33)) % np.uint64(
        max(other, 1)
    )
    turned = (turn.astype(np.int64)[:, None] + np.arange(other)) % max(other, 1)
    order = np.argsort(-np.take_along_axis(all_gains, turned, axis=1), axis=1, kind="stable")[:, :keep]
    chosen = np.take_along_axis(turned, order, axis=1)
    lists.gains[some] = np.take_along_axis(all_gains, chosen, axis=1)
    lists.found[some] = np.where(lists.gains[some] > floor, chosen, UNPAIRED)
    lists.above[some] = (all_gains > floor).sum(axis=1)
    lists.looked[some] = other


def assign(pairs: BestPairs, others: int, *, floor: float = 0.0) -> Ints:
    """The partner of each record, or -1, in the one-to-one pairing of greatest total weight among the listed pairs.

    A record left without a partner counts `floor`. Exact for the pairs listed; it is exact for all pairs when every
    record's list is complete above that same floor, since a pair at or below the floor gains nothing. `others` is
    the number of records in the second file. By shortest augmenting paths on the sparse list (scipy).
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    count = len(pairs.indptr) - 1
    if count == 0:
        return np.zeros(0, np.int64)
    if len(pairs.weights) and float(pairs.weights.min()) <= floor:
        raise ValueError("pairs at or below the floor cannot be listed")
    # Each record has a stand-in partner of its own, so that a full matching exists. Weights must not be zero: a
    # sparse matrix takes zero for no pair.
    alone = np.arange(count)
    rows = np.concatenate([np.repeat(alone, np.diff(pairs.indptr)), alone])
    columns = np.concatenate([pairs.indices, others + alone])
    gains = np.concatenate([pairs.weights - floor, np.zeros(count)])
    gains += max(1.0, float(gains.max()))
    graph = csr_array((gains, (rows, columns)), shape=(count, others + count))
    row, column = min_weight_full_bipartite_matching(graph, maximize=True)
    partner = np.full(count, UNPAIRED, np.int64)
    real = column < others
    partner[row[real]] = column[real]
    return partner


def assign_all(agreement: Agreement, weights: Floats | Singles) -> Ints:
    """The partner of each record, or -1, in the full one-to-one pairing of greatest total weight over all pairs.

    Exact. Every record of the smaller file gets a partner, at whatever weight; -1 is for the records of a larger
    first file that are left over. Needs all n * m weights at once, so at most 30 million pairs: raises ValueError
    above, where `best_pairs` and `assign` do. By the Jonker-Volgenant algorithm (scipy), or much sooner by classes
    where the records of the first file are few distinct ones, as they are in groups of k.
    """
    from scipy.optimize import linear_sum_assignment

    _check_weights(agreement, weights)
    count, others = len(agreement.low), len(agreement.place)
    if count * others > DENSE_PAIRS:
        raise ValueError(f"assign_all takes at most {DENSE_PAIRS} pairs; got {count} x {others}")
    if count * others > FEW_PAIRS:
        classes = distinct_rows(np.hstack([agreement.low, agreement.high]).astype(np.int64))
        if ALIKE * len(classes.firsts) <= count:
            return _assign_by_classes(agreement, weights, classes)
    row, column = linear_sum_assignment(weights[pair_patterns(agreement, slice(None))], maximize=True)
    partner = np.full(count, UNPAIRED, np.int64)
    partner[row] = column
    return partner


def _assign_by_classes(agreement: Agreement, weights: Floats | Singles, classes: Distinct) -> Ints:
    """As `assign_all`: the records of the second file go to classes, and in each to its records one by one."""
    count, others = len(agreement.low), len(agreement.place)
    of_classes = Agreement(agreement.place, agreement.low[classes.firsts], agreement.high[classes.firsts])
    gains = np.asarray(weights, np.float64)[pair_patterns(of_classes, slice(None))].T
    room = classes.counts
    if others > count:
        # Whoever is left over goes to one more class, which weighs nothing.
        gains = np.hstack([gains, np.zeros((others, 1))])
        room = np.append(room, others - count)
    home = into_classes(-gains, room)
    partner = np.full(count, UNPAIRED, np.int64)
    records = np.argsort(classes.labels, kind="stable")
    begin = np.cumsum(classes.counts) - classes.counts
    ordered = np.argsort(home, kind="stable")
    ordered = ordered[home[ordered] < len(classes.firsts)]
    given = home[ordered]
    turn = np.arange(len(given)) - np.searchsorted(given, given)
    partner[records[begin[given] + turn]] = ordered
    return partner


def _check_weights(agreement: Agreement, weights: Floats | Singles) -> None:
    width = agreement.low.shape[1]
    if weights.shape != (1 << width,) or not np.isfinite(weights).all():
        raise ValueError(
            f"weights must be {1 << width} finite numbers, one for each pattern of {width} columns"
        )
