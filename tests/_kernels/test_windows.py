"""The records inside all windows, against trying every record."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from discreet._kernels import nearest, windows
from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.nearest import link_within
from discreet._kernels.windows import (
    Windows,
    candidates_inside,
    link_inside,
    rank_windows,
    records_inside,
    sorted_positions,
)

ORACLE = Path(__file__).resolve().parents[1] / "oracle" / "rank_swapping_attack.json"


def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "PLAIN_CELLS", -1)


def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "numba_is_loaded", lambda: False)
    monkeypatch.setattr(nearest, "numba_is_loaded", lambda: False)
    monkeypatch.setattr(windows, "BLOCK_CELLS", 100)


@pytest.fixture(params=[compiled, plain])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    way: Callable[[pytest.MonkeyPatch], None] = request.param
    way(monkeypatch)


def reachable(value: float, column: Floats, reach: int) -> set[float]:
    """Values of the column within `reach` sorted positions of the value, tried one by one."""
    ordered = sorted(column)
    at = [i for i, other in enumerate(ordered) if other == value]
    return {ordered[i] for i in range(len(ordered)) for j in at if abs(i - j) <= reach}


def tied_files(seed: int, records: int, width: int, levels: int) -> tuple[Floats, Floats]:
    """An original and a shuffled file with the same columns, many values tied."""
    rng = np.random.default_rng(seed)
    original = rng.integers(0, levels, size=(records, width)).astype(np.float64)
    masked = np.column_stack([rng.permutation(column) for column in original.T])
    return original, masked


def tried_lists(positions_of: Floats, found: Windows) -> list[list[int]]:
    rank = sorted_positions(positions_of).rank
    return [
        [i for i in range(len(rank)) if ((rank[i] >= low) & (rank[i] < high)).all()]
        for low, high in zip(*found, strict=True)
    ]


@pytest.mark.usefixtures("either_way")
def test_the_worked_example_has_its_four_candidate_sets_and_one_record_left() -> None:
    example = json.loads(ORACLE.read_text(encoding="utf-8"))
    original = np.array(example["original"], np.float64)
    masked = np.array(example["masked"], np.float64)
    who = example["record"] - 1
    positions = sorted_positions(masked)
    found = rank_windows(original, masked, example["q"])
    for name, expected in example["candidates"].items():
        j = int(name) - 1
        inside = positions.order[j][found.low[who, j] : found.high[who, j]]
        assert sorted(masked[inside].tolist()) == sorted(expected)
    indptr, indices = candidates_inside(positions, found)
    left = indices[indptr[who] : indptr[who + 1]]
    assert masked[left].tolist() == example["intersection"]
    sizes, hit = records_inside(positions, found, np.arange(10))
    assert sizes[who] == 1
    assert hit.all()


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("reach", [0, 1, 3, 50])
def test_windows_hold_the_values_within_reach_and_all_their_ties(seed: int, reach: int) -> None:
    original, masked = tied_files(seed, 25, 3, 9)
    found = rank_windows(original, masked, reach)
    for j in range(3):
        ordered = np.sort(masked[:, j])
        for i in range(25):
            inside = ordered[found.low[i, j] : found.high[i, j]]
            expected = reachable(original[i, j], masked[:, j], reach)
            assert inside.tolist() == [value for value in ordered if value in expected]


def test_a_value_that_was_not_published_takes_its_place_between_others() -> None:
    masked = np.array([[1.0], [2.0], [4.0], [5.0], [5.0]])
    found = rank_windows(np.array([[3.0], [0.0], [9.0]]), masked, 1)
    assert np.column_stack([found.low, found.high]).tolist() == [[1, 3], [0, 1], [3, 5]]
    nothing = rank_windows(np.array([[3.0], [9.0]]), masked, 0)
    assert (nothing.high == nothing.low).all()


def test_each_column_can_have_its_own_reach() -> None:
    original, masked = tied_files(0, 30, 2, 12)
    both = rank_windows(original, masked, np.array([1, 4]))
    np.testing.assert_array_equal(both.low[:, 0], rank_windows(original, masked, 1).low[:, 0])
    np.testing.assert_array_equal(both.high[:, 1], rank_windows(original, masked, 4).high[:, 1])


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("seed", range(10))
def test_sizes_lists_and_hits_are_those_of_trying_every_record(seed: int) -> None:
    width = seed % 4 + 1
    original, masked = tied_files(seed, 40, width, 12)
    positions = sorted_positions(masked)
    found = rank_windows(original[:30], masked, 3)
    truth = np.random.default_rng(seed).integers(-1, 40, size=30)
    expected = tried_lists(masked, found)
    sizes, hit = records_inside(positions, found, truth)
    assert sizes.tolist() == [len(some) for some in expected]
    assert hit.tolist() == [int(true) in some for true, some in zip(truth, expected, strict=True)]
    indptr, indices = candidates_inside(positions, found)
    assert [indices[a:b].tolist() for a, b in pairwise(indptr)] == expected


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("seed", range(10))
def test_the_nearest_inside_is_the_nearest_of_the_candidate_list(seed: int) -> None:
    original, masked = tied_files(seed, 60, 3, 6)
    positions = sorted_positions(masked)
    found = rank_windows(original[:, :2], masked[:, :2], 4 * (seed % 3))
    positions = sorted_positions(masked[:, :2])
    truth = np.arange(60)
    sizes, ours = link_inside(original, masked, truth, positions, found)
    indptr, indices = candidates_inside(positions, found)
    theirs = link_within(original, masked, truth, indptr, indices)
    np.testing.assert_array_equal(sizes, np.diff(indptr))
    for name, mine, other in zip(ours._fields, ours, theirs, strict=True):
        np.testing.assert_array_equal(mine, other, err_msg=name)


def test_windows_longer_than_a_block_and_any_number_of_threads_give_the_same() -> None:
    rng = np.random.default_rng(0)
    original = rng.normal(size=(20_000, 3))
    masked = original + 0.1 * rng.normal(size=original.shape)
    positions = sorted_positions(masked)
    some = original[:3_000]
    found = rank_windows(some, masked, 3_000)
    truth = np.arange(3_000)
    sizes, hit = records_inside(positions, found, truth, threads=1)
    again = records_inside(positions, found, truth, threads=3)
    np.testing.assert_array_equal(sizes, again.sizes)
    np.testing.assert_array_equal(hit, again.hit)
    few = rng.choice(3_000, 20, replace=False)
    assert sizes[few].tolist() == [
        len(some) for some in tried_lists(masked, Windows(found.low[few], found.high[few]))
    ]


def test_progress_ends_at_the_number_of_queries() -> None:
    original, masked = tied_files(1, 3_000, 2, 500)
    seen: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        compiled(patch)
        records_inside(
            sorted_positions(masked),
            rank_windows(original, masked, 5),
            np.arange(3_000),
            progress=lambda done, total: seen.append((done, total)),
        )
    assert seen[-1] == (3_000, 3_000)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize(
    ("known", "masked", "reach", "message"),
    [
        (np.zeros((2, 1)), np.full((2, 1), np.nan), 1, "masked must have no missing"),
        (np.full((2, 1), np.nan), np.zeros((2, 1)), 1, "known must have no missing"),
        (np.zeros((2, 1)), np.zeros((2, 2)), 1, "same columns"),
        (np.zeros((2, 1)), np.zeros((0, 1)), 1, "and records"),
        (np.zeros((2, 1)), np.zeros((2, 1)), -1, "reach must be at least 0"),
    ],
)
def test_windows_refuse_what_has_no_sorted_position(
    known: Floats, masked: Floats, reach: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        rank_windows(known, masked, reach)


@pytest.mark.parametrize(
    ("truth", "shift", "message"),
    [([0], 0, "windows must be of 1"), ([0, 9], 0, "truth must be"), ([0, 1], 5, "windows must lie within")],
)
def test_mismatched_windows_are_refused(truth: list[int], shift: int, message: str) -> None:
    positions = sorted_positions(np.array([[1.0], [2.0]]))
    low = np.zeros((2, 1), np.int32)
    wrong: Ints = np.array(truth)
    with pytest.raises(ValueError, match=message):
        records_inside(positions, Windows(low, low + np.int32(shift)), wrong)
