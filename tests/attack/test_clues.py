"""What clues leave of a file, against trying every pair; and the coordinates of likelihoods."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from discreet._kernels.nearest import link as nearest
from discreet._kernels.nearest import windows
from discreet.attack import points as points_module
from discreet.attack.clues import search
from discreet.attack.clues.grouping import neighbouring_groups
from discreet.attack.clues.kinds import Near, PublishedStep, Range, Same
from discreet.attack.clues.noise import likely_noise
from discreet.attack.clues.randomising import costs, likelihood_points, likely_categories
from discreet.attack.clues.search import ComparedPoints, Hard, admits, narrow
from discreet.attack.clues.swapping import window
from discreet.attack.points import CodedPoints, Stacked, points_at
from discreet.mask import add_noise, microaggregate, pram
from discreet.table import Table

Floats = NDArray[np.float64]


def some_clues(rng: np.random.Generator, queries: int, records: int) -> list[Hard]:
    """Clues of every kind, with missing cells on both sides."""
    axis = rng.integers(0, 8, records).astype(np.float64)
    low = rng.integers(-1, 6, queries).astype(np.float64)
    missing = rng.random(queries) < 0.1
    ends = np.where(missing, np.nan, low), np.where(missing, np.nan, low + rng.integers(0, 6, queries))
    return [
        Range(columns=("a",), axis=axis, low=low, high=low + 5),
        Range(
            columns=("b",),
            axis=np.where(rng.random(records) < 0.2, np.nan, axis[::-1]),
            low=ends[0],
            high=ends[1],
            may_vanish=bool(rng.random() < 0.5),
        ),
        Same(columns=("c",), known=rng.integers(-1, 2, queries), masked=rng.integers(-1, 2, records)),
        Same(
            columns=("d",),
            known=rng.integers(0, 2, queries),
            masked=rng.integers(-1, 2, records),
            may_vanish=True,
        ),
        Near(
            columns=("e",),
            labels=rng.integers(0, 6, records),
            groups=np.argsort(rng.random((queries, 6)), axis=1)[:, :4],
            tried=(4,),
        ),
    ]


def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "PLAIN_CELLS", -1)
    monkeypatch.setattr(nearest, "PLAIN_WORK", -1)


def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (windows, nearest):
        monkeypatch.setattr(module, "numba_is_loaded", lambda: False)


def compared(known: Floats, masked: Floats, truth: NDArray[np.int64]) -> ComparedPoints:
    sides = [Stacked(parts=(each,), rows=np.arange(len(each))) for each in (known, masked)]
    return ComparedPoints(known=sides[0], masked=sides[1], truth=truth, slack=0.0)


def test_points_are_made_of_the_places_of_their_codes_and_of_plain_axes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(points_module, "ROWS_AT_ONCE", 2)
    coded = CodedPoints(np.array([[0.5, -9.0], [-2.0, 1.0], [7.0, 7.0]]), np.array([0, 1, 1, 0, 2]))
    plain_axis = np.array([[-4.0], [3.0], [8.0], [-8.0], [9.0]])
    stacked = Stacked(parts=(coded, plain_axis), rows=np.arange(5)).only(np.array([3, 1, 0]))
    assert len(stacked) == 3
    assert stacked.made().tolist() == [[0, 0.5, -9, -8], [0, -2, 1, 3], [0, 0.5, -9, -4]]
    assert stacked.largest() == [0, 2, 9, 8]


@pytest.mark.parametrize("way", [compiled, plain])
@pytest.mark.parametrize("chosen", ["", "a", "b", "d", "cd", "abcd", "e", "abcde"])
@pytest.mark.parametrize("seed", range(3))
def test_narrowing_gives_what_trying_every_pair_gives(
    monkeypatch: pytest.MonkeyPatch, way: Any, chosen: str, seed: int
) -> None:
    way(monkeypatch)
    monkeypatch.setattr(search, "PAIRS_AT_ONCE", 50)
    monkeypatch.setattr(search, "QUERIES_AT_ONCE", 16)
    rng = np.random.default_rng(seed)
    queries, records = 40, 60
    clues = [clue for clue in some_clues(rng, queries, records) if clue.columns[0] in chosen]
    known = rng.integers(0, 4, (queries, 2)).astype(np.float64)
    masked = rng.integers(0, 4, (records, 2)).astype(np.float64)
    truth = rng.integers(0, records, queries)
    found = narrow(clues, compared(known, masked, truth))
    everyone = np.arange(records)
    for query in range(queries):
        allowed = np.ones(records, dtype=bool)
        for clue in clues:
            allowed &= admits(clue, np.full(records, query), everyone)
        distances = np.where(allowed, ((known[query] - masked) ** 2).sum(axis=1), np.inf)
        tied = allowed & (distances == distances.min())
        assert found.sizes[query] == allowed.sum()
        assert found.inside[query] == allowed[truth[query]]
        assert found.ties[query] == tied.sum()
        assert found.hit[query] == tied[truth[query]]
        assert found.first[query] == (np.flatnonzero(tied)[0] if tied.any() else -1)


def test_as_few_nearest_groups_are_tried_as_leave_a_record() -> None:
    groups = np.array([[0, 1, 2]])
    labels = np.array([1, 1, 2])
    clue = Near(columns=("a",), labels=labels, groups=groups, tried=(1, 2, 3))
    found = narrow([clue], compared(np.zeros((1, 1)), np.zeros((3, 1)), np.array([2])))
    assert found.sizes.tolist() == [2]
    assert found.inside.tolist() == [False]


def test_a_window_holds_the_values_so_many_places_away_and_their_ties() -> None:
    low, high = window(np.array([3.0, 4.0, np.nan]), np.array([1.0, 2.0, 2.0, 3.0, 3.0, 5.0, 5.0]), 1)
    assert low[:2].tolist() == [2, 3]
    assert high[:2].tolist() == [5, 5]
    assert np.isnan(low[2])
    assert np.isnan(high[2])


def test_squared_distances_of_categories_are_costs_but_for_a_constant_of_the_known_one() -> None:
    rng = np.random.default_rng(2)
    table = rng.random((5, 5)) * 8
    left, right = (each.at(np.arange(5)) for each in likelihood_points(table, np.arange(5), np.arange(5)))
    distances = ((left[:, None] - right[None]) ** 2).sum(axis=2)
    assert distances - distances[:, :1] == pytest.approx(table - table[:, :1], abs=1e-4)


def test_categories_that_are_equally_likely_tie_to_the_last_bit() -> None:
    table = np.full((60, 60), 3.3)
    np.fill_diagonal(table, 0.7)
    left, right = (each.at(np.arange(60)) for each in likelihood_points(table, np.arange(60), np.arange(60)))
    distances = np.zeros((60, 60))
    for axis in range(60):
        distances += (left[:, None, axis] - right[None, :, axis]) ** 2
    for row in range(60):
        assert len(set(np.delete(distances[row], row))) == 1


def test_costs_weigh_a_rare_category_more_and_never_a_change_that_cannot_be() -> None:
    matrix = np.array([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0], [0.0, 0.1, 0.9]])
    found = costs(matrix, np.array([0.7, 0.2, 0.1, 0.0]))
    assert found[2, 2] < found[0, 0]
    assert found[0, 1] == pytest.approx(-2 * np.log(0.1 / 0.2))
    assert found[0, 2] == found[0, 3] == 80


def step(method: str, known: Table, masked: Any, blanked: frozenset[str] = frozenset()) -> PublishedStep:
    return PublishedStep(
        method=method,
        parameters=masked.parameters,
        columns=tuple(masked.parameters["columns"]),
        known=known,
        masked=masked.table,
        blanked=blanked,
        blanked_before=blanked,
        whole=True,
        dropped_after=False,
    )


@pytest.mark.parametrize("variant", ["uncorrelated", "correlated", "linear"])
def test_noise_has_variance_one_in_every_direction_of_its_coordinates(variant: str) -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(size=(4000, 3)) @ rng.normal(size=(3, 3)) * [1, 50, 0.1] + [3, -9, 0]
    known = Table.of(pl.DataFrame(values, schema=["a", "b", "c"]), roles={}, rest="quasi-identifier")
    p = 0.1
    told = likely_noise(step("add_noise", known, add_noise(known, p=p, variant=variant, seed=1)))
    (points,) = told.clues
    assert not isinstance(points, Range | Same | Near)
    before, after = (points_at(each, np.arange(each.shape[0])) for each in (points.known, points.masked))
    gaps = after * np.sqrt(1 + p * p) - before
    assert np.cov(gaps, rowvar=False) == pytest.approx(np.eye(3), abs=0.12)


def test_a_category_that_the_matrix_does_not_know_counts_as_missing() -> None:
    known = Table.of(
        pl.DataFrame({"w": ["x", "y", "x", "x", "z", None]}), roles={}, rest="quasi-identifier", name="known"
    )
    published = pram(known.take(np.arange(4)), theta=0.3, seed=2)
    (points,) = likely_categories(step("pram", known, published)).clues
    assert not isinstance(points, Range | Same | Near)
    assert points.known.shape == (6, 3)
    assert isinstance(points.known, CodedPoints)
    unknown, missing = points.known.at(np.array([4, 5])).tolist()
    assert unknown == missing


def test_an_axis_found_without_the_values_blanked_before_is_an_estimate() -> None:
    values = np.random.default_rng(5).normal(size=(30, 2))
    known = Table.of(pl.DataFrame(values, schema=["a", "b"]), roles={}, rest="quasi-identifier")
    grouped = microaggregate(known, k=3, variant="zscore")
    (settled,) = neighbouring_groups(step("microaggregate", known, grouped)).clues
    (estimate,) = neighbouring_groups(step("microaggregate", known, grouped, frozenset("b"))).clues
    assert isinstance(settled, Range)
    assert isinstance(estimate, Range)
    assert settled.sound
    assert not estimate.sound
