"""Records as they are compared: average gaps, shares of unlike pairs, pairs of one person, samples and twins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attack import records
from discreet.attack.points import ScaledColumn
from discreet.attack.records import (
    are_points,
    is_silent,
    mean_gap,
    people_tried,
    same_person,
    sampled,
    share_unlike,
    shared_by_twins,
    telling,
)
from discreet.comparing import AxisColumn, CategoryColumn

NUMBERS = st.lists(st.one_of(st.none(), st.integers(0, 9)), min_size=1, max_size=7)
CODES = st.lists(st.integers(-1, 2), min_size=1, max_size=7)


def floats(values: list[int | None]) -> Any:
    return np.array([np.nan if each is None else each for each in values], dtype=np.float64)


def axis(known: list[int | None], low: list[int | None], high: list[int | None] | None = None) -> AxisColumn:
    ends = low if high is None else high
    return AxisColumn(
        name="x", known=floats(known), known_high=floats(known), low=floats(low), high=floats(ends)
    )


def categories(known: list[int], published: list[int], holds: list[list[bool]]) -> CategoryColumn:
    shape = np.array(holds, dtype=bool).reshape(len(holds), 3)
    return CategoryColumn(
        name="c", known=np.array(known), published=np.array(published), levels=3, holds=shape, certain=shape
    )


@given(NUMBERS, NUMBERS)
def test_themean_gap_is_that_over_all_pairs(known: list[int | None], published: list[int | None]) -> None:
    column = ScaledColumn.of(axis(known, published))
    left = column.known_low[~np.isnan(column.known_low)]
    right = column.low[~np.isnan(column.low)]
    gaps = np.abs(left[:, None] - right[None, :])
    empty = gaps.size == 0
    plain = 1.0 if empty else float(gaps.mean())
    squared = 1.0 if empty else float(np.sqrt((gaps**2).mean()))
    assert mean_gap(column, False) == pytest.approx(plain if plain > 1e-12 else 1.0, abs=1e-9)
    assert mean_gap(column, True) == pytest.approx(squared if squared > 1e-9 else 1.0, abs=1e-6)


@given(CODES, st.lists(st.integers(-1, 4), min_size=1, max_size=7))
def test_the_share_of_unlike_pairs_is_that_over_all_pairs(known: list[int], published: list[int]) -> None:
    holds = [[True, True, False], [False, False, False]]
    column = categories(known, published, holds)
    pairs = [
        (one == other) if other < 3 else holds[other - 3][one]
        for one in known
        for other in published
        if one >= 0 and other >= 0
    ]
    unlike = 1 - sum(pairs) / len(pairs) if pairs else 0.0
    assert share_unlike(column) == pytest.approx(unlike or 1.0)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.data())
def test_pairs_of_one_person_are_all_that_there_are(persons: list[int], data: st.DataObject) -> None:
    truth = data.draw(st.lists(st.integers(-1, len(persons) - 1), min_size=1, max_size=6))
    found = same_person(np.array(truth), np.array(persons))
    assert found is not None
    expected = [
        (query, target)
        for query, owner in enumerate(truth)
        for target, person in enumerate(persons)
        if owner >= 0 and persons[owner] == person
    ]
    assert list(zip(found.query.tolist(), found.target.tolist(), strict=True)) == expected
    assert same_person(np.array(truth), None) is None


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from([0.0, 0.5, 1.0]), st.booleans()), min_size=1, max_size=8
    )
)
def test_twins_share_the_mean_of_the_chances_of_those_judged(rows: list[tuple[int, float, bool]]) -> None:
    label, chance, judged = (np.array([row[place] for row in rows]) for place in range(3))
    found = shared_by_twins(chance.astype(np.float64), label, judged.astype(bool))
    for place, (mine, _, counts) in enumerate(rows):
        twins = [each[1] for each in rows if each[0] == mine and each[2]]
        assert found[place] == pytest.approx(np.mean(twins) if counts else 0.0)


def test_a_sample_is_of_so_many_and_no_fewer_than_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "FEWEST_TRIED", 5)
    rows = np.arange(100, 140)
    assert people_tried(rows, 40.0) is rows
    assert people_tried(rows, np.inf) is rows
    for most, size in ((39.9, 39), (12.5, 12), (3.0, 5)):
        some = people_tried(rows, most)
        assert len(some) == len(set(some.tolist())) == size
        assert set(some.tolist()) <= set(rows.tolist())
        assert some.tolist() == sorted(some.tolist()) == people_tried(rows, most).tolist()
    assert sampled(3, 4) == {"people_tried": 3, "people": 4}
    assert sampled(4, 4) == {}


def test_a_column_that_can_stand_for_anything_tells_nothing() -> None:
    assert is_silent(axis([1, 5], [1, 0], [5, 9]))
    assert not is_silent(axis([1, 5], [1, 2], [5, 9]))
    assert not is_silent(axis([1, 5], [1, 1], [5, 4]))
    everything = [[True, True, True], [True, True, False]]
    assert is_silent(categories([0, 1, 2], [3, 3], everything))
    assert not is_silent(categories([0, 1, 2], [3, 4], everything))
    assert not is_silent(categories([0, 1, 2], [3, 0], everything))
    assert not is_silent(categories([0, 1, 2], [3, -1], everything))
    assert not is_silent(categories([0, -1, 2], [3, 3], everything))
    silent, speaking = axis([1, 5], [1, 0], [5, 9]), axis([1, 5], [1, 5])
    assert telling([silent, speaking]) == [speaking]
    assert telling([silent]) == [silent]


def test_points_have_neither_bands_nor_blanks_nor_categories() -> None:
    assert are_points([axis([1, 5], [1, 5]), axis([2], [3])])
    assert not are_points([axis([1, 5], [1, 5], [1, 6])])
    assert not are_points([axis([1, None], [1, 5])])
    assert not are_points([axis([1, 5], [1, None])])
    assert not are_points([axis([1], [1]), categories([0], [0], [])])
