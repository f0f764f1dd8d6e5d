"""Distances between records under given parameters, and who is nearest to whom.

A form is a number: WEIGHTED (a weight per column), ORDERED (a weight per rank of the squared differences, largest
first), CHOQUET (a value per set of columns, the first column being the highest bit), BILINEAR (a matrix, row by row).
All functions add in one order, so that equal rows give equal distances to the last bit. Row i of `left` belongs
to row i of `right`, or where `homes` is given to row `homes[i]`; `right` may have more rows, which belong to nobody and
are rivals all the same.

Distances that are equal on paper can differ in their last bits. So a distance can be taken with a blur: the most
that it can be if each difference of two values is off by the blur, or the least where the blur is below zero. A record
whose own row is nearer even at its most than each rival at its least is nearest beyond doubt.
"""

import numpy as np

from discreet._kernels.arrays import Flags, Floats, Ints
from discreet._kernels.compile import compiled

WEIGHTED, ORDERED, CHOQUET, BILINEAR = 0, 1, 2, 3


@compiled
def bilinear(a: Floats, b: Floats, matrix: Floats, scratch: Floats) -> float:
    """Return (a - b)' S (a - b) for the matrix S given row by row."""
    d = len(a)
    for k in range(d):
        scratch[k] = a[k] - b[k]
    total = 0.0
    for k in range(d):
        partial = 0.0
        for m in range(d):
            partial += matrix[k * d + m] * scratch[m]
        total += partial * scratch[k]
    return total


@compiled
def blurred_bilinear(a: Floats, b: Floats, matrix: Floats, blur: float, scratch: Floats) -> float:
    """Return the same with a blur: no entry of a - b that is off by it brings the form beyond."""
    total = bilinear(a, b, matrix, scratch)
    d = len(a)
    reach = 0.0
    for k in range(d):
        for m in range(d):
            reach += abs(matrix[k * d + m]) * (2.0 * abs(scratch[m]) + abs(blur))
    return total + blur * reach


@compiled
def square(a: float, b: float, blur: float) -> float:
    """Return the square of a difference with a blur."""
    difference = max(abs(a - b) + blur, 0.0)
    return difference * difference


@compiled
def distance(
    form: int, a: Floats, b: Floats, parameters: Floats, blur: float, scratch: Floats, sets: Ints
) -> float:
    """Return the distance of two records with a blur; `scratch` and `sets` are room to work in, as long as a record."""
    d = len(a)
    if form == BILINEAR:
        return blurred_bilinear(a, b, parameters, blur, scratch)
    total = 0.0
    if form == WEIGHTED:
        for k in range(d):
            total += parameters[k] * square(a[k], b[k], blur)
        return total
    # Insertion sort, smallest first: d is small.
    for k in range(d):
        value = square(a[k], b[k], blur)
        m = k
        while m > 0 and scratch[m - 1] > value:
            scratch[m] = scratch[m - 1]
            sets[m] = sets[m - 1]
            m -= 1
        scratch[m] = value
        sets[m] = 1 << (d - 1 - k)
    if form == ORDERED:
        for k in range(d):
            total += parameters[k] * scratch[d - 1 - k]
        return total
    members = (1 << d) - 1
    before = 0.0
    for k in range(d):
        total += (scratch[k] - before) * parameters[members]
        before = scratch[k]
        members -= sets[k]
    return total


@compiled
def nearest_rivals(
    form: int,
    left: Floats,
    right: Floats,
    parameters: Floats,
    blur: float,
    records: Ints,
    start: Ints,
    rivals: Ints,
    homes: Ints,
) -> tuple[Floats, Floats, Ints]:
    """Return, for some records, the distance to their own row, that to their nearest rival, and the rival's row.

    The own distance is the most it can be with the blur, that of the rival the least.
    `rivals[start[b]:start[b + 1]]` are those of record b; where `start` has one entry, all other rows are. Equally near
    rivals go to the first; a record with no rival gets infinity and -1.
    """
    n, d = right.shape
    count = len(records)
    own = np.empty(count)
    best = np.full(count, np.inf)
    nearest = np.full(count, -1, np.int64)
    scratch = np.empty(d)
    sets = np.empty(d, np.int64)
    everyone = len(start) == 1
    sorts = form in (ORDERED, CHOQUET)
    for b in range(count):
        i = records[b]
        own[b] = distance(form, left[i], right[homes[i]], parameters, blur, scratch, sets)
        many = n if everyone else start[b + 1] - start[b]
        for q in range(many):
            j = q if everyone else rivals[start[b] + q]
            if j == homes[i]:
                continue
            if sorts and farther(form, left[i], right[j], parameters, blur, best[b], scratch, sets):
                continue
            value = distance(form, left[i], right[j], parameters, -blur, scratch, sets)
            if value < best[b]:
                best[b] = value
                nearest[b] = j
    return own, best, nearest


@compiled
def nearest_bilinear(
    left: Floats, right: Floats, matrix: Floats, records: Ints, homes: Ints
) -> tuple[Floats, Floats, Ints]:
    """Return the same as `nearest_rivals` among all rows for the bilinear form without blur, several times as fast.

    The nearest is looked for by the expanded form, a'Sa left out, and only its distance is then computed in full; so a
    rival that is as near as the nearest to rounding may be the one returned.
    """
    n, d = right.shape
    own = np.empty(len(records))
    best = np.full(len(records), np.inf)
    nearest = np.full(len(records), -1, np.int64)
    scratch = np.empty(d)
    origin = np.zeros(d)
    image = np.empty(d)
    tail = np.empty(n)
    for j in range(n):
        tail[j] = bilinear(right[j], origin, matrix, scratch)
    for b in range(len(records)):
        i = records[b]
        for k in range(d):
            image[k] = 0.0
            for m in range(d):
                image[k] += 2.0 * matrix[k * d + m] * left[i, m]
        lowest = np.inf
        for j in range(n):
            value = tail[j]
            for k in range(d):
                value -= image[k] * right[j, k]
            if value < lowest and j != homes[i]:
                lowest = value
                nearest[b] = j
        own[b] = bilinear(left[i], right[homes[i]], matrix, scratch)
        if nearest[b] >= 0:
            best[b] = bilinear(left[i], right[nearest[b]], matrix, scratch)
    return own, best, nearest


@compiled
def farther(
    form: int,
    a: Floats,
    b: Floats,
    parameters: Floats,
    blur: float,
    than: float,
    scratch: Floats,
    sets: Ints,
) -> bool:
    """Say whether even the least distance with a blur is above a given one, without adding all where that is clear."""
    d = len(a)
    if form != WEIGHTED:
        if form != BILINEAR:
            # No less than what one column counts alone; in rounding too, with the slack.
            for k in range(d):
                alone = parameters[0] if form == ORDERED else parameters[1 << (d - 1 - k)]
                if alone * square(a[k], b[k], -blur) * (1.0 - 1e-9) > than:
                    return True
        return distance(form, a, b, parameters, -blur, scratch, sets) > than
    total = 0.0
    for k in range(d):
        # Sums of terms that are not negative never fall, rounded or not: once above, always above.
        total += parameters[k] * square(a[k], b[k], -blur)
        if total > than:
            return True
    return False


@compiled
def mirrored(left: Floats, right: Floats, records: Ints, blur: float, homes: Ints) -> Flags:
    """Say for some records whether a rival differs from them just as their own row does, or just the other way.

    No bilinear form can tell the two rows apart. Differences count as equal where they are within the blur.
    """
    d = right.shape[1]
    result = np.zeros(len(records), np.bool_)
    for b in range(len(records)):
        i = records[b]
        home = homes[i]
        for j in range(len(right)):
            same = j != home
            opposite = j != home
            for k in range(d):
                same = same and abs(right[j, k] - right[home, k]) <= blur
                opposite = opposite and abs(2.0 * left[i, k] - right[home, k] - right[j, k]) <= blur
                if not (same or opposite):
                    break
            if same or opposite:
                result[b] = True
                break
    return result


@compiled
def lowest_pairs(left: Floats, right: Floats, matrix: Floats) -> tuple[Floats, Ints]:
    """Return, for each row of `left`, the lowest form over squared length to a row of `right`, and that row.

    Rows with no form below zero get 0. The expanded form a'Sa - 2 a'Sb + b'Sb settles most pairs with few
    operations; only those that it leaves within rounding of zero are computed as the distances are.
    """
    n, d = right.shape
    lowest = np.zeros(len(left))
    where = np.zeros(len(left), np.int64)
    scratch = np.empty(d)
    image = np.empty(d)
    origin = np.zeros(d)
    tail = np.empty(n)
    for j in range(n):
        tail[j] = bilinear(right[j], origin, matrix, scratch)
    for i in range(len(left)):
        head = bilinear(left[i], origin, matrix, scratch)
        for k in range(d):
            image[k] = 0.0
            for m in range(d):
                image[k] += 2.0 * matrix[k * d + m] * left[i, m]
        for j in range(n):
            product = 0.0
            for k in range(d):
                product += image[k] * right[j, k]
            if head + tail[j] - product > 1e-9 * (abs(head) + abs(tail[j]) + abs(product)):
                continue
            value = bilinear(left[i], right[j], matrix, scratch)
            if value < 0.0:
                length = 0.0
                for k in range(d):
                    length += (left[i, k] - right[j, k]) ** 2
                if value / length < lowest[i]:
                    lowest[i] = value / length
                    where[i] = j
    return lowest, where
