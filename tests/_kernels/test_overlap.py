"""The sweep of a line finds the most blocks that hold at once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.overlap import best_overlap


def holding(values: Floats, slopes: Floats, owner: Ints, blocks: int, t: float) -> int:
    fails = set(owner[~(values + t * slopes > 0)].tolist())
    return blocks - len(fails)


@given(seed=st.integers(0, 10**6), coarse=st.booleans())
def test_no_point_of_the_line_holds_more_blocks(seed: int, coarse: bool) -> None:
    random = np.random.default_rng(seed)
    values, slopes = random.normal(size=(2, 20))
    if coarse:
        values, slopes = np.round(values), np.round(slopes)
    owner = random.integers(0, 6, size=20)
    best, left, right = best_overlap(values, slopes, owner, 7, -3.0, 3.0)
    assert -3.0 <= left < right <= 3.0 or best == 0
    assert holding(values, slopes, owner, 7, (left + right) / 2) == best
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = -values / slopes
    ends = np.sort(np.concatenate([[-3.0, 3.0], ends[np.isfinite(ends) & (np.abs(ends) < 3)]]))
    middles = (ends[1:] + ends[:-1]) / 2
    assert best == max(holding(values, slopes, owner, 7, float(t)) for t in middles)


def test_a_line_without_a_block_that_can_hold_gives_none() -> None:
    best, _, _ = best_overlap(np.array([-1.0]), np.array([0.0]), np.array([0]), 1, -1.0, 1.0)
    assert best == 0
