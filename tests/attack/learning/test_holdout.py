"""Learned on known pairs, tested on the others."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.attack.learning.conftest import noisy

from discreet.attack.learning.holdout import hold_out
from discreet.attack.learning.learn import learn_points
from discreet.attack.learning.relink import relink_points
from discreet.attack.learning.standard import standardise
from discreet.errors import BadParameter

Files = tuple[NDArray[np.float64], NDArray[np.float64]]


@pytest.fixture(scope="module")
def files() -> Files:
    return noisy(90, 3, seed=11, amount=0.4)


@pytest.mark.parametrize("among_all", [False, True])
def test_shares_are_those_of_plain_linkage_under_the_learned_parameters(
    files: Files, among_all: bool
) -> None:
    known = np.arange(90) % 3 == 0
    result = hold_out(*files, known=known, among_all=among_all, distance="choquet", seconds=600, seed=0)
    left, right = (standardise(each) for each in files)
    again = relink_points(left[~known], right[~known], "choquet", result.learned.parameters)
    assert result.records.tolist() == again.tolist()
    assert result.test == again.mean()
    assert result.train == result.learned.records.mean()
    assert len(result.learned.records) == 30
    assert result.train >= result.plain_train
    equal = np.full(3, 1 / 3)
    rivals = np.vstack([right[known], right[~known]]) if among_all else right[known]
    assert result.plain_test == relink_points(left[~known], right[~known], "weighted", equal).mean()
    assert result.plain_train == relink_points(left[known], rivals, "weighted", equal).mean()


def test_more_rivals_leave_fewer_known_pairs_to_win(files: Files) -> None:
    known = np.arange(90) % 3 == 0
    few = hold_out(*files, known=known, seconds=600, seed=0)
    many = hold_out(*files, known=known, among_all=True, seconds=600, seed=0)
    assert many.train <= few.train
    assert many.plain_train <= few.plain_train


def test_learning_uses_nothing_of_the_other_pairs(files: Files) -> None:
    left, right = (standardise(each) for each in files)
    known = np.arange(90) < 40
    result = hold_out(*files, known=known, seconds=600, seed=3)
    alone = learn_points(left[:40], right[:40], seconds=600, seed=3)
    assert result.learned.parameters.tolist() == alone.parameters.tolist()


def test_two_pairs_on_either_side_are_enough_and_one_is_not(files: Files) -> None:
    for known in (np.arange(90) < 2, np.arange(90) >= 2):
        assert len(hold_out(*files, known=known, seconds=600, seed=0).records) == (~known).sum()
    for known in (np.arange(90) < 1, np.arange(90) >= 1):
        with pytest.raises(BadParameter, match=rf"got {known.sum()} of 90 known"):
            hold_out(*files, known=known)


def test_what_is_known_must_be_told_of_each_record(files: Files) -> None:
    with pytest.raises(BadParameter, match="true or false"):
        hold_out(*files, known=np.ones(5, dtype=np.bool_))
    with pytest.raises(BadParameter, match="true or false"):
        hold_out(*files, known=np.ones(90))  # type: ignore[arg-type]
