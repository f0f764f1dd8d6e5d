"""MDAV forms the groups of its definition, whichever way it searches for them."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from discreet._kernels.clustering import mdav as module
from discreet._kernels.clustering.mdav import mdav

Points = NDArray[np.float64]


def readable_mdav(points: Sequence[Sequence[float]], k: int) -> list[set[int]]:
    """The definition, record by record."""
    left = list(range(len(points)))
    groups: list[set[int]] = []

    def distance(row: int, target: Sequence[float]) -> float:
        total = 0.0
        for value, other in zip(points[row], target, strict=True):
            total += (value - other) ** 2
        return total

    def mean() -> list[float]:
        return [
            math.fsum(points[row][column] for row in left) / len(left) for column in range(len(points[0]))
        ]

    def farthest(target: Sequence[float]) -> int:
        return max(left, key=lambda row: (distance(row, target), -row))

    def take(members: list[int]) -> None:
        groups.append(set(members))
        for row in members:
            left.remove(row)

    def take_around(centre: int) -> None:
        others = [row for row in left if row != centre]
        others.sort(key=lambda row: (distance(row, points[centre]), row))
        take([centre, *others[: k - 1]])

    while len(left) >= 3 * k:
        first = farthest(mean())
        take_around(first)
        take_around(farthest(points[first]))
    if len(left) >= 2 * k:
        take_around(farthest(mean()))
    take(left.copy())
    return groups


def groups_of(labels: NDArray[np.int64]) -> list[set[int]]:
    return [set(np.flatnonzero(labels == group).tolist()) for group in range(labels.max() + 1)]


def in_every_way(points: Points, k: int) -> list[NDArray[np.int64]]:
    """The partition by plain NumPy, by boxes, and by boxes that are made anew again and again."""
    found = []
    for seconds, few in ((np.inf, 0), (-1.0, 1024), (-1.0, 0)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "SECONDS_TO_LOAD", seconds)
            patch.setattr(module, "FEW", few)
            if seconds > 0:
                patch.setattr(module, "advance", NeverLoaded())
            found.append(mdav(points, k))
    return found


class NeverLoaded:
    is_loaded = False


# Whole numbers give many ties, single precision gives sums without rounding error.
tables = st.tuples(st.integers(1, 40), st.integers(1, 4)).flatmap(
    lambda shape: st.one_of(
        arrays(np.float64, shape, elements=st.integers(0, 3).map(float)),
        arrays(np.float64, shape, elements=st.integers(-1000, 1000).map(float)),
        arrays(np.float64, shape, elements=st.floats(-100, 100, width=16)),
    )
)


@given(points=tables, k=st.integers(1, 6), constant=st.booleans())
def test_mdav_forms_the_groups_of_its_definition(points: Points, k: int, constant: bool) -> None:
    if constant:
        points[:, 0] = 7.0
    k = min(k, len(points))
    expected = readable_mdav(points.tolist(), k)
    for labels in in_every_way(points, k):
        assert groups_of(labels) == expected


@given(points=tables, k=st.integers(1, 12))
def test_mdav_groups_have_k_to_2k_minus_1_records(points: Points, k: int) -> None:
    k = min(k, len(points))
    sizes = np.bincount(mdav(points, k))
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


def mixture(kind: str, count: int, columns: int, seed: int = 5) -> Points:
    generator = np.random.default_rng(seed)
    factors = generator.normal(size=(count, 3)) @ generator.normal(size=(3, columns))
    points = factors + 0.5 * generator.normal(size=(count, columns))
    if kind == "skew":
        points = np.exp(points)
    elif kind == "rounded":
        points = np.round(points)
    elif kind == "isotropic":
        points = generator.normal(size=(count, columns))
    return np.asarray((points - points.mean(axis=0)) / points.std(axis=0))


@pytest.mark.parametrize("kind", ["factors", "skew", "rounded", "isotropic"])
@pytest.mark.parametrize(
    ("count", "columns", "k"), [(3000, 7, 3), (2500, 2, 5), (1500, 13, 10), (4000, 1, 4), (2000, 3, 100)]
)
def test_every_way_of_searching_forms_the_same_groups(kind: str, count: int, columns: int, k: int) -> None:
    plain, *others = in_every_way(mixture(kind, count, columns), k)
    for labels in others:
        assert labels.tolist() == plain.tolist()


@pytest.mark.parametrize("factor", [1e-290, 1e290])
def test_the_size_of_numbers_does_not_matter(factor: float) -> None:
    points = mixture("factors", 300, 3)
    power_of_two = 2.0 ** round(math.log2(factor))
    assert mdav(points * power_of_two, 3).tolist() == mdav(points, 3).tolist()


@given(seed=st.integers(0, 2**32), k=st.integers(2, 9), count=st.integers(30, 200))
def test_the_order_of_rows_does_not_matter_without_ties(seed: int, k: int, count: int) -> None:
    generator = np.random.default_rng(seed)
    points = generator.normal(size=(count, 4))
    order = generator.permutation(count)
    labels = mdav(points, k)
    assert mdav(points[order], k).tolist() == labels[order].tolist()


def test_the_number_of_threads_does_not_matter() -> None:
    tables = [mixture("factors", 3000, 5, seed) for seed in range(6)]
    alone = [mdav(points, 3).tolist() for points in tables]
    with ThreadPoolExecutor(3) as pool:
        together = [labels.tolist() for labels in pool.map(lambda points: mdav(points, 3), tables)]
    assert together == alone


@pytest.mark.parametrize("seconds", [-1.0, np.inf])
def test_progress_ends_near_the_total_and_never_goes_back(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECONDS_TO_LOAD", seconds)
    monkeypatch.setattr(module, "LEAST_STEP", 1)
    told: list[tuple[int, int]] = []
    mdav(mixture("factors", 2000, 3), 3, lambda done, total: told.append((done, total)))
    done = [done for done, _ in told]
    assert {total for _, total in told} == {2000}
    assert done == sorted(set(done))
    assert 1900 < done[-1] <= 2000
    assert 20 <= len(done) <= 100


@pytest.mark.parametrize(
    ("points", "k", "message"),
    [
        (np.zeros((2, 1)), 3, "groups of 3 cannot be made of 2 records"),
        (np.zeros((2, 1)), 0, "groups of 0 cannot be made of 2 records"),
        (np.array([[np.nan], [0.0]]), 1, "must be finite"),
        (np.zeros((4, 0)), 2, "points must have rows and columns"),
        (np.zeros(4), 2, "points must have rows and columns"),
    ],
)
def test_what_cannot_be_grouped_is_refused(points: Points, k: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mdav(points, k)


def standardised(file: Path, first: str | None = None, last: str | None = None) -> Points:
    with file.open(newline="") as lines:
        header, *records = list(csv.reader(lines))
    start = header.index(first) if first else 0
    end = header.index(last) + 1 if last else len(header)
    points = np.array([record[start:end] for record in records], dtype=np.float64)
    return np.asarray((points - points.mean(axis=0)) / points.std(axis=0))


def information_loss(points: Points, labels: NDArray[np.int64]) -> float:
    sizes = np.bincount(labels)
    masked = np.empty_like(points)
    for column in range(points.shape[1]):
        means = np.bincount(labels, weights=points[:, column]) / sizes
        masked[:, column] = means[labels]
    return float(100 * ((points - masked) ** 2).sum() / ((points - points.mean(axis=0)) ** 2).sum())


@pytest.mark.parametrize(
    ("file", "first", "last", "k", "loss"),
    [
        ("census.csv", None, None, 3, 5.6922),
        ("census.csv", None, None, 5, 9.0884),
        ("census.csv", None, None, 10, 14.1559),
        ("eia.csv", "RESREVENUE", "TOTSALES", 3, 0.5919),
        ("eia.csv", "RESREVENUE", "TOTSALES", 5, 1.5877),
        ("eia.csv", "RESREVENUE", "TOTSALES", 10, 3.2699),
    ],
)
def test_the_published_information_loss_is_reproduced(
    reference_data: Path, file: str, first: str | None, last: str | None, k: int, loss: float
) -> None:
    points = standardised(reference_data / file, first, last)
    assert round(information_loss(points, mdav(points, k)), 4) == loss


def test_worked_examples_come_out_as_by_hand() -> None:
    people = np.array(
        [[23, 25000], [18, 10000], [58, 12000], [46, 30000], [18, 10000], [23, 14000]], dtype=float
    )
    assert sorted(map(sorted, groups_of(mdav(people, 2)))) == [[0, 3], [1, 4], [2, 5]]
    first = [1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 8, 8, 9, 9, 9]
    second = [1, 2, 3, 9, 6, 1, 6, 7, 8, 8, 1, 9, 3, 4, 9]
    fifteen = np.column_stack([first, second]).astype(np.float64)
    expected = [[0, 1, 2], [3, 4, 7], [5, 6, 8], [9, 11, 14], [10, 12, 13]]
    assert sorted(map(sorted, groups_of(mdav(fifteen, 3)))) == expected
    standard = (fifteen - fifteen.mean(axis=0)) / fifteen.std(axis=0)
    assert sorted(map(sorted, groups_of(mdav(standard, 3)))) == expected
