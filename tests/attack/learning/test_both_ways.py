"""Linking in both directions: what counting alone says cannot be exceeded, and how bounds are put together."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.attack.learning.conftest import noisy

from discreet.attack.learning.both_ways import SAME, BothWays, OneWay, learn_both_ways, most_by_counting
from discreet.attack.learning.families import Family
from discreet.attack.learning.relink import expected_links
from discreet.attack.learning.standard import standardise
from discreet.results import wilson

Floats = NDArray[np.float64]
WEIGHTED = Family("weighted")


def way(chances: list[float], most: float, limit: float | None = None) -> OneWay:
    return OneWay(parameters=np.ones(2), chances=np.array(chances), most=most, limit=limit)


@given(
    st.lists(st.integers(0, 2), min_size=1, max_size=5),
    st.lists(st.integers(0, 2), min_size=5, max_size=7),
)
def test_no_choice_of_nearest_rows_links_more_than_counting_says(asking: list[int], rows: list[int]) -> None:
    left, right = (np.array(each, dtype=np.float64)[:, None] for each in (asking, rows))
    # Whoever asks alike is answered alike: with one of the values, and all rows of that value are as near.
    best = 0.0
    for answer in product(sorted(set(rows)), repeat=3):
        linked = [
            1 / rows.count(rows[place]) if answer[value] == rows[place] else 0.0
            for place, value in enumerate(asking)
        ]
        best = max(best, sum(linked))
    assert best <= most_by_counting(left, right) + 1e-9
    caps = [
        sum(1 / rows.count(rows[i]) for i, each in enumerate(asking) if each == value)
        for value in set(asking)
    ]
    assert most_by_counting(left, right) == pytest.approx(sum(min(1.0, each) for each in caps))


def test_the_better_direction_bounds_both() -> None:
    strict = learn_both_ways(np.eye(3), np.eye(3), 3, WEIGHTED, seconds=60, seed=0)
    both = replace(strict, forth=way([1, 0.5], 2.5), back=way([1, 1], 3.5))
    assert both.forth.expected == 1.5
    assert both.proven
    assert both.most(2.0) == 3.5
    assert both.limit(2.0) == 3.5
    # Where no more than rounding is between them the bound is what is expected.
    assert both.most(3.5 - SAME / 2) == 3.5 - SAME / 2
    part = replace(both, back=way([1, 1], 3.5, limit=2.75))
    assert not part.proven
    assert (part.most(2.0), part.limit(2.0)) == (3.5, 2.75)
    assert replace(both, forth=way([1, 0.5], 2.5, limit=2.25)).limit(2.0) == 3.5


def test_everybody_is_found_where_there_is_one_original_alone() -> None:
    found = learn_both_ways(
        np.zeros((1, 2)), np.array([[0.0, 1.0], [3.0, 0.5]]), 1, WEIGHTED, seconds=60, seed=0
    )
    assert isinstance(found, BothWays)
    assert found.back.chances.tolist() == [1.0]
    assert (found.back.most, found.back.limit) == (1.0, None)
    assert found.back.parameters.tolist() == found.forth.parameters.tolist()


@settings(max_examples=8)
@given(st.integers(0, 100))
def test_what_is_expected_is_what_the_parameters_link_and_never_more_than_the_most(seed: int) -> None:
    original, masked = noisy(14, 2, seed=seed)
    known, published = standardise(original), standardise(np.round(masked))
    found = learn_both_ways(known, published, 14, WEIGHTED, seconds=60, seed=0)
    for one, sides in ((found.forth, (known, published)), (found.back, (published, known))):
        again = expected_links(*sides, "weighted", one.parameters)
        assert one.chances == pytest.approx(again)
        assert one.expected <= one.most + 1e-9
        assert one.most <= most_by_counting(*sides) + 1e-9
        assert one.limit is None
        equal = expected_links(*sides, "weighted", np.array([0.5, 0.5]))
        assert one.expected >= equal.sum() - 1e-9


def test_a_part_of_a_large_file_gives_a_limit_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("discreet.attack.learning.learn")
    monkeypatch.setattr(module, "MOST_PAIRS", 40 * 10)
    monkeypatch.setattr(module, "FEWEST_RECORDS", 5)
    original, masked = noisy(40, 2, seed=3)
    known, published = standardise(original), standardise(masked)
    found = learn_both_ways(known, published, 40, Family("owa"), seconds=60, seed=0)
    assert found.learned.learned_from == 10
    assert not found.proven
    for one in (found.forth, found.back):
        assert one.limit is not None
        assert one.expected <= one.limit <= one.most == pytest.approx(40)
    proven = found.learned.bound - 30
    assert found.learned.interval is not None
    assert found.learned.interval[0] == pytest.approx(found.learned.found / 40)
    assert found.learned.interval[1] == pytest.approx(
        max(found.learned.found / 40, wilson(proven, 10)[1]), abs=1e-9
    )
