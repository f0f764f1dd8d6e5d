"""The records inside all windows, against trying every record."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from discreet._kernels.arrays import Floats
from discreet._kernels.nearest import link as nearest
from discreet._kernels.nearest import windows
from discreet._kernels.nearest.link import link_within
from discreet._kernels.nearest.window_loops import Windows
from discreet._kernels.nearest.windows import link_inside, sorted_positions

ORACLE = Path(__file__).resolve().parents[2] / "oracle" / "rank_swapping_attack.json"


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


def windows_within(known: Floats, masked: Floats, reach: int) -> Windows:
    """The positions within `reach` of each known value in the sorted masked column, with all tied with them."""
    low, high = np.empty(known.shape, np.int32), np.empty(known.shape, np.int32)
    for j, column in enumerate(np.sort(masked, axis=0).T):
        first = np.searchsorted(column, known[:, j], side="left") - reach
        last = np.searchsorted(column, known[:, j], side="right") + reach - 1
        low[:, j] = np.searchsorted(column, column[np.clip(first, 0, len(column) - 1)], side="left")
        high[:, j] = np.searchsorted(column, column[np.clip(last, 0, len(column) - 1)], side="right")
    return Windows(low, high)


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
    found = windows_within(original, masked, example["q"])
    for name, expected in example["candidates"].items():
        j = int(name) - 1
        inside = positions.order[j][found.low[who, j] : found.high[who, j]]
        assert sorted(masked[inside].tolist()) == sorted(expected)
    sizes, linked = link_inside(original, masked, np.arange(10), positions, found)
    assert sizes[who] == linked.ties[who] == 1
    assert linked.hit[who]
    assert [masked[linked.first[who]].tolist()] == example["intersection"]


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("seed", range(10))
def test_the_nearest_inside_is_the_nearest_of_those_found_by_trying_every_record(seed: int) -> None:
    original, masked = tied_files(seed, 60, 3, 6)
    width = seed % 2 + 1
    found = windows_within(original[:50, :width], masked[:, :width], 4 * (seed % 3))
    truth = np.random.default_rng(seed).integers(-1, 60, size=50)
    sizes, ours = link_inside(original[:50], masked, truth, sorted_positions(masked[:, :width]), found)
    expected = tried_lists(masked[:, :width], found)
    assert sizes.tolist() == [len(some) for some in expected]
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    theirs = link_within(original[:50], masked, truth, indptr, np.fromiter(chain(*expected), np.int64))
    for name, mine, other in zip(ours._fields, ours, theirs, strict=True):
        np.testing.assert_array_equal(mine, other, err_msg=name)


def test_windows_longer_than_a_block_and_any_number_of_threads_give_the_same() -> None:
    rng = np.random.default_rng(0)
    original = rng.normal(size=(20_000, 3))
    masked = original + 0.1 * rng.normal(size=original.shape)
    positions = sorted_positions(masked)
    some = original[:3_000]
    found = windows_within(some, masked, 3_000)
    truth = np.arange(3_000)
    sizes, one = link_inside(some, masked, truth, positions, found, threads=1)
    again, three = link_inside(some, masked, truth, positions, found, threads=3)
    np.testing.assert_array_equal(sizes, again)
    for mine, other in zip(one, three, strict=True):
        np.testing.assert_array_equal(mine, other)
    few = rng.choice(3_000, 20, replace=False)
    assert sizes[few].tolist() == [
        len(some) for some in tried_lists(masked, Windows(found.low[few], found.high[few]))
    ]


def test_progress_ends_at_the_number_of_queries() -> None:
    original, masked = tied_files(1, 3_000, 2, 500)
    seen: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        compiled(patch)
        link_inside(
            original,
            masked,
            np.arange(3_000),
            sorted_positions(masked),
            windows_within(original, masked, 5),
            progress=lambda done, total: seen.append((done, total)),
        )
    assert seen[-1] == (3_000, 3_000)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize(
    ("masked", "message"),
    [
        (np.full((2, 1), np.nan), "masked must have no missing"),
        (np.zeros((2, 0)), "records by columns"),
        (np.zeros(2), "records by columns"),
    ],
)
def test_positions_are_refused_to_what_has_none(masked: Floats, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sorted_positions(masked)


@pytest.mark.parametrize(
    ("queries", "truth", "shift", "message"),
    [
        (1, [0], 0, "windows must be of 1"),
        (2, [0, 9], 0, "truth must be"),
        (2, [0, 1], 5, "windows must lie within"),
    ],
)
def test_mismatched_windows_are_refused(queries: int, truth: list[int], shift: int, message: str) -> None:
    points = np.array([[1.0], [2.0]])
    low = np.zeros((2, 1), np.int32)
    with pytest.raises(ValueError, match=message):
        link_inside(
            points[:queries],
            points,
            np.array(truth),
            sorted_positions(points),
            Windows(low, low + np.int32(shift)),
        )
