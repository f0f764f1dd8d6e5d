"""Compiled counting of the targets that are nearest to a query, those that rounding has parted included."""

import numpy as np

from discreet._kernels.compile import compiled

NO_TARGET = 1 << 62
START_AGAIN = -(1 << 62)


@compiled
def tie_limit(nearest: float, slack: float, squared: bool) -> float:
    """The greatest distance that ties with the least one: that of a target `slack` farther away."""
    if not squared:
        return nearest + slack
    farthest: float = np.sqrt(nearest) + slack
    return max(nearest, farthest * farthest)


@compiled
def count_tie(
    distance: float,
    records: int,
    number: int,
    slack: float,
    squared: bool,
    nearest: float,
    farthest: float,
    tied: int,
    lowest: int,
) -> tuple[float, float, int, int]:
    """The least distance, the greatest that was counted, ties and the lowest number, with one more target.

    Distances may be `squared`; the slack is not. A target that is nearer than all before may leave some of those
    counted within the slack and others not. Then `tied` turns negative: the search has to start again, from the least
    distance that it found.
    """
    if distance == np.inf or distance > tie_limit(nearest, slack, squared):
        return nearest, farthest, tied, lowest
    if distance < nearest:
        limit = tie_limit(distance, slack, squared)
        if nearest > limit:
            farthest, tied, lowest = 0.0, 0, NO_TARGET
        elif farthest > limit:
            tied = START_AGAIN
        nearest = distance
    return nearest, max(farthest, distance), tied + records, min(lowest, number)
