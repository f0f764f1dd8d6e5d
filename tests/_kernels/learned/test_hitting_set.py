"""A greedy hitting set meets every set."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.learned.hitting_set import greedy_hitting_set


@given(
    sets=st.lists(st.sets(st.integers(0, 9), min_size=1, max_size=5), min_size=1, max_size=30),
    seed=st.integers(0, 10**6),
)
def test_every_set_is_met_and_no_number_is_taken_twice(sets: list[set[int]], seed: int) -> None:
    members = np.array([number for each in sets for number in sorted(each)])
    start = np.concatenate([[0], np.cumsum([len(each) for each in sets])])
    luck = np.random.default_rng(seed).uniform(0.8, 1.2, size=10)
    chosen = greedy_hitting_set(start, members, luck).tolist()
    assert all(each & set(chosen) for each in sets)
    assert len(chosen) == len(set(chosen))


def test_the_number_in_most_sets_is_taken_first() -> None:
    start, members = np.array([0, 2, 4, 6]), np.array([0, 3, 1, 3, 2, 3])
    assert greedy_hitting_set(start, members, np.ones(4)).tolist() == [3]
