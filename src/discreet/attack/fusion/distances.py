"""How far apart two records are by what several releases say of one value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from discreet.table import FloatArray, IntArray

CategoryDistance = Literal["published", "plain"]
UNKNOWN = -1


def differences(positions: FloatArray | None, categories: int, distance: CategoryDistance) -> FloatArray:
    """What two categories of one release add to the distance of two records.

    Without positions the categories are nominal: 0 for the same, 1 for different ones. With them, "published" is
    half of the difference of t/(1+t), the form that gives the figures of Valls, Torra and Domingo-Ferrer (2003);
    "plain" is the squared difference of the positions t.
    """
    if positions is None:
        return 1.0 - np.eye(categories)
    if distance == "published":
        bent = positions / (1.0 + positions)
        return np.abs(bent[:, None] - bent) / 2.0
    return np.square(positions[:, None] - positions)


def distances(codes: IntArray, between: Sequence[FloatArray], shared: Sequence[int]) -> FloatArray:
    """The distances of records [n, n] from codes [n, releases]; -1 is unknown.

    The square root of the mean, over the releases known of both records, of what their categories differ by. Two
    records that no release knows both of are compared across the `shared` releases, which use the same categories:
    each known value of one with each of the other. Where there is none either, they are as far apart as two
    categories can be.
    """
    count = len(codes)
    total, known = np.zeros((count, count)), np.zeros((count, count))
    for place, matrix in enumerate(between):
        there = np.flatnonzero(codes[:, place] != UNKNOWN)
        column = codes[there, place]
        total[np.ix_(there, there)] += matrix[np.ix_(column, column)]
        known[np.ix_(there, there)] += 1.0
    strangers = known == 0
    if strangers.any():
        total[strangers] = _across(codes[:, list(shared)], [between[each] for each in shared])[strangers]
        known[strangers] = 1.0
    found: FloatArray = np.sqrt(total / known)
    np.fill_diagonal(found, 0.0)
    return found


def _across(codes: IntArray, between: Sequence[FloatArray]) -> FloatArray:
    """The mean difference of every known value of one record from every one of the other."""
    count = len(codes)
    if not between:
        return np.ones((count, count))
    matrix = between[0]
    shares = np.zeros((count, len(matrix)))
    for column in codes.T:
        there = np.flatnonzero(column != UNKNOWN)
        shares[there, column[there]] += 1.0
    values_known = shares.sum(axis=1)
    shares /= np.maximum(1.0, values_known)[:, None]
    mean: FloatArray = shares @ matrix @ shares.T
    mean[(values_known == 0)[:, None] | (values_known == 0)] = matrix.max(initial=0.0)
    return mean
