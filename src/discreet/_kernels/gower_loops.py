"""Compiled loops of the search for the nearest record of mixed columns, 64 targets at a time.

Bounds of boxes are summed in the same order as distances. Rounding keeps order, so a bound is never above the
distance it bounds, to the last bit. Loops over lanes take their length from an array so that they become vectors.
"""

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.compile import compiled
from discreet._kernels.tie_loops import NOBODY, count_tie

Codes = NDArray[np.int32]
Marks = NDArray[np.uint64]
# Room for the rounding of a product beside that of a quotient.
ROUNDING = 1.0 + 1e-12


@compiled
def least_sums(
    numbers: Floats,
    codes: Codes,
    query: int,
    low: Floats,
    high: Floats,
    held: Marks,
    different: Floats,
    bounds: Floats,
) -> int:
    """Number of columns present in the query; fills `bounds` with the least sum of differences to each of the boxes."""
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
        for box in range(count):
            below = least[box] - value
            above = value - most[box]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else 0.0
            bounds[box] += gap
    for j in range(codes.shape[1]):
        code = codes[query, j]
        if code < 0:
            continue
        present += 1
        marks = held[j]
        mark = np.uint64(1) << np.uint64(code & 63)
        none = np.uint64(0)
        for box in range(count):
            different[box] += 1.0 if marks[box] & mark == none else 0.0
    for box in range(count):
        bounds[box] += different[box]
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
def any_within(distances: Floats, limit: float) -> bool:
    """Whether any distance is within the limit, without a branch a lane."""
    near = 0
    for lane in range(distances.shape[0]):
        near += distances[lane] <= limit
    return near > 0


@compiled
def push_near(bounds: Floats, limit: float, number: int, stack: Ints, least: Floats, top: int) -> int:
    """Height of the stack after those whose bounds are within the limit, numbered from `number`, are put on it."""
    for lane in range(bounds.shape[0]):
        stack[top] = number + lane
        least[top] = bounds[lane]
        top += bounds[lane] <= limit
    return top


@compiled
def nearest_mixed(
    numbers: Floats,
    codes: Codes,
    own: Floats,
    homes: Ints,
    starts: Ints,
    block_numbers: Floats,
    block_present: Floats,
    block_codes: Codes,
    low: Floats,
    high: Floats,
    held: Marks,
    group_low: Floats,
    group_high: Floats,
    group_held: Marks,
    counts: Ints,
    firsts: Ints,
    columns: int,
    slack: float,
    best: Floats,
    ties: Ints,
    first: Ints,
) -> None:
    """Fill best, ties and first for the queries, each starting from its own distance, used up, and its home block.

    Blocks are in groups of neighbours. low, high and held bound each block, group_low and so on each group: both are
    tested together, groups first, then the blocks of the groups that are near.
    """
    groups, _, blocks_a_group = low.shape
    group_bounds, group_unlike = np.empty(groups), np.empty(groups)
    bounds, unlike = np.empty(blocks_a_group), np.empty(blocks_a_group)
    lanes = block_numbers.shape[2]
    sums, shared, different = np.empty(lanes), np.empty(lanes), np.empty(lanes)
    stack = np.empty(groups + blocks_a_group + 2, np.int64)
    least = np.empty(groups + blocks_a_group + 2)
    query = 0
    while query < numbers.shape[0]:
        nearest, farthest, tied, lowest = own[query], 0.0, 0, NOBODY
        present = least_sums(
            numbers, codes, query, group_low, group_high, group_held, group_unlike, group_bounds
        )
        among = columns if columns > 0 else max(present, 1)
        home = groups + homes[query]
        top = push_near(group_bounds, (nearest + slack) * among * ROUNDING, 0, stack, least, 0)
        stack[top], least[top] = home, 0.0
        top += 1
        at_home = True
        while top > 0:
            top -= 1
            node = stack[top]
            if least[top] / among > nearest + slack or (node == home and not at_home):
                continue
            if node < groups:
                least_sums(numbers, codes, query, low[node], high[node], held[node], unlike, bounds)
                block = groups + node * blocks_a_group
                top = push_near(bounds, (nearest + slack) * among * ROUNDING, block, stack, least, top)
                continue
            at_home = False
            block = node - groups
            block_distances(
                numbers, codes, query, block_numbers[block], block_present[block], block_codes[block],
                sums, shared, different, columns,
            )  # fmt: skip
            if not any_within(sums, nearest + slack):
                continue
            for target in range(starts[block], starts[block + 1]):
                nearest, farthest, tied, lowest = count_tie(
                    sums[target - starts[block]], counts[target], firsts[target], slack, False,
                    nearest, farthest, tied, lowest,
                )  # fmt: skip
        own[query] = nearest
        best[query], ties[query] = nearest, tied
        first[query] = lowest if tied else -1
        query += tied >= 0
