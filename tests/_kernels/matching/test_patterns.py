"""Patterns of agreement, the best pairs and the pairing of greatest weight, against trying all."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.counting import grouping
from discreet._kernels.matching import pairing, patterns
from discreet._kernels.matching.into_classes import into_classes
from discreet._kernels.matching.pairing import BestPairs, assign, assign_all, best_pairs
from discreet._kernels.matching.patterns import (
    Agreement,
    agree_when_equal,
    agree_within,
    beside,
    heaviest_partners,
    pair_patterns,
    pattern_counts,
)


def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "PLAIN_PAIRS", -1)
    monkeypatch.setattr(pairing, "PLAIN_PAIRS", -1)
    monkeypatch.setattr(grouping, "PLAIN_KEYS", -1)


def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (patterns, pairing, grouping):
        monkeypatch.setattr(module, "numba_is_loaded", lambda: False)
    monkeypatch.setattr(patterns, "BLOCK_PAIRS", 100)


@pytest.fixture(params=[compiled, plain])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    way: Callable[[pytest.MonkeyPatch], None] = request.param
    way(monkeypatch)


def coded_files(seed: int) -> tuple[Ints, Ints]:
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 6))
    levels = int(rng.integers(1, 5))
    return (
        rng.integers(-1, levels, size=(int(rng.integers(0, 30)), width)),
        rng.integers(-1, levels + 1, size=(int(rng.integers(0, 30)), width)),
    )


def tried(first: Ints | Floats, second: Ints | Floats, agree: Callable[[float, float, int], bool]) -> Ints:
    """The pattern of each pair, one value at a time."""
    return np.array(
        [
            [sum(agree(a[j], b[j], j) << j for j in range(len(a))) for b in second.tolist()]
            for a in first.tolist()
        ],
        np.int64,
    ).reshape(len(first), len(second))


def equal(a: float, b: float, _: int) -> bool:
    return a == b and a >= 0


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("seed", range(15))
def test_counts_of_equal_codes_are_those_of_all_pairs(seed: int) -> None:
    first, second = coded_files(seed)
    expected = tried(first, second, equal)
    agreement = agree_when_equal(first, second)
    counts = pattern_counts(agreement)
    np.testing.assert_array_equal(counts, np.bincount(expected.ravel(), minlength=1 << first.shape[1]))
    np.testing.assert_array_equal(pair_patterns(agreement, slice(None)), expected)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("seed", range(15))
def test_counts_within_a_tolerance_are_those_of_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 5))
    first = rng.integers(0, 12, size=(25, width)).astype(np.float64)
    second = rng.integers(0, 12, size=(31, width)).astype(np.float64)
    first[rng.random(first.shape) < 0.1] = np.nan
    second[rng.random(second.shape) < 0.1] = np.nan
    tolerance = rng.integers(1, 4, size=width).astype(np.float64)
    expected = tried(first, second, lambda a, b, j: bool(a - tolerance[j] <= b <= a + tolerance[j]))
    counts = pattern_counts(agree_within(first, second, tolerance))
    np.testing.assert_array_equal(counts, np.bincount(expected.ravel(), minlength=1 << width))


@pytest.mark.usefixtures("either_way")
def test_codes_and_numbers_can_stand_side_by_side() -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 3, size=(20, 2)), rng.integers(0, 3, size=(22, 2))
    numbers = rng.normal(size=(20, 1)), rng.normal(size=(22, 1))
    both = beside(agree_when_equal(*codes), agree_within(*numbers, 0.4))
    close = tried(*numbers, lambda a, b, _: a - 0.4 <= b <= a + 0.4)
    expected = tried(*codes, equal) + (close << 2)
    np.testing.assert_array_equal(pattern_counts(both), np.bincount(expected.ravel(), minlength=8))


def test_many_blocks_and_any_number_of_threads_count_the_same() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(700, 3)), rng.normal(size=(9_000, 3))
    agreement = agree_within(first, second, 0.2)
    alone = pattern_counts(agreement, threads=1)
    np.testing.assert_array_equal(alone, pattern_counts(agreement, threads=3))
    every = pair_patterns(agreement, slice(None))
    np.testing.assert_array_equal(alone, np.bincount(every.ravel(), minlength=8))


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("keep", [1, 3, 100])
def test_best_pairs_are_the_heaviest_above_the_floor(seed: int, keep: int) -> None:
    first, second = coded_files(seed)
    agreement = agree_when_equal(first, second)
    weights = np.random.default_rng(seed).integers(-3, 4, size=1 << first.shape[1]).astype(np.float64)
    found = best_pairs(agreement, weights, keep=keep, floor=-1.0)
    every = weights[tried(first, second, equal)]
    for a in range(len(first)):
        part = slice(found.indptr[a], found.indptr[a + 1])
        mine = sorted((weight for weight in every[a] if weight > -1.0), reverse=True)
        assert found.weights[part].tolist() == mine[:keep]
        assert every[a, found.indices[part]].tolist() == mine[:keep]
        assert len(set(found.indices[part].tolist())) == len(mine[:keep])
        assert found.complete[a] == (len(mine) <= min(keep, len(second)))


def test_best_pairs_are_the_same_pairs_with_and_without_machine_code() -> None:
    first, second = coded_files(4)
    agreement = agree_when_equal(first, second)
    weights = np.arange(1 << first.shape[1], dtype=np.float64) % 3
    found: list[BestPairs] = []
    for way in (compiled, plain):
        with pytest.MonkeyPatch.context() as patch:
            way(patch)
            found.append(best_pairs(agreement, weights, keep=4))
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("keep", [1, 7, 40])
def test_blocks_that_are_passed_over_hold_no_pair_that_belongs_in_the_list(seed: int, keep: int) -> None:
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 5))
    second = rng.normal(size=(9_000, width)).round(int(rng.integers(1, 4)))
    second[rng.random(second.shape) < 0.02] = np.nan
    first = second[rng.integers(0, len(second), 60)] + rng.normal(0, 0.05, size=(60, width))
    agreement = agree_within(first, second, 0.1)
    weights = rng.integers(-2, 5, size=1 << width).astype(np.float64)
    floor = float(rng.integers(-2, 2))
    found: list[BestPairs] = []
    for way in (compiled, plain):
        with pytest.MonkeyPatch.context() as patch:
            way(patch)
            found.append(best_pairs(agreement, weights, keep=keep, floor=floor))
    for ours, theirs in zip(found[0][:4], found[1][:4], strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert found[0].compared <= found[1].compared == 60 * 9_000


def test_records_that_can_only_weigh_less_are_not_compared() -> None:
    second = np.repeat(np.arange(40.0), 256)[:, None]
    agreement = agree_within(np.array([[7.0], [50.0]]), second, 0.25)
    with pytest.MonkeyPatch.context() as patch:
        compiled(patch)
        found = best_pairs(agreement, np.array([-1.0, 1.0]), keep=300)
    assert found.indptr.tolist() == [0, 256, 256]
    assert 256 <= found.compared <= 512


@pytest.mark.parametrize("seed", range(6))
def test_weights_of_single_precision_list_the_same_pairs(seed: int) -> None:
    first, second = coded_files(seed)
    agreement = agree_when_equal(first, second)
    weights = np.random.default_rng(seed).integers(-2, 4, 1 << first.shape[1]).astype(np.float64)
    for way in (compiled, plain):
        with pytest.MonkeyPatch.context() as patch:
            way(patch)
            double, single = (best_pairs(agreement, weights.astype(kind), keep=3) for kind in ("f8", "f4"))
        assert single.weights.dtype == np.float32
        for ours, theirs in zip(double, single, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_a_list_is_complete_only_when_nothing_above_the_floor_is_left_out() -> None:
    """A list that is just full, and one lighter pair far away."""
    second = np.concatenate([np.zeros((3, 2)), np.full((9_000, 2), 50.0), [[0.0, 99.0]]])
    agreement = agree_within(np.zeros((1, 2)), second, 0.5)
    weights = np.array([-1.0, 1.0, -1.0, 2.0])
    with pytest.MonkeyPatch.context() as patch:
        compiled(patch)
        assert best_pairs(agreement, weights, keep=3).complete.tolist() == [False]
        assert best_pairs(agreement, weights, keep=4).complete.tolist() == [True]
        assert best_pairs(agreement, weights, keep=3, floor=1.0).complete.tolist() == [True]


def heaviest(every: Floats, floor: float) -> float:
    """Greatest total of a one-to-one pairing in which a record may stay alone at the floor, tried out."""
    count, others = every.shape
    options = [*range(others), *([-1] * count)]
    return max(
        sum(max(floor, every[a, b]) if b >= 0 else floor for a, b in enumerate(chosen))
        for chosen in set(permutations(options, count))
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_sparse_pairing_is_the_heaviest_when_all_lists_are_complete(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 3, size=(4, 3)), rng.integers(0, 3, size=(3 + seed % 2, 3))
    agreement = agree_when_equal(first, second)
    weights = rng.normal(size=8)
    pairs = best_pairs(agreement, weights, keep=10, floor=0.25)
    assert pairs.complete.all()
    partner = assign(pairs, len(second), floor=0.25)
    every = weights[tried(first, second, equal)]
    taken = partner[partner >= 0]
    assert len(set(taken.tolist())) == len(taken)
    total = sum(every[a, b] if b >= 0 else 0.25 for a, b in enumerate(partner))
    assert total == pytest.approx(heaviest(every, 0.25))


@pytest.mark.parametrize("seed", range(8))
def test_the_full_pairing_is_the_heaviest_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 3, size=(4, 2)), rng.integers(0, 3, size=(5, 2))
    weights = rng.normal(size=4)
    partner = assign_all(agree_when_equal(first, second), weights)
    every = weights[tried(first, second, equal)]
    best = max(sum(every[a, b] for a, b in enumerate(chosen)) for chosen in permutations(range(5), 4))
    assert every[np.arange(4), partner].sum() == pytest.approx(best)
    left_over = assign_all(agree_when_equal(second, first), weights)
    assert sorted(left_over.tolist()) == [-1, 0, 1, 2, 3]


@pytest.mark.parametrize("others", [18, 24, 31])
@pytest.mark.parametrize("seed", range(4))
def test_the_full_pairing_by_classes_weighs_as_much_as_that_of_all_pairs(
    seed: int, others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    groups, second = rng.integers(0, 4, size=(6, 3)), rng.integers(0, 4, size=(others, 3))
    first = np.repeat(groups, rng.integers(2, 7, size=6), axis=0)[rng.permutation(24) % 12]
    weights = rng.normal(size=8).round(1)
    every = weights[tried(first, second, equal)]
    row, column = linear_sum_assignment(every, maximize=True)
    monkeypatch.setattr(pairing, "FEW_PAIRS", 0)
    partner = assign_all(agree_when_equal(first, second), weights)
    paired = partner[partner >= 0]
    assert len(set(paired.tolist())) == len(paired) == min(len(first), others)
    found = every[partner >= 0, paired].sum()
    assert found == pytest.approx(every[row, column].sum())


def test_classes_without_room_for_all_records_are_refused() -> None:
    with pytest.raises(ValueError, match="room for 3 records; got 2"):
        into_classes(np.zeros((3, 2)), np.array([1, 1]))
    assert into_classes(np.zeros((0, 2)), np.array([1, 1])).tolist() == []


def test_nobody_to_pair_with_leaves_everyone_alone() -> None:
    nobody = agree_when_equal(np.zeros((3, 1), np.int64), np.zeros((0, 1), np.int64))
    pairs = best_pairs(nobody, np.array([-1.0, 1.0]), keep=2)
    assert assign(pairs, 0).tolist() == [-1, -1, -1]
    assert pattern_counts(nobody).tolist() == [0, 0]


def test_what_cannot_be_compared_is_refused() -> None:
    two = np.zeros((2, 2), np.int64)
    agreement = agree_when_equal(two, two)
    with pytest.raises(ValueError, match="same columns"):
        agree_when_equal(two, two[:, :1])
    with pytest.raises(ValueError, match="must be int64"):
        agree_when_equal(two.astype(np.float64), two)
    with pytest.raises(ValueError, match="tolerance must be finite"):
        agree_within(np.zeros((2, 1)), np.zeros((2, 1)), -1.0)
    with pytest.raises(ValueError, match="1 to 16 columns; got 17"):
        pattern_counts(Agreement(*(np.zeros((1, 17), np.int32) for _ in range(3))))
    with pytest.raises(ValueError, match="4 finite numbers"):
        best_pairs(agreement, np.zeros(3), keep=1)
    with pytest.raises(ValueError, match="keep must be at least 1"):
        best_pairs(agreement, np.zeros(4), keep=0)
    with pytest.raises(ValueError, match="at or below the floor"):
        assign(best_pairs(agreement, np.ones(4), keep=1), 2, floor=1.0)


def test_too_many_pairs_for_a_full_pairing_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "DENSE_PAIRS", 3)
    with pytest.raises(ValueError, match="at most 3 pairs; got 2 x 2"):
        assign_all(agree_when_equal(np.zeros((2, 1), np.int64), np.zeros((2, 1), np.int64)), np.zeros(2))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("task", [1, 40, 1 << 23])
def test_the_heaviest_partners_are_those_that_trying_all_finds(
    seed: int, task: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "TASK_PAIRS", task)
    first, second = coded_files(seed)
    if len(second) == 0:
        second = np.zeros((1, second.shape[1]), np.int64)
    agreement = agree_when_equal(first, second)
    rng = np.random.default_rng(seed)
    tables = [rng.integers(0, 3, 1 << first.shape[1]).astype(np.float64) for _ in range(2)]
    own = rng.integers(0, len(second), len(first))
    told: list[int] = []
    found = heaviest_partners(
        agreement, tables, own, threads=2, progress=lambda done, total: told.append(done)
    )
    weights = [by_pattern[tried(first, second, lambda a, b, j: a == b and a >= 0)] for by_pattern in tables]
    for each, weight in zip(found, weights, strict=True):
        best = weight == weight.max(axis=1, keepdims=True)
        assert (each.ties == best.sum(axis=1)).all()
        assert (each.first == best.argmax(axis=1)).all()
        assert (each.own == best[np.arange(len(first)), own]).all()
    assert len(told) == -(-len(first) // max(1, task // len(second)))
