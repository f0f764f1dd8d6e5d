"""Distinct rows of an array, by a hash table over whole rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.arrays import Floats, Ints, UInt64s, as_kernels_take
from discreet._kernels.compile import compiled, numba_is_loaded

Slots = NDArray[np.int32] | NDArray[np.int64]
NEGATIVE_ZERO = np.uint64(1 << 63)
PLAIN_ROWS = 20_000
EMPTY = -1


class Distinct(NamedTuple):
    """Which rows are equal: a label for each row, and for each label the first row and the number of rows.

    Labels count from 0 in the order in which the rows first appear.
    """

    labels: Ints
    firsts: Ints
    counts: Ints


def distinct_rows(rows: Floats | Ints) -> Distinct:
    """The distinct rows of a two-dimensional array of 64-bit numbers.

    Rows are equal when all their numbers are; 0.0 and -0.0 are equal, and so are NaNs of the same bits. Below
    a few thousand rows a sort does, above a compiled hash table; the result is the same.
    """
    if rows.ndim != 2:
        raise ValueError(f"distinct_rows takes rows by columns; got {rows.ndim} dimension(s)")
    if rows.dtype not in (np.float64, np.int64):
        raise ValueError(f"distinct_rows takes float64 or int64; got {rows.dtype}")
    if rows.shape[0] == 0 or rows.shape[1] == 0:
        return _all_equal(rows.shape[0])
    bits = as_kernels_take(rows).view(np.uint64)
    zero = NEGATIVE_ZERO if rows.dtype == np.float64 else np.uint64(0)
    if rows.shape[0] <= PLAIN_ROWS and not numba_is_loaded():
        return _by_sorting(np.where(bits == zero, np.uint64(0), bits))
    return _by_hashing(bits, zero)


def _all_equal(count: int) -> Distinct:
    labels = np.zeros(count, np.int64)
    some = min(count, 1)
    return Distinct(labels, np.zeros(some, np.int64), np.full(some, count, np.int64))


def _by_sorting(bits: UInt64s) -> Distinct:
    order = np.lexsort(bits.T)
    ordered = bits[order]
    starts = np.flatnonzero(np.r_[True, (ordered[1:] != ordered[:-1]).any(axis=1)])
    firsts = np.minimum.reduceat(order, starts)
    appearance = np.argsort(firsts)
    rank = np.empty_like(appearance)
    rank[appearance] = np.arange(len(appearance))
    sizes = np.diff(np.r_[starts, len(bits)])
    labels = np.empty(len(bits), np.int64)
    labels[order] = np.repeat(rank, sizes)
    return Distinct(labels, firsts[appearance], sizes[appearance])


def _by_hashing(bits: UInt64s, zero: np.uint64) -> Distinct:
    count = bits.shape[0]
    slots = 1 << max(4, (2 * count - 1).bit_length())
    table = np.full(slots, EMPTY, np.int32 if count < 1 << 31 else np.int64)
    labels = np.empty(count, np.int64)
    firsts = np.empty(count, np.int64)
    counts = np.empty(count, np.int64)
    number = label_rows(bits, zero, table, labels, firsts, counts)
    return Distinct(labels, firsts[:number].copy(), counts[:number].copy())


@compiled
def unsigned(bits: np.uint64, zero: np.uint64) -> np.uint64:
    """The bits, or none where they are those of a zero with a sign."""
    return np.uint64(0) if bits == zero else bits


@compiled
def label_rows(bits: UInt64s, zero: np.uint64, table: Slots, labels: Ints, firsts: Ints, counts: Ints) -> int:
    """Number of distinct rows; fills labels, firsts and counts. The table must be empty and a power of two long.

    `zero` are the bits that a zero with a sign has, where numbers have one.
    """
    mask = np.uint64(table.shape[0] - 1)
    shift = np.uint64(32)
    odd = np.uint64(0x9E3779B97F4A7C15)
    width = bits.shape[1]
    number = 0
    for row in range(bits.shape[0]):
        mixed = np.uint64(0)
        for j in range(width):
            mixed = (mixed ^ unsigned(bits[row, j], zero)) * odd
            mixed ^= mixed >> shift
        slot = mixed & mask
        while True:
            label = table[slot]
            if label == EMPTY:
                table[slot] = number
                labels[row] = number
                firsts[number] = row
                counts[number] = 1
                number += 1
                break
            other = firsts[label]
            same = True
            for j in range(width):
                same &= unsigned(bits[row, j], zero) == unsigned(bits[other, j], zero)
            if same:
                labels[row] = label
                counts[label] += 1
                break
            slot = (slot + np.uint64(1)) & mask
    return number
