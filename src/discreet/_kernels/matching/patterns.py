"""In which columns two records agree, counted over all pairs of records without a matrix of all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.compile import numba_is_loaded
from discreet._kernels.counting.distinct import distinct_rows
from discreet._kernels.counting.grouping import group_sizes
from discreet._kernels.matching.pattern_loops import count_patterns, fill_patterns, patterns_of
from discreet._kernels.threads import Progress, in_threads, thread_count

Places = NDArray[np.int32]
Patterns = NDArray[np.uint16]
MOST_COLUMNS = 16
PLAIN_PAIRS = 4_000_000
BLOCK_PAIRS = 1 << 20
TASK_PAIRS = 1 << 23
MISSING = -1


class Agreement(NamedTuple):
    """When record a of the first file agrees with record b of the second: low[a] <= place[b] < high[a], by column.

    place is -1, and high is low, where a value is missing: a missing value agrees with nothing.
    """

    place: Places
    low: Places
    high: Places


def agree_when_equal(first: Ints, second: Ints) -> Agreement:
    """Agreement of integer codes [n, columns] and [m, columns] of the same coding; negative codes are missing."""
    _refuse_unlike(first, second, np.dtype(np.int64))
    place = np.empty(second.shape, np.int32)
    low = np.empty(first.shape, np.int32)
    high = np.empty(first.shape, np.int32)
    for j in range(first.shape[1]):
        levels, inverse = np.unique(second[:, j], return_inverse=True)
        place[:, j] = np.where(second[:, j] < 0, MISSING, inverse)
        low[:, j] = np.searchsorted(levels, first[:, j])
        absent = (first[:, j] < 0) | ~np.isin(first[:, j], levels)
        high[:, j] = np.where(absent, low[:, j], low[:, j] + 1)
    return Agreement(place, low, high)


def agree_within(first: Floats, second: Floats, tolerance: float | Floats) -> Agreement:
    """Agreement of numbers [n, columns] and [m, columns] when a - tolerance <= b <= a + tolerance; NaN is missing.

    The tolerance is one number or one for each column, finite and not negative.
    """
    _refuse_unlike(first, second, np.dtype(np.float64))
    tolerances = np.broadcast_to(np.asarray(tolerance, np.float64), first.shape[1:])
    if not (np.isfinite(tolerances) & (tolerances >= 0)).all():
        raise ValueError("a tolerance must be finite and at least 0")
    place = np.empty(second.shape, np.int32)
    low = np.empty(first.shape, np.int32)
    high = np.empty(first.shape, np.int32)
    for j, allowed in enumerate(tolerances):
        here = second[:, j]
        levels = np.unique(here[~np.isnan(here)])
        place[:, j] = np.where(np.isnan(here), MISSING, np.searchsorted(levels, here))
        low[:, j] = np.searchsorted(levels, first[:, j] - allowed, side="left")
        above = np.searchsorted(levels, first[:, j] + allowed, side="right")
        high[:, j] = np.where(np.isnan(first[:, j]), low[:, j], above)
    return Agreement(place, low, high)


def beside(left: Agreement, right: Agreement) -> Agreement:
    """Agreement on the columns of both, those of `left` first."""
    return Agreement(*(np.concatenate(pair, axis=1) for pair in zip(left, right, strict=True)))


def pattern_counts(
    agreement: Agreement, *, threads: int | None = None, progress: Progress | None = None
) -> Ints:
    """The number of pairs of records with each of the 2**columns patterns; bit j of a pattern is agreement on j.

    Sums to n * m. Where agreement is equality, pairs that agree on a set of columns are counted from the groups
    of equal records, and patterns follow by inclusion and exclusion: the work depends on the records, not on the
    pairs. Otherwise all pairs of distinct records are compared, a vector at a time, in several threads. Either
    way no array of n * m is made. Raises ValueError for more than 16 columns.
    """
    width = agreement.place.shape[1]
    if not 1 <= width <= MOST_COLUMNS:
        raise ValueError(f"patterns take 1 to {MOST_COLUMNS} columns; got {width}")
    if int((agreement.high - agreement.low).max(initial=0)) <= 1:
        return _by_groups(agreement, progress)
    return _by_pairs(agreement, thread_count(threads), progress)


def pattern_counts_by_record(agreement: Agreement, *, threads: int | None = None) -> Ints:
    """For each record of the first file how many of the second have each pattern with it [n, 2**columns]."""
    total, other = len(agreement.low), len(agreement.place)
    size: int = 1 << agreement.low.shape[1]
    if total * other <= PLAIN_PAIRS and not numba_is_loaded():
        cells = pair_patterns(agreement, slice(None)) + np.arange(total)[:, None] * size
        return np.asarray(np.bincount(cells.ravel(), minlength=total * size).reshape(total, size))
    counts = np.zeros((total, size), np.int64)
    table = np.ascontiguousarray(agreement.place.T)
    step = max(1, TASK_PAIRS // max(1, other, size))

    def task(start: int) -> int:
        stop = min(start + step, total)
        earliest = np.full((stop - start, size), -1, np.int64)
        patterns_of(table, agreement.low, agreement.high, start, stop, counts[start:stop], earliest)
        return stop

    patterns_of.machine_code()
    for _ in in_threads(task, range(0, total, step), thread_count(threads)):
        pass
    return counts


def pair_patterns(agreement: Agreement, rows: slice) -> Patterns:
    """The pattern of every pair [rows, m] of the chosen records of the first file with all of the second."""
    low, high = agreement.low[rows], agreement.high[rows]
    if len(low) * len(agreement.place) <= PLAIN_PAIRS and not numba_is_loaded():
        patterns = np.zeros((len(low), len(agreement.place)), np.uint16)
        for j in range(low.shape[1]):
            place = agreement.place[:, j]
            inside = (place >= low[:, j, None]) & (place < high[:, j, None])
            patterns |= inside.astype(np.uint16) << np.uint16(j)
        return patterns
    patterns = np.empty((len(low), len(agreement.place)), np.uint16)
    table = np.ascontiguousarray(agreement.place.T)
    for i in range(len(low)):
        fill_patterns(table, low, high, i, 0, patterns[i])
    return patterns


class Heaviest(NamedTuple):
    """For each record of the first file its partners of the greatest weight.

    `first` is the lowest number among them, `ties` how many they are, and `own` whether a given one is among them.
    """

    first: Ints
    ties: Ints
    own: NDArray[np.bool_]


def heaviest_partners(
    agreement: Agreement,
    weights: Sequence[Floats],
    own: Ints,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Heaviest]:
    """The partners of the greatest weight of each record, for each of several tables of weights by pattern.

    `own` is a record of the second file for each of the first. All pairs are looked at once, whatever the number of
    tables, in tasks of about eight million pairs.
    """
    total, other = len(agreement.low), len(agreement.place)
    step = max(1, TASK_PAIRS // max(1, other))
    table = np.ascontiguousarray(agreement.place.T)
    place = agreement.place[own]
    agree = (agreement.low <= place) & (place < agreement.high)
    patterns = agree @ (1 << np.arange(agree.shape[1]))
    found = [
        Heaviest(np.zeros(total, np.int64), np.zeros(total, np.int64), np.zeros(total, np.bool_))
        for _ in weights
    ]

    def task(start: int) -> int:
        stop = min(start + step, total)
        counts = np.zeros((stop - start, 1 << agree.shape[1]), np.int64)
        earliest = np.full_like(counts, -1)
        patterns_of(table, agreement.low, agreement.high, start, stop, counts, earliest)
        for each, by_pattern in zip(found, weights, strict=True):
            gains = np.where(counts > 0, by_pattern, -np.inf)
            best = gains == gains.max(axis=1, keepdims=True)
            each.first[start:stop] = np.where(best, earliest, other).min(axis=1)
            each.ties[start:stop] = np.where(best, counts, 0).sum(axis=1)
            each.own[start:stop] = best[np.arange(stop - start), patterns[start:stop]]
        return stop

    patterns_of.machine_code()
    for done in in_threads(task, range(0, total, step), thread_count(threads)):
        if progress is not None:
            progress(done, total)
    return found


def _by_groups(agreement: Agreement, progress: Progress | None) -> Ints:
    """Counts from groups of equal records: pairs that agree at least on a set of columns, then on exactly it.

    Column sets are visited depth first; a record whose group has nobody of the other file drops out, and a branch
    ends when nobody is left.
    """
    place, low, high = agreement
    count, width = low.shape
    at_least = np.zeros(1 << width, np.int64)
    at_least[0] = count * len(place)
    codes = np.concatenate([np.where(high > low, low, MISSING), place]).T.astype(np.int64, order="C")
    levels = codes.max(axis=1, initial=0) + 1

    def visit(chosen: int, records: Ints, labels: Ints, column: int) -> None:
        here = codes[column][records]
        if here.min(initial=0) < 0:
            present = here >= 0
            records, labels, here = records[present], labels[present], here[present]
        group, sizes = group_sizes(labels * levels[column] + here)
        ours = np.bincount(group[: np.searchsorted(records, count)], minlength=len(sizes))
        pairs = ours * (sizes - ours)
        chosen |= 1 << column
        at_least[chosen] = pairs.sum()
        if at_least[chosen] and column:
            met = (pairs > 0)[group]
            records, labels = records[met], group[met]
            for lower in range(column):
                visit(chosen, records, labels, lower)

    everyone = np.arange(codes.shape[1])
    for column in range(width):
        visit(0, everyone, np.zeros_like(everyone), column)
        if progress is not None:
            progress(column + 1, width)
    for column in range(width):
        halves = at_least.reshape(-1, 2, 1 << column)
        halves[:, 0] -= halves[:, 1]
    return at_least


def _by_pairs(agreement: Agreement, threads: int, progress: Progress | None) -> Ints:
    width = agreement.low.shape[1]
    windows = np.concatenate([agreement.low, agreement.high], axis=1).astype(np.int64)
    askers = distinct_rows(windows)
    places = distinct_rows(agreement.place.astype(np.int64))
    some = Agreement(
        agreement.place[places.firsts], agreement.low[askers.firsts], agreement.high[askers.firsts]
    )
    total = len(some.low)
    step = max(1, BLOCK_PAIRS // max(1, len(some.place)))
    table = np.ascontiguousarray(some.place.T)
    parts = np.zeros((-(-total // step), 1 << width), np.int64)
    plain = total * len(some.place) <= PLAIN_PAIRS and not numba_is_loaded()

    def task(start: int) -> int:
        stop = min(start + step, total)
        if plain:
            patterns = pair_patterns(some, slice(start, stop))
            weights = askers.counts[start:stop, None] * places.counts
            np.add.at(parts[start // step], patterns, weights)
        else:
            count_patterns(
                table, some.low, some.high, start, stop, askers.counts, places.counts, parts[start // step]
            )
        return stop

    if not plain:
        count_patterns.machine_code()
    for done in in_threads(task, range(0, total, step), 1 if plain else threads):
        if progress is not None:
            progress(done, total)
    return np.asarray(parts.sum(axis=0))


def _refuse_unlike(first: Ints | Floats, second: Ints | Floats, kind: np.dtype[np.generic]) -> None:
    if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[1]:
        raise ValueError(f"both files must have the same columns; got {first.shape} and {second.shape}")
    if first.dtype != kind or second.dtype != kind:
        raise ValueError(f"both files must be {kind}; got {first.dtype} and {second.dtype}")
