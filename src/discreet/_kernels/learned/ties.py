"""Among how many nearest rows the own row of a record is, under a learned distance.

Rows are looked at in leaves of neighbours, and leaves in bunches, so that those out of reach are passed over.
"""

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.compile import compiled
from discreet._kernels.learned.forms import BILINEAR, distance, farther, square

LEAF, BUNCH = 32, 32
"""How many rows are passed over at once where none can be near, and how many such leaves."""


class Measure(NamedTuple):
    """A distance: its form and parameters, the blur, and how much of the squared difference in each column it has.

    Every distance is at least each of `floors` times the squared difference in its column; floors of 0 say nothing.
    """

    form: int
    parameters: Floats
    blur: float
    floors: Floats


class Leaves(NamedTuple):
    """Rows in leaves of LEAF rows, with their numbers, and the corners of each leaf."""

    rows: Floats
    numbers: Ints
    lows: Floats
    highs: Floats


class Reach(NamedTuple):
    """The distance of a record's own row at its most and at its least, and how far away a row can matter."""

    most: float
    least: float
    limit: float


class Room(NamedTuple):
    """Room to work in, each as long as a record."""

    inside: Floats
    scratch: Floats
    sets: Ints


@compiled
def out_of_reach(measure: Measure, a: Floats, low: Floats, high: Floats, than: float, room: Room) -> bool:
    """Say whether nothing between two corners can be as near to a record as a given distance."""
    form, parameters, blur, floors = measure
    inside, scratch, sets = room
    for k in range(len(a)):
        inside[k] = min(max(a[k], low[k]), high[k])
        if floors[k] * square(a[k], inside[k], -blur) > than:
            return True
    return form != BILINEAR and farther(form, a, inside, parameters, blur, than, scratch, sets)


@compiled
def bunched(lows: Floats, highs: Floats) -> tuple[Floats, Floats]:
    """Return the corners of each BUNCH of leaves in turn."""
    count = (len(lows) + BUNCH - 1) // BUNCH
    low = np.full((count, lows.shape[1]), np.inf)
    high = np.full((count, lows.shape[1]), -np.inf)
    for leaf in range(len(lows)):
        for k in range(lows.shape[1]):
            low[leaf // BUNCH, k] = min(low[leaf // BUNCH, k], lows[leaf, k])
            high[leaf // BUNCH, k] = max(high[leaf // BUNCH, k], highs[leaf, k])
    return low, high


@compiled
def ties_in_bunch(
    measure: Measure, a: Floats, i: int, bunch: int, reach: Reach, leaves: Leaves, room: Room
) -> int:
    """Return how many rows in the leaves of a bunch, row i apart, may be as near to a record as its own; -1 if nearer.

    A row is nearer beyond doubt when it is so even at its most. Leaves with nothing within the limit are passed over.
    """
    # Taken out of their bundles once: reading them there in the inner loops takes longer.
    form, parameters, blur, _ = measure
    rows, numbers, lows, highs = leaves
    most, least, limit = reach
    _, scratch, sets = room
    count = 0
    for f in range(bunch * BUNCH, min(len(lows), (bunch + 1) * BUNCH)):
        if out_of_reach(measure, a, lows[f], highs[f], limit, room):
            continue
        for q in range(f * LEAF, min(len(numbers), (f + 1) * LEAF)):
            if numbers[q] != i and not farther(form, a, rows[q], parameters, blur, most, scratch, sets):
                if distance(form, a, rows[q], parameters, blur, scratch, sets) < least:
                    return -1
                count += 1
    return count


@compiled
def nearest_ties(
    form: int,
    left: Floats,
    right: Floats,
    parameters: Floats,
    blur: float,
    order: Ints,
    lows: Floats,
    highs: Floats,
    floors: Floats,
    suspects: Ints,
) -> Ints:
    """Return for each row of `left` among how many nearest rows of `right` its own is; 0 where another is nearer.

    1 says that its own row is nearer than every other one, blur or not; rows that the blur can make as near count as
    ties. `order` lists the rows of `right` in leaves of LEAF rows, whose corners are `lows` and `highs`: leaves that
    are out of reach are passed over. Every distance must be at least each of `floors` times the squared difference in
    its column; floors of 0 say nothing. A row's suspect, where it is not -1, is looked at first.
    """
    d = right.shape[1]
    result = np.ones(len(left), np.int64)
    scratch = np.empty(d)
    sets = np.empty(d, np.int64)
    room = Room(np.empty(d), scratch, sets)
    measure = Measure(form, parameters, blur, floors)
    leaves = Leaves(right[order], order, lows, highs)
    low, high = bunched(lows, highs)
    widest = np.abs(left).max() + np.abs(right).max() + blur
    # What a blur takes from a bilinear form at most; the squares of the other forms see to it themselves.
    doubt = 2.0 * blur * np.abs(parameters).sum() * widest if form == BILINEAR else 0.0
    for i in range(len(left)):
        a = left[i]
        own = distance(form, a, right[i], parameters, blur, scratch, sets)
        least = distance(form, a, right[i], parameters, -blur, scratch, sets)
        j = suspects[i]
        if j >= 0 and j != i and distance(form, a, right[j], parameters, blur, scratch, sets) < least:
            result[i] = 0
            continue
        # The slack keeps rounding from hiding a row that is exactly as near.
        reach = Reach(own, least, (max(own, 0.0) + doubt) * (1.0 + 1e-9))
        for b in range(len(low)):
            if out_of_reach(measure, a, low[b], high[b], reach.limit, room):
                continue
            more = ties_in_bunch(measure, a, i, b, reach, leaves, room)
            if more < 0:
                result[i] = 0
                break
            result[i] += more
    return result
