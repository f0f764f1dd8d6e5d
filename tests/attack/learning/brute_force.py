"""The worst case by trying every set of records: slow, written apart from the library, for a handful of records."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Floats = NDArray[np.float64]


def subsets_of(columns: int) -> list[tuple[int, ...]]:
    return [each for size in range(1, columns + 1) for each in combinations(range(columns), size)]


def features(distance: str, x: Floats) -> Floats:
    """What the distance is linear in: squares, sorted squares, Möbius minima, or products."""
    squares = x * x
    d = len(x)
    if distance == "weighted":
        return squares
    if distance == "owa":
        return np.sort(squares)[::-1]
    if distance == "choquet":
        return np.array([squares[list(each)].min() for each in subsets_of(d)])
    return np.array([x[i] * x[j] * (1 if i == j else 2) for i in range(d) for j in range(i, d)])


def cone(distance: str, metric: bool, left: Floats, right: Floats) -> tuple[list[Floats], bool]:
    """The inequalities row @ p >= 0 of the parameters, and whether they sum to one."""
    d = left.shape[1]
    if distance in ("weighted", "owa"):
        return list(np.eye(d)), True
    if distance == "choquet":
        sets = [set(each) for each in subsets_of(d)]
        rows = [
            np.array([float(i in small and small <= large) for small in sets])
            for large in sets
            for i in sorted(large)
        ]
        if metric:
            rows += [
                -np.array([float({i, j} <= small <= large) for small in sets])
                for large in sets
                for i in sorted(large)
                for j in sorted(large)
                if i < j
            ]
        return rows, True
    if distance == "bilinear":
        return [features(distance, a - b) for a in left for b in right], False
    return [], False


def can_hold(kept: tuple[int, ...], distance: str, metric: bool, left: Floats, right: Floats) -> bool:
    """Whether some parameters re-identify all these records."""
    rows = []
    for i in kept:
        own = features(distance, left[i] - right[i])
        rows += [features(distance, left[i] - right[j]) - own for j in range(len(right)) if j != i]
    if not rows:
        return True
    if any(np.abs(row).max() < 1e-11 for row in rows):
        # Zero on paper.
        return False
    inequalities, sums_to_one = cone(distance, metric, left, right)
    size = len(rows[0])
    unit = np.array(rows) / np.linalg.norm(rows, axis=1, keepdims=True)
    upper = [np.append(-row, 1.0) for row in unit] + [np.append(-row, 0.0) for row in inequalities]
    bound = (-8.0, 8.0) if sums_to_one else (-1.0, 1.0)
    solved = linprog(
        np.append(np.zeros(size), -1.0),
        A_ub=np.array(upper),
        b_ub=np.zeros(len(upper)),
        A_eq=np.append(np.ones(size), 0.0)[None, :] if sums_to_one else None,
        b_eq=[1.0] if sums_to_one else None,
        bounds=[bound] * size + [(None, None)],
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    return solved.status == 0 and solved.fun is not None and float(solved.fun) < -1e-9


def worst_case(distance: str, metric: bool, left: Floats, right: Floats) -> int:
    """The most records that any parameters re-identify."""
    alone = [i for i in range(len(left)) if can_hold((i,), distance, metric, left, right)]
    for size in range(len(alone), 0, -1):
        if any(can_hold(kept, distance, metric, left, right) for kept in combinations(alone, size)):
            return size
    return 0
