"""Adaptive MDAV keeps copies together, reaches k, and forms the groups of its definition."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from discreet._kernels.clustering import adaptive
from discreet._kernels.clustering.adaptive import adaptive_mdav

Points = NDArray[np.float64]
Weights = NDArray[np.int64]


def readable_adaptive_mdav(points: Sequence[Sequence[float]], weights: Sequence[int], k: int) -> list[int]:
    """The definition, tuple by tuple."""
    left = list(range(len(points)))
    groups: list[list[int]] = []

    def distance(one: Sequence[float], other: Sequence[float]) -> float:
        total = 0.0
        for a, b in zip(one, other, strict=True):
            total += (a - b) ** 2
        return total

    def centroid(rows: list[int]) -> list[float]:
        records = sum(weights[row] for row in rows)
        columns = range(len(points[0]))
        return [math.fsum(weights[row] * points[row][column] for row in rows) / records for column in columns]

    def records(rows: list[int]) -> int:
        return sum(weights[row] for row in rows)

    def grow(seed: int) -> None:
        group = [seed]
        left.remove(seed)
        while records(group) < k:
            centre = centroid(group)
            nearest = min(left, key=lambda row: (distance(points[row], centre), row))
            group.append(nearest)
            left.remove(nearest)
        groups.append(group)

    while records(left) >= k:
        centre = centroid(left)
        seed = max(left, key=lambda row: (distance(points[row], centre), -row))
        grow(seed)
        if records(left) >= k:
            grow(max(left, key=lambda row: (distance(points[row], points[seed]), -row)))
    centres = [centroid(group) for group in groups]
    for row in left:
        gaps = [distance(points[row], centre) for centre in centres]
        groups[gaps.index(min(gaps))].append(row)
    return [next(label for label, group in enumerate(groups) if row in group) for row in range(len(points))]


tables = st.tuples(st.integers(1, 25), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(
        st.one_of(
            arrays(np.float64, shape, elements=st.integers(0, 4).map(float)),
            arrays(np.float64, shape, elements=st.floats(-100, 100, width=16)),
        ),
        arrays(np.int64, shape[0], elements=st.integers(1, 6)),
    )
)


def in_every_way(points: Points, weights: Weights, k: int) -> list[Weights]:
    """The groups by plain NumPy, by boxes, and by boxes that are made anew again and again."""
    found = []
    for seconds, few in ((np.inf, 0), (-1.0, 1024), (-1.0, 0)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(adaptive, "SECONDS_TO_LOAD", seconds)
            patch.setattr(adaptive, "FEW", few)
            if seconds > 0:
                patch.setattr(adaptive, "grow_groups", NeverLoaded())
            found.append(adaptive_mdav(points, weights, k))
    return found


class NeverLoaded:
    is_loaded = False


@given(table=tables, k=st.integers(1, 12))
def test_adaptive_mdav_forms_the_groups_of_its_definition(table: tuple[Points, Weights], k: int) -> None:
    points, weights = table
    k = min(k, int(weights.sum()))
    expected = readable_adaptive_mdav(points.tolist(), weights.tolist(), k)
    for labels in in_every_way(points, weights, k):
        assert labels.tolist() == expected


@given(table=tables, k=st.integers(1, 12))
def test_adaptive_mdav_groups_have_at_least_k_records(table: tuple[Points, Weights], k: int) -> None:
    points, weights = table
    k = min(k, int(weights.sum()))
    assert np.bincount(adaptive_mdav(points, weights, k), weights=weights).min() >= k


def test_every_way_of_searching_forms_the_same_groups() -> None:
    generator = np.random.default_rng(8)
    points = np.exp(generator.normal(size=(2500, 4)))
    weights = generator.geometric(0.4, size=2500)
    plain, *others = in_every_way(points, weights, 7)
    for labels in others:
        assert labels.tolist() == plain.tolist()


def test_a_frequent_tuple_is_a_group_of_its_own() -> None:
    points = np.array([[0.0], [0.1], [5.0], [10.0]])
    labels = adaptive_mdav(points, np.array([2, 1, 7, 3]), 3)
    assert labels.tolist() == [0, 0, 2, 1]


@pytest.mark.parametrize(
    ("weights", "k", "message"),
    [
        ([1, 1], 3, "groups of 3 cannot be made of 2 records"),
        ([1, 0], 1, "weight of at least 1"),
        ([1], 1, "weight"),
    ],
)
def test_what_cannot_be_grouped_is_refused(weights: list[int], k: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        adaptive_mdav(np.zeros((2, 1)), np.array(weights), k)
