"""Where to cut a dendrogram so that each cluster can stand for one category."""

from __future__ import annotations

import numpy as np

from discreet._kernels.clustering.agglomerate import Merges
from discreet.attack.fusion.distances import UNKNOWN
from discreet.table import IntArray


def agreed(codes: IntArray) -> IntArray:
    """For each record the code that all releases which know it agree on; -1 where they do not, or none does."""
    highest = codes.max(axis=1, initial=UNKNOWN)
    filled = np.where(codes == UNKNOWN, highest[:, None], codes)
    same = (filled == highest[:, None]).all(axis=1)
    return np.where(same, highest, UNKNOWN)


def cut_into(merges: Merges, points: int, clusters: int) -> IntArray:
    """The cluster of each point when the dendrogram is cut into so many clusters."""
    return cut_by_agreement(merges, np.full(points, UNKNOWN), clusters)


def cut_by_agreement(merges: Merges, agreement: IntArray, clusters: int) -> IntArray:
    """The cluster of each point, as near to so many clusters as two conditions allow (Valls, Torra, Domingo-Ferrer).

    (i) Points on whose value all releases agree are in different clusters where the values differ; (ii) clusters
    follow the dendrogram. So the dendrogram is climbed from the bottom, and a merge that would bring two agreed
    values together is left out with everything above it. Where no such merge is met, this is the usual cut.
    """
    forest = _Forest(agreement)
    for one, other in zip(merges.one.tolist(), merges.other.tolist(), strict=True):
        if forest.trees <= clusters:
            break
        if forest.may_join(one, other):
            forest.join(one, other)
    return forest.clusters()


class _Forest:
    """Points joined into trees, each with the value that its agreed points have."""

    def __init__(self, agreement: IntArray) -> None:
        self.parent = list(range(len(agreement)))
        self.value = agreement.tolist()
        self.blocked = [False] * len(agreement)
        self.trees = len(agreement)

    def root(self, point: int) -> int:
        while self.parent[point] != point:
            self.parent[point] = self.parent[self.parent[point]]
            point = self.parent[point]
        return point

    def may_join(self, one: int, other: int) -> bool:
        """Whether the trees of both points hold no two different agreed values; a branch that may not is closed."""
        left, right = self.root(one), self.root(other)
        values = {self.value[left], self.value[right]} - {UNKNOWN}
        allowed = len(values) < 2 and not self.blocked[left] and not self.blocked[right]
        if not allowed:
            # A merge above this one holds both values too, so neither side may grow along the dendrogram.
            self.blocked[left] = self.blocked[right] = True
        return allowed

    def join(self, one: int, other: int) -> None:
        left, right = self.root(one), self.root(other)
        self.parent[right] = left
        self.value[left] = max(self.value[left], self.value[right])
        self.trees -= 1

    def clusters(self) -> IntArray:
        """The number of each point's tree, in the order in which they first appear."""
        roots = [self.root(point) for point in range(len(self.parent))]
        number = {root: place for place, root in enumerate(dict.fromkeys(roots))}
        return np.array([number[root] for root in roots], dtype=np.int64)
