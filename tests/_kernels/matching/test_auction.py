"""Pairing by auction, beside the pairing of greatest weight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.matching import auction as kernels
from discreet._kernels.matching.auction import auction, bid_for_a_while
from discreet._kernels.matching.pairing import BestPairs, assign


def listed(seed: int, count: int, others: int, most: int) -> BestPairs:
    """Up to so many pairs of each record, their weights a few numbers above zero, so that many are alike."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, min(most, others) + 1, count)
    indices = np.concatenate([rng.permutation(others)[:size] for size in sizes])
    weights = 1.25 * rng.integers(1, 6, len(indices)).astype(np.float64)
    return BestPairs(
        np.concatenate([[0], np.cumsum(sizes)]), indices, weights, np.ones(count, dtype=np.bool_)
    )


def total(pairs: BestPairs, partner: Ints) -> float:
    """The weight of a pairing; raises where a pair is not among those listed, or somebody is taken twice."""
    taken = partner[partner >= 0]
    assert len(np.unique(taken)) == len(taken)
    weight = 0.0
    for record in np.flatnonzero(partner >= 0):
        here = slice(pairs.indptr[record], pairs.indptr[record + 1])
        weight += dict(zip(pairs.indices[here].tolist(), pairs.weights[here], strict=True))[partner[record]]
    return weight


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("step", [0.05, 0.0001])
def test_the_total_falls_short_by_less_than_a_step_for_each_record(seed: int, step: float) -> None:
    count, others = 20 + 3 * seed, 45 - 3 * seed
    pairs = listed(seed, count, others, 6)
    found = total(pairs, auction(pairs, others, step=step))
    best = total(pairs, assign(pairs, others))
    assert best - count * step * pairs.weights.max() < found <= best + 1e-9


def test_a_small_step_finds_the_greatest_total_where_weights_are_far_apart() -> None:
    for seed in range(20):
        pairs = listed(seed, 60, 50, 8)
        assert total(pairs, auction(pairs, 50)) == pytest.approx(total(pairs, assign(pairs, 50)))


def test_machine_code_and_plain_python_bid_alike() -> None:
    pairs = listed(3, 40, 30, 6)
    partners: list[Ints] = []
    prices: list[Floats] = []
    for way in (bid_for_a_while.machine_code(), bid_for_a_while.plain):
        prices.append(np.zeros(30))
        partners.append(np.full(40, -1))
        state = partners[-1], np.full(30, -1), np.arange(39, -1, -1)
        assert way(pairs.indptr, pairs.indices, pairs.weights, 0.01, prices[-1], *state, 40, 10_000) == 0
    np.testing.assert_array_equal(partners[0], partners[1])
    np.testing.assert_array_equal(prices[0], prices[1])


@pytest.mark.parametrize("bids", [1, 7, 100])
def test_bidding_is_left_now_and_then_and_goes_on_as_if_it_had_not(
    bids: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = listed(4, 60, 40, 8)
    at_once = auction(pairs, 40)
    rounds: list[int] = []

    def counted(*given: Any) -> int:
        rounds.append(given[-1])
        return bid_for_a_while(*given)

    monkeypatch.setattr(kernels, "BIDS_AT_ONCE", bids)
    monkeypatch.setattr(kernels, "bid_for_a_while", counted)
    np.testing.assert_array_equal(auction(pairs, 40), at_once)
    assert set(rounds) == {bids}
    assert len(rounds) >= 60 / bids


def test_what_gains_no_more_than_the_floor_cannot_be_listed() -> None:
    pairs = listed(1, 10, 10, 4)
    with pytest.raises(ValueError, match="at or below the floor"):
        auction(pairs, 10, floor=1.25)
    with pytest.raises(ValueError, match="step must be above 0"):
        auction(pairs, 10, step=0)


def test_nobody_to_bid_for_leaves_everyone_alone() -> None:
    nothing = BestPairs(np.zeros(4, np.int64), np.zeros(0, np.int64), np.zeros(0), np.ones(3, np.bool_))
    assert auction(nothing, 0).tolist() == [-1, -1, -1]
