"""The largest margin agrees with another solver, from any start, and a margin that is called too small is proven so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.learned import margin as kernel

Problem = tuple[Floats, Floats, Floats]
CAP = 50.0


def problem(seed: int) -> Problem:
    """Rows of unit length, and inequalities that hold x in a box and in a cone, perhaps on a plane too."""
    random = np.random.default_rng(seed)
    size = int(random.integers(1, 6))
    rows = random.normal(size=(int(random.integers(1, 15)), size)) + random.uniform(0, 1.5)
    if random.random() < 0.3:
        rows = np.round(rows) + 0.0
        rows = rows[rows.any(axis=1)] if rows.any() else np.ones((1, size))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    fixed = [np.eye(size) * -1.0, np.eye(size)]
    least = [np.full(size, -1.0), np.full(size, -float(random.integers(0, 2)))]
    if random.random() < 0.5:
        fixed += [np.ones((1, size)), -np.ones((1, size))]
        least += [np.ones(1), -np.ones(1)]
    fixed.append(np.abs(random.normal(size=(3, size))))
    least.append(np.zeros(3))
    return rows, np.vstack(fixed), np.concatenate(least)


def sparse(fixed: Floats) -> tuple[Ints, Ints, Floats]:
    where, columns = np.nonzero(fixed)
    return np.searchsorted(where, np.arange(len(fixed) + 1)), columns, fixed[where, columns]


def start_at(row: Floats, number: int, size: int) -> Ints:
    upper = kernel.FIRST - np.arange(size)
    return np.append(np.where(row >= 0, upper, upper - size), number)


def solved(given: Problem, wanted: Ints, limit: float, stop: bool) -> tuple[int, float, Floats, Floats, Ints]:
    rows, fixed, least = given
    size = rows.shape[1]
    inequalities = kernel.Inequalities(*sparse(fixed), least)
    basis = start_at(rows[wanted[0]], int(wanted[0]), size)
    inverse = np.empty((size + 1, size + 1))
    active = np.zeros(len(rows), dtype=np.bool_)
    active[wanted] = True
    end, t, x, weights = kernel.largest_margin(
        inequalities, kernel.Rows(rows, wanted, active), CAP, limit, stop, basis, inverse, True, at_first()
    )
    return end, t, x, weights, basis


def at_first() -> Floats:
    """The memory of a search that has not begun."""
    return np.array([0.0, np.inf])


def by_scipy(given: Problem, wanted: Ints) -> float:
    rows, fixed, least = given
    size = rows.shape[1]
    upper = np.vstack(
        [
            np.hstack([-rows[wanted], np.ones((len(wanted), 1))]),
            np.hstack([-fixed, np.zeros((len(fixed), 1))]),
        ]
    )
    result = linprog(
        np.append(np.zeros(size), -1.0),
        A_ub=upper,
        b_ub=np.concatenate([np.zeros(len(wanted)), -least]),
        bounds=[(None, None)] * size + [(None, CAP)],
    )
    assert result.fun is not None
    return -float(result.fun)


@given(seed=st.integers(0, 10**6))
def test_the_margin_is_that_of_another_solver(seed: int) -> None:
    given_ = problem(seed)
    rows, fixed, least = given_
    wanted = np.arange(len(rows))
    end, t, x, _, _ = solved(given_, wanted, -1e9, False)
    assert end == kernel.OPTIMAL
    assert t == pytest.approx(by_scipy(given_, wanted), abs=1e-7)
    assert (fixed @ x >= least - 1e-9).all()
    assert (rows @ x >= t - 1e-9).all()


@given(seed=st.integers(0, 10**6))
def test_a_margin_below_the_limit_comes_with_weights_that_prove_it(seed: int) -> None:
    given_ = problem(seed)
    rows, fixed, least = given_
    limit = by_scipy(given_, np.arange(len(rows))) + 0.05
    end, t, _, weights, basis = solved(given_, np.arange(len(rows)), limit, False)
    assert end == kernel.BELOW
    assert t <= limit
    total, worth = np.zeros(rows.shape[1]), 0.0
    for entry, weight in zip(basis, weights, strict=True):
        assert weight >= -1e-9
        if entry >= 0:
            total += weight * rows[entry]
        elif entry != kernel.CAP:
            total += weight * fixed[kernel.FIRST - entry]
            worth += weight * least[kernel.FIRST - entry]
        else:
            worth -= weight * CAP
    assert np.allclose(total, 0, atol=1e-9)
    assert -worth == pytest.approx(t, abs=1e-9)
    assert sum(weights[(basis >= 0) | (basis == kernel.CAP)]) == pytest.approx(1)


@given(seed=st.integers(0, 10**6))
def test_a_search_that_may_stop_above_the_limit_ends_at_a_point_that_is(seed: int) -> None:
    given_ = problem(seed)
    rows, fixed, least = given_
    limit = by_scipy(given_, np.arange(len(rows))) - 0.3
    end, _, x, _, _ = solved(given_, np.arange(len(rows)), limit, True)
    assert end in (kernel.ABOVE, kernel.OPTIMAL)
    assert (fixed @ x >= least - 1e-9).all()
    assert (rows @ x > limit - 1e-9).all()


@given(seed=st.integers(0, 10**6))
def test_rows_can_be_switched_on_and_off_between_calls(seed: int) -> None:
    random = np.random.default_rng(seed)
    given_ = problem(seed)
    rows, fixed, least = given_
    size = rows.shape[1]
    inequalities = kernel.Inequalities(*sparse(fixed), least)
    basis = start_at(rows[0], 0, size)
    inverse = np.empty((size + 1, size + 1))
    for turn in range(4):
        active = random.random(len(rows)) < 0.5
        active[random.integers(len(rows))] = True
        wanted = np.flatnonzero(active)
        end, t, _, _ = kernel.largest_margin(
            inequalities,
            kernel.Rows(rows, wanted, active),
            CAP,
            -1e9,
            False,
            basis,
            inverse,
            turn == 0,
            at_first(),
        )
        assert end == kernel.OPTIMAL
        assert t == pytest.approx(by_scipy(given_, wanted), abs=1e-7)


def test_a_long_search_can_be_left_and_gone_on_with() -> None:
    random = np.random.default_rng(3)
    rows = random.normal(size=(600, 40)) + 0.1
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    given_ = rows, np.vstack([-np.eye(40), np.eye(40)]), np.full(80, -1.0)
    inequalities = kernel.Inequalities(*sparse(given_[1]), given_[2])
    everyone = kernel.Rows(rows, np.arange(600), np.ones(600, dtype=np.bool_))
    basis, inverse, memory = start_at(rows[0], 0, 40), np.empty((41, 41)), at_first()
    ends: list[int] = []
    while not ends or ends[-1] == kernel.UNFINISHED:
        end, t, _, _ = kernel.largest_margin(
            inequalities, everyone, CAP, -1e9, False, basis, inverse, True, memory
        )
        ends.append(end)
    assert len(ends) > 1
    assert ends[-1] == kernel.OPTIMAL
    assert t == pytest.approx(by_scipy(given_, np.arange(600)), abs=1e-7)
