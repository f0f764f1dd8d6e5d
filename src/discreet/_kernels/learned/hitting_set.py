"""A set that meets every one of some sets, taken greedily."""

import numpy as np

from discreet._kernels.arrays import Floats, Ints
from discreet._kernels.compile import compiled


@compiled
def greedy_hitting_set(start: Ints, members: Ints, luck: Floats) -> Ints:
    """Return numbers that meet every set, each the best left by the sets it meets, times its luck.

    Set s is `members[start[s]:start[s + 1]]`; small sets count more, since fewer numbers meet them.
    """
    sets = len(start) - 1
    score = np.zeros(len(luck))
    uses = np.zeros(len(luck) + 1, np.int64)
    for number in members:
        uses[number + 1] += 1
    first = np.cumsum(uses)
    place = first[:-1].copy()
    homes = np.empty(len(members), np.int64)
    for s in range(sets):
        for q in range(start[s], start[s + 1]):
            score[members[q]] += 1.0 / (start[s + 1] - start[s])
            homes[place[members[q]]] = s
            place[members[q]] += 1
    met = np.zeros(sets, np.bool_)
    left = sets
    chosen = np.empty(min(sets, len(luck)), np.int64)
    count = 0
    while left > 0:
        best = np.argmax(score * luck)
        chosen[count] = best
        count += 1
        for q in range(first[best], first[best + 1]):
            s = homes[q]
            if not met[s]:
                met[s] = True
                left -= 1
                for r in range(start[s], start[s + 1]):
                    score[members[r]] -= 1.0 / (start[s + 1] - start[s])
        score[best] = -1.0
    return chosen[:count].copy()
