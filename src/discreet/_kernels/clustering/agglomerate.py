"""Agglomerative clustering of points that stand for several records each."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Ints

Linkage = Literal["single", "average", "complete", "ward"]


class Merges(NamedTuple):
    """The merges of a dendrogram in rising order of height, each by one point of either side."""

    one: Ints
    other: Ints
    height: Floats


def agglomerate(distances: Floats, sizes: Ints, linkage: Linkage) -> Merges:
    """The dendrogram of points at these distances [n, n], each standing for `sizes` records in the same place.

    It is what sequential agglomerative hierarchical clustering gives on all the records, without the merges at height
    zero that bring equal records together. Ward's heights are those of points in a Euclidean space: the square root of
    twice the growth of the sum of squares. Chains of nearest neighbours find the merges (Murtagh), which is exact for
    these four linkages, with memory and time that grow as n squared.
    """
    count = len(distances)
    if distances.shape != (count, count) or sizes.shape != (count,):
        raise ValueError("agglomerate takes a square matrix of distances and a size for each point")
    weights = sizes.astype(np.float64)
    apart = distances.astype(np.float64, copy=True)
    if linkage == "ward":
        apart = np.square(apart) * weights[:, None] * weights / (weights[:, None] + weights)
    np.fill_diagonal(apart, np.inf)
    one, other = np.zeros((2, max(0, count - 1)), np.int64)
    height = np.zeros(len(one))
    alive = np.ones(count, dtype=np.bool_)
    chain: list[int] = []
    for merge in range(count - 1):
        if not chain:
            chain.append(int(np.argmax(alive)))
        near = _end_of_chain(apart, chain)
        tip, before = chain.pop(), chain.pop()
        one[merge], other[merge], height[merge] = before, tip, near
        _join(apart, weights, alive, before, tip, linkage)
    if linkage == "ward":
        height = np.sqrt(2.0 * height)
    order = np.argsort(height, kind="stable")
    return Merges(one[order], other[order], height[order])


def _end_of_chain(apart: Floats, chain: list[int]) -> float:
    """Grows the chain until its last two are each other's nearest; their distance."""
    while True:
        tip = chain[-1]
        nearest = int(np.argmin(apart[tip]))
        near = float(apart[tip, nearest])
        if len(chain) > 1 and near >= apart[tip, chain[-2]]:
            return float(apart[tip, chain[-2]])
        chain.append(nearest)


def _join(apart: Floats, weights: Floats, alive: np.ndarray, kept: int, gone: int, linkage: Linkage) -> None:
    """Joins two clusters by the formula of Lance and Williams; the first keeps the place of both."""
    left, right = apart[kept], apart[gone]
    mine, theirs = weights[kept], weights[gone]
    if linkage == "single":
        joined = np.minimum(left, right)
    elif linkage == "complete":
        joined = np.maximum(left, right)
    elif linkage == "average":
        joined = (mine * left + theirs * right) / (mine + theirs)
    else:
        total = weights + mine + theirs
        joined = ((weights + mine) * left + (weights + theirs) * right - weights * left[gone]) / total
    weights[kept] = mine + theirs
    alive[gone] = False
    joined[[kept, gone]] = np.inf
    joined[~alive] = np.inf
    apart[kept], apart[:, kept] = joined, joined
    apart[gone], apart[:, gone] = np.inf, np.inf
