"""The largest margin by which a point can satisfy linear inequalities, by the simplex method on the dual program.

Rows ask for row . x >= t with t as large as can be; fixed inequalities ask for g . x >= h whatever t is. A dual
solution gives each of them a weight, such that the weighted sums cancel and prove that t can be no larger. Its basis
has one entry more than x has coordinates, however many rows there are. Rows can be switched on and off between calls:
that changes costs alone, so that the last basis is always a place to start.

An entry of the basis is a row number, or CAP for the limit on t, or FIRST - c for fixed inequality c.
"""

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Flags, Floats, Ints
from discreet._kernels.compile import compiled

CAP, FIRST = -1, -2
OPTIMAL, BELOW, ABOVE, LOST, UNFINISHED = 0, 1, 2, 3, 4
"""How a search ends: at the best margin; below the limit asked for; at a point above it; among rounding errors; or not
yet, after FRESH_AFTER turns."""
OFF = 1e3
"""The cost of a row that is switched off: above any margin."""
TINY = 1e-10
PIVOT = 1e-9
ROUNDING = 1e-13
MOST_TURNS = 20_000
FRESH_AFTER = 60


class Inequalities(NamedTuple):
    """Fixed inequalities: c is `value[q] * x[columns[q]]`, summed over q from `start[c]` to `start[c + 1]`, at least
    `least[c]`."""

    start: Ints
    columns: Ints
    value: Floats
    least: Floats


class Rows(NamedTuple):
    """Rows of which some are switched on: `wanted` are their numbers, which `active` marks."""

    values: Floats
    wanted: Ints
    active: Flags


@compiled
def write_column(entry: int, fixed: Inequalities, rows: Floats, column: Floats) -> None:
    """Write the column of an entry in the dual program."""
    size = len(column) - 1
    if entry >= 0:
        for k in range(size):
            column[k] = -rows[entry, k]
        column[size] = 1.0
        return
    column[:] = 0.0
    if entry == CAP:
        column[size] = 1.0
        return
    c = FIRST - entry
    for q in range(fixed.start[c], fixed.start[c + 1]):
        column[fixed.columns[q]] = -fixed.value[q]


@compiled
def write_costs(basis: Ints, least: Floats, active: Flags, cap: float, costs: Floats) -> None:
    """Write the cost of each entry of the basis."""
    for place in range(len(basis)):
        entry = basis[place]
        if entry >= 0:
            costs[place] = 0.0 if active[entry] else OFF
        else:
            costs[place] = cap if entry == CAP else -least[FIRST - entry]


@compiled
def invert(basis: Ints, fixed: Inequalities, rows: Floats, inverse: Floats) -> None:
    """Write the inverse of the basis, computed anew."""
    size = len(basis)
    matrix = np.empty((size, size))
    column = np.empty(size)
    for place in range(size):
        write_column(basis[place], fixed, rows, column)
        for k in range(size):
            matrix[k, place] = column[k]
    result = np.linalg.inv(matrix)
    for k in range(size):
        for place in range(size):
            inverse[k, place] = result[k, place]


@compiled
def most_broken_inequality(x: Floats, fixed: Inequalities, any_will_do: bool) -> tuple[int, float]:
    """Return the entry of the fixed inequality that x breaks most (or of the first), and by how much."""
    entry = CAP
    worst = -TINY
    for c in range(len(fixed.least)):
        slack = -fixed.least[c]
        for q in range(fixed.start[c], fixed.start[c + 1]):
            slack += fixed.value[q] * x[fixed.columns[q]]
        if slack < worst:
            entry = FIRST - c
            worst = slack
            if any_will_do:
                break
    return entry, worst


@compiled
def lowest_row(x: Floats, rows: Floats, wanted: Ints) -> tuple[int, float]:
    """Return the row with the least product with x, and the product; CAP and infinity where no row is wanted."""
    entry = CAP
    lowest = np.inf
    for r in wanted:
        product = 0.0
        for k in range(len(x)):
            product += rows[r, k] * x[k]
        if product < lowest:
            lowest = product
            entry = r
    return entry, lowest


@compiled
def leaving(step: Floats, weights: Floats) -> int:
    """Return the place in the basis whose weight falls to zero first, to rounding that of the largest pivot; or -1.

    After Harris (1973): a small pivot would soon leave a basis that has no inverse.
    """
    soonest = np.inf
    for k in range(len(step)):
        if step[k] > PIVOT:
            soonest = min(soonest, (max(weights[k], 0.0) + ROUNDING) / step[k])
    place = -1
    for k in range(len(step)):
        larger = step[k] > (PIVOT if place < 0 else step[place])
        if larger and max(weights[k], 0.0) / step[k] <= soonest:
            place = k
    return place


@compiled
def exchange(place: int, step: Floats, inverse: Floats) -> None:
    """Update the inverse for a new entry at a place, whose column is `step` in terms of the old basis."""
    inverse[place] /= step[place]
    for k in range(len(step)):
        if k != place and step[k] != 0.0:
            inverse[k] -= step[k] * inverse[place]


@compiled
def largest_margin(
    fixed: Inequalities,
    rows: Rows,
    cap: float,
    limit: float,
    stop_above: bool,
    basis: Ints,
    inverse: Floats,
    fresh: bool,
    memory: Floats,
) -> tuple[int, float, Floats, Floats]:
    """Return how the search ended, the margin, the point, and the weight of each entry of the basis.

    The search ends as soon as the margin is proven to be at most `limit`, and if `stop_above` as soon as it meets a
    point above it. `basis` and `inverse` say where to start; they are left where the search ended. If `fresh`, the
    inverse is computed first. The weights of a BELOW end are the proof. An UNFINISHED search goes on when it is called
    again, with `fresh`; `memory` holds the turns without gain and the least margin so far, at first 0 and infinity.
    Raises LinAlgError where rounding errors led to a basis that has no inverse.
    """
    size = len(basis)
    costs = np.empty(size)
    column = np.empty(size)
    if fresh:
        invert(basis, fixed, rows.values, inverse)
    updated = False
    for _ in range(FRESH_AFTER):
        write_costs(basis, fixed.least, rows.active, cap, costs)
        prices = costs @ inverse
        x = prices[: size - 1].copy()
        t = prices[size - 1]
        tired = memory[0] > 10 * size
        broken, slack = most_broken_inequality(x, fixed, tired)
        row, lowest = lowest_row(x, rows.values, rows.wanted)
        done = broken == CAP and lowest - t >= -TINY
        if t <= limit or done or (stop_above and broken == CAP and lowest > limit):
            if updated:
                # Make sure that what ends the search is no rounding error.
                invert(basis, fixed, rows.values, inverse)
                updated = False
                continue
            weights = inverse[:, size - 1].copy()
            if weights.min() < -1e-9:
                return LOST, t, x, weights
            return (BELOW if t <= limit else OPTIMAL if done else ABOVE), t, x, weights
        entry = row
        if broken != CAP and (tired or slack < lowest - t):
            entry = broken
        write_column(entry, fixed, rows.values, column)
        step = inverse @ column
        place = leaving(step, inverse[:, size - 1])
        if place < 0:
            return LOST, memory[1], np.zeros(size - 1), np.zeros(size)
        exchange(place, step, inverse)
        basis[place] = entry
        updated = True
        memory[0] = memory[0] + 1.0 if t >= memory[1] - 1e-13 else 0.0
        memory[1] = min(memory[1], t)
    return UNFINISHED, memory[1], np.zeros(size - 1), np.zeros(size)
