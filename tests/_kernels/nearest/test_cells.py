"""Nearest records of cells, against the distance of one pair at a time."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from discreet._kernels.arrays import Ints
from discreet._kernels.nearest import cells as kernel
from discreet._kernels.nearest.cells import Cells, Costs, NearestCells, link_cells


def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "PLAIN_CELLS", -1)


def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "numba_is_loaded", lambda: False)
    monkeypatch.setattr(kernel, "BLOCK_CELLS", 64)


@pytest.fixture(params=[compiled, plain])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    way: Callable[[pytest.MonkeyPatch], None] = request.param
    way(monkeypatch)


LEVELS, GENERALS = 5, 3


def records(
    rng: np.random.Generator, count: int, width: int, coded: int, blank: float, *, general: bool
) -> Cells:
    low = rng.integers(0, 4, size=(count, width)) / 3.0
    high = low + (rng.integers(0, 3, size=low.shape) / 3.0 if general else 0.0)
    gone = rng.random(low.shape) < blank
    low[gone] = high[gone] = np.nan
    codes = rng.integers(0, LEVELS + (GENERALS if general else 0), size=(count, coded))
    codes[rng.random(codes.shape) < blank] = -1
    return Cells(low, high, codes)


def costs_of(rng: np.random.Generator, width: int, coded: int) -> Costs:
    holds = tuple(rng.random((LEVELS, GENERALS if j % 2 else 0)) < 0.4 for j in range(coded))
    return Costs(
        rng.integers(0, 3, width) / 2.0, rng.integers(0, 3, coded) / 2.0, np.arange(1.0, coded + 1.0), holds
    )


def distance(a: Cells, i: int, b: Cells, k: int, costs: Costs, squared: bool) -> float:
    numbers, codes = 0.0, 0.0
    for j in range(a.low.shape[1]):
        ours, theirs = (a.low[i, j], a.high[i, j]), (b.low[k, j], b.high[k, j])
        if math.isnan(ours[0]) or math.isnan(theirs[0]):
            gap = 0.0 if math.isnan(ours[0]) and math.isnan(theirs[0]) else costs.blank[j]
        else:
            gap = max(0.0, theirs[0] - ours[1], ours[0] - theirs[1])
        numbers += gap * gap if squared else gap
    for j in range(a.codes.shape[1]):
        one, other = sorted((int(a.codes[i, j]), int(b.codes[k, j])))
        holds = costs.holds[j]
        if one < 0:
            codes += 0.0 if other < 0 else costs.blank_code[j]
        elif one != other and not (one < len(holds) <= other and holds[one, other - len(holds)]):
            codes += costs.unlike[j]
    return numbers + codes


def tried(
    queries: Cells, targets: Cells, truth: Ints, costs: Costs, slack: float, squared: bool
) -> NearestCells:
    found = []
    for i in range(queries.records):
        every = [distance(queries, i, targets, k, costs, squared) for k in range(targets.records)]
        least = min(every)
        limit = max(least, (math.sqrt(least) + slack) ** 2) if squared else least + slack
        tied = [k for k, value in enumerate(every) if value <= limit]
        found.append((least, len(tied), int(truth[i]) in tied, tied[0]))
    return NearestCells(*(np.array(each) for each in zip(*found, strict=True)))


def assert_same(found: NearestCells, expected: NearestCells) -> None:
    for name, ours, theirs in zip(NearestCells._fields, found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs, err_msg=name)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("blank", [0.0, 0.2, 0.9])
@pytest.mark.parametrize("seed", range(6))
def test_the_nearest_are_those_of_all_pairs(seed: int, blank: float, squared: bool) -> None:
    rng = np.random.default_rng(seed)
    width, coded = [(2, 2), (0, 3), (3, 0), (1, 4), (4, 1), (5, 5)][seed]
    known = records(rng, 40, width, coded, blank, general=False)
    published = records(rng, int(rng.integers(1, 300)), width, coded, blank, general=True)
    costs = costs_of(rng, width, coded)
    published.codes[:, ::2] = np.minimum(published.codes[:, ::2], LEVELS - 1)
    slack = float(rng.choice([0.0, 0.05, 0.5]))
    for queries, targets in ((known, published), (published, known)):
        truth = rng.integers(-1, targets.records, size=queries.records)
        found = link_cells(queries, targets, truth, costs, slack=slack, squared=squared)
        assert_same(found, tried(queries, targets, truth, costs, slack, squared))


def test_continuous_numbers_give_the_same_with_and_without_blocks_and_threads() -> None:
    rng = np.random.default_rng(0)
    numbers, codes = rng.normal(size=(4_000, 3)), rng.integers(0, 5, size=(4_000, 2))
    targets = Cells(numbers - (0.1 * rng.random((4_000, 1))), numbers, codes)
    queries = Cells.points(numbers + 0.1 * rng.normal(size=(4_000, 3)), codes.copy())
    queries.low[::7, 1] = np.nan
    queries.codes[::5, 0] = rng.integers(0, 5, size=800)
    truth, costs = np.arange(4_000), Costs.plain(targets)
    alone = link_cells(queries, targets, truth, costs, threads=1)
    assert_same(link_cells(queries, targets, truth, costs, threads=3), alone)
    few = rng.choice(4_000, 15, replace=False)
    ours = NearestCells(alone.distance[few], alone.ties[few], alone.hit[few], alone.first[few])
    assert_same(ours, tried(queries.rows(few), targets, truth[few], costs, 0.0, False))


@pytest.mark.usefixtures("either_way")
def test_a_number_inside_a_band_is_at_no_distance_and_outside_at_that_of_its_edge() -> None:
    targets = Cells(np.array([[1.0], [5.0]]), np.array([[3.0], [9.0]]), np.zeros((2, 0), np.int64))
    queries = Cells.points(np.array([[2.0], [4.5], [12.0]]), np.zeros((3, 0), np.int64))
    found = link_cells(queries, targets, np.array([0, 1, 1]), Costs.plain(targets))
    assert found.distance.tolist() == [0.0, 0.5, 3.0]
    assert found.hit.tolist() == [True, True, True]


@pytest.mark.usefixtures("either_way")
def test_a_blank_is_as_far_from_every_value_and_at_no_distance_from_a_blank() -> None:
    targets = Cells.points(np.array([[0.25], [np.nan]]), np.array([[0], [-1]]))
    queries = Cells.points(np.array([[np.nan], [0.25]]), np.array([[-1], [0]]))
    costs = Costs(np.array([0.5]), np.array([0.75]), np.array([1.0]), (np.zeros((1, 0), bool),))
    found = link_cells(queries, targets, np.array([0, 1]), costs)
    assert found.distance.tolist() == [0.0, 0.0]
    assert found.first.tolist() == [1, 0]
    alone = link_cells(queries, targets.rows(np.array([0])), np.array([0, -1]), costs)
    assert alone.distance.tolist() == [1.25, 0.0]


def test_progress_ends_at_the_number_of_distinct_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(monkeypatch)
    numbers = np.repeat(np.arange(600.0), 2)[:, None]
    mixed = Cells.points(numbers, np.zeros((1_200, 0), np.int64))
    seen: list[tuple[int, int]] = []
    link_cells(
        mixed,
        mixed,
        np.arange(1_200),
        Costs.plain(mixed),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(512, 600), (600, 600)]


FITTING = Cells.points(np.zeros((1, 1)), np.zeros((1, 1), np.int64))


@pytest.mark.parametrize(
    ("queries", "targets", "truth", "message"),
    [
        (Cells.points(np.zeros((1, 1)), np.zeros((2, 1), np.int64)), FITTING, [0], "same records"),
        (FITTING, Cells.points(np.zeros((1, 2)), np.zeros((1, 1), np.int64)), [0], "same columns"),
        (FITTING, Cells.points(np.zeros((0, 1)), np.zeros((0, 1), np.int64)), [-1], "targets records"),
        (Cells.points(np.full((1, 1), np.inf), np.zeros((1, 1), np.int64)), FITTING, [0], "finite numbers"),
        (Cells.points(np.zeros((1, 1)), np.full((1, 1), 2**31)), FITTING, [0], "below 2"),
        (FITTING, FITTING, [1], "truth must be -1"),
        (FITTING, FITTING, [0, 0], "truth must be one int64"),
    ],
)
def test_records_that_do_not_fit_are_refused(
    queries: Cells, targets: Cells, truth: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        link_cells(queries, targets, np.array(truth), Costs.plain(FITTING))
