"""Mahalanobis' distance as a plain one: points are turned and stretched until it is Euclidean."""

from __future__ import annotations

import numpy as np

from discreet.stored import Matrix
from discreet.table import FloatArray

ROWS_AT_ONCE = 1 << 16

LEAST_VARIANCE = 1e-8
"""The least variance of a direction, in squared standard deviations of the columns."""


def whitening(differences: FloatArray, *, relative: bool = False) -> FloatArray:
    """The matrix that turns points into axes in which the differences of true pairs are uncorrelated, of variance one.

    There the Euclidean distance is (a-b)' S^-1 (a-b), S = Var(X) + Var(Y) - 2 Cov(X, Y) being the variance of the
    differences, so that linking by it costs no more than by any other.
    """
    centred = differences - differences.mean(axis=0)
    return stretching(centred.T @ centred / len(differences), relative=relative)


def stretching(covariance: FloatArray, *, relative: bool = False) -> FloatArray:
    """The matrix that makes differences of this covariance uncorrelated and of variance one.

    A direction without variance was left alone by the masking: a pseudo-inverse would leave it out, although it gives a
    record away the best. Here it counts as if moved by a ten-thousandth of a standard deviation, that is for more than
    all the others. With `relative` it is a ten-thousandth of how far the direction that was moved most was moved.
    """
    spectrum, axes = np.linalg.eigh(covariance)
    unit = float(spectrum[-1]) if relative and spectrum[-1] > 0 else 1.0
    stretch: FloatArray = axes / np.sqrt(np.maximum(spectrum, LEAST_VARIANCE * unit))
    return stretch


def covariance_of(columns: Matrix) -> FloatArray | None:
    """The covariance of the complete rows, in blocks, so that columns may lie in files; None of fewer than two rows."""
    width = columns.shape[1]
    blocks = [slice(first, first + ROWS_AT_ONCE) for first in range(0, len(columns), ROWS_AT_ONCE)]

    def complete(rows: slice) -> FloatArray:
        some: FloatArray = columns[rows]
        return some[~np.isnan(some).any(axis=1)]

    total, count = np.zeros(width), 0
    for rows in blocks:
        some = complete(rows)
        total, count = total + some.sum(axis=0), count + len(some)
    if count < 2:
        return None
    products = np.zeros((width, width))
    for rows in blocks:
        centred = complete(rows) - total / count
        products += centred.T @ centred
    return products / count


def turned(points: FloatArray, stretch: FloatArray) -> FloatArray:
    """The points times the matrix, term by term, so that equal records stay equal to the last bit."""
    found = np.zeros((len(points), stretch.shape[1]))
    for place, column in enumerate(points.T):
        found += column[:, None] * stretch[place]
    return found
