"""Loss for clustering: are the same records found together?"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet.errors import NotComputable
from discreet.loss.compared import UNWEIGHTED, loss_of, paired_rows
from discreet.loss.features import features
from discreet.loss.partitions import GROUPS_MEANING, adjusted_rand, crossed, partition_distance
from discreet.parameters import NUMERIC_KEYS, Choice, Compared, Whole
from discreet.results import Loss
from discreet.seeds import Seed
from discreet.table import FloatArray, IntArray, Table

DIGITS = 9


@registry.loss(
    family="purpose",
    title="Clustering",
    unit=registry.FROM_0_TO_1,
    splits=registry.Split.WHOLE,
    instead="contingency, or a sample of the records",
    scales=registry.ANY_SCALE,
    missing=f"a missing number counts as the mean of its column and as a feature that says so; {UNWEIGHTED}",
    meaning=GROUPS_MEANING,
    cites=(
        "López de Mántaras, Machine Learning 6(1), 1991 (distance of partitions)",
        "Hubert and Arabie, Journal of Classification 2(1), 1985 (adjusted Rand index)",
    ),
    cost="expensive",
)
def clustering(
    original: Table,
    masked: Table,
    *,
    columns: Compared = NUMERIC_KEYS,
    clusters: Annotated[int, Whole(at_least=2, at_most=1000, about="how many groups k-means looks for")] = 5,
    starts: Annotated[
        int,
        Whole(at_least=1, at_most=1000, about="how many random starts k-means has, of which the best counts"),
    ] = 10,
    measure: Annotated[
        str,
        Choice(
            among=("distance", "rand"), about="the distance of partitions, or 1 less the adjusted Rand index"
        ),
    ] = "distance",
    truth: IntArray | None = None,
    seed: Seed = 1,
) -> Loss:
    """The difference between the groups that k-means finds in the original and in the masked table.

    Each table is standardised and clustered by itself, as somebody would who has only that one; then the groups of
    the records that belong together are compared. The distance of partitions is (2 I(A and B) - I(A) - I(B)) /
    I(A and B), where I is the average information -sum p log2 p; it lies between 0 and 1. The details hold both
    figures and how many groups were found: no more than there are different records. The same seed gives the same
    groups, whatever the order of records and columns and the number of threads.

    The distance is that of López de Mántaras (1991), the index that of Hubert and Arabie (1985).

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> round(dc.loss.clustering(table, masked).loss, 2)
    0.49
    """
    left, right = paired_rows(original, masked, truth)
    both = features(original, masked, columns, own_units=True, baseline=False)
    if bool((np.ptp(np.round(both.original, DIGITS), axis=0) == 0).all()):
        raise NotComputable(
            "clustering: all records of the original are alike, so there are no groups to find."
        )
    old = _groups(both.original, clusters, starts, seed)
    new = _groups(both.masked, clusters, starts, seed)
    table = crossed(old[left], new[right])
    distance, rand = partition_distance(table), adjusted_rand(table)
    return loss_of(
        "clustering",
        distance if measure == "distance" else 1 - rand,
        GROUPS_MEANING,
        details={
            "partition_distance": distance,
            "adjusted_rand": rand,
            "groups_in_original": int(old.max()) + 1,
            "groups_in_masked": int(new.max()) + 1,
            "records": len(left),
        },
    )


def _groups(points: FloatArray, clusters: int, starts: int, seed: Seed) -> IntArray:
    """The group of each record, by the best of several runs of k-means over records in the order of their values."""
    import warnings

    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    # Records that differ by rounding only are the same, whatever the order of the sums behind them.
    rounded = np.round(points, DIGITS) + 0.0
    order = np.lexsort(rounded.T[::-1])
    ordered = np.ascontiguousarray(rounded[order])
    different = 1 + int((np.diff(ordered, axis=0) != 0).any(axis=1).sum())
    if different == 1:
        return np.zeros(len(points), dtype=np.int64)
    start = int(seeds.generator(seed).integers(2**31))
    model = KMeans(n_clusters=min(clusters, different), n_init=starts, random_state=start)
    with warnings.catch_warnings(), threadpool_limits(limits=1):
        # Fewer groups than asked for are an answer too, and the details count them.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = model.fit_predict(ordered)
    groups = np.empty(len(points), dtype=np.int64)
    groups[order] = np.unique(found, return_inverse=True)[1]
    return groups
