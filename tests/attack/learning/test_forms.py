"""A distance is its features times its parameters, and a search looks at every kind of direction."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.attack.learning import measure as fuzzy
from discreet.attack.learning.forms import AdditiveChoquet, Bilinear, Choquet, Form, Weights
from discreet.attack.learning.matrices import to_matrix
from discreet.attack.learning.standard import BLUR

Floats = NDArray[np.float64]
LEFT, RIGHT = np.random.default_rng(0).normal(size=(2, 20, 3))
FORMS: dict[str, Form] = {
    "weighted": Weights(3, ordered=False),
    "owa": Weights(3, ordered=True),
    "choquet": Choquet(3, submodular=False),
    "submodular": Choquet(3, submodular=True),
    "additive": AdditiveChoquet(3, 2, submodular=False),
    "additive submodular": AdditiveChoquet(3, 2, submodular=True),
    "free": Bilinear.on(LEFT, RIGHT, "free"),
    "definite": Bilinear.on(LEFT, RIGHT, "definite"),
}
WEIGHTS = np.array([0.5, 0.3, 0.2])


def choquet(squares: Floats, measure: Floats) -> float:
    """The Choquet integral by its definition: each rise of the sorted values times the measure of those above it."""
    total, before = 0.0, 0.0
    for place in np.argsort(squares):
        above = sum(fuzzy.bit(k, len(squares)) for k in range(len(squares)) if squares[k] >= squares[place])
        total += (squares[place] - before) * measure[above]
        before = squares[place]
    return total


def distance(name: str, difference: Floats, theta: Floats) -> float:
    """The distance of a difference, from the parameters as a user reads them."""
    form, squares = FORMS[name], difference * difference
    if name == "weighted":
        return float(squares @ theta)
    if name == "owa":
        return float(np.sort(squares)[::-1] @ theta)
    if isinstance(form, Bilinear):
        return float(difference @ form.native(theta).reshape(3, 3) @ difference)
    return choquet(squares, form.native(theta))


def inside(name: str, seed: int) -> Floats:
    """Parameters that the distance may have."""
    form = FORMS[name]
    start = form.starts(WEIGHTS)[-1]
    moved = start + 0.1 * np.random.default_rng(seed).normal(size=form.size)
    return form.scaled(form.cone.mend(moved))


@pytest.mark.parametrize("name", FORMS)
@given(seed=st.integers(0, 10**6))
def test_a_distance_is_its_features_times_its_parameters(name: str, seed: int) -> None:
    theta = inside(name, seed)
    differences = np.random.default_rng(seed).integers(-3, 4, (5, 3)).astype(np.float64)
    found = FORMS[name].features(differences) @ theta
    assert found == pytest.approx([distance(name, each, theta) for each in differences], abs=1e-9)


@pytest.mark.parametrize("name", FORMS)
@given(seed=st.integers(0, 10**6))
def test_parameters_are_read_back_and_scaled_to_one(name: str, seed: int) -> None:
    form, theta = FORMS[name], inside(name, seed)
    read = form.native(theta)
    back = form.theta(read if not isinstance(form, Bilinear) else theta)
    assert back == pytest.approx(theta, abs=1e-9)
    assert form.scaled(3 * theta) == pytest.approx(theta)
    whole = read[-1]
    if name in ("weighted", "owa"):
        whole = theta.sum()
    elif isinstance(form, Bilinear):
        whole = np.abs(theta).max() if name == "free" else np.trace(to_matrix(theta, 3))
    assert whole == pytest.approx(1.0)
    if "choquet" in name or "additive" in name or name == "submodular":
        assert read[0] == 0
        assert len(read) == 8


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if form.monotone])
@given(seed=st.integers(0, 10**6))
def test_a_lead_is_the_least_that_the_blur_leaves_of_it(name: str, seed: int) -> None:
    form, theta = FORMS[name], inside(name, seed)
    random = np.random.default_rng(seed)
    own, rival = random.normal(size=(2, 20, 3))
    least = form.leads(own, rival) @ theta
    plain = (form.features(rival) - form.features(own)) @ theta
    assert (least <= plain + 1e-15).all()
    assert least == pytest.approx(plain, abs=100 * BLUR)
    for _ in range(3):
        moved = [each + BLUR * random.choice([-1.0, 0.0, 1.0], each.shape) for each in (own, rival)]
        assert (least <= (form.features(moved[1]) - form.features(moved[0])) @ theta + 1e-15).all()
    assert form.blur == BLUR


def test_without_a_blur_a_lead_is_the_difference_of_the_features() -> None:
    form = FORMS["free"]
    own, rival = np.random.default_rng(1).normal(size=(2, 6, 3))
    assert form.leads(own, rival) == pytest.approx(form.features(rival) - form.features(own))
    assert form.blur == 0.0


def test_a_search_starts_from_the_weights_that_are_known() -> None:
    for name in ("weighted", "owa"):
        first, second = FORMS[name].starts(WEIGHTS)
        assert first.tolist() == WEIGHTS.tolist()
        assert second == pytest.approx([1 / 3] * 3)
    sets = [sum(WEIGHTS[list(each)]) for each in ([2], [1], [1, 2], [0], [0, 2], [0, 1], [0, 1, 2])]
    plain, inner = FORMS["choquet"].starts(WEIGHTS)
    assert plain == pytest.approx(sets)
    # A little of the measure that grows ever slower with the number of columns: 5/9, 8/9 and 1.
    grows = np.array([5, 5, 8, 5, 8, 8, 9]) / 9
    assert inner == pytest.approx(0.97 * plain + 0.03 * grows)
    starts = FORMS["submodular"].starts(WEIGHTS)
    assert [each[0] - plain[0] for each in starts] == pytest.approx(
        [share * (grows[0] - plain[0]) for share in (1e-6, 1e-3, 3e-2)]
    )
    (only,) = FORMS["additive"].starts(WEIGHTS)
    assert only.tolist() == [0.5, 0.3, 0.2, 0, 0, 0]
    shares = FORMS["additive submodular"].starts(WEIGHTS)
    # Singles 1 and pairs -1/4, scaled to a sum of 1: 4/9 and -1/9.
    assert [each[3] for each in shares] == pytest.approx([-share / 9 for share in (1e-6, 1e-3, 3e-2)])
    (identity,) = FORMS["definite"].starts(WEIGHTS)
    assert to_matrix(identity, 3).tolist() == np.eye(3).tolist()


def test_bounds_hold_every_parameter_that_is_scaled() -> None:
    for name, form in FORMS.items():
        for seed in range(20):
            theta = inside(name, seed)
            assert (theta >= form.lower - 1e-9).all(), name
            assert (theta <= form.upper + 1e-9).all(), name
        assert form.size == len(form.lower) == len(form.upper) == len(theta)
    additive = FORMS["additive"]
    assert additive.lower.tolist() == [0.0] * 3 + [-4.0] * 3
    assert additive.upper.tolist() == [4.0] * 6
    assert [FORMS[name].size for name in FORMS] == [3, 3, 7, 7, 6, 6, 6, 6]


def drawn(form: Form, theta: Floats, times: int = 2000) -> list[Floats]:
    random = np.random.default_rng(7)
    return [form.direction(theta, random) for _ in range(times)]


def test_directions_are_single_parameters_pairs_and_all_at_once() -> None:
    form = Weights(6, ordered=False)
    theta = np.array([0.05, 0.1, 0.15, 0.2, 0.25, 0.25])
    steps = drawn(form, theta)
    moved = [int((step != 0).sum()) for step in steps]
    assert np.mean([each == 1 for each in moved]) == pytest.approx(0.4, abs=0.04)
    assert np.mean([each == 2 for each in moved]) == pytest.approx(0.2, abs=0.04)
    assert np.mean([each == 6 for each in moved]) == pytest.approx(0.4, abs=0.04)
    singles = [step for step in steps if (step != 0).sum() == 1]
    assert {int(np.flatnonzero(step)[0]) for step in singles} == set(range(6))
    assert all(step.max() == 1 for step in singles)
    pairs = [step for step in steps if (step != 0).sum() == 2]
    for step in pairs:
        places = np.flatnonzero(step)
        assert np.abs(step[places]) == pytest.approx(theta[places])
    assert 0.3 < np.mean([step[step != 0].prod() < 0 for step in pairs]) < 0.7
    # A parameter at zero is moved too, now and then: by a hundredth or by less.
    steps = [step for step in drawn(form, np.array([1.0, 0, 0, 0, 0, 0])) if (step != 0).sum() == 6]
    sizes = np.array([np.abs(step[1:]).mean() for step in steps])
    assert 0.3 < (sizes > 1e-3).mean() < 0.7
    assert sizes.max() < 0.05
    assert (Weights(1, ordered=False).direction(np.ones(1), np.random.default_rng(1)) != 0).all()


def test_directions_of_measures_also_move_weights_and_lead_to_other_measures() -> None:
    form = FORMS["choquet"]
    theta = fuzzy.additive(WEIGHTS)[1:]
    additive = other = 0
    for step in drawn(form, theta):
        singles = step[[3, 1, 0]]
        sums = np.array(
            [singles[list(each)].sum() for each in ([2], [1], [1, 2], [0], [0, 2], [0, 1], [0, 1, 2])]
        )
        moved = int((np.abs(step) > 1e-12).sum())
        additive += moved == 7 and np.allclose(sums, step)
        target = step + theta
        other += bool(np.allclose(target[np.abs(target) > 1e-9], 1.0)) and abs(target[-1] - 1) < 1e-9
    assert additive / 2000 == pytest.approx(0.2, abs=0.04)
    assert other / 2000 == pytest.approx(0.2, abs=0.04)


def test_directions_of_matrices_are_often_of_rank_one() -> None:
    steps = drawn(FORMS["free"], np.array([1.0, 0.1, 0.1, 1.0, 0.1, 1.0]))
    ranks = [np.linalg.matrix_rank(to_matrix(step, 3), tol=1e-9) for step in steps]
    moved = [int((step != 0).sum()) for step in steps]
    one = [rank == 1 and many == 6 for rank, many in zip(ranks, moved, strict=True)]
    assert np.mean(one) == pytest.approx(0.3, abs=0.04)
    assert np.mean([many == 1 for many in moved]) == pytest.approx(0.5 * 0.4, abs=0.04)
    assert np.mean([many == 2 for many in moved]) == pytest.approx(0.5 * 0.2, abs=0.03)


def test_an_additive_measure_has_a_mass_for_each_small_set() -> None:
    for additivity in (1, 2, 3):
        form = AdditiveChoquet(4, additivity, submodular=True)
        sets = [each for size in range(1, additivity + 1) for each in combinations(range(4), size)]
        assert form.members == sets
        assert form.measures.submodular == (additivity > 1)
        assert form.upper.tolist() == [2.0**additivity] * len(sets)
