"""The gradient heuristic: a lower bound that beats equal weights."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.attack.learning.conftest import noisy

from discreet.attack.learning import measure as fuzzy
from discreet.attack.learning.blocks import Blocks, Shares
from discreet.attack.learning.forms import Choquet
from discreet.attack.learning.gradient import _one_pass, gradient
from discreet.attack.learning.learn import learn
from discreet.attack.learning.relink import relink
from discreet.attack.learning.standard import standardise
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


def test_one_pass_pulls_the_measure_by_each_record_that_is_not_won(small: Files) -> None:
    """The same steps with the integral of every pair computed by its definition."""
    left, right = (standardise(each) for each in small)
    form = Choquet(3, submodular=False)
    blocks = Blocks(form, left, Shares.none(right, len(left)))
    start = np.array([1, 1, 2, 1, 2, 2, 3]) / 3
    theta = start
    for record in np.random.default_rng(5).permutation(np.flatnonzero(~blocks.lost)):
        lengths = form.features(left[record] - right) @ theta
        rival = min((place for place in range(60) if place != record), key=lambda place: lengths[place])
        if lengths[rival] > lengths[record]:
            continue
        pull = form.leads(
            left[record : record + 1] - right[record], left[record : record + 1] - right[rival]
        )[0]
        moved = np.concatenate([[0.0], theta + 0.2 * pull / np.linalg.norm(pull)])
        theta = fuzzy.monotone(np.minimum(moved, 1.0))[1:]
    assert _one_pass(blocks, start, 0.2, np.random.default_rng(5)) == pytest.approx(theta, abs=1e-9)
    assert not np.allclose(theta, start)


def test_the_best_measure_at_the_end_of_a_pass_is_kept_and_the_rate_shrinks(
    small: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module("discreet.attack.learning.gradient")
    rates: list[float] = []
    real = module._one_pass

    def noted(blocks: Blocks, theta: NDArray[np.float64], rate: float, random: np.random.Generator) -> Any:
        rates.append(rate)
        return real(blocks, theta, rate, random)

    monkeypatch.setattr(module, "_one_pass", noted)
    told: list[tuple[float, float, str]] = []
    found = gradient(*small, passes=4, rate=0.6, seed=3, progress=lambda *each: told.append(each))
    assert rates == pytest.approx([0.6, 0.3, 0.2, 0.15])
    assert [each[:2] for each in told] == [(step, 4) for step in range(4)]
    counts = [int(str(what).split()[1]) for _, _, what in told]
    assert all(
        what == f"found {count} of 60 records" for count, (_, _, what) in zip(counts, told, strict=True)
    )
    assert counts == sorted(counts)
    assert found.found >= counts[-1]
    assert (found.distance, found.metric, found.additivity, found.interval) == ("choquet", False, None, None)
    assert (found.learned_from, len(found.records), int(found.records.sum())) == (60, 60, found.found)
    assert found.optimal == (found.found == found.bound)
    assert found.seconds > 0
    again = gradient(*small, passes=4, rate=0.6, seed=3)
    assert again.parameters.tolist() == found.parameters.tolist()
    with pytest.raises(BadParameter, match="passes must be at least 1"):
        gradient(*small, passes=0)
    assert len(gradient(*small, passes=1, seed=3).records) == 60


def test_nothing_is_learned_where_everybody_is_found_or_time_is_up(small: Files) -> None:
    told: list[Any] = []
    same = gradient(small[0], small[0], seed=0, progress=lambda *each: told.append(each))
    assert (same.found, same.bound, same.optimal) == (60, 60, True)
    late = gradient(*small, seconds=0.0, seed=0, progress=lambda *each: told.append(each))
    assert told == []
    # Where it began: every set by the number of its columns.
    assert late.parameters == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3, 1 / 3, 2 / 3, 2 / 3, 1])
