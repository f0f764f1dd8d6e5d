"""Compiled loops of the search for the nearest record of mixed columns, 64 targets at a time.

Bounds of a block are summed in the same order as distances. Rounding keeps order, so a bound is never above the
distance it bounds, to the last bit. Loops over lanes take their length from an array so that they become vectors.
"""

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.compile import compiled
from discreet._kernels.tie_loops import NOBODY, count_tie

Codes = NDArray[np.int32]
Marks = NDArray[np.uint64]
LANES = 64


@compiled
def block_bounds(
    numbers: Floats,
    codes: Codes,
    query: int,
    low: Floats,
    high: Floats,
    held: Marks,
    different: Floats,
    bounds: Floats,
) -> int:
    """Number of columns present in the query; fills `bounds` with the least sum of differences to each block."""
    count = bounds.shape[0]
    bounds[:] = 0.0
    different[:] = 0.0
    present = 0
    for j in range(numbers.shape[1]):
        value = numbers[query, j]
        if np.isnan(value):
            continue
        present += 1
        least = low[j]
        most = high[j]
        for block in range(count):
            below = least[block] - value
            above = value - most[block]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else 0.0
            bounds[block] += gap
    for j in range(codes.shape[1]):
        code = codes[query, j]
        if code < 0:
            continue
        present += 1
        marks = held[j]
        mark = np.uint64(1) << np.uint64(code & 63)
        none = np.uint64(0)
        for block in range(count):
            different[block] += 1.0 if marks[block] & mark == none else 0.0
    for block in range(count):
        bounds[block] += different[block]
    return present


@compiled
def block_distances(
    numbers: Floats,
    codes: Codes,
    query: int,
    block_numbers: Floats,
    block_present: Floats,
    block_codes: Codes,
    sums: Floats,
    shared: Floats,
    different: Floats,
    columns: int,
) -> None:
    """Fill `sums` with Gower's distances from the query to the lanes of a block, infinity where nothing is shared.

    The sum is divided by `columns`, or where that is 0 by the number of columns that are present in both.
    """
    lanes = sums.shape[0]
    sums[:] = 0.0
    shared[:] = 0.0
    different[:] = 0.0
    for j in range(numbers.shape[1]):
        value = numbers[query, j]
        if np.isnan(value):
            continue
        column = block_numbers[j]
        present = block_present[j]
        for lane in range(lanes):
            gap = abs(value - column[lane])
            sums[lane] += gap * present[lane]
            shared[lane] += present[lane]
    for j in range(codes.shape[1]):
        code = codes[query, j]
        if code < 0:
            continue
        coded = block_codes[j]
        for lane in range(lanes):
            known = 1.0 if coded[lane] >= 0 else 0.0
            shared[lane] += known
            different[lane] += known if coded[lane] != code else 0.0
    for lane in range(lanes):
        total = sums[lane] + different[lane]
        among = columns if columns > 0 else shared[lane]
        sums[lane] = total / among if shared[lane] > 0.0 else np.inf


@compiled
def least_of(values: Floats) -> int:
    """Place of the least value, the first of equals."""
    best = 0
    for i in range(1, values.shape[0]):
        if values[i] < values[best]:
            best = i
    return best


@compiled
def nearest_mixed(
    numbers: Floats,
    codes: Codes,
    own: Floats,
    first_query: int,
    last_query: int,
    starts: Ints,
    block_numbers: Floats,
    block_present: Floats,
    block_codes: Codes,
    low: Floats,
    high: Floats,
    held: Marks,
    counts: Ints,
    firsts: Ints,
    columns: int,
    slack: float,
    best: Floats,
    ties: Ints,
    first: Ints,
) -> None:
    """Fill best, ties and first for the queries, each starting from its own distance and its most likely block."""
    blocks = starts.shape[0] - 1
    bounds = np.empty(blocks)
    unlike = np.empty(blocks)
    sums = np.empty(LANES)
    shared = np.empty(LANES)
    different = np.empty(LANES)
    query = first_query
    nearest = own[query]
    while query < last_query:
        present = block_bounds(numbers, codes, query, low, high, held, unlike, bounds)
        likely = least_of(bounds)
        among = columns if columns > 0 else max(present, 1)
        farthest, tied, lowest = 0.0, 0, NOBODY
        for turn in range(-1, blocks):
            block = likely if turn < 0 else turn
            if turn == likely or bounds[block] / among > nearest + slack:
                continue
            block_distances(
                numbers, codes, query, block_numbers[block], block_present[block], block_codes[block],
                sums, shared, different, columns,
            )  # fmt: skip
            for target in range(starts[block], starts[block + 1]):
                nearest, farthest, tied, lowest = count_tie(
                    sums[target - starts[block]], counts[target], firsts[target], slack, False,
                    nearest, farthest, tied, lowest,
                )  # fmt: skip
        if tied < 0:
            continue
        best[query], ties[query] = nearest, tied
        first[query] = lowest if tied else -1
        query += 1
        nearest = own[query] if query < last_query else np.inf
