"""The point of a line where the most blocks of linear inequalities hold."""

import numpy as np

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.compile import compiled


@compiled
def best_overlap(
    values: Floats, slopes: Floats, owner: Ints, blocks: int, low: float, high: float
) -> tuple[int, float, float]:
    """Return how many blocks hold at best on the open line (low, high), and the widest stretch where they do.

    Row r holds at t when `values[r] + t * slopes[r] > 0`, block i when all rows with `owner == i` hold: that is
    one open interval of t. The end points are swept in order. A block without rows always holds.
    """
    lows = np.full(blocks, low)
    highs = np.full(blocks, high)
    for r in range(len(values)):
        i = owner[r]
        if slopes[r] > 0.0:
            lows[i] = max(lows[i], -values[r] / slopes[r])
        elif slopes[r] < 0.0:
            highs[i] = min(highs[i], -values[r] / slopes[r])
        elif not values[r] > 0.0:
            highs[i] = -np.inf
    alive = np.flatnonzero(lows < highs)
    opening = np.sort(lows[alive])
    closing = np.sort(highs[alive])
    best = 0
    left = low
    right = high
    o = 0
    c = 0
    current = 0
    while c < len(closing):
        if o < len(opening) and opening[o] < closing[c]:
            current += 1
            here = opening[o]
            o += 1
        else:
            current -= 1
            here = closing[c]
            c += 1
        following = closing[c] if c < len(closing) else here
        if o < len(opening):
            following = min(following, opening[o])
        if following > here and (current > best or (current == best and following - here > right - left)):
            best = current
            left = here
            right = following
    return best, left, right
