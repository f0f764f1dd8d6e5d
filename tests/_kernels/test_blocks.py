"""Blocks hold neighbours, and MDAV inside them stays close to MDAV over all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from discreet._kernels.blocks import kd_blocks, mdav_in_blocks
from discreet._kernels.mdav import mdav

Points = NDArray[np.float64]

tables = st.tuples(st.integers(1, 60), st.integers(1, 3)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 5).map(float))
)


@given(points=tables, most=st.integers(1, 20))
def test_blocks_are_at_most_full_and_at_least_half_full(points: Points, most: int) -> None:
    sizes = np.bincount(kd_blocks(points, most))
    assert sizes.max() <= most
    assert len(sizes) == 1 or sizes.min() >= (most + 1) // 2


@given(points=tables, k=st.integers(1, 4), more=st.integers(0, 20))
def test_groups_inside_blocks_have_k_to_2k_minus_1_records(points: Points, k: int, more: int) -> None:
    k = min(k, len(points))
    sizes = np.bincount(mdav_in_blocks(points, k, most=2 * k + more))
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


def factors(count: int) -> Points:
    generator = np.random.default_rng(4)
    points = generator.normal(size=(count, 3)) @ generator.normal(size=(3, 5))
    return np.asarray(points + 0.5 * generator.normal(size=(count, 5)))


def squared_error(points: Points, labels: NDArray[np.int64]) -> float:
    sizes = np.bincount(labels)
    return float(
        sum(((column - (np.bincount(labels, column) / sizes)[labels]) ** 2).sum() for column in points.T)
    )


def test_blocks_cost_little_squared_error() -> None:
    points = factors(8000)
    exact = squared_error(points, mdav(points, 3))
    blocks = squared_error(points, mdav_in_blocks(points, 3, most=1000))
    assert exact < blocks < 1.12 * exact


def test_one_block_is_exact() -> None:
    points = factors(500)
    assert mdav_in_blocks(points, 3, most=500).tolist() == mdav(points, 3).tolist()


def test_the_number_of_threads_does_not_matter() -> None:
    points = factors(5000)
    alone = mdav_in_blocks(points, 3, most=400, threads=1)
    assert mdav_in_blocks(points, 3, most=400, threads=4).tolist() == alone.tolist()


def test_progress_reaches_the_total() -> None:
    told: list[tuple[int, int]] = []
    mdav_in_blocks(factors(900), 3, most=300, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (900, 900)
    assert len(told) == 4


def test_blocks_too_small_for_the_groups_are_refused() -> None:
    with pytest.raises(
        ValueError, match="blocks of at most 9 records can be too small for groups of 5: allow 10"
    ):
        mdav_in_blocks(np.zeros((50, 1)), 5, most=9)
    with pytest.raises(ValueError, match="a block must hold at least 1 record; got 0"):
        kd_blocks(np.zeros((5, 1)), 0)
