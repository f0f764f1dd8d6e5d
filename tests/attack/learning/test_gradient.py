"""The gradient heuristic: a lower bound that beats equal weights."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.attack.learning.conftest import noisy

from discreet.attack.learning import measure as fuzzy
from discreet.attack.learning.gradient import gradient
from discreet.attack.learning.learn import learn
from discreet.attack.learning.relink import relink
from discreet.errors import BadParameter

Files = tuple[NDArray[np.float64], NDArray[np.float64]]


def test_the_heuristic_lies_between_equal_weights_and_the_worst_case(small: Files) -> None:
    steps = gradient(*small, seed=0)
    equal = int(relink(*small, distance="weighted", parameters=np.full(3, 1 / 3)).sum())
    worst = learn(*small, distance="choquet", seconds=600, seed=0)
    assert equal <= steps.found <= worst.found <= steps.bound
    assert relink(*small, distance="choquet", parameters=steps.parameters).sum() == steps.found
    assert (fuzzy.monotone_rows(3) @ steps.parameters[1:] >= 0).all()


def test_the_heuristic_gains_where_columns_are_masked_unequally() -> None:
    original, masked = noisy(150, 3, seed=1)
    masked[:, 2] = np.random.default_rng(0).permutation(masked[:, 2])
    equal = int(relink(original, masked, distance="weighted", parameters=np.full(3, 1 / 3)).sum())
    assert gradient(original, masked, seed=0).found > equal


def test_steps_of_no_size_are_refused(small: Files) -> None:
    with pytest.raises(BadParameter, match="rate above 0"):
        gradient(*small, rate=0.0)
