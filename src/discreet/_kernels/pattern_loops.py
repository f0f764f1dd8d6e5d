"""Compiled loops over the patterns of agreement of one record with all the records of another file."""

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.compile import compiled

Places = NDArray[np.int32]
Patterns = NDArray[np.uint16]
BLOCK = 4096
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@compiled
def fill_patterns(
    table: Places, low: Places, high: Places, record: int, start: int, patterns: Patterns
) -> None:
    """Fill `patterns` with those of a record and the other file's records from `start` on."""
    length = patterns.shape[0]
    patterns[:] = 0
    for j in range(table.shape[0]):
        places = table[j, start : start + length]
        least = low[record, j]
        most = high[record, j]
        bit = np.uint16(1 << j)
        none = np.uint16(0)
        for i in range(length):
            patterns[i] |= bit if (places[i] >= least) & (places[i] < most) else none


@compiled
def count_patterns(
    table: Places, low: Places, high: Places, first: int, last: int, askers: Ints, weights: Ints, counts: Ints
) -> None:
    """Add to `counts` the pairs of each pattern, for records first to last; askers and weights count each record."""
    other = table.shape[1]
    room = np.empty(BLOCK, np.uint16)
    here = np.empty(counts.shape[0], np.int64)
    total = weights.sum()
    for record in range(first, last):
        here[:] = 0
        for start in range(0, other, BLOCK):
            patterns = room[: min(BLOCK, other - start)]
            fill_patterns(table, low, high, record, start, patterns)
            for i in range(patterns.shape[0]):
                if patterns[i]:
                    here[patterns[i]] += weights[start + i]
        here[0] = total - here.sum()
        for pattern in range(here.shape[0]):
            counts[pattern] += askers[record] * here[pattern]


@compiled
def best_pairs_of(
    table: Places,
    low: Places,
    high: Places,
    first: int,
    last: int,
    weights: Floats,
    floor: float,
    found: Ints,
    gains: Floats,
    above: Ints,
) -> None:
    """Fill, for records first to last, the pairs of greatest weight above the floor, and how many are above it.

    found[a] and gains[a] hold as many pairs as they have room for, by falling weight; the rest of found is -1.
    Records of the other file are tried from a start that differs from record to record, so that records with the
    same best weights do not all name the same few.
    """
    other = table.shape[1]
    keep = found.shape[1]
    room = np.empty(BLOCK, np.uint16)
    for record in range(first, last):
        found[record, :] = -1
        gains[record, :] = floor
        turn = np.int64((np.uint64(record) * GOLDEN >> np.uint64(33)) % np.uint64(other))
        number = 0
        begin = turn
        while begin < turn + other:
            start = begin % other
            stop = min(start + BLOCK, other)
            stop = min(stop, start + turn + other - begin)
            patterns = room[: stop - start]
            fill_patterns(table, low, high, record, start, patterns)
            for i in range(patterns.shape[0]):
                weight = weights[patterns[i]]
                if weight > floor:
                    number += 1
                    if weight > gains[record, keep - 1]:
                        place = keep - 1
                        while place > 0 and gains[record, place - 1] < weight:
                            gains[record, place] = gains[record, place - 1]
                            found[record, place] = found[record, place - 1]
                            place -= 1
                        gains[record, place] = weight
                        found[record, place] = start + i
            begin += stop - start
        above[record] = number
