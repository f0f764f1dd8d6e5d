"""Linking one to one: no two records may have the same partner, and the distances add up to the least."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from discreet import seeds
from discreet._kernels.distinct import distinct_rows
from discreet.table import BoolArray, FloatArray, IntArray

FIRST_NEIGHBOURS = 8
MOST_PAIRS = 30_000_000
NOBODY = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairing:
    """The partner of each record, -1 for none, and whether no pairing has a smaller sum of squared distances."""

    partner: IntArray
    exact: bool


def pair_off_dealt(queries: FloatArray, targets: FloatArray) -> Pairing:
    """As `pair_off`, but of several pairings that are the best one at random, whatever the order of the files.

    Files that were handed over in the same order would otherwise be paired off by it.
    """
    asked, looked_at = dealt_out(queries.T, 0), dealt_out(targets.T, 1)
    found = pair_off(queries[asked], targets[looked_at])
    partner = np.full(len(queries), NOBODY, dtype=np.int64)
    partner[asked] = np.where(found.partner >= 0, looked_at[found.partner], NOBODY)
    return Pairing(partner=partner, exact=found.exact)


def dealt_out(columns: Iterable[FloatArray | IntArray], side: int) -> IntArray:
    """An order of the records that depends on their values alone, at random and another one for each side."""
    by_value = np.lexsort(tuple(columns))
    return by_value[seeds.generator(0, side).permutation(len(by_value))]


def pair_off(queries: FloatArray, targets: FloatArray) -> Pairing:
    """The one-to-one pairing of least total squared distance; every record of the smaller set has a partner.

    Without a matrix of all pairs: only the nearest few targets of each query are tried, and a stand-in that costs as
    much as the last of them, which no pair left out undercuts. A best pairing without stand-ins is therefore the best
    of all; else more neighbours are tried. Beyond 30 million pairs the stand-ins are left without partners and the
    pairing is not exact.
    """
    if len(queries) > len(targets):
        turned = pair_off(targets, queries)
        partner = np.full(len(queries), NOBODY, dtype=np.int64)
        chosen = turned.partner >= 0
        partner[turned.partner[chosen]] = np.flatnonzero(chosen)
        return Pairing(partner=partner, exact=turned.exact)
    from scipy.spatial import cKDTree

    tree = cKDTree(targets)
    tried = min(FIRST_NEIGHBOURS, len(targets))
    while True:
        distances, places = (np.asarray(each) for each in tree.query(queries, k=range(1, tried + 1)))
        partner = _cheapest(distances**2, places, len(targets), whole=tried == len(targets))
        left = bool((partner < 0).any())
        if not left or tried == len(targets) or len(queries) * tried * 4 > MOST_PAIRS:
            return Pairing(partner=partner, exact=not left)
        tried = min(4 * tried, len(targets))


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
    partner = np.full(count, NOBODY, dtype=np.int64)
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
