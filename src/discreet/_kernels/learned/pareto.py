"""The rivals of each record that no other rival beats, found one record at a time.

For record i every row j != i has a vector of costs; under any distance that rises with each cost, only the
rivals whose costs are not all at least those of another rival can ever be nearest. Those are kept, the others
dropped, and nothing of size n x n is ever held.
"""

import numpy as np

from discreet._kernels.arrays import Flags, Floats, Ints
from discreet._kernels.compile import compiled
from discreet._kernels.learned.forms import square


@compiled
def _fill_costs(
    left: Floats, right: Floats, i: int, home: int, ordered: bool, blur: float, costs: Floats
) -> None:
    """Write the squared differences of row i of `left` to every row of `right`; sorted from large to small if asked.

    With a blur those to its own row, `home`, are the most they can be, the others the least.
    """
    n, d = right.shape
    for j in range(n):
        for k in range(d):
            costs[j, k] = square(left[i, k], right[j, k], blur if j == home else -blur)
        if ordered:
            for k in range(1, d):
                value = costs[j, k]
                m = k
                while m > 0 and costs[j, m - 1] < value:
                    costs[j, m] = costs[j, m - 1]
                    m -= 1
                costs[j, m] = value


@compiled
def _keep_minimal(costs: Floats, i: int, gap: float, kept: Ints) -> int:
    """Write the minimal rivals of own row i into `kept` and return how many.

    It is -1 if a rival is never farther, and -2 if one is nearer in every cost, by a difference of more than `gap`.
    """
    n, d = costs.shape
    total = np.zeros(n)
    for j in range(n):
        for k in range(d):
            total[j] += costs[j, k]
    m = 0
    never_farther = False
    nearest_first = np.argsort(total, kind="mergesort")
    for j in nearest_first:
        if total[j] > total[i]:
            break
        if j == i:
            continue
        farther = False
        nearer = True
        for k in range(d):
            if costs[j, k] > costs[i, k]:
                farther = True
                break
            nearer = nearer and np.sqrt(costs[j, k]) + gap < np.sqrt(costs[i, k])
        if not farther:
            never_farther = True
            if nearer:
                return -2
    if never_farther:
        return -1
    for j in nearest_first:
        if j == i:
            continue
        beaten = False
        for q in range(m):
            r = kept[q]
            beaten = True
            for k in range(d):
                if costs[r, k] > costs[j, k]:
                    beaten = False
                    break
            if beaten:
                # A row that beats one rival is likely to beat the next: bring it nearer the front.
                kept[q] = kept[q // 2]
                kept[q // 2] = r
                break
        if not beaten:
            kept[m] = j
            m += 1
    return m


@compiled
def minimal_rivals(
    left: Floats, right: Floats, blocks: Ints, ordered: bool, blur: float, homes: Ints
) -> tuple[Ints, Ints, Flags, Flags]:
    """Return, for the rows `blocks` of `left`, the starts and row numbers of their minimal rivals in `right`.

    `homes[i]` is the row of `right` that is row i's own. The third array marks the blocks that have a rival at most as
    far in every cost: no distance that rises with the costs can tell the own row apart, so they keep no rivals. Costs
    within the blur count as equal there. The fourth marks those of them that have a rival nearer in every cost, beyond
    any blur: their own row is never among the nearest. The memory used is that of the rivals kept.
    """
    n, d = right.shape
    costs = np.empty((n, d))
    kept = np.empty(n, np.int64)
    start = np.zeros(len(blocks) + 1, np.int64)
    lost = np.zeros(len(blocks), np.bool_)
    never = np.zeros(len(blocks), np.bool_)
    rivals = np.empty(1024, np.int64)
    chosen = np.zeros(n, np.bool_)
    size = 0
    for b in range(len(blocks)):
        i = blocks[b]
        _fill_costs(left, right, i, homes[i], ordered, blur, costs)
        m = _keep_minimal(costs, homes[i], 4.0 * blur, kept)
        if m < 0:
            lost[b] = True
            never[b] = m == -2
            m = 0
        if size + m > len(rivals):
            longer = np.empty(max(2 * len(rivals), size + m), np.int64)
            for q in range(size):
                longer[q] = rivals[q]
            rivals = longer
        for q in range(m):
            chosen[kept[q]] = True
        # In the order of the rows; a pass is as quick as a sort here and compiles sooner.
        for j in range(n if m > 0 else 0):
            if chosen[j]:
                rivals[size] = j
                chosen[j] = False
                size += 1
        start[b + 1] = size
    return start, rivals[:size].copy(), lost, never
