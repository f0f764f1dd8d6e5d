"""Compiled loops over the patterns of agreement of one record with all the records of another file."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.compile import compiled

Places = NDArray[np.int32]
Patterns = NDArray[np.uint16]
BLOCK = 4096
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Blocks(NamedTuple):
    """A file's places in blocks of neighbours, their numbers, and the bounds of blocks and of groups of blocks."""

    places: Places
    numbers: Ints
    starts: Ints
    low: Places
    high: Places
    group_low: Places
    group_high: Places


class Weighing(NamedTuple):
    """The weight of each pattern of agreement, and the most that a set of columns can weigh.

    ceilings[ranks[columns]] is the greatest weight where records can agree in no other columns, by rising rank. Pairs
    at or below the floor are not listed.
    """

    weights: Floats | Singles
    ranks: Patterns
    ceilings: Floats | Singles
    floor: float


class PairLists(NamedTuple):
    """For each record its pairs of greatest weight, how many pairs are above the floor, and how many were compared.

    found[a] and gains[a] hold as many pairs as they have room for, by falling weight; the rest of found is -1. Where
    more pairs than that are above the floor, not all of them are counted.
    """

    found: Places
    gains: Floats | Singles
    above: Ints
    looked: Ints


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
def patterns_of(
    table: Places, low: Places, high: Places, first: int, last: int, counts: Ints, earliest: Ints
) -> None:
    """Count, for records first to last, the other file's records by their pattern, and note the first of each.

    counts[a] and earliest[a], of record first + a, are zero and -1 at first.
    """
    other = table.shape[1]
    room = np.empty(BLOCK, np.uint16)
    for record in range(first, last):
        here = counts[record - first]
        begins = earliest[record - first]
        for start in range(0, other, BLOCK):
            patterns = room[: min(BLOCK, other - start)]
            fill_patterns(table, low, high, record, start, patterns)
            for i in range(patterns.shape[0]):
                pattern = patterns[i]
                if here[pattern] == 0:
                    begins[pattern] = start + i
                here[pattern] += 1


@compiled
def may_agree(
    box_low: Places, box_high: Places, low: Places, high: Places, record: int, columns: Patterns
) -> None:
    """Fill `columns`, a bit for each column in which a record may agree with somebody in each of the boxes."""
    columns[:] = 0
    for j in range(box_low.shape[0]):
        least = low[record, j]
        most = high[record, j]
        if most <= least:
            continue
        lowest = box_low[j]
        highest = box_high[j]
        bit = np.uint16(1 << j)
        none = np.uint16(0)
        for box in range(columns.shape[0]):
            columns[box] |= bit if (highest[box] >= least) & (lowest[box] < most) else none


@compiled
def list_pair(
    weight: float, other: int, turn: int, others: int, found: Places, gains: Floats | Singles
) -> None:
    """Put a pair into a full list by falling weight, equal weights in the order of the records from `turn` on."""
    place = found.shape[0]
    after = other - turn if other >= turn else other - turn + others
    while place > 0:
        held = found[place - 1]
        held_after = held - turn if held >= turn else held - turn + others
        before = gains[place - 1] > weight or (gains[place - 1] == weight and held_after < after)
        if held >= 0 and before:
            break
        if place < found.shape[0]:
            gains[place] = gains[place - 1]
            found[place] = held
        place -= 1
    if place < found.shape[0]:
        gains[place] = weight
        found[place] = other


@compiled
def list_pairs(
    patterns: Patterns,
    numbers: Ints,
    weights: Floats | Singles,
    floor: float,
    turn: int,
    others: int,
    found: Places,
    gains: Floats | Singles,
) -> int:
    """How many of the pairs with these patterns are above the floor; those heavy enough are put into the list."""
    above = 0
    for i in range(numbers.shape[0]):
        weight = weights[patterns[i]]
        if weight > floor:
            above += 1
            if weight >= gains[-1]:
                list_pair(weight, numbers[i], turn, others, found, gains)
    return above


@compiled
def best_pairs_of(
    low: Places, high: Places, first: int, last: int, blocks: Blocks, weighing: Weighing, lists: PairLists
) -> None:
    """Fill, for records first to last, the lists of pairs of greatest weight above the floor.

    Among equal weights come first those from a start that differs from record to record, so that records with the same
    best weights do not all name the same few. Blocks are looked into by falling rank of the columns in which somebody
    in them may agree, which shows at once when all that are left weigh too little.
    """
    # Taken out of their bundles once: reading them there in the inner loops takes a quarter longer.
    places, numbers, starts, block_low, block_high, group_low, group_high = blocks
    weights, ranks, ceilings, floor = weighing
    groups, _, blocks_a_group = block_low.shape
    others = numbers.shape[0]
    keep = lists.found.shape[1]
    group_columns = np.empty(groups, np.uint16)
    highest = np.empty(groups, np.int32)
    columns = np.empty(blocks_a_group, np.uint16)
    patterns = np.empty(places.shape[2], np.uint16)
    for record in range(first, last):
        found = lists.found[record]
        gains = lists.gains[record]
        found[:] = -1
        gains[:] = floor
        turn = int((np.uint64(record) * GOLDEN >> np.uint64(33)) % np.uint64(others))
        above = 0
        looked = 0
        may_agree(group_low, group_high, low, high, record, group_columns)
        for group in range(groups):
            highest[group] = ranks[group_columns[group]]
        while True:
            level = highest.max()
            if level < 0 or ceilings[level] <= floor or (above > keep and ceilings[level] < gains[-1]):
                break
            for group in range(groups):
                if highest[group] < level or (above > keep and ceilings[level] < gains[-1]):
                    continue
                may_agree(block_low[group], block_high[group], low, high, record, columns)
                below = -1
                for place in range(blocks_a_group):
                    rank = int(ranks[columns[place]])
                    if rank != level:
                        below = max(below, rank) if rank < level else below
                        continue
                    block = group * blocks_a_group + place
                    inside = numbers[starts[block] : starts[block + 1]]
                    looked += inside.shape[0]
                    fill_patterns(places[block], low, high, record, 0, patterns)
                    above += list_pairs(patterns, inside, weights, floor, turn, others, found, gains)
                highest[group] = below
        lists.above[record] = above
        lists.looked[record] += looked
