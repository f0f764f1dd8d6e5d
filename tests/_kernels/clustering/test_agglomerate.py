"""Clustering of points with sizes, against scipy on every record."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform

from discreet._kernels.clustering.agglomerate import Linkage, Merges, agglomerate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LINKAGES: tuple[Linkage, ...] = ("single", "average", "complete", "ward")


def cut(merges: Merges, points: int, clusters: int) -> list[int]:
    parent = list(range(points))

    def root(point: int) -> int:
        return point if parent[point] == point else root(parent[point])

    for one, other in list(zip(merges.one.tolist(), merges.other.tolist(), strict=True))[: points - clusters]:
        parent[root(other)] = root(one)
    return [root(point) for point in range(points)]


def same_partition(one: list[int], other: list[int]) -> bool:
    return len(set(one)) == len(set(other)) == len(set(zip(one, other, strict=True)))


@pytest.mark.parametrize("method", LINKAGES)
@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), points=st.integers(1, 12))
def test_sizes_stand_for_equal_records(method: Linkage, seed: int, points: int) -> None:
    """The dendrogram of points with sizes is that of all records without the merges at height zero."""
    rng = np.random.default_rng(seed)
    places = rng.normal(size=(points, 3))
    sizes = rng.integers(1, 5, points)
    found = agglomerate(squareform(pdist(places)), sizes, method)
    records = np.repeat(np.arange(points), sizes)
    if len(records) < 2:
        assert len(found.height) == 0
        return
    expected = linkage(pdist(places[records]), method)
    heights = expected[expected[:, 2] > 1e-12, 2]
    assert found.height == pytest.approx(heights, rel=1e-9)
    for clusters in range(1, points + 1):
        theirs = fcluster(expected, clusters, "maxclust")
        mine = np.array(cut(found, points, clusters))[records]
        assert same_partition(mine.tolist(), theirs.tolist())


def apart(one: list[int], other: list[int], distances: Floats, sizes: Ints, method: Linkage) -> float:
    """The distance of two clusters by its definition."""
    between = distances[np.ix_(one, other)]
    if method in ("single", "complete"):
        return float(between.min() if method == "single" else between.max())
    if method == "average":
        return float(np.average(between, weights=np.outer(sizes[one], sizes[other])))

    def squares(members: list[int]) -> float:
        inside = distances[np.ix_(members, members)] ** 2
        return float((inside * np.outer(sizes[members], sizes[members])).sum() / (2 * sizes[members].sum()))

    return float(np.sqrt(max(0.0, 2 * (squares(one + other) - squares(one) - squares(other)))))


@pytest.mark.parametrize("method", LINKAGES)
@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), points=st.integers(2, 9), values=st.sampled_from([2, 3, 1000]))
def test_every_merge_joins_two_of_the_nearest_clusters_ties_included(
    method: Linkage, seed: int, points: int, values: int
) -> None:
    rng = np.random.default_rng(seed)
    places = rng.integers(0, values, (points, 2)).astype(np.float64)
    distances, sizes = squareform(pdist(places)), rng.integers(1, 4, points)
    found = agglomerate(distances, sizes, method)
    clusters = {point: [point] for point in range(points)}
    for one, other, height in zip(
        found.one.tolist(), found.other.tolist(), found.height.tolist(), strict=True
    ):
        names = [
            next(name for name, members in clusters.items() if point in members) for point in (one, other)
        ]
        nearest = min(
            apart(clusters[a], clusters[b], distances, sizes, method) for a, b in combinations(clusters, 2)
        )
        joined = apart(clusters[names[0]], clusters[names[1]], distances, sizes, method)
        assert joined == pytest.approx(nearest, abs=1e-6)
        assert joined == pytest.approx(height, abs=1e-6)
        clusters[names[0]] += clusters.pop(names[1])


@pytest.mark.parametrize("method", LINKAGES)
def test_heights_rise(method: Linkage) -> None:
    rng = np.random.default_rng(5)
    values = rng.integers(0, 4, (60, 3)).astype(np.float64)
    found = agglomerate(squareform(pdist(values)), np.ones(60, dtype=np.int64), method)
    assert (np.diff(found.height) >= 0).all()


def test_the_distances_are_left_as_they_were() -> None:
    distances = np.array([[0.0, 1.0], [1.0, 0.0]])
    agglomerate(distances, np.array([1, 1]), "ward")
    assert distances.tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_other_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="square matrix"):
        agglomerate(np.zeros((2, 3)), np.array([1, 1]), "single")
