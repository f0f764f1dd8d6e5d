"""Nearest records of mixed columns, against Gower's distance one pair at a time."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from discreet._kernels import gower
from discreet._kernels.arrays import Ints
from discreet._kernels.gower import Mixed, NearestMixed, link_mixed


def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gower, "PLAIN_CELLS", -1)


def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gower, "numba_is_loaded", lambda: False)
    monkeypatch.setattr(gower, "BLOCK_CELLS", 64)


@pytest.fixture(params=[compiled, plain])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    way: Callable[[pytest.MonkeyPatch], None] = request.param
    way(monkeypatch)


def records(rng: np.random.Generator, count: int, width: int, coded: int, missing: float) -> Mixed:
    numbers = rng.integers(0, 4, size=(count, width)) / 3.0
    codes = rng.integers(0, 3, size=(count, coded))
    numbers[rng.random(numbers.shape) < missing] = np.nan
    codes[rng.random(codes.shape) < missing] = -rng.integers(1, 4)
    return Mixed(numbers, codes)


def gower_distance(a: Mixed, i: int, b: Mixed, k: int) -> float:
    total, present, different = 0.0, 0, 0
    for x, y in zip(a.numbers[i].tolist(), b.numbers[k].tolist(), strict=True):
        if not (math.isnan(x) or math.isnan(y)):
            total += abs(x - y)
            present += 1
    for x, y in zip(a.codes[i].tolist(), b.codes[k].tolist(), strict=True):
        if x >= 0 and y >= 0:
            different += x != y
            present += 1
    return (total + different) / present if present else math.inf


def tried(queries: Mixed, targets: Mixed, truth: Ints) -> NearestMixed:
    distance, ties, hit, first = [], [], [], []
    for i in range(len(queries.numbers)):
        every = [gower_distance(queries, i, targets, k) for k in range(len(targets.numbers))]
        least = min(every)
        tied = [k for k, value in enumerate(every) if value == least < math.inf]
        distance.append(least)
        ties.append(len(tied))
        hit.append(int(truth[i]) in tied)
        first.append(tied[0] if tied else -1)
    return NearestMixed(np.array(distance), np.array(ties), np.array(hit), np.array(first))


def assert_same(found: NearestMixed, expected: NearestMixed) -> None:
    for name, ours, theirs in zip(NearestMixed._fields, found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs, err_msg=name)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("missing", [0.0, 0.2, 0.9])
@pytest.mark.parametrize("seed", range(6))
def test_the_nearest_are_those_of_all_pairs(seed: int, missing: float) -> None:
    rng = np.random.default_rng(seed)
    width, coded = [(2, 2), (0, 3), (3, 0), (1, 4), (4, 1), (5, 5)][seed]
    targets = records(rng, int(rng.integers(1, 200)), width, coded, missing)
    queries = records(rng, 40, width, coded, missing)
    truth = rng.integers(-1, len(targets.numbers), size=40)
    found = link_mixed(queries, targets, truth)
    assert_same(found, tried(queries, targets, truth))


def test_continuous_numbers_give_the_same_with_and_without_blocks_and_threads() -> None:
    rng = np.random.default_rng(0)
    targets = Mixed(rng.normal(size=(4_000, 3)), rng.integers(0, 5, size=(4_000, 2)))
    queries = Mixed(targets.numbers + 0.1 * rng.normal(size=(4_000, 3)), targets.codes.copy())
    queries.numbers[::7, 1] = np.nan
    queries.codes[::5, 0] = rng.integers(0, 5, size=800)
    truth = np.arange(4_000)
    alone = link_mixed(queries, targets, truth, threads=1)
    assert_same(link_mixed(queries, targets, truth, threads=3), alone)
    few = rng.choice(4_000, 15, replace=False)
    some = Mixed(queries.numbers[few], queries.codes[few])
    ours = NearestMixed(alone.distance[few], alone.ties[few], alone.hit[few], alone.first[few])
    assert_same(ours, tried(some, targets, truth[few]))


@pytest.mark.usefixtures("either_way")
def test_a_missing_column_is_left_out_of_the_mean() -> None:
    targets = Mixed(np.array([[0.5, np.nan], [0.0, 1.0]]), np.array([[0], [0]]))
    found = link_mixed(Mixed(np.array([[0.0, 0.0]]), np.array([[0]])), targets, np.array([0]))
    assert found.distance.tolist() == [0.25]
    assert (found.first[0], found.ties[0], found.hit[0]) == (0, 1, True)


@pytest.mark.usefixtures("either_way")
def test_a_record_with_nothing_present_has_no_nearest() -> None:
    targets = Mixed(np.array([[0.5]]), np.array([[0]]))
    found = link_mixed(Mixed(np.array([[np.nan]]), np.array([[-1]])), targets, np.array([0]))
    assert (found.distance[0], found.ties[0], found.hit[0], found.first[0]) == (math.inf, 0, False, -1)


def test_progress_ends_at_the_number_of_distinct_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(monkeypatch)
    numbers = np.repeat(np.arange(600.0), 2)[:, None]
    mixed = Mixed(numbers, np.zeros((1_200, 0), np.int64))
    seen: list[tuple[int, int]] = []
    link_mixed(mixed, mixed, np.arange(1_200), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(512, 600), (600, 600)]


@pytest.mark.parametrize(
    ("queries", "targets", "truth", "message"),
    [
        (Mixed(np.zeros((1, 1)), np.zeros((2, 1), np.int64)), None, [0], "same records"),
        (None, Mixed(np.zeros((1, 2)), np.zeros((1, 1), np.int64)), [0], "same columns"),
        (None, Mixed(np.zeros((0, 1)), np.zeros((0, 1), np.int64)), [-1], "targets records"),
        (Mixed(np.full((1, 1), np.inf), np.zeros((1, 1), np.int64)), None, [0], "finite numbers"),
        (Mixed(np.zeros((1, 1)), np.full((1, 1), 2**31)), None, [0], "below 2"),
        (Mixed(np.zeros((1, 1), np.float32), np.zeros((1, 1), np.int64)), None, [0], "float64 numbers"),
        (None, None, [1], "truth must be -1"),
        (None, None, [0, 0], "truth must be one int64"),
    ],
)
def test_records_that_do_not_fit_are_refused(
    queries: Mixed | None, targets: Mixed | None, truth: list[int], message: str
) -> None:
    fitting = Mixed(np.zeros((1, 1)), np.zeros((1, 1), np.int64))
    with pytest.raises(ValueError, match=message):
        link_mixed(queries or fitting, targets or fitting, np.array(truth))


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("slack", [0.0, 0.05, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_all_columns_count_and_targets_up_to_the_slack_farther_tie(seed: int, slack: float) -> None:
    rng = np.random.default_rng(seed)
    targets, queries = (records(rng, count, 2, 2, 0.2) for count in (150, 40))
    truth = rng.integers(-1, 150, size=40)
    every = np.array(
        [[of_four_columns(queries, i, targets, k) for k in range(150)] for i in range(40)], dtype=np.float64
    )
    tied = (every <= every.min(axis=1, keepdims=True) + slack) & np.isfinite(every)
    found = link_mixed(queries, targets, truth, columns=4, slack=slack)
    np.testing.assert_array_equal(found.ties, tied.sum(axis=1))
    np.testing.assert_array_equal(found.hit, (truth >= 0) & tied[np.arange(40), truth])
    np.testing.assert_array_equal(found.first, np.where(tied.any(axis=1), tied.argmax(axis=1), -1))


def of_four_columns(a: Mixed, i: int, b: Mixed, k: int) -> float:
    """The sum over the columns that both have, over four; infinity where there is none."""
    numbers = [abs(x - y) for x, y in zip(a.numbers[i].tolist(), b.numbers[k].tolist(), strict=True)]
    present = [gap for gap in numbers if not math.isnan(gap)]
    codes = [(x, y) for x, y in zip(a.codes[i].tolist(), b.codes[k].tolist(), strict=True) if min(x, y) >= 0]
    different = sum(x != y for x, y in codes)
    return (sum(present) + different) / 4 if present or codes else math.inf
