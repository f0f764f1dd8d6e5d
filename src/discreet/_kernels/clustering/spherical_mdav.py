"""MDAV by the cosine, on sparse rows: a partition of documents into groups of at least k.

A query asks for the products of one row with all that are left. An inverted index, term by term the rows that have it,
answers it in as many steps as these rows are; rows that are in groups leave the index when it is built anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Flags, Floats, Int32s, Ints
from discreet._kernels.compile import compiled

# What plain Python needs, roughly, for each weight that it looks at.
SECONDS_A_WEIGHT = 1.5e-7
# Importing numba and loading the machine code takes about as long.
SECONDS_TO_LOAD = 0.5
# The index is built anew when this share of its rows is left, unless they are few.
WORTH_REBUILDING = 0.6
FEW = 256
REPORTS = 200

Progress = Callable[[int, int], None]


class SparseRows(NamedTuple):
    """Rows of weights by column: those of row i stand from `starts[i]` to `starts[i + 1]`, columns rising."""

    starts: Ints
    columns: Int32s
    weights: Floats


class Postings(NamedTuple):
    """The same weights term by term: those of term t stand from `starts[t]` to `starts[t + 1]`, rows rising."""

    starts: Ints
    rows: Int32s
    weights: Floats


class Left(NamedTuple):
    """The rows in the index, in their order, with their numbers; which are not in a group yet; their sum in two parts.

    `products` is room for one product a row, `nearest` for the places and products of a group's members.
    """

    rows: SparseRows
    postings: Postings
    numbers: Ints
    free: Flags
    sums: Floats
    rests: Floats
    products: Floats
    nearest: Ints


def spherical_mdav(
    starts: Ints, columns: Int32s, weights: Floats, terms: int, k: int, progress: Progress | None = None
) -> Ints:
    """The group of each row, numbered in order of creation; every group has k to 2k-1 rows.

    Rows are given in compressed form, columns rising, weights not negative, each row of length one. While at least 3k
    rows are left: r is the row of smallest product with their sum, and forms a group with the k-1 rows of largest
    product with it; s is the row of smallest product with r among what is left, and forms a group likewise. Of 2k to
    3k-1 rows that are left, one such group is taken, and the others form the last one. Products are added term by term
    in the order of the columns; equal ones go to the lowest row number. The result is a function of the rows alone.

    `progress` is called now and then with the number of rows that are in groups, and with that of all.
    Raises ValueError where the rows are fewer than k.
    """
    count = len(starts) - 1
    if not 1 <= k <= count:
        raise ValueError(f"groups of {k} cannot be made of {count} rows")
    every = SparseRows(np.asarray(starts, np.int64), np.asarray(columns, np.int32), np.asarray(weights))
    plain_seconds = SECONDS_A_WEIGHT * (count / (2 * k) + 1) * (len(weights) + count)
    quick = advance.is_loaded or plain_seconds > SECONDS_TO_LOAD
    add_up, group = (add_rows, advance) if quick else (add_rows.plain, advance.plain)
    labels = np.full(count, -1, dtype=np.int64)
    sums, rests = np.zeros(terms), np.zeros(terms)
    add_up(every, sums, rests)
    left, label = count, 0
    while left:
        index = _index(every, np.flatnonzero(labels < 0), terms, k, sums, rests)
        enough = 0 if left <= max(FEW, 3 * k) else int(WORTH_REBUILDING * left)
        while left > enough:
            stop = max(enough, left - max(2 * k, count // REPORTS))
            left, label = group(index, k, labels, label, left, stop)
            if progress is not None:
                progress(count - left, count)
    return labels


def _index(every: SparseRows, rows: Ints, terms: int, k: int, sums: Floats, rests: Floats) -> Left:
    """The index of these rows."""
    counts = np.diff(every.starts)[rows]
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    places = np.repeat(every.starts[rows] - starts[:-1], counts) + np.arange(int(starts[-1]))
    columns, weights = every.columns[places], every.weights[places]
    by_term = np.argsort(columns, kind="stable")
    of_terms = np.zeros(terms + 1, dtype=np.int64)
    np.cumsum(np.bincount(columns, minlength=terms), out=of_terms[1:])
    holders = np.repeat(np.arange(len(rows), dtype=np.int32), counts)[by_term]
    return Left(
        SparseRows(starts, columns, weights),
        Postings(of_terms, holders, weights[by_term]),
        rows,
        np.ones(len(rows), dtype=np.bool_),
        sums,
        rests,
        np.empty(len(rows)),
        np.empty(2 * k, dtype=np.int64),
    )


@compiled
def add_rows(rows: SparseRows, sums: Floats, rests: Floats) -> None:
    """Add every row to a sum that is kept in two parts, the second what rounding left out (Neumaier)."""
    for place in range(len(rows.columns)):
        add_weight(rows.weights[place], rows.columns[place], sums, rests)


@compiled
def add_weight(weight: float, column: int, sums: Floats, rests: Floats) -> None:
    """Add a weight to one column of the sum."""
    before = sums[column]
    after = before + weight
    shift = after - before
    rests[column] += (before - (after - shift)) + (weight - shift)
    sums[column] = after


@compiled
def advance(left: Left, k: int, labels: Ints, label: int, many: int, stop: int) -> tuple[int, int]:
    """Form groups until at most `stop` rows are left; how many are left, and the next label."""
    while many > stop:
        if many < 2 * k:
            take_all(left, labels, label)
            return 0, label + 1
        multiply_with_sum(left)
        first = least(left)
        multiply_with(left, first)
        take_around(left, first, k, labels, label)
        if many < 3 * k:
            many, label = many - k, label + 1
            continue
        # The products with the first row are still there, and tell which of the rest is farthest from it.
        second = least(left)
        multiply_with(left, second)
        take_around(left, second, k, labels, label + 1)
        many, label = many - 2 * k, label + 2
    return many, label


@compiled
def multiply_with_sum(left: Left) -> None:
    """The product of each free row with the sum of all of them."""
    for row in range(len(left.numbers)):
        if left.free[row]:
            total = 0.0
            for place in range(left.rows.starts[row], left.rows.starts[row + 1]):
                column = left.rows.columns[place]
                total += left.rows.weights[place] * (left.sums[column] + left.rests[column])
            left.products[row] = total


@compiled
def multiply_with(left: Left, row: int) -> None:
    """The product of each row of the index with one of them."""
    left.products[:] = 0.0
    for place in range(left.rows.starts[row], left.rows.starts[row + 1]):
        column, weight = left.rows.columns[place], left.rows.weights[place]
        for held in range(left.postings.starts[column], left.postings.starts[column + 1]):
            left.products[left.postings.rows[held]] += weight * left.postings.weights[held]


@compiled
def least(left: Left) -> int:
    """The free row of the smallest product, the first of equals."""
    found = -1
    for row in range(len(left.numbers)):
        if left.free[row] and (found < 0 or left.products[row] < left.products[found]):
            found = row
    return found


@compiled
def take_around(left: Left, row: int, k: int, labels: Ints, label: int) -> None:
    """Put a row and the k-1 free ones of the largest products in one group, the first of equals before others."""
    held = 0
    left.free[row] = False
    for other in range(len(left.numbers)):
        if not left.free[other]:
            continue
        product = left.products[other]
        if held == k - 1 and (k == 1 or product <= left.products[left.nearest[held - 1]]):
            continue
        place = held if held < k - 1 else held - 1
        while place > 0 and left.products[left.nearest[place - 1]] < product:
            left.nearest[place] = left.nearest[place - 1]
            place -= 1
        left.nearest[place] = other
        if held < k - 1:
            held += 1
    put(left, row, labels, label)
    for place in range(held):
        left.free[left.nearest[place]] = False
        put(left, left.nearest[place], labels, label)


@compiled
def take_all(left: Left, labels: Ints, label: int) -> None:
    """Put all free rows in one group."""
    for row in range(len(left.numbers)):
        if left.free[row]:
            left.free[row] = False
            put(left, row, labels, label)


@compiled
def put(left: Left, row: int, labels: Ints, label: int) -> None:
    """Give a row its group, and take it out of the sum."""
    labels[left.numbers[row]] = label
    for place in range(left.rows.starts[row], left.rows.starts[row + 1]):
        add_weight(-left.rows.weights[place], left.rows.columns[place], left.sums, left.rests)
