from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import seeds
from discreet.errors import BadParameter, listed
from discreet.results import Loss, Risk, plain, wilson


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_the_interval_holds_the_share_and_stays_within_0_and_1(attempts: int, share: float) -> None:
    low, high = wilson(share * attempts, attempts)
    assert 0 <= low <= share + 1e-9
    assert share - 1e-9 <= high <= 1


def test_the_interval_is_that_of_wilson() -> None:
    assert wilson(196.56, 1080) == pytest.approx((0.1601, 0.2061), abs=2e-4)


def test_results_read_as_one_line_and_as_json() -> None:
    risk = Risk(
        name="link", risk=0.182, meaning="", interval=(0.16, 0.206), baseline=0.001, attempts=1080,
        records=np.zeros(3), details={"array": np.zeros(2), "number": np.float64(2), "odd": float("inf")},
    )  # fmt: skip
    assert str(risk) == "link: 18.2% of 1080 attempts (95% interval 16.0%-20.6%; guessing 0.1%)"
    assert json.loads(json.dumps(risk.to_dict(), allow_nan=False))["details"] == {"number": 2.0, "odd": "inf"}
    assert str(Loss(name="il", loss=1.23456, meaning="", left_out=2)) == "il: 1.235 (2 parts left out)"
    details = {"columns_left_out": ["age"], "cells_blanked": 7}
    told = str(Loss(name="il", loss=1.23456, meaning="", left_out=1, details=details))
    assert told == "il: 1.235 (1 parts left out; without 'age'; 7 cells blanked)"
    assert plain({"a": {"b": (1, np.int64(2))}}) == {"a": {"b": [1, 2]}}


def test_seeds_are_drawn_anew_and_checked(operating_system_draw: Callable[[], int]) -> None:
    assert operating_system_draw() != operating_system_draw()
    assert 0 <= seeds.check(None) < 2**128
    for bad in (-1, 2**128, True, 1.5, "1"):
        with pytest.raises(BadParameter, match="seed must be a whole number"):
            seeds.check(bad)


def test_streams_of_a_seed_are_independent_and_repeatable() -> None:
    one, again = seeds.generator(7, 1).random(5), seeds.generator(7, 1).random(5)
    other = seeds.generator(7, 2).random(5)
    assert (one == again).all()
    assert not (one == other).any()
    assert seeds.derive(7, 1) == seeds.derive(7, 1) != seeds.derive(7, 2)


def test_a_proven_risk_says_so_instead_of_an_interval_of_chance() -> None:
    found = Risk(name="learned", risk=0.5, meaning="", interval=(0.5, 0.75), attempts=8, proven=True)
    assert str(found) == "learned: 50.0% of 8 attempts (at most 75.0% is proven)"
    assert "proven to be the most" in str(replace(found, interval=(0.5, 0.5)))
    assert found.to_dict()["proven"]


def test_a_risk_without_an_interval_says_nothing_of_one() -> None:
    risk = Risk(name="link", risk=0.5, meaning="", attempts=8)
    assert risk.interval_text == ""
    assert not risk.by_chance
    assert str(risk) == "link: 50.0% of 8 attempts"
    exact = replace(risk, interval=(0.5, 0.5), level=3, failed=2, left_out=("age", "town"))
    assert exact.interval_text == "exact"
    assert not exact.by_chance
    assert (
        str(exact) == "link: 50.0% of 8 attempts (exact; level 3; 2 attempts failed; without 'age', 'town')"
    )
    assert replace(risk, interval=(0.4, 0.6)).by_chance


def test_an_interval_without_attempts_is_everything_and_else_that_of_the_formula() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    z2 = 1.959963984540054**2
    assert wilson(0, 10) == pytest.approx((0.0, z2 / (10 + z2)))
    assert wilson(10, 10) == pytest.approx((10 / (10 + z2), 1.0))


def test_names_are_listed_and_the_rest_of_many_counted() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "'a'"
    assert listed(["a", "b"]) == "'a', 'b'"
    many = [f"c{place}" for place in range(30)]
    shown = listed(many).split(" and ")[0].split(", ")
    assert shown == [f"'{name}'" for name in many[: len(shown)]]
    assert listed(many).endswith(f" and {30 - len(shown)} more")
    assert 0 < len(shown) < 30
