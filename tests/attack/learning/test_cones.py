"""Cones: a line search stays inside, cuts hold inside and fail where asked, and mending ends inside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.attack.learning.cones import FAR
from discreet.attack.learning.forms import AdditiveChoquet, Bilinear, Choquet, Form, Weights
from discreet.attack.learning.matrices import nearest_definite, products, to_matrix, to_vector

Floats = NDArray[np.float64]
RANDOM = np.random.default_rng(0)
LEFT, RIGHT = RANDOM.normal(size=(2, 30, 3))
FORMS: dict[str, Form] = {
    "weighted": Weights(3, ordered=False),
    "choquet": Choquet(3, submodular=False),
    "submodular": Choquet(3, submodular=True),
    "additive": AdditiveChoquet(4, 2, submodular=False),
    "additive submodular": AdditiveChoquet(4, 2, submodular=True),
    "pairs": Bilinear.on(LEFT, RIGHT, "pairs"),
    "definite": Bilinear.on(LEFT, RIGHT, "definite"),
}


def inside(name: str, theta: Floats) -> bool:
    """Whether the parameters meet the definition of their distance, to rounding."""
    form = FORMS[name]
    if name == "weighted":
        return bool((theta >= -1e-9).all())
    if name == "definite":
        return bool(np.linalg.eigvalsh(to_matrix(theta, 3))[0] >= -1e-9)
    if name == "pairs":
        differences = (LEFT[:, None, :] - RIGHT[None, :, :]).reshape(-1, 3)
        return bool((products(differences) @ theta >= -1e-9).all())
    measure = form.native(theta)
    if isinstance(form, AdditiveChoquet):
        measure = form.measures.whole(theta)
    sets = range(len(measure))
    rising = all(measure[a] <= measure[a | b] + 1e-9 for a in sets for b in sets)
    if "submodular" not in name:
        return rising
    return rising and all(
        measure[a] + measure[b] >= measure[a | b] + measure[a & b] - 1e-9 for a in sets for b in sets
    )


@pytest.mark.parametrize("name", FORMS)
@given(seed=st.integers(0, 10**6))
def test_a_mended_point_is_inside(name: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    form = FORMS[name]
    start = form.starts(np.full(form.columns, 1 / form.columns))[-1]
    assert inside(name, form.cone.mend(start))
    assert inside(name, form.cone.mend(start + 0.2 * random.normal(size=form.size)))


@pytest.mark.parametrize("name", [name for name in FORMS if name != "pairs"])
@given(seed=st.integers(0, 10**6))
def test_within_reach_a_line_stays_inside(name: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    form = FORMS[name]
    theta = form.cone.mend(form.starts(np.full(form.columns, 1 / form.columns))[-1])
    direction = form.direction(theta, random)
    low, high = form.cone.reach(theta, direction)
    assert -FAR <= low <= 0 <= high <= FAR
    for t in (0.99 * low, 0.99 * high):
        if abs(t) < 1e3:
            assert inside(name, theta + t * direction)


@pytest.mark.parametrize("name", FORMS)
@given(seed=st.integers(0, 10**6))
def test_cuts_hold_inside_and_are_broken_by_the_point_that_asked(name: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    form = FORMS[name]
    safe = form.cone.mend(form.starts(np.full(form.columns, 1 / form.columns))[-1])
    outside = safe + 0.5 * random.normal(size=form.size)
    cuts = form.cone.violated(outside)
    assert (cuts @ outside < 0).all()
    assert (cuts @ safe >= -1e-9).all()
    if name in ("pairs", "definite", "additive", "additive submodular"):
        assert (len(cuts) == 0) == inside(name, outside)


def test_the_nearest_definite_matrix_is_nearer_than_other_definite_ones() -> None:
    random = np.random.default_rng(3)
    matrix = to_matrix(random.normal(size=6), 3)
    best = nearest_definite(matrix)
    assert np.linalg.eigvalsh(best)[0] >= -1e-12
    for _ in range(200):
        root = random.normal(size=(3, 3)) * random.uniform(0, 1)
        other = best + 0.1 * root @ root.T if random.random() < 0.5 else root @ root.T
        assert np.linalg.norm(matrix - best) <= np.linalg.norm(matrix - other) + 1e-12


def test_products_with_the_vector_of_a_matrix_are_the_bilinear_form() -> None:
    matrix = to_matrix(np.arange(1.0, 7.0), 3)
    x = np.array([[0.3, -1.0, 2.0]])
    assert (products(x) @ to_vector(matrix))[0] == pytest.approx(float(x[0] @ matrix @ x[0]))


def test_no_distance_at_all_is_not_finite_when_normalised() -> None:
    for form in (Weights(2, ordered=False), Bilinear.on(np.zeros((2, 2)), np.zeros((2, 2)), "free")):
        assert not np.isfinite(form.scaled(np.zeros(form.size))).any()
