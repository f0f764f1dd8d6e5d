"""The compiled distances are the formulas, and only a strictly nearer own row counts."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels.arrays import Floats
from discreet._kernels.learned import forms, ties

FORMS = (forms.WEIGHTED, forms.ORDERED, forms.CHOQUET, forms.BILINEAR)


def parameters_of(form: int, d: int, random: np.random.Generator) -> Floats:
    if form == forms.CHOQUET:
        measure = random.uniform(size=1 << d)
        measure[0] = 0.0
        for large in range(1 << d):
            for k in range(d):
                if large >> k & 1:
                    measure[large] = max(measure[large], measure[large ^ (1 << k)])
        return np.asarray(measure / measure[-1])
    if form == forms.BILINEAR:
        root = random.normal(size=(d, d))
        return np.asarray(root @ root.T).ravel()
    return random.uniform(size=d)


def by_definition(form: int, x: Floats, parameters: Floats) -> float:
    d = len(x)
    squares = x * x
    if form == forms.WEIGHTED:
        return float(parameters @ squares)
    if form == forms.ORDERED:
        return float(parameters @ np.sort(squares)[::-1])
    if form == forms.BILINEAR:
        return float(x @ parameters.reshape(d, d) @ x)
    total = 0.0
    masses: dict[int, float] = {}
    for size in range(1, d + 1):
        for members in combinations(range(d), size):
            code = sum(1 << (d - 1 - k) for k in members)
            subsets = [s for s in masses if s & ~code == 0]
            masses[code] = parameters[code] - sum(masses[s] for s in subsets)
            total += masses[code] * squares[list(members)].min()
    return total


@pytest.mark.parametrize("form", FORMS)
@given(seed=st.integers(0, 10**6))
def test_distances_are_the_formulas(form: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    d = int(random.integers(1, 5))
    a, b = random.normal(size=(2, d))
    parameters = parameters_of(form, d, random)
    got = forms.distance(form, a, b, parameters, 0.0, np.empty(d), np.empty(d, np.int64))
    assert got == pytest.approx(by_definition(form, a - b, parameters), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("blur", [1e-12, 1e-3, 0.5])
@given(seed=st.integers(0, 10**6))
def test_no_difference_that_is_off_by_the_blur_brings_a_distance_beyond_it(
    form: int, blur: float, seed: int
) -> None:
    random = np.random.default_rng(seed)
    d = int(random.integers(1, 5))
    a, b = random.normal(size=(2, d))
    parameters = parameters_of(form, d, random)
    least, most = (
        forms.distance(form, a, b, parameters, each, np.empty(d), np.empty(d, np.int64))
        for each in (-blur, blur)
    )
    for _ in range(5):
        off = by_definition(form, a - b + random.uniform(-blur, blur, size=d), parameters)
        assert least - 1e-15 <= off <= most + 1e-15 + 1e-14 * abs(most)


@pytest.mark.parametrize("form", FORMS)
@given(seed=st.integers(0, 10**6), coarse=st.booleans(), blur=st.sampled_from([0.0, 1e-12, 0.05]))
def test_ties_with_the_own_row_agree_with_looking_at_every_pair(
    form: int, seed: int, coarse: bool, blur: float
) -> None:
    random = np.random.default_rng(seed)
    left = random.normal(size=(15, 3))
    right = np.vstack([left + 0.5 * random.normal(size=(15, 3)), random.normal(size=(3, 3))])
    if coarse:
        left, right = np.round(left), np.round(right)
    parameters = parameters_of(form, 3, random)
    scratch, sets = np.empty(3), np.empty(3, np.int64)
    expected = []
    for i in range(15):
        own = forms.distance(form, left[i], right[i], parameters, blur, scratch, sets)
        least = forms.distance(form, left[i], right[i], parameters, -blur, scratch, sets)
        rivals = [right[j] for j in range(18) if j != i]
        far = [forms.distance(form, left[i], row, parameters, -blur, scratch, sets) for row in rivals]
        near = [forms.distance(form, left[i], row, parameters, blur, scratch, sets) for row in rivals]
        as_near = 1 + sum(each <= own for each in far)
        expected.append(0 if min(near) < least else as_near)
    order, none, nearest = random.permutation(18), np.full(15, -1), random.integers(0, 18, size=15)
    floors_of = {
        forms.WEIGHTED: parameters[:3],
        forms.ORDERED: np.full(3, parameters[0]),
        forms.CHOQUET: parameters[[4, 2, 1]] if form == forms.CHOQUET else parameters,
        forms.BILINEAR: 0.999 / np.diag(np.linalg.inv(parameters.reshape(3, 3)))
        if form == forms.BILINEAR
        else parameters,
    }
    corners = right.min(axis=0)[None], right.max(axis=0)[None]
    for floors, suspects in ((np.zeros(3), none), (floors_of[form], nearest)):
        got = ties.nearest_ties(
            form, left, right, parameters, blur, order, *corners, np.ascontiguousarray(floors), suspects
        )
        assert got.tolist() == expected


def test_a_rival_as_far_or_as_far_on_the_other_side_is_mirrored() -> None:
    left = np.array([[0.0, 0.0], [5.0, 5.0], [9.0, 1.0], [20.0, 0.0]])
    right = np.array([[1.0, 2.0], [-1.0, -2.0], [9.5, 1.0], [21.0, 1.0], [21.0, 1.0 + 1e-13]])
    got = forms.mirrored(left, right, np.arange(4), 1e-12, np.arange(4))
    assert got.tolist() == [True, False, False, True]
    assert forms.mirrored(left, right, np.arange(4), 0.0, np.arange(4)).tolist() == [
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize("form", FORMS)
def test_nearest_rival_is_the_least_of_all_others(form: int) -> None:
    random = np.random.default_rng(5)
    left, right = random.normal(size=(2, 12, 3))
    parameters = parameters_of(form, 3, random)
    scratch, sets = np.empty(3), np.empty(3, np.int64)
    every = np.arange(12)
    none = np.empty(0, dtype=np.int64)
    own, best, nearest = forms.nearest_rivals(
        form, left, right, parameters, 0.01, every, np.zeros(1, np.int64), none, every
    )
    for i in range(12):
        far = [forms.distance(form, left[i], row, parameters, -0.01, scratch, sets) for row in right]
        assert own[i] == forms.distance(form, left[i], right[i], parameters, 0.01, scratch, sets)
        far[i] = np.inf
        assert best[i] == min(far)
        assert nearest[i] == int(np.argmin(far))
    start = np.array([0, 2, 2])
    own, best, nearest = forms.nearest_rivals(
        form, left, right, parameters, 0.0, np.array([3, 4]), start, np.array([7, 9]), every
    )
    assert nearest[0] in (7, 9)
    assert (best[1], nearest[1]) == (np.inf, -1)


def test_lowest_pairs_finds_the_pairs_below_zero_and_no_others() -> None:
    random = np.random.default_rng(2)
    left, right = random.normal(size=(2, 20, 3))
    matrix = np.diag([1.0, 0.5, -0.3])
    lowest, where = forms.lowest_pairs(left, right, matrix.ravel())
    differences = left[:, None, :] - right[None, :, :]
    ratio = np.einsum("ijk,kl,ijl->ij", differences, matrix, differences) / (differences**2).sum(axis=2)
    assert np.allclose(lowest, np.minimum(ratio.min(axis=1), 0.0))
    assert (where[lowest < 0] == ratio.argmin(axis=1)[lowest < 0]).all()
    assert (forms.lowest_pairs(left, right, np.eye(3).ravel())[0] == 0).all()


def test_the_quick_nearest_rival_of_the_bilinear_form_is_the_nearest() -> None:
    random = np.random.default_rng(7)
    left, right = random.normal(size=(2, 40, 3))
    matrix = np.array([[1.0, 0.3, -0.2], [0.3, 0.5, 0.1], [-0.2, 0.1, -0.1]]).ravel()
    every, start = np.arange(40), np.zeros(1, np.int64)
    slow = forms.nearest_rivals(
        forms.BILINEAR, left, right, matrix, 0.0, every, start, np.empty(0, dtype=np.int64), every
    )
    quick = forms.nearest_bilinear(left, right, matrix, every, every)
    for one, other in zip(slow, quick, strict=True):
        assert one.tolist() == other.tolist()
