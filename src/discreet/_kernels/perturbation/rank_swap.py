"""Pairs of sorted positions that exchange their values: three ways of rank swapping.

Each function returns a permutation of the sorted positions that is its own inverse: position i gets the
value of position `partner[i]`, and a position without a partner keeps its own. Positions are taken in
order, each is swapped at most once, and no work grows faster than the number of positions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import FloatsOrList, Int32sOrList, IntsOrList
from discreet._kernels.compile import Kernel, compiled
from discreet._kernels.draw import Words, below, words

# Up to this many positions plain Python is done before numba is imported.
PLAIN_POSITIONS = 100_000


def rank_swap_pairs(count: int, window: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """The partner of each sorted position, uniform among the free ones of the next `window` positions.

    For i in order, if i is not yet swapped: l is drawn uniformly among the positions of i+1..i+window that
    are not yet swapped, and the two are swapped; where none is left, i stays (Moore 1996).
    """
    _check(count, window)
    source = words(generator, count)
    partners = _positions(count)
    slots, free = np.zeros(count, dtype=np.int32), np.zeros(min(window + 1, count), dtype=np.int32)
    if _runs_plain(_pair_within_window, count):
        lists = partners.tolist(), slots.tolist(), free.tolist()
        _pair_within_window.plain(min(window, count), source.tolist(), *lists)
        return np.array(lists[0], dtype=np.int64)
    _pair_within_window(min(window, count), source, partners, slots, free)
    return partners


def bucket_swap_pairs(count: int, bucket: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """The partner of each sorted position, in its own or a later bucket of `bucket` neighbouring positions.

    For i in order, if i is not yet swapped: from its bucket r a bucket s >= r is chosen with probability
    proportional to 1/2^(s-r+1), and i is swapped with a position drawn uniformly among those of s that are
    not yet swapped; where none but i is left in s, i stays (p-buckets: Nin, Herranz and Torra 2008).
    """
    _check(count, bucket)
    source, chances = words(generator, count), generator.random(count)
    partners = _positions(count)
    slots = np.arange(count, dtype=np.int32)
    members = slots.copy()
    left = np.diff(np.append(np.arange(0, count, bucket), count))
    if _runs_plain(_pair_by_bucket, count):
        lists = partners.tolist(), slots.tolist(), members.tolist(), left.tolist()
        _pair_by_bucket.plain(bucket, source.tolist(), chances.tolist(), *lists)
        return np.array(lists[0], dtype=np.int64)
    _pair_by_bucket(bucket, source, chances, partners, slots, members, left)
    return partners


def distribution_swap_pairs(count: int, spread: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """The partner of each sorted position, at a normally distributed distance: mean and sd are `spread`/2.

    For i in order, if i is not yet swapped: it is swapped with l = i + |round(z)|, z ~ N(spread/2, spread/2)
    (p-distribution: Nin, Herranz and Torra 2008), with l = i + 1 where z rounds to 0, and clipped to the file.
    Distances below zero are mirrored because every position before i is used by then. Where l is used
    already, the nearest free position takes its place, the lower of two equally near; the last position may
    find none and stays.
    """
    _check(count, spread)
    steps = np.abs(np.rint(generator.normal(spread / 2, spread / 2, size=count)))
    targets = _positions(count) + np.clip(steps, 1, count).astype(np.int64)
    targets = np.minimum(targets, count - 1)
    partners, above, under = _positions(count), _positions(count + 2), _positions(count + 2)
    if _runs_plain(_pair_at_distance, count):
        lists = partners.tolist(), above.tolist(), under.tolist()
        _pair_at_distance.plain(targets.tolist(), *lists)
        return np.array(lists[0], dtype=np.int64)
    _pair_at_distance(targets, partners, above, under)
    return partners


def order_with_random_ties(values: NDArray[np.float64], generator: np.random.Generator) -> NDArray[np.int64]:
    """The rows in increasing order of their values, rows with equal values in a random order.

    The result depends on the values and the generator alone, not on how the machine sorts.
    """
    order = np.argsort(values).astype(np.int64, copy=False)
    ranked = values[order]
    if not (ranked[1:] == ranked[:-1]).any():
        return order
    count = len(values)
    source = words(generator, count)
    runs, filled = np.zeros(count, dtype=np.int32), np.zeros(count, dtype=np.int32)
    if _runs_plain(_shuffle_ties, count):
        plain_order = order.tolist()
        _shuffle_ties.plain(ranked.tolist(), runs.tolist(), filled.tolist(), source.tolist(), plain_order)
        return np.array(plain_order, dtype=np.int64)
    _shuffle_ties(ranked, runs, filled, source, order)
    return order


def _check(count: int, reach: int) -> None:
    if not 0 <= count < 2**31 or reach < 1:
        raise ValueError(f"cannot swap {count} positions within {reach}")


def _positions(count: int) -> NDArray[np.int64]:
    return np.arange(count, dtype=np.int64)


def _runs_plain(kernel: Kernel[..., None], count: int) -> bool:
    return count <= PLAIN_POSITIONS and not kernel.is_loaded


@compiled
def _drop(position: int, last: int, members: Int32sOrList, slots: Int32sOrList) -> None:
    """Take a position out of a compact list whose last place is `last`, by moving the last one there."""
    moved = members[last]
    members[slots[position]] = moved
    slots[moved] = slots[position]


@compiled
def _pair_within_window(
    window: int, source: Words, partners: IntsOrList, slots: Int32sOrList, free: Int32sOrList
) -> None:
    """Swap each free position with a free one of the window after it. `free[:left]` lists those, unordered."""
    count = len(partners)
    entering = 0
    left = 0
    cursor = 0
    for position in range(count):
        while entering < count and entering <= position + window:
            free[left] = entering
            slots[entering] = left
            left += 1
            entering += 1
        if partners[position] != position:
            continue
        left -= 1
        _drop(position, left, free, slots)
        if left > 0:
            chosen, cursor = below(left, source, cursor)
            other = free[chosen]
            left -= 1
            _drop(other, left, free, slots)
            partners[position] = other
            partners[other] = position


@compiled
def _pair_by_bucket(
    bucket: int,
    source: Words,
    chances: FloatsOrList,
    partners: IntsOrList,
    slots: Int32sOrList,
    members: Int32sOrList,
    left: IntsOrList,
) -> None:
    """Swap each free position with a free one of a bucket drawn from its own and the later ones."""
    cursor = 0
    for position in range(len(partners)):
        if partners[position] != position:
            continue
        own = position // bucket
        left[own] -= 1
        _drop(position, own * bucket + left[own], members, slots)
        # Of all later buckets together the share is 2^-(buckets left): scale the draw to what exists.
        draw = chances[position] * (1.0 - 0.5 ** (len(left) - own))
        chosen = own
        tail = 0.5
        while draw >= 1.0 - tail and chosen < len(left) - 1:
            chosen += 1
            tail *= 0.5
        if left[chosen] > 0:
            place, cursor = below(left[chosen], source, cursor)
            other = members[chosen * bucket + place]
            left[chosen] -= 1
            _drop(other, chosen * bucket + left[chosen], members, slots)
            partners[position] = other
            partners[other] = position


@compiled
def _nearest_free(position: int, links: IntsOrList) -> int:
    """Follow the links from a used place to the free one they lead to, shortening the way behind."""
    while links[position] != position:
        links[position] = links[links[position]]
        position = links[position]
    return position


@compiled
def _pair_at_distance(
    targets: IntsOrList, partners: IntsOrList, above: IntsOrList, under: IntsOrList
) -> None:
    """Swap each free position with the free one nearest to its target.

    Places in `above` and `under` are positions plus one; the first and the last place stand for no position.
    """
    count = len(targets)
    for position in range(count):
        if partners[position] != position:
            continue
        above[position + 1] = position + 2
        under[position + 1] = position
        higher = _nearest_free(targets[position] + 1, above) - 1
        lower = _nearest_free(targets[position] + 1, under) - 1
        if lower < 0 and higher >= count:
            continue
        nearest_is_lower = higher >= count or targets[position] - lower <= higher - targets[position]
        other = lower if lower >= 0 and nearest_is_lower else higher
        above[other + 1] = other + 2
        under[other + 1] = other
        partners[position] = other
        partners[other] = position


@compiled
def _shuffle_ties(
    ranked: FloatsOrList, runs: Int32sOrList, filled: Int32sOrList, source: Words, order: IntsOrList
) -> None:
    """Put the rows of each run of equal values in a random order; a run is known by where it starts.

    Rows are taken from the lowest on, so that it does not matter in which order the sort has left them.
    """
    start = 0
    for place in range(len(order)):
        if ranked[place] != ranked[start]:
            start = place
        runs[order[place]] = start
    cursor = 0
    for row in range(len(order)):
        start = int(runs[row])
        # Fisher and Yates, inside out: the new row takes the place of a random one, which moves to the end.
        place, cursor = below(filled[start] + 1, source, cursor)
        order[start + filled[start]] = order[start + place]
        order[start + place] = row
        filled[start] += 1
