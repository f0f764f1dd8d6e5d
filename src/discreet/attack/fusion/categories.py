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


class Combinations(NamedTuple):
    """The different combinations of what the releases say of a record.

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


def combinations_of(
    columns: Sequence[pl.Series], levels: Sequence[str], renamed: Sequence[int]
) -> Combinations:
    """The combinations in columns of text, for a category with these levels.

    Releases in `renamed` use names of their own.
    """
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
    return Combinations(codes, rows, own, rank[distinct.labels], counts, shared, tuple(made_up))


def by_clusters(
    combinations: Combinations,
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
    known = np.flatnonzero((combinations.codes != UNKNOWN).any(axis=1))
    if len(known) > MOST_TUPLES:
        raise NotComputable(
            f"coalition: the releases say {len(known)} different things, and at most {MOST_TUPLES} can be clustered. "
            'Use by="likelihood" or by="vote", or fewer releases.'
        )
    if len(known) == 0:
        raise NotComputable("coalition: no release holds a value of the column that is known.")
    codes, counts = combinations.codes[known], combinations.counts[known]
    between = [
        differences(positions, levels, distance)
        if place in combinations.shared
        else differences(None, len(names), distance)
        for place, names in enumerate(combinations.own)
    ]
    merges = agglomerate(distances(codes, between, combinations.shared), counts, linkage)
    votes = votes_of(combinations, levels)[known]
    if clusters is None:
        in_use = int((votes.sum(axis=0) > 0).sum())
        found = cut_by_agreement(merges, agreed(codes[:, list(combinations.shared)]), max(1, in_use))
    else:
        if not 1 <= clusters <= len(known):
            raise BadParameter(
                f"coalition: clusters must be from 1 to {len(known)}, the different things said."
            )
        found = cut_into(merges, len(known), clusters)
    used = np.zeros((int(found.max()) + 1, levels))
    np.add.at(used, found, votes * counts[:, None])
    labels = label_clusters(used, positions)
    return FusedCategories(_spread(labels[found], known, combinations), _spread(found, known, combinations))


def by_vote(combinations: Combinations, levels: int) -> FusedCategories:
    """Each record takes the category that most releases say; of several, the one most frequent in all the releases."""
    votes = votes_of(combinations, levels)
    known = votes.sum(axis=1) > 0
    if not known.any():
        raise NotComputable("coalition: no release holds a value of the column that is known.")
    overall = combinations.counts @ votes
    chosen = (votes + overall / (2 * overall.sum() + 1)).argmax(axis=1)
    return FusedCategories(np.where(known, chosen, UNKNOWN)[combinations.tuple_of], None)


def by_likelihood(
    combinations: Combinations, levels: Sequence[str], given: Sequence[FloatArray | None]
) -> FusedCategories:
    """Each record takes the likeliest category, with how releases change categories given, or learned from all."""
    votes = votes_of(combinations, len(levels))
    if not votes.any():
        raise NotComputable("coalition: no release holds a value of the column that is known.")
    wanted = pl.Series(list(levels), dtype=pl.String)
    releases = [
        ReleaseConfusion(
            len(names),
            given[place],
            believed(
                len(levels), len(names), places(wanted, names) if place in combinations.shared else None
            ),
        )
        for place, names in enumerate(combinations.own)
    ]
    chance = likeliest(combinations.outcomes, combinations.counts, votes, releases)
    known = (combinations.outcomes != UNKNOWN).any(axis=1)
    return FusedCategories(np.where(known, chance.argmax(axis=1), UNKNOWN)[combinations.tuple_of], None)


def votes_of(combinations: Combinations, levels: int) -> FloatArray:
    """How many releases say each level of each combination [tuples, levels]."""
    votes = np.zeros((len(combinations.codes), levels))
    for place in combinations.shared:
        there = np.flatnonzero(combinations.codes[:, place] != UNKNOWN)
        votes[there, combinations.codes[there, place]] += 1.0
    return votes


def _spread(values: IntArray, known: IntArray, combinations: Combinations) -> IntArray:
    """The values of the combinations that are known, for each record; -1 for the others."""
    every = np.full(len(combinations.codes), UNKNOWN, dtype=np.int64)
    every[known] = values
    return every[combinations.tuple_of]


def places(values: pl.Series, names: Sequence[str]) -> IntArray:
    """The place of each value among the names; -1 where it is missing or not among them."""
    known = pl.DataFrame({"value": pl.Series(list(names), dtype=pl.String)}).with_row_index("place")
    found = values.to_frame("value").join(known, on="value", how="left", maintain_order="left")
    return found["place"].cast(pl.Int64).fill_null(UNKNOWN).to_numpy().astype(np.int64)
