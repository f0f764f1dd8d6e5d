"""Long steps look at the clock: a fake one here, which moves by what is compared and not by how fast the machine is."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.attack.learning.conftest import KINDS, noisy

from discreet._kernels.learned import forms, pareto
from discreet.attack.learning import clock, learn
from discreet.attack.learning.clock import OutOfTime, parts
from discreet.attack.learning.matrices import DEFINITE, NonNegativePairs, to_matrix, to_vector
from discreet.attack.learning.setup import set_up
from discreet.attack.learning.standard import standardise

Floats = NDArray[np.float64]
PAST = -1.0


class FakeClock:
    """A clock that moves when it is told to, and a little whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 1e-6
        return self.now


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    now = FakeClock()
    monkeypatch.setattr(time, "monotonic", now)
    return now


def test_parts_cover_everything_where_there_is_time(fake: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "AT_ONCE", 100)
    found = [np.arange(1000)[part] for part in parts(1000, 30, fake.now + 1.0)]
    assert np.concatenate(found).tolist() == list(range(1000))
    assert max(len(each) for each in found) == 3
    assert list(parts(0, 30, fake.now + 1.0)) == []


def done_in_parts(count: int, seconds: float, each: float, now: FakeClock) -> int:
    """How many parts are done within some seconds, if each of them takes so long, before the rest is given up."""
    done = 0
    try:
        for _ in parts(count, 1, now.now + seconds):
            now.now += each
            done += 1
    except OutOfTime:
        return done
    pytest.fail("all parts were done")


def test_no_part_begins_after_the_time_is_up(fake: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "AT_ONCE", 1)
    assert done_in_parts(4, 1.0, 0.4, fake) == 3
    assert done_in_parts(10, 1.0, 2.0, fake) == 1
    assert done_in_parts(10, -1.0, 2.0, fake) == 0


def test_a_step_that_cannot_be_done_in_time_is_given_up_soon(
    fake: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "AT_ONCE", 1)
    assert done_in_parts(1000, 100.0, 1.0, fake) == clock.SURE_AFTER


def test_a_step_that_may_yet_be_done_in_time_is_gone_on_with(
    fake: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After 20 parts 80 seconds are needed and 40.3 left, after 21 parts 79 and 39.3: less than half."""
    monkeypatch.setattr(clock, "AT_ONCE", 1)
    assert done_in_parts(100, 60.3, 1.0, fake) == 21


@pytest.mark.parametrize("distance", ["owa", "choquet", "bilinear", "bilinear_free"])
def test_checking_everyone_ends_when_the_time_is_up(distance: str) -> None:
    left, right = (standardise(each) for each in noisy(30, 3, seed=2))
    setup = set_up(left, right, distance, False, None)
    blocks = setup.blocks(deadline=PAST)
    theta = setup.starts(np.full(3, 1 / 3))[0]
    with pytest.raises(OutOfTime):
        blocks.verify(theta, until=PAST)
    assert blocks.verify(theta).any()


def test_without_time_for_all_pairs_a_matrix_is_made_definite() -> None:
    left, right = (standardise(each) for each in noisy(30, 3, seed=2))
    cone = NonNegativePairs(left, right)
    outside = to_vector(np.array([[1.0, 0.2, 0.0], [0.2, -0.5, 0.1], [0.0, 0.1, 0.3]]))
    with pytest.raises(OutOfTime):
        cone.violated(outside, PAST)
    mended = cone.mend(outside, PAST)
    assert np.linalg.eigvalsh(to_matrix(mended, 3))[0] > DEFINITE * 3 * np.abs(mended).max()
    # No look at the pairs is needed to know that a definite matrix is inside.
    assert len(cone.violated(mended, PAST)) == 0
    assert (cone.mend(mended, PAST) == mended).all()
    assert forms.lowest_pairs(left, right, to_matrix(mended, 3).ravel())[0].min() == 0.0


@pytest.mark.parametrize(("distance", "metric"), KINDS)
def test_a_search_ends_soon_after_its_time_is_up(
    distance: str, metric: bool, fake: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    records, each, limit = 300, 1e-4, 10.0
    original, masked = noisy(records, 3, seed=5, amount=0.5)

    def takes_time(module: Any, name: str, pairs: Any) -> None:
        done = getattr(module, name)

        def slowly(*given: Any) -> Any:
            fake.now += each * pairs(*given)
            return done(*given)

        monkeypatch.setattr(module, name, slowly)

    monkeypatch.setattr(clock, "AT_ONCE", 3000)
    everyone = records
    takes_time(forms, "nearest_rivals", lambda *given: len(given[5]) * everyone)
    takes_time(forms, "nearest_bilinear", lambda *given: len(given[3]) * everyone)
    takes_time(forms, "lowest_pairs", lambda *given: len(given[0]) * everyone)
    takes_time(forms, "mirrored", lambda *given: len(given[2]) * everyone)
    takes_time(pareto, "minimal_rivals", lambda *given: len(given[2]) * everyone)
    # One check of everyone takes nine seconds of the ten: a search that starts one whenever it likes takes a minute.
    found = learn.learn(original, masked, distance=distance, metric=metric, seconds=limit, seed=0)
    assert found.found <= found.bound <= records
    assert found.seconds < 1.5 * limit


def test_the_time_to_count_everybody_follows_from_counting_a_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("discreet.attack.learning.learn")
    now, counted = [100.0], []

    def count(left: NDArray[np.float64], right: object, distance: str, parameters: object) -> None:
        counted.append(len(left))
        now[0] += 2.0 + 0.5 * len(left)

    monkeypatch.setattr(module, "relink_points", count)
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    points = np.zeros((50, 2))
    assert module._time_to_count(points, points, "weighted", np.ones(2)) == 0.0
    monkeypatch.setattr(module, "MANY_PAIRS", 2499)
    # One record takes 2.5 seconds, six of them 5: the fifty take 2.5 and as often 2.5 as there are fives in fifty.
    assert module._time_to_count(points, points, "weighted", np.ones(2)) == pytest.approx(2.5 + 2.5 * 10)
    assert counted == [1, 6]
