"""The oracle: what it calls possible holds, what it calls impossible is, and its conflicts are minimal."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from tests.attack.learning.brute_force import can_hold
from tests.attack.learning.conftest import noisy

from discreet._kernels.learned import margin
from discreet.attack.learning.clock import OutOfTime
from discreet.attack.learning.oracle import Oracle
from discreet.attack.learning.setup import set_up
from discreet.attack.learning.standard import standardise


@pytest.mark.parametrize("distance", ["weighted", "owa", "choquet", "bilinear", "bilinear_free"])
def test_conflicts_cannot_hold_and_lose_their_force_without_any_block(distance: str) -> None:
    original, masked = noisy(25, 2, seed=9, amount=1.5)
    left, right = standardise(original), standardise(masked)
    setup = set_up(left, right, distance, False, None)
    blocks = setup.blocks()
    oracle = Oracle(blocks, time.monotonic() + 60)
    random = np.random.default_rng(0)
    seen = set()
    for _ in range(6):
        kept = (random.random(25) < 0.8) & ~blocks.lost
        theta, blamed = oracle.solve(kept)
        if theta is not None:
            assert blocks.verify(theta, kept)[kept].all()
            continue
        assert kept[blamed].all()
        conflict = oracle.shrink(blamed, random)
        seen.add(conflict)
        assert not can_hold(conflict, distance, False, left, right)
        for block in conflict:
            rest = tuple(each for each in conflict if each != block)
            assert can_hold(rest, distance, False, left, right)
    assert seen


def test_time_that_is_up_is_said_and_no_answer_is_made_up() -> None:
    original, masked = noisy(25, 2, seed=9)
    setup = set_up(standardise(original), standardise(masked), "weighted", False, None)
    blocks = setup.blocks()
    with pytest.raises(OutOfTime):
        Oracle(blocks, time.monotonic() - 1).solve(~blocks.lost)


@pytest.mark.parametrize("failures", [1, 2])
def test_a_program_lost_in_rounding_errors_is_solved_again_from_elsewhere(
    failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, masked = noisy(25, 2, seed=9, amount=1.5)
    setup = set_up(standardise(original), standardise(masked), "weighted", False, None)
    blocks = setup.blocks()
    everyone = ~blocks.lost
    theta, blamed = Oracle(blocks, time.monotonic() + 600).solve(everyone)
    honest, calls = margin.largest_margin, []

    def at_first_singular(*given: Any) -> Any:
        calls.append(len(given))
        if len(calls) <= failures:
            raise np.linalg.LinAlgError
        return honest(*given)

    monkeypatch.setattr("discreet._kernels.learned.margin.largest_margin", at_first_singular)
    again, reason = Oracle(blocks, time.monotonic() + 600).solve(everyone)
    assert theta is None
    assert again is None
    assert len(calls) > failures
    assert len(blamed) > 0
    assert len(reason) > 0


def test_what_no_start_can_solve_is_not_called_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    original, masked = noisy(25, 2, seed=9, amount=1.5)
    setup = set_up(standardise(original), standardise(masked), "weighted", False, None)
    blocks = setup.blocks()

    def singular(*given: Any) -> Any:
        raise np.linalg.LinAlgError

    monkeypatch.setattr("discreet._kernels.learned.margin.largest_margin", singular)
    theta, _ = Oracle(blocks, time.monotonic() + 600).solve(~blocks.lost)
    assert theta is not None
