"""One-to-one pairing of large files by auction: nearly the greatest total weight, in a fraction of the time."""

from __future__ import annotations

import numpy as np

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.compile import compiled
from discreet._kernels.matching.pairing import UNPAIRED, BestPairs
from discreet._kernels.matching.patterns import Places
from discreet._kernels.threads import Progress

BIDS_AT_ONCE = 1 << 20
STEP = 0.0001
"""By how much a bid rises at least, as a share of the greatest weight."""


def auction(
    pairs: BestPairs,
    others: int,
    *,
    floor: float = 0.0,
    step: float = STEP,
    progress: Progress | None = None,
) -> Ints:
    """The partner of each record, or -1, in a one-to-one pairing of nearly the greatest total weight of those listed.

    The records of the first file bid for those of the second until nobody is outbid; one that would gain no more
    than `floor` stays alone. The total falls short of that of `assign` by less than step times the greatest gain
    for each record. `others` is the number of records in the second file. After Bertsekas, Annals of Operations
    Research 14, 1988.
    """
    if not step > 0:
        raise ValueError(f"step must be above 0; got {step}")
    count = len(pairs.indptr) - 1
    partner = np.full(count, UNPAIRED, np.int64)
    gains = pairs.weights - floor if floor else pairs.weights
    if len(gains) == 0:
        return partner
    if float(gains.min()) <= 0:
        raise ValueError("pairs at or below the floor cannot be listed")
    bid(pairs.indptr, pairs.indices, gains, step * float(gains.max()), np.zeros(others), partner, progress)
    return partner


def bid(
    indptr: Ints,
    indices: Ints | Places,
    gains: Floats | Singles,
    step: float,
    prices: Floats,
    partner: Ints,
    progress: Progress | None = None,
) -> None:
    """Fill `partner`, -1 at first, raising `prices` from zero until every record has what it gains the most from.

    A record whose gain at these prices is nowhere above zero stays alone: prices never fall. After a million bids or so
    the loop is left for a moment, in which a request to stop is heard and progress is told: who has a partner by then.
    """
    holder = np.full(len(prices), UNPAIRED, np.int64)
    waiting = np.arange(len(partner) - 1, -1, -1)
    left = len(waiting)
    while left > 0:
        left = bid_for_a_while(
            indptr, indices, gains, step, prices, partner, holder, waiting, left, BIDS_AT_ONCE
        )
        if progress is not None:
            progress(len(partner) - left, len(partner))


@compiled
def bid_for_a_while(
    indptr: Ints,
    indices: Ints | Places,
    gains: Floats | Singles,
    step: float,
    prices: Floats,
    partner: Ints,
    holder: Ints,
    waiting: Ints,
    left: int,
    bids: int,
) -> int:
    """How many records still wait after so many bids; who holds what, and who waits, is kept for the next ones."""
    while left > 0 and bids > 0:
        bids -= 1
        left -= 1
        record = waiting[left]
        best = 0.0
        second = 0.0
        wanted = -1
        for place in range(indptr[record], indptr[record + 1]):
            value = gains[place] - prices[indices[place]]
            if value > best:
                second = best
                best = value
                wanted = indices[place]
            elif value > second:
                second = value
        if wanted < 0:
            continue
        prices[wanted] += best - second + step
        outbid = holder[wanted]
        holder[wanted] = record
        partner[record] = wanted
        if outbid >= 0:
            partner[outbid] = -1
            waiting[left] = outbid
            left += 1
    return left
