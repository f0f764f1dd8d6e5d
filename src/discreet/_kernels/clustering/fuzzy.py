"""Fuzzy c-means without a matrix of memberships: each record's row of it is made, used and forgotten."""

from __future__ import annotations

import numpy as np

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.compile import compiled


def fuzzy_centres(
    points: Floats, counted: Floats, start: Floats, fuzziness: float, rounds: int, tolerance: float
) -> Floats:
    """The centres of fuzzy clusters after at most `rounds` rounds from `start` (Bezdek 1981).

    `counted` is how much each point counts in a centre. It stops early once no centre moves by more than the tolerance
    in any coordinate.
    """
    centres = np.ascontiguousarray(start)
    for _ in range(rounds):
        moved = _move_centres(points, counted, centres, fuzziness)
        still = float(np.abs(moved - centres).max()) <= tolerance
        centres = moved
        if still:
            break
    return centres


def draw_centres(points: Floats, centres: Floats, fuzziness: float, chances: Floats) -> Ints:
    """For each record a centre drawn with its memberships as probabilities, from a number in [0, 1) a record."""
    return _draw(points, centres, fuzziness, chances)


@compiled
def _memberships(point: Floats, centres: Floats, fuzziness: float, out: Floats) -> None:
    """Fills `out` with one record's memberships, 1 / sum_l (d_c / d_l)^(2/(m-1)), shared by centres it lies on."""
    nearest = np.inf
    for c in range(centres.shape[0]):
        total = 0.0
        for j in range(point.shape[0]):
            gap = point[j] - centres[c, j]
            total += gap * gap
        out[c] = total
        nearest = min(nearest, total)
    power = 1.0 / (fuzziness - 1.0)
    whole = 0.0
    for c in range(centres.shape[0]):
        if nearest == 0.0:
            out[c] = 1.0 if out[c] == 0.0 else 0.0
        else:
            out[c] = (nearest / out[c]) ** power
        whole += out[c]
    for c in range(centres.shape[0]):
        out[c] /= whole


@compiled
def _move_centres(points: Floats, counted: Floats, centres: Floats, fuzziness: float) -> Floats:
    """The next centres: v_c = sum_i w_i u_ic^m x_i / sum_i w_i u_ic^m (Bezdek 1981); one without weight stays."""
    sums = np.zeros_like(centres)
    weights = np.zeros(centres.shape[0])
    member = np.empty(centres.shape[0])
    for i in range(points.shape[0]):
        _memberships(points[i], centres, fuzziness, member)
        for c in range(centres.shape[0]):
            weight = counted[i] * member[c] ** fuzziness
            weights[c] += weight
            for j in range(points.shape[1]):
                sums[c, j] += weight * points[i, j]
    for c in range(centres.shape[0]):
        for j in range(points.shape[1]):
            sums[c, j] = sums[c, j] / weights[c] if weights[c] > 0.0 else centres[c, j]
    return sums


@compiled
def _draw(points: Floats, centres: Floats, fuzziness: float, chances: Floats) -> Ints:
    """For each record the first centre at which the running sum of its memberships exceeds its chance."""
    chosen = np.empty(points.shape[0], dtype=np.int64)
    member = np.empty(centres.shape[0])
    for i in range(points.shape[0]):
        _memberships(points[i], centres, fuzziness, member)
        left = chances[i]
        pick = 0
        for c in range(centres.shape[0]):
            if member[c] > 0.0:
                pick = c
                left -= member[c]
                if left < 0.0:
                    break
        chosen[i] = pick
    return chosen
