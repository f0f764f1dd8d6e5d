"""The least that meets every conflict, against trying every set."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.attack.learning.hitting import STEP, Conflicts

CONFLICTS = st.lists(
    st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True).map(lambda each: tuple(sorted(each))),
    min_size=1,
    max_size=6,
)
WEIGHTS = st.one_of(
    st.sampled_from([1.0, 0.25]).map(lambda each: [each] * 6),
    st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=6, max_size=6),
)


def conflicts_of(weights: list[float], known: list[tuple[int, ...]]) -> Conflicts:
    made = Conflicts(np.array(weights))
    for each in known:
        made.add(each)
    return made


def lightest(weights: list[float], known: list[tuple[int, ...]]) -> float:
    """The least weight of a set that meets every conflict."""
    return min(
        sum(weights[block] for block in chosen)
        for size in range(7)
        for chosen in combinations(range(6), size)
        if all(set(chosen) & set(conflict) for conflict in known)
    )


@settings(max_examples=60)
@given(WEIGHTS, CONFLICTS)
def test_the_lightest_set_that_meets_every_conflict_is_found(
    weights: list[float], known: list[tuple[int, ...]]
) -> None:
    made = conflicts_of(weights, known)
    best = lightest(weights, known)
    found = made.hitting_set(sum(weights) + 1, 1000, math.inf)
    assert found.blocks is not None
    assert all(set(found.blocks) & set(conflict) for conflict in known)
    assert sum(weights[block] for block in found.blocks) == pytest.approx(best)
    assert found.least == pytest.approx(best, abs=2 * STEP)
    assert found.least <= best
    # There is none that weighs less than the best, and that is what is proven then; sums are told apart by STEP.
    below = best if len(set(weights)) == 1 else best - 10 * STEP
    none = made.hitting_set(below, 1000, math.inf)
    assert none.blocks is None
    assert none.least == pytest.approx(below, abs=2 * STEP)
    assert none.least <= below
    cover = made.quick_hitting_set(np.random.default_rng(1))
    assert all(set(cover) & set(conflict) for conflict in known)


@settings(max_examples=60)
@given(WEIGHTS, CONFLICTS, st.lists(st.booleans(), min_size=6, max_size=6))
def test_what_is_missed_at_the_least_where_ties_count_in_part(
    weights: list[float], known: list[tuple[int, ...]], never: list[bool]
) -> None:
    made = conflicts_of(weights, known)
    made.never.update(zip(made.known, never, strict=False))
    ties = np.array(weights) / 2
    best = min(
        sum(
            weights[block] if state == "lost" else weights[block] - ties[block] if state == "tied" else 0.0
            for block, state in enumerate(states)
        )
        for states in product(("won", "tied", "lost"), repeat=6)
        if all(
            any(states[block] == "lost" for block in conflict)
            or (not made.never.get(conflict, False) and all(states[block] == "tied" for block in conflict))
            for conflict in known
        )
    )
    found = made.least_missing(ties, math.inf)
    assert found <= best
    # A bound: the program takes a conflict in which some are lost and others tied for met as well.
    assert found >= 0


def test_ties_of_whole_conflicts_are_counted_exactly_where_they_do_not_overlap() -> None:
    made = conflicts_of([1.0] * 6, [(0, 1), (2, 3, 4)])
    ties = np.full(6, 0.5)
    # Losing one of two costs 1, tying both costs 1 as well; losing one of three costs 1.
    assert made.least_missing(ties, math.inf) == pytest.approx(2.0, abs=2 * STEP)
    ties[:2] = 0.9
    assert made.least_missing(ties, math.inf) == pytest.approx(1.2, abs=2 * STEP)
    made.never[0, 1] = True
    assert made.least_missing(ties, math.inf) == pytest.approx(2.0, abs=2 * STEP)


def test_without_a_conflict_nothing_is_given_up() -> None:
    made = Conflicts(np.ones(3))
    found = made.hitting_set(5.0, 10, math.inf)
    assert (found.blocks, found.least, found.effort) == ([], 0.0, 0)
    assert made.least_missing(np.ones(3), math.inf) == 0
    assert made.quick_hitting_set(np.random.default_rng(0)) == []
    assert made.add((0, 1))
    assert not made.add((0, 1))
    assert made.known == [(0, 1)]


def test_equal_weights_are_a_unit_by_which_bounds_step() -> None:
    assert Conflicts(np.full(4, 0.5)).step == 0.25
    assert Conflicts(np.array([1.0, 0.5])).step == STEP
    assert Conflicts(np.empty(0)).step == STEP
    units = conflicts_of([0.5] * 3, [(0, 1), (1, 2)])
    assert units.hitting_set(9.0, 100, math.inf).least == 0.5
