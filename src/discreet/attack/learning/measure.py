"""Fuzzy measures: a value for every set of columns, and what they say about columns and pairs.

A measure is an array of 2**d values; the set {first, third, fifth} of five columns is number 10101 in binary, so
that the first column is the highest bit. The empty set has value 0 and the set of all columns 1.
"""

from __future__ import annotations

import numpy as np

from discreet.table import BoolArray, FloatArray, IntArray


def bit(column: int, columns: int) -> int:
    """The number of the set that holds one column alone."""
    return 1 << (columns - 1 - column)


def columns_of(measure: FloatArray) -> int:
    """How many columns a measure is about."""
    return len(measure).bit_length() - 1


def sizes(columns: int) -> IntArray:
    """The number of members of every set."""
    count = np.zeros(1 << columns, dtype=np.int64)
    for k in range(columns):
        count += (np.arange(1 << columns) >> k) & 1
    return count


def membership(columns: int) -> BoolArray:
    """Whether set A (row) holds column i (column)."""
    sets = np.arange(1 << columns)
    return np.stack([(sets & bit(k, columns)) > 0 for k in range(columns)], axis=1)


def moebius(measure: FloatArray) -> FloatArray:
    """The Möbius transform: what each set adds beyond its subsets."""
    result = measure.astype(np.float64)
    for k in range(columns_of(measure)):
        pairs = result.reshape(-1, 2, 1 << k)
        pairs[:, 1, :] -= pairs[:, 0, :]
    return result


def zeta(masses: FloatArray) -> FloatArray:
    """The measure of a Möbius transform: the sum over all subsets."""
    result = masses.astype(np.float64)
    for k in range(columns_of(masses)):
        pairs = result.reshape(-1, 2, 1 << k)
        pairs[:, 1, :] += pairs[:, 0, :]
    return result


def additive(weights: FloatArray) -> FloatArray:
    """The additive measure of weights: the Choquet integral is then the weighted mean."""
    columns = len(weights)
    measure = np.asarray(membership(columns) @ weights, dtype=np.float64)
    measure[-1] = 1.0
    return measure


def shapley(measure: FloatArray) -> FloatArray:
    """The Shapley value of each column: its mean share in what the sets it joins gain; they sum to 1."""
    columns = columns_of(measure)
    shares = moebius(measure) / np.maximum(1, sizes(columns))
    return np.asarray(membership(columns).T @ shares, dtype=np.float64)


def interaction(measure: FloatArray) -> FloatArray:
    """The interaction index of each pair of columns (Grabisch): above 0 they say more together than apart.

    The matrix is symmetric with a zero diagonal.
    """
    columns = columns_of(measure)
    shares = moebius(measure) / np.maximum(1, sizes(columns) - 1)
    inside = membership(columns).astype(np.float64)
    pairs = inside.T @ (shares[:, None] * inside)
    np.fill_diagonal(pairs, 0.0)
    return np.asarray(pairs, dtype=np.float64)


def monotone(measure: FloatArray) -> FloatArray:
    """The least measure that is nowhere below the given one and never falls when a column joins, scaled to 1."""
    result = np.maximum(measure, 0.0)
    result[0] = 0.0
    for k in range(columns_of(measure)):
        pairs = result.reshape(-1, 2, 1 << k)
        np.maximum(pairs[:, 1, :], pairs[:, 0, :], out=pairs[:, 1, :])
    return (
        result / result[-1]
        if result[-1] > 0
        else additive(np.full(columns_of(measure), 1 / columns_of(measure)))
    )


def monotone_rows(columns: int) -> FloatArray:
    """The inequalities "a column that joins takes nothing away", over the non-empty sets: rows @ measure[1:] >= 0."""
    full = 1 << columns
    sets = np.arange(full)
    rows = []
    for k in range(columns):
        for larger in sets[(sets & bit(k, columns)) > 0]:
            row = np.zeros(full)
            row[larger] = 1.0
            row[larger ^ bit(k, columns)] = -1.0
            rows.append(row[1:])
    return np.array(rows)


def submodular_rows(columns: int) -> FloatArray:
    """The inequalities "what a column adds falls as the set grows", over the non-empty sets."""
    full = 1 << columns
    rows = []
    for i in range(columns):
        for j in range(i + 1, columns):
            one, other = bit(i, columns), bit(j, columns)
            for rest in range(full):
                if rest & (one | other) == 0:
                    row = np.zeros(full)
                    row[rest | one] += 1.0
                    row[rest | other] += 1.0
                    row[rest | one | other] -= 1.0
                    row[rest] -= 1.0
                    rows.append(row[1:])
    return np.array(rows).reshape(-1, full - 1)
