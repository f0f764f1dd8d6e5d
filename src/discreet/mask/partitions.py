"""Ways to part points into groups of at least k near ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from discreet.mask.coordinates import standardised
from discreet.table import FloatArray, IntArray

Partition = Callable[[FloatArray, int], IntArray]
"""From points and k to the group of each point."""


def _mdav(points: FloatArray, k: int) -> IntArray:
    from discreet._kernels.clustering.mdav import mdav

    return mdav(points, k)


def _individual(points: FloatArray, k: int) -> IntArray:
    from discreet._kernels.clustering.univariate import optimal_univariate

    order = np.argsort(points[:, 0], kind="stable")
    labels = np.empty(len(points), dtype=np.int64)
    labels[order] = optimal_univariate(np.ascontiguousarray(points[order, 0]), k)
    return labels


def _by_zscore(points: FloatArray, k: int) -> IntArray:
    return _cut(standardised(points).sum(axis=1), k)


def _by_component(points: FloatArray, k: int) -> IntArray:
    """Groups along the first principal component, its largest loading made positive so that its sign is settled."""
    centred = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axis = axes[:, -1]
    return _cut(centred @ (axis * np.sign(axis[np.argmax(np.abs(axis))])), k)


def _cut(score: FloatArray, k: int) -> IntArray:
    """Groups of k in the order of the score, what is left over in the last of them."""
    order = np.argsort(score, kind="stable")
    labels = np.empty(len(score), dtype=np.int64)
    labels[order] = np.minimum(np.arange(len(score)) // k, max(1, len(score) // k) - 1)
    return labels


def _adaptive(points: FloatArray, k: int) -> IntArray:
    from discreet._kernels.clustering.adaptive import adaptive_mdav

    distinct, which, counts = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    return adaptive_mdav(distinct, counts.astype(np.int64), k)[which.reshape(-1)]


PARTITIONS: dict[str, Partition] = {
    "mdav": _mdav,
    "individual": _individual,
    "zscore": _by_zscore,
    "component": _by_component,
    "adaptive": _adaptive,
}
