"""Nearest neighbours are exact, ties and all, whichever way they are found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.nearest import link as nearest
from discreet._kernels.nearest.link import link, link_within
from discreet._kernels.nearest.search_loops import search
from discreet._kernels.nearest.tie_loops import Nearest
from discreet._kernels.nearest.window_loops import Windows
from discreet._kernels.nearest.windows import link_inside, sorted_positions

Way = Callable[[pytest.MonkeyPatch], None]


def by_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "PLAIN_WORK", -1)
    monkeypatch.setattr(nearest, "PLAIN_PAIRS", -1)


def by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "numba_is_loaded", lambda: False)
    monkeypatch.setattr(nearest, "BLOCK_CELLS", 64)


@pytest.fixture(params=[by_tree, by_numpy])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    way: Way = request.param
    way(monkeypatch)


def brute(
    queries: Floats, targets: Floats, truth: Ints, candidates: list[list[int]] | None = None
) -> Nearest:
    """One pair at a time, summed from left to right."""
    best, ties, hit, first = [], [], [], []
    for i, query in enumerate(queries):
        allowed = range(len(targets)) if candidates is None else candidates[i]
        distances = {}
        for target in allowed:
            total = 0.0
            for j in range(len(query)):
                total += (query[j] - targets[target, j]) * (query[j] - targets[target, j])
            distances[target] = total
        least = min(distances.values(), default=np.inf)
        tied = sorted(target for target, distance in distances.items() if distance == least)
        best.append(least)
        ties.append(len(tied))
        hit.append(int(truth[i]) in tied)
        first.append(tied[0] if tied else -1)
    return Nearest(
        np.array(best), np.array(ties, np.int64), np.array(hit, np.bool_), np.array(first, np.int64)
    )


def assert_same(found: Nearest, expected: Nearest) -> None:
    for name, ours, theirs in zip(Nearest._fields, found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs, err_msg=name)
        assert ours.dtype == theirs.dtype, name


def picked(found: Nearest, rows: Ints) -> Nearest:
    return Nearest(found.best_distance2[rows], found.ties[rows], found.hit[rows], found.first[rows])


def grid(rng: np.random.Generator, count: int, width: int, levels: int) -> Floats:
    return rng.integers(0, levels, size=(count, width)).astype(np.float64)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("seed", range(12))
def test_link_says_the_same_as_all_pairs_on_points_with_many_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 6))
    targets = grid(rng, int(rng.integers(1, 90)), width, 4)
    queries = grid(rng, int(rng.integers(1, 90)), width, 4) + rng.choice([0.0, 0.5])
    truth = rng.integers(-1, len(targets), size=len(queries))
    assert_same(link(queries, targets, truth), brute(queries, targets, truth))


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("slack", [1e-12, 0.05, 0.4, 3.0])
@pytest.mark.parametrize("seed", range(6))
def test_targets_up_to_the_slack_farther_than_the_nearest_tie_with_it(seed: int, slack: float) -> None:
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 4))
    targets = np.round(rng.normal(size=(int(rng.integers(1, 300)), width)), int(rng.integers(0, 4)))
    queries = np.round(rng.normal(size=(100, width)), 1)
    truth = rng.integers(-1, len(targets), size=100)
    distances = nearest.squared_distances(queries, targets)
    best = distances.min(axis=1)
    tied = distances <= np.maximum(best, (np.sqrt(best) + slack) ** 2)[:, None]
    hit = (truth >= 0) & tied[np.arange(100), truth]
    expected = Nearest(best, tied.sum(axis=1), hit, tied.argmax(axis=1))
    assert_same(link(queries, targets, truth, slack=slack), expected)
    everyone = np.tile(np.arange(len(targets)), 100)
    indptr = np.arange(101) * len(targets)
    assert_same(link_within(queries, targets, truth, indptr, everyone, slack=slack), expected)
    at = sorted_positions(targets)
    windows = Windows(np.zeros(queries.shape, np.int32), np.full(queries.shape, len(targets), np.int32))
    assert_same(link_inside(queries, targets, truth, at, windows, slack=slack)[1], expected)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("seed", range(6))
def test_link_says_the_same_as_all_pairs_on_points_far_from_the_origin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    spread = np.array([1e-9, 1.0, 1e6])
    targets = (rng.normal(size=(150, 3)) + 1e7) * spread
    targets[0] *= 1e6
    queries = targets + rng.normal(size=(150, 3)) * spread
    truth = np.arange(150)
    assert_same(link(queries, targets, truth), brute(queries, targets, truth))


@given(st.data())
def test_the_tree_and_the_plain_blocks_give_the_same_bits(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 5))
    values = st.one_of(
        st.integers(-3, 3).map(float),
        st.floats(-1e150, 1e150, allow_nan=False),
        st.floats(-1.0, 1.0, allow_nan=False),
        st.floats(-1e-150, 1e-150, allow_nan=False),
    )
    rows = st.lists(st.lists(values, min_size=width, max_size=width), min_size=1, max_size=40)
    targets = np.array(data.draw(rows))
    queries = np.array(data.draw(rows))
    truth = np.array(
        data.draw(st.lists(st.integers(-1, len(targets) - 1), min_size=len(queries), max_size=len(queries)))
    )
    with pytest.MonkeyPatch.context() as patch:
        by_tree(patch)
        through_tree = link(queries, targets, truth)
    with pytest.MonkeyPatch.context() as patch:
        by_numpy(patch)
        assert_same(link(queries, targets, truth), through_tree)


@pytest.mark.parametrize("width", [1, 2, 7, 20])
def test_link_is_the_same_with_any_number_of_threads_and_in_any_order(width: int) -> None:
    rng = np.random.default_rng(width)
    targets = np.round(rng.normal(size=(20_000, 3)) @ rng.normal(size=(3, width)), 1)
    queries = targets[:9_000] + np.round(rng.normal(size=(9_000, width)), 1)
    truth = np.arange(9_000)
    alone = link(queries, targets, truth, threads=1)
    assert_same(link(queries, targets, truth, threads=3), alone)
    shuffle = rng.permutation(9_000)
    shuffled = link(queries[shuffle], targets, truth[shuffle])
    assert_same(shuffled, picked(alone, shuffle))
    sample = rng.choice(9_000, 20, replace=False)
    some = picked(alone, sample)
    distances = nearest.squared_distances(queries[sample], targets)
    np.testing.assert_array_equal(some.best_distance2, distances.min(axis=1))
    np.testing.assert_array_equal(some.ties, (distances == distances.min(axis=1)[:, None]).sum(axis=1))
    np.testing.assert_array_equal(some.first, distances.argmin(axis=1))


@pytest.mark.usefixtures("either_way")
def test_everyone_is_found_when_nothing_is_masked() -> None:
    points = np.random.default_rng(0).normal(size=(500, 3))
    found = link(points, points, np.arange(500))
    assert found.hit.all()
    np.testing.assert_array_equal(found.first, np.arange(500))
    np.testing.assert_array_equal(found.ties, 1)
    np.testing.assert_array_equal(found.best_distance2, 0.0)


@pytest.mark.usefixtures("either_way")
def test_identical_targets_all_tie() -> None:
    targets = np.repeat(np.random.default_rng(0).normal(size=(20, 2)), 5, axis=0)
    targets[3] *= -1.0
    targets[3] *= -1.0
    found = link(targets, targets, np.arange(100))
    np.testing.assert_array_equal(found.ties, 5)
    np.testing.assert_array_equal(found.first, np.arange(100) // 5 * 5)
    assert found.hit.all()


@pytest.mark.usefixtures("either_way")
def test_zero_and_minus_zero_are_the_same_place() -> None:
    found = link(np.array([[0.0]]), np.array([[-0.0], [0.0], [1.0]]), np.array([1]))
    assert (found.ties[0], found.first[0], found.hit[0]) == (2, 0, True)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("unit", [1e-150, 1e-162, 1e-186, 1e-300, 5e-324])
def test_points_nearer_than_squares_can_say_tie_at_distance_zero_or_nearly(unit: float) -> None:
    targets = unit * np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.0], [3.0, 1.0]])
    queries = unit * np.array([[0.0, 1.0], [2.0, 2.0], [40.0, 0.0]])
    truth = np.array([0, 3, 1])
    assert_same(link(queries, targets, truth), brute(queries, targets, truth))


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("seed", range(8))
def test_link_within_says_the_same_as_all_candidate_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    targets = grid(rng, 30, 2, 4)
    queries = grid(rng, 40, 2, 4)
    truth = rng.integers(-1, 30, size=40)
    candidates = [rng.permutation(30)[: rng.integers(0, 12)].tolist() for _ in range(40)]
    indptr = np.cumsum([0, *map(len, candidates)])
    indices = np.array([target for some in candidates for target in some])
    found = link_within(queries, targets, truth, indptr, indices)
    assert_same(found, brute(queries, targets, truth, candidates))


@pytest.mark.usefixtures("either_way")
def test_no_queries_have_no_nearest() -> None:
    found = link(np.zeros((0, 2)), np.zeros((3, 2)), np.zeros(0, np.int64))
    assert [len(field) for field in found] == [0, 0, 0, 0]


def test_arrays_that_are_read_only_or_by_columns_are_not_compiled_for_anew() -> None:
    points = np.random.default_rng(0).normal(size=(50, 3))
    truth = np.arange(50)
    with pytest.MonkeyPatch.context() as patch:
        by_tree(patch)
        expected = link(points, points, truth)
        before = list(vars(search)["_machine_code"].signatures)
        frozen = np.asfortranarray(points)
        frozen.flags.writeable = False
        assert_same(link(frozen, frozen, truth), expected)
    assert list(vars(search)["_machine_code"].signatures) == before


def test_progress_ends_at_the_total() -> None:
    points = np.random.default_rng(0).normal(size=(9_000, 2))
    seen: list[tuple[int, int]] = []
    link(points, points, np.arange(9_000), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(4096, 9_000), (8192, 9_000), (9_000, 9_000)]


@pytest.mark.parametrize(
    ("queries", "targets", "truth", "message"),
    [
        (np.zeros((2, 2)), np.zeros((2, 3)), [0, 0], "same columns"),
        (np.zeros((2, 2)), np.zeros((0, 2)), [-1, -1], "needs targets"),
        (np.zeros((2, 0)), np.zeros((2, 0)), [0, 0], "needs targets and columns"),
        (np.zeros((2, 2)), np.full((2, 2), np.nan), [0, 0], "targets must be finite"),
        (np.full((2, 2), np.inf), np.zeros((2, 2)), [0, 0], "queries must be finite"),
        (np.zeros((2, 2)), np.zeros((2, 2)), [0, 2], "truth must be -1"),
        (np.zeros((2, 2)), np.zeros((2, 2)), [0, -2], "truth must be -1"),
        (np.zeros((2, 2)), np.zeros((2, 2)), [0], "one entry for each"),
        (np.zeros((2, 2), np.float32), np.zeros((2, 2)), [0, 0], "float64"),
    ],
)
def test_link_refuses_what_it_cannot_compare(
    queries: Floats, targets: Floats, truth: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        link(queries, targets, np.array(truth))


@pytest.mark.parametrize(
    ("indptr", "indices", "message"),
    [([0, 1], [0], "in 2 steps"), ([0, 2, 1], [0], "in 2 steps"), ([0, 1, 2], [0, 5], "one of 3 targets")],
)
def test_link_within_refuses_broken_candidate_lists(
    indptr: list[int], indices: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        link_within(np.zeros((2, 1)), np.zeros((3, 1)), np.array([0, 0]), np.array(indptr), np.array(indices))


def test_threads_below_one_are_refused() -> None:
    with pytest.raises(ValueError, match="threads must be at least 1"):
        link(np.zeros((1, 1)), np.zeros((1, 1)), np.array([0]), threads=0)


@pytest.mark.parametrize("repeated", [1, 3, 400])
def test_points_that_are_merged_or_not_have_the_same_nearest(
    repeated: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The few points that a sample of different ones leaves unmerged are counted one by one."""
    rng = np.random.default_rng(repeated)
    targets = rng.normal(size=(3_000, 3))
    targets[:repeated] = targets[0]
    queries = targets[rng.permutation(3_000)] + rng.choice([0.0, 0.01])
    queries[-repeated:] = targets[0]
    truth = rng.permutation(3_000)
    by_tree(monkeypatch)
    merged = link(queries, targets, truth)
    monkeypatch.setattr(nearest, "MERGED_UNSEEN", 0)
    monkeypatch.setattr(nearest, "SAMPLE_OF_POINTS", 1)
    assert_same(link(queries, targets, truth), merged)
    assert merged.ties[-1] == repeated
