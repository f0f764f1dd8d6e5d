"""Leaves of trees: who is in them, who donates, how wide values are spread, and which values are rare."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.mask.leaves import Leaves, Predictor, _features, leaves_of, one_leaf, rare

VALUES = st.lists(st.integers(0, 4), min_size=1, max_size=12)


@given(VALUES, st.integers(1, 5))
def test_a_value_is_rare_where_fewer_records_hold_it(values: list[int], least: int) -> None:
    counts = Counter(values)
    found = rare(np.array(values, dtype=np.float64), least)
    assert found.tolist() == [counts[each] < least for each in values]


def test_donors_are_of_the_same_leaf_and_each_has_the_same_chance() -> None:
    leaves = Leaves(original=np.array([0, 1, 0, 1, 1, 2]), synthetic=np.repeat([0, 1, 2], 600))
    donors = leaves.donors(np.random.default_rng(1))
    assert (leaves.original[donors] == leaves.synthetic).all()
    for leaf, members in ((0, [0, 2]), (1, [1, 3, 4]), (2, [5])):
        drawn = Counter(donors[leaves.synthetic == leaf].tolist())
        assert set(drawn) == set(members)
        assert min(drawn.values()) > 600 / len(members) * 0.8


def test_the_width_of_a_leaf_is_by_the_rule_of_silverman() -> None:
    values = np.array([1.0, 5.0, 3.0, 5.0, 8.0, 7.0])
    leaves = Leaves(original=np.array([0, 1, 0, 1, 1, 2]), synthetic=np.zeros(1, dtype=np.int64))
    expected = [0.9 * np.std([1, 3]) * 2**-0.2, 0.9 * np.std([5, 5, 8]) * 3**-0.2, 0.0]
    assert leaves.widths(values) == pytest.approx(expected)
    assert leaves.widths(1e200 * values) == pytest.approx(1e200 * np.array(expected))


def predictor(original: list[float], synthetic: list[float], *, ordered: bool = True) -> Predictor:
    return Predictor(
        original=np.array(original, dtype=np.float64),
        synthetic=np.array(synthetic, dtype=np.float64),
        ordered=ordered,
    )


def test_a_leaf_holds_at_least_so_many_and_tells_apart_what_it_can() -> None:
    known = [predictor([0, 0, 0, 0, 9, 9, 9, 9], [0, 9, 9])]
    target = np.array([1, 1, 2, 1, 7, 8, 7, 7], dtype=np.float64)
    found = leaves_of(target, True, known, 4, np.random.default_rng(0))
    assert found.original.tolist() == [0] * 4 + [1] * 4
    assert found.synthetic.tolist() == [0, 1, 1]
    # With five in a leaf there is one leaf: eight records are fewer than two of them.
    for least, values in ((5, target), (4, np.ones(8))):
        one = leaves_of(values, True, known, least, np.random.default_rng(0))
        assert one.original.tolist() == [0] * 8
        assert one.synthetic.tolist() == [0] * 3
    named = leaves_of(np.array([0, 0, 0, 0, 1, 1, 1, 1.0]), False, known, 2, np.random.default_rng(0))
    assert named.original.tolist() == [0] * 4 + [1] * 4
    first = leaves_of(target, True, [], 1, np.random.default_rng(0))
    assert (first.original.tolist(), first.synthetic.tolist()) == ([0] * 8, [])
    alone = one_leaf(2, 3)
    assert (alone.original.tolist(), alone.synthetic.tolist()) == ([0, 0], [0, 0, 0])


def test_numbers_are_standardised_and_missing_stands_below_all() -> None:
    one, other = _features(predictor([1, 3, np.nan], [3, np.nan, 5]), np.zeros((3, 1)))
    assert one == pytest.approx([-1, 1, -2])
    assert other == pytest.approx([1, -2, 3])


def test_categories_stand_in_the_order_of_what_they_say_of_the_target() -> None:
    aims = np.array([[5.0], [1.0], [3.0], [1.0], [9.0]])
    known = predictor([0, 1, 2, 1, np.nan], [2, 1, 0, np.nan], ordered=False)
    one, other = _features(known, aims)
    # Means are 5, 1 and 3, and 9 for what is missing.
    assert one.tolist() == [2, 0, 1, 0, 3]
    assert other.tolist() == [1, 0, 2, 3]
