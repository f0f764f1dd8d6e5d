"""Logistic regression by Newton's method: no random start, no dependence on the order of records."""

from __future__ import annotations

import numpy as np

from discreet.table import FloatArray

RIDGE = 1e-6
MOST_STEPS = 100
ENOUGH = 1e-10
AT_A_TIME = 20_000


def fitted_chances(values: FloatArray, outcome: FloatArray) -> tuple[FloatArray, int]:
    """The chance of the outcome that a logistic regression gives each record, and the rank of its features.

    Features are standardised, constant ones dropped. A penalty of a millionth of each record's weight keeps the
    coefficients finite where the outcome can be told perfectly, and is too small to matter elsewhere.
    """
    share = float(outcome.mean())
    spread = values.std(axis=0)
    used = spread > 1e-9 * np.maximum(1.0, np.abs(values).max(axis=0, initial=0.0))
    if not used.any() or share in (0.0, 1.0):
        return np.full(len(outcome), share), 0
    design = np.empty((len(outcome), 1 + int(used.sum())))
    design[:, 0] = 1.0
    design[:, 1:] = values[:, used]
    design[:, 1:] -= design[:, 1:].mean(axis=0)
    design[:, 1:] /= spread[used]
    rank = int(
        np.linalg.matrix_rank(design[:, 1:].T @ design[:, 1:] / len(outcome), tol=1e-9, hermitian=True)
    )
    penalty = np.full(design.shape[1], RIDGE * len(outcome))
    penalty[0] = 0.0
    start = np.zeros(design.shape[1])
    start[0] = np.log(share / (1 - share))
    return _chances(design @ _newton(design, outcome, penalty, start)), rank


def _newton(design: FloatArray, outcome: FloatArray, penalty: FloatArray, start: FloatArray) -> FloatArray:
    """The coefficients of the least penalised deviance; each step is halved until it does not make it worse."""
    coefficients = start
    cost = _cost(design, outcome, penalty, coefficients)
    for _ in range(MOST_STEPS):
        chances = _chances(design @ coefficients)
        gradient = design.T @ (outcome - chances) - penalty * coefficients
        curvature = _curvature(design, chances * (1 - chances)) + np.diag(penalty + 1e-12)
        step = np.linalg.solve(curvature, gradient)
        if float(gradient @ step) <= ENOUGH * len(outcome) * 1e-6:
            return coefficients
        better = _cost(design, outcome, penalty, coefficients + step)
        while better > cost:
            step = step / 2
            if float(np.abs(step).max()) < ENOUGH:
                return coefficients
            better = _cost(design, outcome, penalty, coefficients + step)
        coefficients, cost = coefficients + step, better
    return coefficients


def _curvature(design: FloatArray, weights: FloatArray) -> FloatArray:
    """The weighted products of the columns, summed in parts so that no second table as large is needed."""
    total = np.zeros((design.shape[1], design.shape[1]))
    for start in range(0, len(design), AT_A_TIME):
        part = design[start : start + AT_A_TIME]
        total += (part * weights[start : start + AT_A_TIME, None]).T @ part
    return total


def _cost(design: FloatArray, outcome: FloatArray, penalty: FloatArray, coefficients: FloatArray) -> float:
    """Minus the logarithm of the likelihood, and the penalty."""
    linear = design @ coefficients
    return float(np.logaddexp(0.0, linear).sum() - outcome @ linear + penalty @ coefficients**2 / 2)


def _chances(linear: FloatArray) -> FloatArray:
    return np.asarray(0.5 * (1 + np.tanh(linear / 2)))
