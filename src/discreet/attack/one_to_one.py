"""Linking one to one: no two records may have the same partner, and the distances add up to the least."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from discreet import seeds
from discreet._kernels.counting.distinct import distinct_rows
from discreet._kernels.matching.auction import bid
from discreet.attack.points import ROUNDING
from discreet.errors import NotComputable
from discreet.table import BoolArray, FloatArray, IntArray

FIRST_NEIGHBOURS = 8
MOST_PAIRS = 20_000_000
"""Up to so many pairs of records, about 4,500 of each file, the best pairing of all is found."""
FEW_AXES = 20
MOST_COMPARED = 3e11
"""With more than a few axes neighbours are found by comparing everybody: so many numbers take two minutes or so."""
BIDDING_FOR = 64
"""How many neighbours a record of a larger file bids for."""
STEP = 0.001
"""By how much a bid rises at least, as a share of how much farther the last of these usually is than the first."""
UNPAIRED = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairing:
    """The partner of each record, -1 for none, and whether no pairing has a smaller sum of squared distances."""

    partner: IntArray
    exact: bool


def pair_off_dealt(queries: FloatArray, targets: FloatArray) -> Pairing:
    """As `pair_off`, but of several pairings that are the best one at random, whatever the order of the files.

    Files that were handed over in the same order would otherwise be paired off by it.
    """
    query_order, target_order = dealt_out(queries.T, 0), dealt_out(targets.T, 1)
    found = pair_off(queries[query_order], targets[target_order])
    partner = np.full(len(queries), UNPAIRED, dtype=np.int64)
    partner[query_order] = np.where(found.partner >= 0, target_order[found.partner], UNPAIRED)
    return Pairing(partner=partner, exact=found.exact)


def dealt_out(columns: Iterable[FloatArray | IntArray], side: int) -> IntArray:
    """An order of the records that depends on their values alone, at random and another one for each side."""
    by_value = np.lexsort(tuple(columns))
    return by_value[seeds.generator(0, side).permutation(len(by_value))]


def pair_off(queries: FloatArray, targets: FloatArray) -> Pairing:
    """The one-to-one pairing of least total squared distance; every record of the smaller set has a partner.

    Without a matrix of all pairs: only the nearest few targets of each query are tried, and a stand-in that costs as
    much as the last of them, which no pair left out undercuts. A best pairing without stand-ins is therefore the best
    of all; else more neighbours are tried. Beyond 20 million pairs records are paired off by auction.
    """
    if len(queries) > len(targets):
        turned = pair_off(targets, queries)
        partner = np.full(len(queries), UNPAIRED, dtype=np.int64)
        chosen = turned.partner >= 0
        partner[turned.partner[chosen]] = np.flatnonzero(chosen)
        return Pairing(partner=partner, exact=turned.exact)
    if len(queries) * len(targets) > MOST_PAIRS:
        return pair_by_auction(queries, targets)
    from scipy.spatial import cKDTree

    tree = cKDTree(targets)
    tried = min(FIRST_NEIGHBOURS, len(targets))
    while True:
        distances, places = (np.asarray(each) for each in tree.query(queries, k=range(1, tried + 1)))
        partner = _cheapest(distances**2, places, len(targets), whole=tried == len(targets))
        if tried == len(targets) or (partner >= 0).all():
            return Pairing(partner=partner, exact=True)
        tried = min(4 * tried, len(targets))


def pair_by_auction(queries: FloatArray, targets: FloatArray) -> Pairing:
    """A one-to-one pairing of nearly the least total squared distance, in which every query has a partner.

    Each query bids for its nearest targets (Bertsekas, Annals of Operations Research 14, 1988); those that are outbid
    everywhere bid again for what is left. It is known to be the best only where everybody got the nearest. Raises
    NotComputable where finding the neighbours would take too long.
    """
    axes = queries.shape[1]
    if axes > FEW_AXES and len(queries) * len(targets) * axes > MOST_COMPARED:
        raise NotComputable(
            f"one_to_one: {len(queries)} records on {axes} axes, one for each category, would take too long to pair "
            "off. Name keys with fewer categories, or link without one_to_one."
        )
    from scipy.spatial import cKDTree

    partner = np.full(len(queries), UNPAIRED, dtype=np.int64)
    waiting, free = np.arange(len(queries)), np.arange(len(targets))
    nearest: list[float] = []
    while len(waiting):
        bidden_for = range(1, min(BIDDING_FOR, len(free)) + 1)
        found = cKDTree(targets[free]).query(queries[waiting], k=bidden_for)
        costs, places = np.asarray(found[0]) ** 2, np.asarray(found[1])
        nearest.append(float(costs[:, 0].sum()))
        won = _won(costs, places, len(free))
        paired = won >= 0
        partner[waiting[paired]] = free[won[paired]]
        waiting, free = waiting[~paired], np.delete(free, won[paired])
    total = float(((queries - targets[partner]) ** 2).sum())
    return Pairing(partner=partner, exact=total <= nearest[0] * (1 + ROUNDING))


def _won(costs: FloatArray, places: IntArray, targets: int) -> IntArray:
    """For each query the place that it wins, -1 where it is outbid for all of its neighbours."""
    farther = costs[:, -1] - costs[:, 0]
    usual = float(np.median(farther[farther > 0])) if (farther > 0).any() else 1.0
    # What a neighbour is worth is how much nearer it is than the last one; to stay alone is worse than any of them.
    gains = costs[:, -1:] - costs + usual
    partner = np.full(len(costs), UNPAIRED, dtype=np.int64)
    starts = np.arange(0, costs.size + 1, costs.shape[1])
    wanted = np.ascontiguousarray(places.ravel(), dtype=np.int64)
    bid(starts, wanted, np.ascontiguousarray(gains.ravel()), STEP * usual, np.zeros(targets), partner)
    return partner


def _cheapest(costs: FloatArray, places: IntArray, targets: int, *, whole: bool) -> IntArray:
    """The partner of each query in the cheapest pairing over the listed pairs and the stand-ins; -1 for a stand-in."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    count, tried = costs.shape
    alone = np.arange(count)
    most = float(costs.max(initial=0.0)) + 1.0
    stand_in = np.full(count, most * (count + 1)) if whole else costs[:, -1]
    rows = np.concatenate([np.repeat(alone, tried), alone])
    columns = np.concatenate([places.ravel(), targets + alone])
    # A sparse matrix takes a weight of zero for no pair, so all are shifted alike.
    weights = np.concatenate([costs.ravel(), stand_in]) + most
    graph = csr_array((weights, (rows, columns)), shape=(count, targets + count))
    row, column = min_weight_full_bipartite_matching(graph)
    partner = np.full(count, UNPAIRED, dtype=np.int64)
    real = column < targets
    partner[row[real]] = column[real]
    return partner


def expected_hits(
    partner: IntArray, truth: IntArray, queries: IntArray, targets: IntArray
) -> tuple[FloatArray, IntArray]:
    """For each record the chance that its partner is the true one, and among how many alike it was chosen.

    `queries` and `targets` label records that nothing tells apart. Which of them got which partner is luck, so the
    chance is the average over all ways to deal the partners out among them.
    """
    alike = np.bincount(queries)[queries]
    twins = np.bincount(targets)
    chosen = partner >= 0
    pairs = np.column_stack([queries[chosen], targets[partner[chosen]]])
    kinds = distinct_rows(np.concatenate([pairs, np.column_stack([queries, targets[truth]])]))
    dealt = np.bincount(kinds.labels[: len(pairs)], minlength=len(kinds.firsts))
    choices = alike * twins[targets[truth]]
    known: BoolArray = truth >= 0
    return np.where(known, dealt[kinds.labels[len(pairs) :]] / choices, 0.0), choices
