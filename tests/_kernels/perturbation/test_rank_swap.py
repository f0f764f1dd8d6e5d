"""Rank swapping pairs positions as its definition says: checked against every possible outcome of small files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chisquare

from discreet._kernels.perturbation import rank_swap
from discreet._kernels.perturbation.rank_swap import (
    bucket_swap_pairs,
    distribution_swap_pairs,
    order_with_random_ties,
    rank_swap_pairs,
)

Pairs = Callable[[int, int, np.random.Generator], NDArray[np.int64]]
Outcome = tuple[int, ...]
WAYS: list[Pairs] = [rank_swap_pairs, bucket_swap_pairs, distribution_swap_pairs]

counts = st.integers(0, 60)
reaches = st.integers(1, 70)
seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("pairs", WAYS)
@given(count=counts, reach=reaches, seed=seeds)
def test_partners_are_mutual(pairs: Pairs, count: int, reach: int, seed: int) -> None:
    partners = pairs(count, reach, np.random.default_rng(seed))
    assert partners[partners].tolist() == list(range(count))


@pytest.mark.parametrize("pairs", WAYS)
@given(count=counts, reach=reaches, seed=seeds)
def test_compiled_and_plain_swaps_are_the_same(pairs: Pairs, count: int, reach: int, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank_swap, "_runs_plain", lambda kernel, count: True)
        plain = pairs(count, reach, np.random.default_rng(seed))
        patch.setattr(rank_swap, "_runs_plain", lambda kernel, count: False)
        compiled = pairs(count, reach, np.random.default_rng(seed))
    assert plain.tolist() == compiled.tolist()


@given(count=counts, window=reaches, seed=seeds)
def test_rank_swap_never_leaves_the_window(count: int, window: int, seed: int) -> None:
    partners = rank_swap_pairs(count, window, np.random.default_rng(seed))
    assert (np.abs(partners - np.arange(count)) <= window).all()


@given(count=counts, window=reaches, seed=seeds)
def test_a_position_stays_only_where_all_of_its_window_is_used(count: int, window: int, seed: int) -> None:
    partners = rank_swap_pairs(count, window, np.random.default_rng(seed))
    for stayed in np.flatnonzero(partners == np.arange(count)):
        assert (partners[stayed + 1 : stayed + window + 1] < stayed).all()


@given(count=counts, spread=reaches, seed=seeds)
def test_at_most_one_position_stays_when_partners_are_the_nearest_free(
    count: int, spread: int, seed: int
) -> None:
    partners = distribution_swap_pairs(count, spread, np.random.default_rng(seed))
    assert np.count_nonzero(partners == np.arange(count)) == count % 2


@pytest.mark.parametrize("pairs", WAYS)
def test_impossible_counts_and_reaches_are_refused(pairs: Pairs) -> None:
    with pytest.raises(ValueError, match="cannot swap 5 positions within 0"):
        pairs(5, 0, np.random.default_rng(0))


def rank_swap_outcomes(count: int, window: int) -> Iterator[tuple[Outcome, float]]:
    """Every outcome of rank swapping with its probability, by following each choice."""

    def follow(position: int, partners: list[int], chance: float) -> Iterator[tuple[Outcome, float]]:
        if position == count:
            yield tuple(partners), chance
            return
        later = range(position + 1, min(count, position + window + 1))
        free = [other for other in later if partners[other] == other]
        if partners[position] != position or not free:
            yield from follow(position + 1, partners, chance)
            return
        for other in free:
            swapped = partners.copy()
            swapped[position], swapped[other] = other, position
            yield from follow(position + 1, swapped, chance / len(free))

    yield from follow(0, list(range(count)), 1.0)


def bucket_swap_outcomes(count: int, bucket: int) -> Iterator[tuple[Outcome, float]]:
    """Every outcome of p-buckets with its probability, by following each choice."""
    buckets = -(-count // bucket)

    def follow(position: int, partners: list[int], chance: float) -> Iterator[tuple[Outcome, float]]:
        if position == count:
            yield tuple(partners), chance
            return
        if partners[position] != position:
            yield from follow(position + 1, partners, chance)
            return
        own = position // bucket
        weights = {s: 0.5 ** (s - own + 1) for s in range(own, buckets)}
        for s, weight in weights.items():
            share = chance * weight / sum(weights.values())
            inside = range(s * bucket, min(count, (s + 1) * bucket))
            free = [other for other in inside if partners[other] == other and other > position]
            for other in free:
                swapped = partners.copy()
                swapped[position], swapped[other] = other, position
                yield from follow(position + 1, swapped, share / len(free))
            if not free:
                yield from follow(position + 1, partners, share)

    yield from follow(0, list(range(count)), 1.0)


@pytest.mark.parametrize(
    ("pairs", "outcomes", "count", "reach"),
    [
        (rank_swap_pairs, rank_swap_outcomes, 6, 3),
        (rank_swap_pairs, rank_swap_outcomes, 7, 2),
        (rank_swap_pairs, rank_swap_outcomes, 5, 9),
        (bucket_swap_pairs, bucket_swap_outcomes, 5, 2),
        (bucket_swap_pairs, bucket_swap_outcomes, 5, 3),
        (bucket_swap_pairs, bucket_swap_outcomes, 4, 1),
    ],
)
def test_outcomes_are_as_frequent_as_the_definition_says(
    pairs: Pairs, outcomes: Callable[[int, int], Iterator[tuple[Outcome, float]]], count: int, reach: int
) -> None:
    expected: Counter[Outcome] = Counter()
    for outcome, chance in outcomes(count, reach):
        expected[outcome] += chance  # type: ignore[assignment]
    runs = 20_000
    generator = np.random.default_rng(20_240_501)
    seen = Counter(tuple(pairs(count, reach, generator).tolist()) for _ in range(runs))
    assert set(seen) <= set(expected)
    frequencies = [seen[outcome] for outcome in expected]
    assert chisquare(frequencies, [chance * runs for chance in expected.values()]).pvalue > 0.001


def test_distances_of_distribution_swapping_follow_the_normal_where_nothing_is_used_yet() -> None:
    generator = np.random.default_rng(3)
    spread = 20
    first = np.array([distribution_swap_pairs(200, spread, generator)[0] for _ in range(4000)])
    expected = np.maximum(np.abs(np.rint(generator.normal(spread / 2, spread / 2, 400_000))), 1)
    edges = [0, 4, 8, 12, 16, 20, 24, 200]
    shares = np.histogram(expected, edges)[0] / 400_000
    assert chisquare(np.histogram(first, edges)[0], shares * 4000).pvalue > 0.001


@given(values=st.lists(st.integers(0, 5), max_size=40), seed=seeds)
def test_order_with_random_ties_sorts(values: list[int], seed: int) -> None:
    column = np.array(values, dtype=np.float64)
    order = order_with_random_ties(column, np.random.default_rng(seed))
    assert sorted(order.tolist()) == list(range(len(values)))
    assert column[order].tolist() == sorted(column.tolist())


def test_every_order_of_equal_values_is_equally_likely() -> None:
    column = np.array([2.0, 1.0, 2.0, 2.0])
    generator = np.random.default_rng(11)
    seen = Counter(tuple(order_with_random_ties(column, generator).tolist()) for _ in range(6000))
    assert len(seen) == 6
    assert chisquare(list(seen.values())).pvalue > 0.001
