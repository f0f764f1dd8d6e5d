"""Loss for clustering by meaning: are the same records found together?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from discreet import registry
from discreet._kernels.clustering.agglomerate import agglomerate
from discreet._kernels.counting.tuples import tuples_of
from discreet.errors import NotComputable
from discreet.loss.compared import UNWEIGHTED, loss_of, paired_rows
from discreet.loss.partitions import GROUPS_MEANING, adjusted_rand, crossed, partition_distance
from discreet.ontology import Space
from discreet.ontology.columns import (
    DistanceParameter,
    Interpretation,
    MappingParameter,
    OntologyParameter,
    SensesParameter,
    understood,
)
from discreet.parameters import SEMANTIC_KEYS, Compared, Whole
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Table

MOST_TUPLES = 5000
"""How many different combinations are clustered; all distances between them are held in memory."""


@registry.loss(
    family="semantic",
    title="Groups of like meaning",
    unit=registry.NUMBER,
    splits=registry.Split.WHOLE,
    instead="semantic_sse, or a sample of the records",
    scales=registry.CATEGORIES,
    missing=f"a missing value is like a missing value and as far as can be from all others; {UNWEIGHTED}",
    meaning=GROUPS_MEANING,
    cites=(
        "Martínez, Sánchez, Valls and Batet, Information Fusion 13(4), 2012 (clusters by meaning)",
        "López de Mántaras, Machine Learning 6(1), 1991 (distance of partitions)",
    ),
    cost="expensive",
)
def semantic_clustering(
    original: Table,
    masked: Table,
    *,
    columns: Compared = SEMANTIC_KEYS,
    clusters: Annotated[int, Whole(at_least=2, at_most=1000, about="how many groups are looked for")] = 5,
    distance: DistanceParameter = "log_sc",
    ontology: OntologyParameter = None,
    mapping: MappingParameter = None,
    senses: SensesParameter = "first",
    truth: IntArray | None = None,
) -> Loss:
    """The difference between the groups of like meaning that are found in the original and in the masked table.

    Each table is clustered by itself: the two groups at the least mean distance are joined until there are as many as
    wanted, where the distance of two records is the mean over the columns of their semantic distances. The groups of
    the records that belong together are compared by the distance of partitions, (2 I(A and B) - I(A) - I(B)) /
    I(A and B) with I the average information, between 0 and 1; the details hold the adjusted Rand index too. Values
    that stand for no concept are like themselves only. Raises NotComputable for more than 5000 different combinations.

    The distance of partitions is that of López de Mántaras (1991).

    >>> masked = dc.mask.semantic_microaggregate(table, k=5).table
    >>> round(dc.loss.semantic_clustering(table, masked).loss, 2)
    0.07
    """
    left, right = paired_rows(original, masked, truth)
    how = Interpretation(
        ontology=ontology, distance=distance, mapping=mapping, senses=senses, unmapped="apart"
    )
    found = [understood([original, masked], name, how) for name in columns]
    old, new = (
        _groups(
            [each.space for each in found], np.column_stack([each.codes[side] for each in found]), clusters
        )
        for side in (0, 1)
    )
    if int(old.max(initial=0)) == 0:
        raise NotComputable(
            "semantic_clustering: all records of the original are alike, so there are no groups to find."
        )
    table = crossed(old[left], new[right])
    return loss_of(
        "semantic_clustering",
        partition_distance(table),
        GROUPS_MEANING,
        details={
            "adjusted_rand": adjusted_rand(table),
            "groups_in_original": int(old.max()) + 1,
            "groups_in_masked": int(new.max()) + 1,
            "records": len(left),
        },
    )


def _groups(spaces: Sequence[Space], codes: IntArray, clusters: int) -> IntArray:
    """The group of each record, by average linkage over the distinct tuples."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    distinct = tuples_of(codes)
    count = len(distinct.codes)
    if count > MOST_TUPLES:
        raise NotComputable(
            f"semantic_clustering: {count} different combinations are too many to cluster; at most {MOST_TUPLES} are."
        )
    apart = np.zeros((count, count))
    for space, column in zip(spaces, distinct.codes.T, strict=True):
        apart += _with_missing(space)[np.ix_(column, column)] / len(spaces)
    merges = agglomerate(apart, distinct.frequencies, "average")
    joined = max(0, count - clusters)
    links = coo_array((np.ones(joined), (merges.one[:joined], merges.other[:joined])), shape=(count, count))
    labels = connected_components(links, directed=False)[1].astype(np.int64)
    return labels[distinct.which]


def _with_missing(space: Space) -> FloatArray:
    """Distances between the values, in their last place those of a missing one."""
    size = len(space)
    found = np.full((size + 1, size + 1), space.distance.largest)
    found[:size, :size] = space.between
    found[size, size] = 0.0
    return found
