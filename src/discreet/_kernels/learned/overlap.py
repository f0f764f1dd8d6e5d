"""The point of a line where the blocks of linear inequalities that hold weigh the most."""

import numpy as np

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.compile import compiled

SAME = 1e-9
"""Sums of weights that differ by less are the same."""


@compiled
def best_overlap(
    values: Floats, slopes: Floats, owner: Ints, weights: Floats, low: float, high: float
) -> tuple[float, float, float]:
    """Return what the blocks that hold weigh at best on the open line (low, high), and the widest stretch for it.

    Row r holds at t when `values[r] + t * slopes[r] > 0`, block i when all rows with `owner == i` hold: that is
    one open interval of t. The end points are swept in order. A block without rows always holds.
    """
    lows = np.full(len(weights), low)
    highs = np.full(len(weights), high)
    for r in range(len(values)):
        i = owner[r]
        if slopes[r] > 0.0:
            lows[i] = max(lows[i], -values[r] / slopes[r])
        elif slopes[r] < 0.0:
            highs[i] = min(highs[i], -values[r] / slopes[r])
        elif not values[r] > 0.0:
            highs[i] = -np.inf
    alive = np.flatnonzero(lows < highs)
    lows = lows[alive]
    highs = highs[alive]
    first = np.argsort(lows)
    last = np.argsort(highs)
    opening = lows[first]
    closing = highs[last]
    gained = weights[alive[first]]
    given_up = weights[alive[last]]
    best = 0.0
    left = low
    right = high
    o = 0
    c = 0
    current = 0.0
    while c < len(closing):
        if o < len(opening) and opening[o] < closing[c]:
            current += gained[o]
            here = opening[o]
            o += 1
        else:
            current -= given_up[c]
            here = closing[c]
            c += 1
        following = closing[c] if c < len(closing) else here
        if o < len(opening):
            following = min(following, opening[o])
        as_good = current > best - SAME and following - here > right - left
        if following > here and (current > best + SAME or as_good):
            best = current
            left = here
            right = following
    return best, left, right
