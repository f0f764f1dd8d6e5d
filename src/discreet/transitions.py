"""The transition matrix that published parameters of PRAM describe: what a user corrects by, and an attack uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from discreet._kernels.transition import alike_matrix, invariant_matrix, kept_by_frequency
from discreet.errors import UnknownColumn, did_you_mean
from discreet.table import FloatArray


def published_matrix(parameters: Mapping[str, Any], column: str) -> tuple[tuple[str, ...], FloatArray]:
    """The categories and the matrix with which a published PRAM step changed a column.

    `parameters` are those of a "pram" step of a public manifest. Row k holds the chances with which category k became
    each of the categories.
    """
    if column not in parameters["columns"]:
        raise UnknownColumn(
            f"the step did not mask a column '{column}'.{did_you_mean(column, parameters['columns'])}"
        )
    matrix, variant = parameters["matrix"], parameters["variant"]
    if variant == "given":
        categories = tuple(matrix)
        return categories, transition_matrix(categories, np.zeros(len(categories)), variant, None, matrix)
    frequencies = parameters["frequencies"].get(column, {})
    categories = tuple(frequencies)
    shares = np.array([frequencies[each] for each in categories], dtype=np.float64)
    return categories, transition_matrix(categories, shares, variant, parameters["theta"], matrix)


def transition_matrix(
    categories: Sequence[str],
    shares: FloatArray,
    variant: str,
    theta: float | None,
    given: Mapping[str, Mapping[str, float]] | None,
) -> FloatArray:
    """The matrix of one column under a variant of PRAM."""
    if given is None:
        amount = float(theta or 0.0)
        if variant == "frequency":
            return alike_matrix(kept_by_frequency(shares, amount))
        return invariant_matrix(alike_matrix(np.full(len(categories), 1.0 - amount)), shares)
    rows = [[float(given[old].get(new, 0.0)) for new in categories] for old in categories]
    matrix = np.array(rows, dtype=np.float64).reshape(len(categories), len(categories))
    return invariant_matrix(matrix, shares) if variant == "invariant" else matrix
