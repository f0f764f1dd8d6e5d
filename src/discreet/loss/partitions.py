"""Two partitions of the same records, and how different they are."""

from __future__ import annotations

import numpy as np

from discreet.table import FloatArray, IntArray

GROUPS_MEANING = (
    "how different the groups are that a cluster analysis finds in the published file: 0 is the same groups; 1 is "
    "groups that have nothing to do with the true ones"
)


def crossed(one: IntArray, other: IntArray) -> FloatArray:
    """How many records are in each group of one partition and each group of the other."""
    width = int(other.max()) + 1
    cells = np.bincount(one * width + other, minlength=(int(one.max()) + 1) * width)
    return cells.reshape(-1, width).astype(np.float64)


def partition_distance(table: FloatArray) -> float:
    """The distance of two partitions from the counts of their groups' intersections, between 0 and 1."""
    # (2 I(A and B) - I(A) - I(B)) / I(A and B), López de Mántaras 1991.
    both = _information(table.ravel())
    if both == 0:
        return 0.0
    return max(0.0, (2 * both - _information(table.sum(axis=1)) - _information(table.sum(axis=0))) / both)


def _information(sizes: FloatArray) -> float:
    # I = -sum of p log2 p.
    share = sizes[sizes > 0] / sizes.sum()
    return float(-(share * np.log2(share)).sum()) if len(share) > 1 else 0.0


def adjusted_rand(table: FloatArray) -> float:
    """The adjusted Rand index of two partitions: 1 when they are equal, about 0 when they are unrelated."""
    # (index - expected index) / (largest index - expected index), Hubert and Arabie 1985.
    pairs, rows, columns, every = (
        float((each * (each - 1) / 2).sum())
        for each in (table, table.sum(axis=1), table.sum(axis=0), table.sum(keepdims=True))
    )
    expected = rows * columns / every if every else 0.0
    most = (rows + columns) / 2
    return 1.0 if most == expected else (pairs - expected) / (most - expected)
