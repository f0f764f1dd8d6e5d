"""The rivals that are kept are exactly those that no other rival beats."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.arrays import Floats
from discreet._kernels.learned.pareto import minimal_rivals


def costs_of(left: Floats, right: Floats, i: int, ordered: bool, blur: float) -> Floats:
    off = np.full((len(right), 1), -blur)
    off[i] = blur
    costs = np.maximum(np.abs(left[i] - right) + off, 0.0) ** 2
    return -np.sort(-costs, axis=1) if ordered else costs


def beats(one: Floats, other: Floats) -> bool:
    return bool((one <= other).all())


@pytest.mark.parametrize("ordered", [False, True])
@given(seed=st.integers(0, 10**6), coarse=st.booleans(), blur=st.sampled_from([0.0, 1e-12, 0.1]))
def test_kept_rivals_beat_all_dropped_ones_and_none_of_each_other(
    ordered: bool, seed: int, coarse: bool, blur: float
) -> None:
    random = np.random.default_rng(seed)
    left, right = random.normal(size=(2, 12, 3))
    if coarse:
        left, right = np.round(left), np.round(right)
    start, rivals, lost, never = minimal_rivals(left, right, np.arange(12), ordered, blur, np.arange(12))
    for i in range(12):
        costs = costs_of(left, right, i, ordered, blur)
        kept = rivals[start[i] : start[i + 1]]
        others = [j for j in range(12) if j != i]
        assert lost[i] == any(beats(costs[j], costs[i]) for j in others)
        roots = np.sqrt(costs)
        assert never[i] == any(
            (roots[j] + 4 * blur < roots[i]).all() for j in others if beats(costs[j], costs[i])
        )
        if lost[i]:
            assert len(kept) == 0
            continue
        assert i not in kept
        for j in others:
            assert any(beats(costs[k], costs[j]) for k in kept)
        for one in kept:
            assert not any(beats(costs[two], costs[one]) for two in kept if two != one)


def test_blocks_can_be_asked_for_one_by_one() -> None:
    random = np.random.default_rng(1)
    left, right = random.normal(size=(2, 30, 3))
    start, rivals, lost, never = minimal_rivals(left, right, np.arange(30), False, 0.0, np.arange(30))
    for i in range(30):
        _, own, alone, far = minimal_rivals(left, right, np.array([i]), False, 0.0, np.arange(30))
        assert own.tolist() == rivals[start[i] : start[i + 1]].tolist()
        assert (alone[0], far[0]) == (lost[i], never[i])


def test_a_row_can_be_the_own_row_of_several() -> None:
    left = np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]])
    right = np.array([[0.5, 0.0], [5.0, 4.0]])
    start, rivals, lost, _ = minimal_rivals(left, right, np.arange(3), False, 0.0, np.array([0, 0, 1]))
    assert not lost.any()
    assert np.diff(start).tolist() == [1, 1, 1]
    assert rivals.tolist() == [1, 1, 0]
