"""Compiled loops of the search for the nearest record of cells, 64 targets at a time.

Bounds of boxes are summed in the same order as distances. Rounding keeps order, so a bound is never above the
distance it bounds, to the last bit. Loops over lanes take their length from an array so that they become vectors.
"""

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Int32s, Ints, UInt8s, UInt64s
from discreet._kernels.compile import compiled
from discreet._kernels.nearest.tie_loops import NO_TARGET, NearestDistinct, Ties, count_tie, tie_limit


class CellQueries(NamedTuple):
    """Queries: from `low` to `high` in each column of numbers, NaN where blank, and codes, -1 where blank.

    `marks` has the bits of the codes that are like the query's own, `bounds` the distance to some target or infinity,
    and `homes` the block to look into first.
    """

    low: Floats
    high: Floats
    codes: Int32s
    marks: UInt64s
    bounds: Floats
    homes: Ints


class Blocks(NamedTuple):
    """Distinct targets in blocks of 64 lanes, [blocks, columns, lanes], and which columns hold plain numbers alone."""

    low: Floats
    high: Floats
    blank: Floats
    codes: Int32s
    plain: Ints


class Members(NamedTuple):
    """Where each block starts among the targets, how many records each target stands for, and the lowest of these."""

    starts: Ints
    counts: Ints
    firsts: Ints


class Bounds(NamedTuple):
    """What holds for the whole of some boxes of records, each [..., columns, boxes].

    `low` and `high` are the least and greatest numbers, `void` the cost of a blank where there is one and else
    infinity. `held` has a bit set for each code, modulo 64.
    """

    low: Floats
    high: Floats
    void: Floats
    held: UInt64s
    void_code: Floats


class LoopCosts(NamedTuple):
    """The costs as the loops take them: the general codes of all columns in one row of bytes, from `offsets` on."""

    blank: Floats
    blank_code: Floats
    unlike: Floats
    levels: Ints
    generals: Ints
    offsets: Ints
    holds: UInt8s


@compiled
def least_sums(
    queries: CellQueries,
    query: int,
    boxes: Bounds,
    costs: LoopCosts,
    squared: bool,
    coded: Floats,
    bounds: Floats,
) -> None:
    """Fill `bounds` with the least sum of differences that a record of each of the boxes can have.

    That is sum_j max(0, low_j - x_j, x_j - high_j), or its squares, plus the cost of each code that the box has no
    like of. void[j, box] is the cost of a blank where the box holds one in column j, else infinity.
    """
    # Taken out of their bundles once: reading them there in the loops takes longer.
    lows, highs, _, marked, _, _ = queries
    box_low, box_high, void, held, void_code = boxes
    blank, blank_codes, unlike, _, _, _, _ = costs
    count = bounds.shape[0]
    bounds[:] = 0.0
    coded[:] = 0.0
    for j in range(lows.shape[1]):
        first = lows[query, j]
        last = highs[query, j]
        empty = void[j]
        if np.isnan(first):
            cost = blank[j] * blank[j] if squared else blank[j]
            for box in range(count):
                bounds[box] += 0.0 if empty[box] < np.inf else cost
            continue
        least = box_low[j]
        most = box_high[j]
        for box in range(count):
            below = least[box] - last
            above = first - most[box]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else 0.0
            gap = gap if gap < empty[box] else empty[box]
            bounds[box] += gap * gap if squared else gap
    for j in range(marked.shape[1]):
        marks = held[j]
        empty = void_code[j]
        mark = marked[query, j]
        none = np.uint64(0)
        other = unlike[j]
        blank_code = blank_codes[j]
        if mark == none:
            for box in range(count):
                coded[box] += 0.0 if empty[box] < np.inf else blank_code
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
    queries: CellQueries,
    blocks: Blocks,
    members: Members,
    boxes: Bounds,
    group_boxes: Bounds,
    costs: LoopCosts,
    slack: float,
    squared: bool,
    found: NearestDistinct,
) -> None:
    """Fill what is found for the queries, each starting from its bound, which is used up, and its home block.

    That is min_t d(x, y_t) over the targets t. The distance is sum_j gap_j (or gap_j^2 where `squared`) over the
    columns of numbers, by `number_differences`, plus sum_j of what `code_differences` adds over those of categories.

    Blocks are in groups of neighbours: `boxes` bound each block, `group_boxes` each group. Both are tested together,
    groups first, then the blocks of the groups that are near. The distances to a block are summed here and not in a
    function of their own: to hand it all these arrays would take half as long again.
    """
    # Taken out of their bundles once: reading them there in the loops takes longer.
    query_low, query_high, query_codes, _, query_bounds, homes = queries
    block_low, block_high, block_blank, block_codes, plain = blocks
    starts, counts, firsts = members
    blank, blank_codes, unlike, levels, generals, offsets, holds = costs
    groups, _, blocks_a_group = boxes.low.shape
    group_bounds, group_coded = np.empty(groups), np.empty(groups)
    bounds, block_coded = np.empty(blocks_a_group), np.empty(blocks_a_group)
    lanes = block_codes.shape[2]
    sums, coded = np.empty(lanes), np.empty(lanes)
    stack = np.empty(groups + blocks_a_group + 2, np.int64)
    least = np.empty(groups + blocks_a_group + 2)
    query = 0
    while query < query_low.shape[0]:
        ties = Ties(query_bounds[query], 0.0, 0, NO_TARGET)
        least_sums(queries, query, group_boxes, costs, squared, group_coded, group_bounds)
        home = groups + homes[query]
        top = push_near(group_bounds, tie_limit(ties.nearest, slack, squared), 0, stack, least, 0)
        stack[top], least[top] = home, 0.0
        top += 1
        at_home = True
        while top > 0:
            top -= 1
            node = stack[top]
            limit = tie_limit(ties.nearest, slack, squared)
            if least[top] > limit or (node == home and not at_home):
                continue
            if node < groups:
                numbers = boxes.low[node], boxes.high[node], boxes.void[node]
                group = Bounds(*numbers, boxes.held[node], boxes.void_code[node])
                least_sums(queries, query, group, costs, squared, block_coded, bounds)
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
                    query_codes[query, j], unlike[j], blank_codes[j], levels[j], generals[j],
                    offsets[j], holds, block_codes[block, j], coded,
                )  # fmt: skip
            for lane in range(lanes):
                sums[lane] += coded[lane]
            if not any_within(sums, limit):
                continue
            start = starts[block]
            for target in range(start, starts[block + 1]):
                ties = count_tie(sums[target - start], counts[target], firsts[target], slack, squared, ties)
        query_bounds[query] = ties.nearest
        found.distance[query], found.ties[query] = ties.nearest, ties.tied
        found.first[query] = ties.lowest if ties.tied else -1
        query += ties.tied >= 0
