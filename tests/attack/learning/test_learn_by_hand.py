"""The parts of a learned worst case, each by hand: precisions, samples, patience, bounds and intervals."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attack.learning import learn
from discreet.results import wilson


def test_weights_fall_with_the_squared_error_of_their_column() -> None:
    left = np.array([[0.0, 0.0, 5.0], [0.0, 0.0, 5.0]])
    right = np.array([[1.0, 2.0, 5.0], [1.0, -2.0, 5.0], [9.0, 9.0, 9.0]])
    found = learn._precisions(left, right)
    # Errors are 1, 4 and none, which counts as a billionth of the largest.
    plain = np.array([1, 1 / 4, 1 / 4e-9])
    assert found == pytest.approx(plain / plain.sum())
    assert learn._precisions(left, left) == pytest.approx([1 / 3] * 3)


def test_a_part_of_a_file_has_as_many_records_as_pairs_allow_and_no_fewer_than_are_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(learn, "MOST_PAIRS", 1000)
    monkeypatch.setattr(learn, "FEWEST_RECORDS", 20)
    for records, rivals, size in ((100, 25, 40), (100, 500, 20), (30, 10, 30), (15, 1000, 15)):
        found = learn._some_records(records, rivals, np.random.default_rng(0))
        assert len(found) == len(set(found.tolist())) == size
        assert found.tolist() == sorted(found.tolist())
        assert set(found.tolist()) <= set(range(records))


@pytest.mark.parametrize(
    ("rows", "rounds"), [(0, 20), (1, 20), (50_000, 20), (100_000, 10), (250_000, 4), (10**6, 3)]
)
def test_fewer_rounds_are_borne_where_each_is_long(rows: int, rounds: int) -> None:
    blocks: Any = SimpleNamespace(values=range(rows))
    assert learn._patience(blocks) == rounds


def worst(size: int, bound: float) -> Any:
    return SimpleNamespace(blocks=SimpleNamespace(size=size), bound=bound)


@given(st.integers(0, 10), st.integers(1, 10), st.integers(0, 10))
def test_nothing_is_proven_of_records_that_were_not_learned_from(found: int, size: int, bound: int) -> None:
    bound = min(bound, size)
    linked = np.arange(10) < found
    proven = 10 - (size - bound)
    assert learn._bound(worst(size, float(bound)), linked) == (proven if found <= proven else 10)


def test_an_interval_is_given_where_a_part_was_learned_from() -> None:
    linked = np.arange(10) < 3
    assert learn._interval(linked, worst(10, 5.0), 10) is None
    found = learn._interval(linked, worst(4, 2.0), 4)
    assert found == pytest.approx((0.3, wilson(2, 4)[1]))
    assert learn._interval(np.ones(10, dtype=np.bool_), worst(4, 0.0), 4) == (1.0, 1.0)
