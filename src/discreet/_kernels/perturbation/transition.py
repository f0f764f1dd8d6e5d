"""Categories that change at random: transition matrices, and draws from them."""

from __future__ import annotations

import numpy as np

from discreet._kernels.arrays import Floats, Ints


def kept_by_frequency(shares: Floats, theta: float) -> Floats:
    """The chance of each category to stay: 1 - theta * T(K) / T(k), T(K) being the least frequency.

    What does not stay goes to the other categories alike, so that the frequencies are kept in expectation. A
    single category always stays.
    """
    if len(shares) < 2:
        return np.ones(len(shares))
    kept: Floats = 1.0 - theta * shares.min() / shares
    return kept


def alike_matrix(kept: Floats) -> Floats:
    """The matrix of categories that stay with these chances and else go to the others alike."""
    count = len(kept)
    if count < 2:
        return np.ones((count, count))
    matrix = np.repeat(((1.0 - kept) / (count - 1))[:, None], count, axis=1)
    np.fill_diagonal(matrix, kept)
    return matrix


def invariant_matrix(matrix: Floats, shares: Floats) -> Floats:
    """The matrix followed by its own reversal: P Q with Q_lk = P_kl T_k / sum_j P_jl T_j, which keeps T."""
    joint = matrix * shares[:, None]
    arrived = joint.sum(axis=0)
    # Where nothing arrives nothing has to go back: such a category stays as it is.
    back = np.divide(joint.T, arrived[:, None], out=np.eye(len(matrix)), where=arrived[:, None] > 0)
    product: Floats = matrix @ back
    return product


def move_alike(codes: Ints, kept: Floats, generator: np.random.Generator) -> Ints:
    """Each category kept with its chance, else replaced by one of the others alike."""
    count = len(kept)
    if count < 2:
        return codes.copy()
    moved = np.flatnonzero(generator.random(len(codes)) >= kept[codes])
    fresh = codes.copy()
    fresh[moved] = (codes[moved] + generator.integers(1, count, size=len(moved))) % count
    return fresh


def move_back(codes: Ints, theta: float, shares: Floats, generator: np.random.Generator) -> Ints:
    """Where categories that stayed with chance 1 - theta and else went to the others alike may have come from.

    A draw from the reversal Q of that matrix, without the matrix: category l came from itself with a weight of
    (1 - theta) T_l, and from any other category k with a weight of theta / (K - 1) T_k.
    """
    count = len(shares)
    if count < 2:
        return codes.copy()
    others = theta / (count - 1) * (1.0 - shares)
    stayed = (1.0 - theta) * shares / ((1.0 - theta) * shares + others)
    moved = np.flatnonzero(generator.random(len(codes)) >= stayed[codes])
    fresh = codes.copy()
    fresh[moved] = _any_other(codes[moved], shares, generator)
    return fresh


def _any_other(codes: Ints, shares: Floats, generator: np.random.Generator) -> Ints:
    """A category drawn by its share among all but the one given: the line of all shares with one piece cut out."""
    ends = np.cumsum(shares)
    starts = ends - shares
    at = generator.random(len(codes)) * (ends[-1] - shares[codes])
    at = np.where(at >= starts[codes], at + shares[codes], at)
    found = np.minimum(np.searchsorted(ends, at, side="right"), len(shares) - 1)
    # Rounding at the edge of the piece cut out must not give the category itself.
    return np.where(found == codes, (codes + 1) % len(shares), found)


def move_by_matrix(codes: Ints, matrix: Floats, generator: np.random.Generator) -> Ints:
    """Each category replaced by a draw from its row of the matrix."""
    ends = np.cumsum(matrix, axis=1)
    # The last category that a row can reach takes what rounding leaves of one.
    last = matrix.shape[1] - 1 - np.argmax(matrix[:, ::-1] > 0, axis=1)
    draws = generator.random(len(codes))
    order = np.argsort(codes.astype(np.min_scalar_type(len(matrix))), kind="stable")
    edges = np.searchsorted(codes[order], np.arange(len(matrix) + 1))
    fresh = np.empty(len(codes), dtype=np.int64)
    for row in range(len(matrix)):
        rows = order[edges[row] : edges[row + 1]]
        if len(rows):
            found = np.searchsorted(ends[row], draws[rows], side="right")
            fresh[rows] = np.minimum(found, last[row])
    return fresh
