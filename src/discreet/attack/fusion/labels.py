"""Which category each cluster stands for."""

from __future__ import annotations

import numpy as np

from discreet.attack.fusion.distances import UNKNOWN
from discreet.table import FloatArray, IntArray


def label_clusters(used: FloatArray, positions: FloatArray | None) -> IntArray:
    """The category of each cluster from how often it uses each [clusters, categories]; -1 where it uses none.

    Each cluster gets the category it uses most, and each a different one as long as there are enough: those that make
    the most uses right are found as an assignment. With positions the categories are ordinal, and clusters keep their
    order: the mean position of a cluster decides its place. Where that would give a cluster a category that it never
    uses, clusters may share one.
    """
    labels = np.full(len(used), UNKNOWN, dtype=np.int64)
    in_use = np.flatnonzero(used.sum(axis=1) > 0)
    if len(in_use) == 0:
        return labels
    counts = used[in_use]
    if positions is None:
        labels[in_use] = _assigned(counts)
        return labels
    by_position = np.argsort(positions, kind="stable")
    means = counts @ positions / counts.sum(axis=1)
    order = np.argsort(means, kind="stable")
    ranked = counts[np.ix_(order, by_position)]
    labels[in_use[order]] = by_position[_in_order(ranked)]
    return labels


def _assigned(counts: FloatArray) -> IntArray:
    """The most used category of each cluster, different ones where there are enough and each is used."""
    from scipy.optimize import linear_sum_assignment

    wanted: IntArray = counts.argmax(axis=1)
    if len(counts) > counts.shape[1]:
        return wanted
    clusters, categories = linear_sum_assignment(counts, maximize=True)
    given = wanted.copy()
    given[clusters] = categories
    labels: IntArray = np.where(counts[np.arange(len(counts)), given] > 0, given, wanted)
    return labels


def _in_order(counts: FloatArray) -> IntArray:
    """Rising places of the clusters, given in order, that make the most uses right."""
    if len(counts) <= counts.shape[1]:
        strict = _rising(counts, step=1)
        if (counts[np.arange(len(counts)), strict] > 0).all():
            return strict
    return _rising(counts, step=0)


def _rising(counts: FloatArray, step: int) -> IntArray:
    """The places p with p[c+1] >= p[c] + step and the largest sum of counts[c, p[c]], the lowest of several."""
    clusters, categories = counts.shape
    best = np.full((clusters, categories), -np.inf)
    came_from = np.zeros((clusters, categories), dtype=np.int64)
    best[0] = counts[0]
    for cluster in range(1, clusters):
        top, where = -np.inf, 0
        for category in range(categories):
            before = category - step
            if before >= 0 and best[cluster - 1, before] > top:
                top, where = best[cluster - 1, before], before
            best[cluster, category] = top + counts[cluster, category]
            came_from[cluster, category] = where
    places = np.zeros(clusters, dtype=np.int64)
    places[-1] = int(best[-1].argmax())
    for cluster in range(clusters - 1, 0, -1):
        places[cluster - 1] = came_from[cluster, places[cluster]]
    return places
