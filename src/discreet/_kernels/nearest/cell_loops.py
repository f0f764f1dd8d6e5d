"""Compiled loops of the search for the nearest record of cells, 64 targets at a time.

Bounds of boxes are summed in the same order as distances. Rounding keeps order, so a bound is never above the
distance it bounds, to the last bit. Loops over lanes take their length from an array so that they become vectors.
"""

import numpy as np

from discreet._kernels.arrays import Floats, Int32s, Ints, UInt8s, UInt64s
from discreet._kernels.compile import compiled
from discreet._kernels.nearest.tie_loops import NO_TARGET, count_tie, tie_limit


@compiled
def least_sums(
    query_low: Floats,
    query_high: Floats,
    query_marks: UInt64s,
    query: int,
    low: Floats,
    high: Floats,
    void: Floats,
    held: UInt64s,
    void_code: Floats,
    blank: Floats,
    blank_code: Floats,
    unlike: Floats,
    squared: bool,
    coded: Floats,
    bounds: Floats,
) -> None:
    """Fill `bounds` with the least sum of differences that a record of each of the boxes can have.

    void[j, box] is the cost of a blank where the box holds one in column j, else infinity.
    """
    count = bounds.shape[0]
    bounds[:] = 0.0
    coded[:] = 0.0
    for j in range(query_low.shape[1]):
        first = query_low[query, j]
        last = query_high[query, j]
        empty = void[j]
        if np.isnan(first):
            cost = blank[j] * blank[j] if squared else blank[j]
            for box in range(count):
                bounds[box] += 0.0 if empty[box] < np.inf else cost
            continue
        least = low[j]
        most = high[j]
        for box in range(count):
            below = least[box] - last
            above = first - most[box]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else 0.0
            gap = gap if gap < empty[box] else empty[box]
            bounds[box] += gap * gap if squared else gap
    for j in range(query_marks.shape[1]):
        marks = held[j]
        empty = void_code[j]
        mark = query_marks[query, j]
        none = np.uint64(0)
        other = unlike[j]
        if mark == none:
            for box in range(count):
                coded[box] += 0.0 if empty[box] < np.inf else blank_code[j]
            continue
        for box in range(count):
            least_code = other if other < empty[box] else empty[box]
            coded[box] += least_code if marks[box] & mark == none else 0.0
    for box in range(count):
        bounds[box] += coded[box]


@compiled
def number_differences(
    first: float,
    last: float,
    cost: float,
    low: Floats,
    high: Floats,
    is_blank: Floats,
    plain: bool,
    squared: bool,
    sums: Floats,
) -> None:
    """Add to `sums` how far one cell of numbers is from those of a block: from band to band, or the cost of a blank."""
    lanes = sums.shape[0]
    if np.isnan(first):
        for lane in range(lanes):
            gap = (1.0 - is_blank[lane]) * cost
            sums[lane] += gap * gap if squared else gap
    elif plain and first == last:
        for lane in range(lanes):
            gap = abs(first - low[lane])
            sums[lane] += gap * gap if squared else gap
    else:
        for lane in range(lanes):
            below = low[lane] - last
            above = first - high[lane]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else 0.0
            gap = cost if is_blank[lane] > 0.0 else gap
            sums[lane] += gap * gap if squared else gap


@compiled
def code_differences(
    code: int,
    other: float,
    cost: float,
    levels: int,
    generals: int,
    offset: int,
    holds: UInt8s,
    codes: Int32s,
    coded: Floats,
) -> None:
    """Add to `coded` how far one category is from those of a block.

    Codes from `levels` on are general ones; holds[offset + level * generals + general] says whether a level is under
    one. A negative code is blank.
    """
    lanes = coded.shape[0]
    if code < 0:
        for lane in range(lanes):
            coded[lane] += cost if codes[lane] >= 0 else 0.0
    elif generals == 0:
        for lane in range(lanes):
            unlike = other if codes[lane] != code else 0.0
            coded[lane] += cost if codes[lane] < 0 else unlike
    elif code < levels:
        row = offset + code * generals - levels
        for lane in range(lanes):
            theirs = codes[lane]
            if theirs < 0:
                coded[lane] += cost
            elif theirs < levels:
                coded[lane] += other if theirs != code else 0.0
            else:
                coded[lane] += other if holds[row + theirs] == 0 else 0.0
    else:
        column = offset + code - levels
        for lane in range(lanes):
            theirs = codes[lane]
            if theirs < 0:
                coded[lane] += cost
            elif theirs < levels:
                coded[lane] += other if holds[column + theirs * generals] == 0 else 0.0
            else:
                coded[lane] += other if theirs != code else 0.0


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
def nearest_cells(
    query_low: Floats,
    query_high: Floats,
    query_codes: Int32s,
    query_marks: UInt64s,
    own: Floats,
    homes: Ints,
    starts: Ints,
    block_low: Floats,
    block_high: Floats,
    block_blank: Floats,
    block_codes: Int32s,
    plain: Ints,
    low: Floats,
    high: Floats,
    void: Floats,
    held: UInt64s,
    void_code: Floats,
    group_low: Floats,
    group_high: Floats,
    group_void: Floats,
    group_held: UInt64s,
    group_void_code: Floats,
    counts: Ints,
    firsts: Ints,
    blank: Floats,
    blank_code: Floats,
    unlike: Floats,
    levels: Ints,
    generals: Ints,
    offsets: Ints,
    holds: UInt8s,
    slack: float,
    squared: bool,
    best: Floats,
    ties: Ints,
    first: Ints,
) -> None:
    """Fill best, ties and first for the queries, each starting from its own distance, used up, and its home block.

    The distance of two records is sum_j gap_j (or gap_j^2 where `squared`) over the columns of numbers, by
    `number_differences`, plus sum_j of what `code_differences` adds over those of categories.

    Blocks are in groups of neighbours. low, high and so on bound each block, group_low and so on each group: both are
    tested together, groups first, then the blocks of the groups that are near.
    """
    groups, _, blocks_a_group = low.shape
    group_bounds, group_coded = np.empty(groups), np.empty(groups)
    bounds, block_coded = np.empty(blocks_a_group), np.empty(blocks_a_group)
    lanes = block_codes.shape[2]
    sums, coded = np.empty(lanes), np.empty(lanes)
    stack = np.empty(groups + blocks_a_group + 2, np.int64)
    least = np.empty(groups + blocks_a_group + 2)
    query = 0
    while query < query_low.shape[0]:
        nearest, farthest, tied, lowest = own[query], 0.0, 0, NO_TARGET
        least_sums(
            query_low, query_high, query_marks, query, group_low, group_high, group_void, group_held,
            group_void_code, blank, blank_code, unlike, squared, group_coded, group_bounds,
        )  # fmt: skip
        home = groups + homes[query]
        top = push_near(group_bounds, tie_limit(nearest, slack, squared), 0, stack, least, 0)
        stack[top], least[top] = home, 0.0
        top += 1
        at_home = True
        while top > 0:
            top -= 1
            node = stack[top]
            limit = tie_limit(nearest, slack, squared)
            if least[top] > limit or (node == home and not at_home):
                continue
            if node < groups:
                least_sums(
                    query_low, query_high, query_marks, query, low[node], high[node], void[node], held[node],
                    void_code[node], blank, blank_code, unlike, squared, block_coded, bounds,
                )  # fmt: skip
                top = push_near(bounds, limit, groups + node * blocks_a_group, stack, least, top)
                continue
            at_home = False
            block = node - groups
            sums[:] = 0.0
            coded[:] = 0.0
            for j in range(query_low.shape[1]):
                number_differences(
                    query_low[query, j], query_high[query, j], blank[j], block_low[block, j],
                    block_high[block, j], block_blank[block, j], plain[j] != 0, squared, sums,
                )  # fmt: skip
            for j in range(query_codes.shape[1]):
                code_differences(
                    query_codes[query, j], unlike[j], blank_code[j], levels[j], generals[j], offsets[j], holds,
                    block_codes[block, j], coded,
                )  # fmt: skip
            for lane in range(lanes):
                sums[lane] += coded[lane]
            if not any_within(sums, limit):
                continue
            for target in range(starts[block], starts[block + 1]):
                nearest, farthest, tied, lowest = count_tie(
                    sums[target - starts[block]], counts[target], firsts[target], slack, squared,
                    nearest, farthest, tied, lowest,
                )  # fmt: skip
        own[query] = nearest
        best[query], ties[query] = nearest, tied
        first[query] = lowest if tied else -1
        query += tied >= 0
