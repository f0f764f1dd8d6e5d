"""One category from what several releases say of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet._kernels.clustering.agglomerate import Linkage, agglomerate
from discreet._kernels.counting.distinct import distinct_rows
from discreet.attack.fusion.clusters import agreed, cut_by_agreement, cut_into
from discreet.attack.fusion.distances import UNKNOWN, CategoryDistance, differences, distances
from discreet.attack.fusion.labels import label_clusters
from discreet.attack.fusion.latent import ReleaseConfusion, believed, likeliest
from discreet.errors import BadParameter, NotComputable
from discreet.table import FloatArray, IntArray

MOST_TUPLES = 6000
"""Different things said that can be clustered: the distances of all pairs must fit in memory."""


class Said(NamedTuple):
    """What the releases say, in different combinations.

    `codes` [tuples, releases] are places among the levels for releases that share their names, else among the
    release's own categories; -1 is unknown. `outcomes` are always places among the release's own, the made-up ones
    included. `tuple_of` is the combination of each record and `counts` how many records have it.
    """

    codes: IntArray
    outcomes: IntArray
    own: tuple[tuple[str, ...], ...]
    tuple_of: IntArray
    counts: IntArray
    shared: tuple[int, ...]
    made_up: tuple[int, ...]
    """For each release how many records it gives a category that is not among the levels."""


class FusedCategories(NamedTuple):
    """The category of each record, -1 where it stays unknown; and its cluster, where there are clusters."""

    codes: IntArray
    clusters: IntArray | None


def listen(columns: Sequence[pl.Series], levels: Sequence[str], renamed: Sequence[int]) -> Said:
    """What columns of text say about a category with these levels; releases in `renamed` use names of their own."""
    shared = tuple(place for place in range(len(columns)) if place not in renamed)
    own = tuple(tuple(column.drop_nulls().unique().sort().to_list()) for column in columns)
    outcomes = np.column_stack([places(column, names) for column, names in zip(columns, own, strict=True)])
    distinct = distinct_rows(outcomes)
    rows = outcomes[distinct.firsts]
    # The order of the combinations does not depend on that of the records, so neither does any tie further on.
    order = np.lexsort(rows.T[::-1])
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    rows, counts = rows[order], distinct.counts[order]
    codes = rows.copy()
    made_up = [0] * len(columns)
    for place in shared:
        among = np.append(places(pl.Series(list(own[place]), dtype=pl.String), levels), UNKNOWN)
        codes[:, place] = among[rows[:, place]]
        made_up[place] = int(counts[(codes[:, place] == UNKNOWN) & (rows[:, place] != UNKNOWN)].sum())
    return Said(codes, rows, own, rank[distinct.labels], counts, shared, tuple(made_up))


def by_clusters(
    said: Said,
    positions: FloatArray | None,
    levels: int,
    *,
    distance: CategoryDistance,
    linkage: Linkage,
    clusters: int | None,
) -> FusedCategories:
    """Each record takes the category of its cluster: records are alike when the releases say alike things of them.

    Records of which nothing is known take no part. Without a number of clusters there are as many as categories in
    use, and more where records on which all releases agree would come together with different values.
    """
    told = np.flatnonzero((said.codes != UNKNOWN).any(axis=1))
    if len(told) > MOST_TUPLES:
        raise NotComputable(
            f"coalition: the releases say {len(told)} different things, and at most {MOST_TUPLES} can be clustered. "
            'Use by="likelihood" or by="vote", or fewer releases.'
        )
    if len(told) == 0:
        raise NotComputable("coalition: no release holds a value of the column that is known.")
    codes, counts = said.codes[told], said.counts[told]
    between = [
        differences(positions, levels, distance)
        if place in said.shared
        else differences(None, len(names), distance)
        for place, names in enumerate(said.own)
    ]
    merges = agglomerate(distances(codes, between, said.shared), counts, linkage)
    votes = votes_of(said, levels)[told]
    if clusters is None:
        in_use = int((votes.sum(axis=0) > 0).sum())
        found = cut_by_agreement(merges, agreed(codes[:, list(said.shared)]), max(1, in_use))
    else:
        if not 1 <= clusters <= len(told):
            raise BadParameter(
                f"coalition: clusters must be from 1 to {len(told)}, the different things said."
            )
        found = cut_into(merges, len(told), clusters)
    used = np.zeros((int(found.max()) + 1, levels))
    np.add.at(used, found, votes * counts[:, None])
    labels = label_clusters(used, positions)
    return FusedCategories(_spread(labels[found], told, said), _spread(found, told, said))


def by_vote(said: Said, levels: int) -> FusedCategories:
    """Each record takes the category that most releases say; of several, the one most frequent in all the releases."""
    votes = votes_of(said, levels)
    told = votes.sum(axis=1) > 0
    if not told.any():
        raise NotComputable("coalition: no release holds a value of the column that is known.")
    overall = said.counts @ votes
    chosen = (votes + overall / (2 * overall.sum() + 1)).argmax(axis=1)
    return FusedCategories(np.where(told, chosen, UNKNOWN)[said.tuple_of], None)


def by_likelihood(said: Said, levels: Sequence[str], given: Sequence[FloatArray | None]) -> FusedCategories:
    """Each record takes the likeliest category, with how releases change categories given, or learned from all."""
    votes = votes_of(said, len(levels))
    if not votes.any():
        raise NotComputable("coalition: no release holds a value of the column that is known.")
    wanted = pl.Series(list(levels), dtype=pl.String)
    releases = [
        ReleaseConfusion(
            len(names),
            given[place],
            believed(len(levels), len(names), places(wanted, names) if place in said.shared else None),
        )
        for place, names in enumerate(said.own)
    ]
    chance = likeliest(said.outcomes, said.counts, votes, releases)
    told = (said.outcomes != UNKNOWN).any(axis=1)
    return FusedCategories(np.where(told, chance.argmax(axis=1), UNKNOWN)[said.tuple_of], None)


def votes_of(said: Said, levels: int) -> FloatArray:
    """How many releases say each level of each combination [tuples, levels]."""
    votes = np.zeros((len(said.codes), levels))
    for place in said.shared:
        there = np.flatnonzero(said.codes[:, place] != UNKNOWN)
        votes[there, said.codes[there, place]] += 1.0
    return votes


def _spread(values: IntArray, told: IntArray, said: Said) -> IntArray:
    """Values of the combinations that are told, for each record; -1 for the others."""
    every = np.full(len(said.codes), UNKNOWN, dtype=np.int64)
    every[told] = values
    return every[said.tuple_of]


def places(values: pl.Series, names: Sequence[str]) -> IntArray:
    """The place of each value among the names; -1 where it is missing or not among them."""
    known = pl.DataFrame({"value": pl.Series(list(names), dtype=pl.String)}).with_row_index("place")
    found = values.to_frame("value").join(known, on="value", how="left", maintain_order="left")
    return found["place"].cast(pl.Int64).fill_null(UNKNOWN).to_numpy().astype(np.int64)
