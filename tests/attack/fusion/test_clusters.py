"""Distances, the cut of a dendrogram and the labels of clusters, on examples that can be checked by hand."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.clustering.agglomerate import agglomerate
from discreet.attack.fusion.clusters import agreed, cut_by_agreement, cut_into
from discreet.attack.fusion.distances import differences, distances
from discreet.attack.fusion.labels import label_clusters

CODES = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-1, 2), min_size=width, max_size=width), min_size=1, max_size=8
    )
)
COUNTS = st.integers(1, 4).flatmap(
    lambda clusters: st.lists(
        st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=clusters, max_size=clusters
    )
)
POSITIONS = np.array([0.1, 0.3, 0.6, 0.9])


@given(CODES, st.sampled_from(["published", "plain", "nominal"]))
def test_distances_average_over_the_releases_that_know_both(rows: list[list[int]], form: str) -> None:
    codes = np.array(rows)
    places = [0.2, 0.5, 0.8]

    def differ(one: int, other: int) -> float:
        if form == "nominal":
            return float(one != other)
        if form == "plain":
            return (places[one] - places[other]) ** 2
        return abs(places[one] / (1 + places[one]) - places[other] / (1 + places[other])) / 2

    matrix = differences(
        None if form == "nominal" else np.array(places), 3, "plain" if form == "plain" else "published"
    )
    found = distances(codes, [matrix] * codes.shape[1], range(codes.shape[1]))
    assert (np.diag(found) == 0).all()
    for one, other in combinations(range(len(rows)), 2):
        both = [(a, b) for a, b in zip(rows[one], rows[other], strict=True) if a >= 0 and b >= 0]
        across = [(a, b) for a in rows[one] for b in rows[other] if a >= 0 and b >= 0]
        if both or across:
            pairs = both or across
            expected = np.sqrt(sum(differ(a, b) for a, b in pairs) / len(pairs))
        else:
            expected = np.sqrt(matrix.max())
        assert found[one, other] == pytest.approx(expected)
        assert found[other, one] == pytest.approx(expected)


@given(CODES)
def test_agreed_is_what_all_say_who_say_anything(rows: list[list[int]]) -> None:
    for row, found in zip(rows, agreed(np.array(rows)), strict=True):
        said = {code for code in row if code >= 0}
        assert found == (said.pop() if len(said) == 1 else -1)


@given(st.integers(0, 5000), st.integers(2, 10), st.integers(1, 5))
def test_agreed_values_never_share_a_cluster_and_clusters_follow_the_dendrogram(
    seed: int, points: int, clusters: int
) -> None:
    rng = np.random.default_rng(seed)
    places = rng.normal(size=points)
    agreement = rng.integers(-1, 3, points)
    merges = agglomerate(np.abs(places[:, None] - places), np.ones(points, dtype=np.int64), "complete")
    found = cut_by_agreement(merges, agreement, clusters)
    for one, other in combinations(range(points), 2):
        if found[one] == found[other]:
            assert agreement[one] == agreement[other] or -1 in (agreement[one], agreement[other])
    branches = [frozenset([point]) for point in range(points)]
    for size in range(points - 1, 0, -1):
        cut = cut_into(merges, points, size)
        branches += [frozenset(np.flatnonzero(cut == each).tolist()) for each in range(size)]
    for each in range(found.max() + 1):
        assert frozenset(np.flatnonzero(found == each).tolist()) in branches
    assert found.max() + 1 >= min(clusters, points)


def test_a_merge_of_two_agreed_values_closes_the_branch_above() -> None:
    """0 and 1 agree on different values and are near; 2 is nearer to them than to 3, but may not join either."""
    places = np.array([0.0, 1.0, 2.5, 9.0])
    merges = agglomerate(np.abs(places[:, None] - places), np.ones(4, dtype=np.int64), "complete")
    assert cut_by_agreement(merges, np.array([0, 1, -1, -1]), 1).tolist() == [0, 1, 2, 3]
    assert cut_into(merges, 4, 2).tolist() == [0, 0, 0, 1]


@given(COUNTS)
def test_nominal_clusters_get_the_different_labels_that_make_most_right(rows: list[list[int]]) -> None:
    used = np.array(rows, dtype=np.float64)
    labels = label_clusters(used, None)
    told = np.flatnonzero(used.sum(axis=1) > 0)
    assert (labels[used.sum(axis=1) == 0] == -1).all()
    if len(told) == 0:
        return
    best = max(
        sum(used[c, k] for c, k in zip(told, choice, strict=True))
        for choice in permutations(range(4), len(told))
    )
    right = sum(used[c, labels[c]] for c in told)
    assert right >= best
    assert all(used[c, labels[c]] > 0 for c in told)
    if right == best:
        assert right <= used[told].max(axis=1).sum()


@given(COUNTS)
def test_ordinal_clusters_keep_the_order_of_their_mean_positions(rows: list[list[int]]) -> None:
    used = np.array(rows, dtype=np.float64)
    labels = label_clusters(used, POSITIONS)
    told = np.flatnonzero(used.sum(axis=1) > 0)
    if len(told) == 0:
        return
    means = used[told] @ POSITIONS / used[told].sum(axis=1)
    order = told[np.argsort(means, kind="stable")]
    given_labels = labels[order].tolist()
    assert given_labels == sorted(given_labels)

    def right(choice: tuple[int, ...]) -> float:
        return float(sum(used[c, k] for c, k in zip(order, choice, strict=True)))

    strict = [
        c
        for c in combinations(range(4), len(told))
        if right(c) == max(map(right, combinations(range(4), len(told))))
    ]
    if all(used[c, k] > 0 for c, k in zip(order, strict[0], strict=True)) and len(strict) == 1:
        assert given_labels == list(strict[0])
    elif len(set(given_labels)) < len(given_labels):
        assert right(tuple(given_labels)) == max(
            map(right, combinations_with_replacement(range(4), len(told)))
        )


def test_more_clusters_than_categories_share_them() -> None:
    used = np.array([[5.0, 0.0], [4.0, 1.0], [0.0, 3.0]])
    assert label_clusters(used, None).tolist() == [0, 0, 1]
    assert label_clusters(used, np.array([0.2, 0.8])).tolist() == [0, 0, 1]
