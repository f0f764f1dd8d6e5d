"""The sweep of a line finds the most blocks that hold at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.learned.overlap import best_overlap


def holding(values: Floats, slopes: Floats, owner: Ints, weights: Floats, t: float) -> float:
    fails = list(set(owner[~(values + t * slopes > 0)].tolist()))
    return float(weights.sum() - weights[fails].sum())


@given(seed=st.integers(0, 10**6), coarse=st.booleans(), equal=st.booleans())
def test_no_point_of_the_line_holds_more_blocks(seed: int, coarse: bool, equal: bool) -> None:
    random = np.random.default_rng(seed)
    values, slopes = random.normal(size=(2, 20))
    if coarse:
        values, slopes = np.round(values), np.round(slopes)
    owner = random.integers(0, 6, size=20)
    weights = np.ones(7) if equal else 1 / random.integers(1, 4, size=7)
    best, left, right = best_overlap(values, slopes, owner, weights, -3.0, 3.0)
    assert -3.0 <= left < right <= 3.0 or best == 0
    assert holding(values, slopes, owner, weights, (left + right) / 2) == pytest.approx(best)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = -values / slopes
    ends = np.sort(np.concatenate([[-3.0, 3.0], ends[np.isfinite(ends) & (np.abs(ends) < 3)]]))
    middles = (ends[1:] + ends[:-1]) / 2
    assert best == pytest.approx(max(holding(values, slopes, owner, weights, float(t)) for t in middles))


def test_a_line_without_a_block_that_can_hold_gives_none() -> None:
    best, _, _ = best_overlap(np.array([-1.0]), np.array([0.0]), np.array([0]), np.ones(1), -1.0, 1.0)
    assert best == 0
