"""Optimal microaggregation of one column: the shortest path over its sorted values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import FloatsOrList, IntsOrList
from discreet._kernels.clustering.scale import to_unit_range
from discreet._kernels.compile import compiled

# Below this many group costs plain Python is done before numba is imported.
PLAIN_COSTS = 100_000
# How often the accumulated cost is set back to zero, to keep its last digits.
STRETCH = 512


def optimal_univariate(sorted_values: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """The group of each value, numbered upwards: the partition with the least squared error.

    Groups are runs of k to 2k-1 neighbours of the sorted values (Hansen and Mukherjee 2003: a longer run is
    never better than its halves, and the best partition is a shortest path). Of equally good last groups
    the shortest is taken. Raises ValueError where the values are fewer than k, not sorted or not finite.
    """
    count = len(sorted_values)
    if not 1 <= k <= count:
        raise ValueError(f"groups of {k} cannot be made of {count} values")
    values = to_unit_range(np.asarray(sorted_values, dtype=np.float64))
    if (values[1:] < values[:-1]).any():
        raise ValueError("the values must be sorted")
    firsts = np.zeros(count, dtype=np.int64)
    starts = np.zeros(count + 1, dtype=np.int64)
    costs = np.full(count + 1, np.inf)
    costs[0] = 0.0
    if _shortest_path.is_loaded or count * k > PLAIN_COSTS:
        _shortest_path(values, k, starts, costs)
        _mark_firsts(starts, firsts)
    else:
        plain_starts = starts.tolist()
        _shortest_path.plain(values.tolist(), k, plain_starts, costs.tolist())
        _mark_firsts.plain(plain_starts, firsts)
    return np.cumsum(firsts) - 1


@compiled
def _shortest_path(values: FloatsOrList, k: int, starts: IntsOrList, costs: FloatsOrList) -> None:
    """Write where the last group of the first `end` values starts, for every `end` that groups can reach."""
    for end in range(k, len(values) + 1):
        # Sums are taken about the group's last value: sums of the values themselves would lose, in the
        # difference of two large numbers, the squared error of a group far from zero.
        last = values[end - 1]
        total = 0.0
        squares = 0.0
        for size in range(2, k):
            step = last - values[end - size]
            total += step
            squares += step * step
        least = np.inf
        for size in range(k, min(2 * k - 1, end) + 1):
            step = last - values[end - size]
            total += step
            squares += step * step
            cost = costs[end - size] + (squares - total * total / size)
            if cost < least:
                least = cost
                starts[end] = end - size
        costs[end] = least
        if end % STRETCH == 0:
            for earlier in range(max(0, end - 2 * k), end + 1):
                costs[earlier] -= least


@compiled
def _mark_firsts(starts: IntsOrList, firsts: IntsOrList) -> None:
    """Write 1 at the first value of every group, read back from the start of the last one."""
    end = len(starts) - 1
    while end > 0:
        end = starts[end]
        firsts[end] = 1
