"""Groups of equal keys, by a hash table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Ints
from discreet._kernels.compile import compiled, numba_is_loaded

PLAIN_KEYS = 5_000
EMPTY = -1


class Groups(NamedTuple):
    """The group of each key, and the size of each group. Groups are numbered in no particular order."""

    group: Ints
    sizes: Ints


def group_sizes(keys: Ints, *, often: bool = False) -> Groups:
    """The groups of equal keys, none negative; `often` says that so many calls follow that compiling pays."""
    if len(keys) <= PLAIN_KEYS and not often and not numba_is_loaded():
        _, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
        return Groups(group, sizes)
    group = np.empty(len(keys), np.int64)
    sizes = np.zeros(len(keys), np.int64)
    slots = 1 << max(4, (2 * len(keys) - 1).bit_length())
    number = group_keys(keys, np.full(slots, EMPTY, np.int64), np.empty(slots, np.int64), group, sizes)
    return Groups(group, sizes[:number])


@compiled
def group_keys(keys: Ints, stored: Ints, labels: Ints, group: Ints, sizes: Ints) -> int:
    """Number of distinct keys, none negative; fills the group of each and the size of each group.

    The hash table (stored keys and their labels) must be empty and a power of two long.
    """
    mask = np.uint64(stored.shape[0] - 1)
    odd = np.uint64(0x9E3779B97F4A7C15)
    shift = np.uint64(32)
    number = 0
    for i in range(keys.shape[0]):
        key = keys[i]
        mixed = np.uint64(key) * odd
        slot = (mixed ^ (mixed >> shift)) & mask
        while stored[slot] != EMPTY and stored[slot] != key:
            slot = (slot + np.uint64(1)) & mask
        if stored[slot] == EMPTY:
            stored[slot] = key
            labels[slot] = number
            number += 1
        label = labels[slot]
        group[i] = label
        sizes[label] += 1
    return number
