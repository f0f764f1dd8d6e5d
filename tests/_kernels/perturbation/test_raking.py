from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.perturbation.raking import rake


@given(st.integers(1, 40), st.integers(1, 4), st.integers(1, 4), st.integers(0, 999))
def test_raked_weights_have_the_totals_of_every_column(count: int, rows: int, lines: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    codes = [generator.integers(0, rows, count), generator.integers(0, lines, count)]
    true = generator.uniform(1, 5, count)
    totals = [np.bincount(column, weights=true).astype(np.float64) for column in codes]
    raked = rake(generator.uniform(1, 5, count), codes, totals)
    assert raked is not None
    assert (raked > 0).all()
    for column, wanted in zip(codes, totals, strict=True):
        assert np.bincount(column, weights=raked) == pytest.approx(wanted, rel=1e-6)


def test_weights_that_have_the_totals_already_stay() -> None:
    weights = np.array([1.0, 2.0, 3.0])
    raked = rake(weights, [np.array([0, 0, 1])], [np.array([3.0, 3.0])])
    assert raked is not None
    assert raked.tolist() == weights.tolist()


def test_totals_that_no_record_can_carry_are_not_found() -> None:
    assert rake(np.ones(2), [np.array([0, 0])], [np.array([2.0, 1.0])]) is None


def test_totals_that_contradict_each_other_are_not_found() -> None:
    assert rake(np.ones(2), [np.array([0, 1]), np.array([0, 0])], [np.ones(2), np.array([5.0])]) is None
