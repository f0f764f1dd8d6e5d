"""Fuzzy microaggregation: centres drawn at random, so that the published method gives nobody away."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet._kernels.clustering.fuzzy import draw_centres, fuzzy_centres
from discreet.guarantees import AtMostRecords
from discreet.mask.centres import centres
from discreet.mask.coordinates import coordinates, is_ordinal, standardised, with_coordinates
from discreet.mask.missing import strata
from discreet.mask.partitions import PARTITIONS
from discreet.mask.people import people_of
from discreet.mask.weights import weights_of
from discreet.parameters import ORDERED_KEYS, Flag, Masking, Real, Whole
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, Scale, Table

ROUNDS = 20
TOLERANCE = 1e-4


@registry.mask(
    family="microaggregation",
    title="Fuzzy microaggregate",
    meaning="values become the centre of a cluster that is drawn among near ones",
    tells=registry.Tells(
        "the number of clusters; which of them a record took was drawn at random, and values are compared by distance"
    ),
    splits=registry.Split.BLOCKS,
    block_records=4_096,
    scales=registry.ORDERED,
    missing="stays missing; where fewer than k miss the same cells, a few others lose these too",
    guarantees=(
        DeclaredGuarantee("there are at most as many different records as groups of k", AtMostRecords),
    ),
    cites=(
        "Torra, Fuzzy microaggregation for the transparency principle, Journal of Applied Logic 23, 2017",
    ),
)
def fuzzy_microaggregate(
    table: Table,
    *,
    columns: Masking = ORDERED_KEYS,
    k: Annotated[int, Whole(at_least=2, usual=(2, 30), about="records for each cluster, on average")] = 3,
    fuzziness: Annotated[
        float,
        Real(
            above=1, usual=(1.05, 2), about="how far memberships spread: near 1, each record has one cluster"
        ),
    ] = 1.2,
    weighted: Annotated[
        bool, Flag(about="whether records count in a centre by their sampling weight")
    ] = False,
    seed: Seed = None,
) -> Masked:
    """The table with each record's values replaced by the centre of a cluster drawn at random.

    Fuzzy c-means with one cluster for every k records gives each record a membership in every cluster; its cluster is
    drawn with these as probabilities. An intruder who knows the method cannot tell which clusters a record may have
    come from, unlike with plain microaggregation. It is not k-anonymous: a cluster can be drawn by fewer than k.

    Clusters are of records, whatever these weigh. With `weighted` the centres are weighted means, so that estimates of
    means and totals of the population stay near what they were; without, those of the file do.

    Fuzzy c-means with a draw by membership, as in Torra 2017.

    >>> print(dc.mask.fuzzy_microaggregate(table, columns=["age", "income"], k=5, seed=1))
    fuzzy_microaggregate: 400 records (clusters 80)
    """
    weights = weights_of(table, "fuzzy_microaggregate") if weighted else np.ones(len(table))
    people = people_of(table, k, "fuzzy_microaggregate")
    values = coordinates(table, columns)
    scaled = standardised(values)
    ordinal = is_ordinal(table, columns)
    fresh = np.full_like(values, np.nan)
    clusters = blank = 0
    for place, stratum in enumerate(strata(np.isnan(values), people)):
        rows, present = stratum.rows, stratum.present
        if len(present) == 0:
            blank = 1
            continue
        where = np.ix_(rows, present)
        kinds = [ordinal[each] for each in present]
        generator = seeds.generator(seed, place)
        fresh[where], count = _drawn(
            scaled[where], values[where], weights[rows], kinds, k, fuzziness, generator
        )
        clusters += count
    return Masked(
        table=with_coordinates(table, columns, fresh),
        facts={"clusters": clusters},
        guarantees=(AtMostRecords(columns=tuple(columns), most=clusters + blank),),
    )


def _drawn(
    points: FloatArray,
    values: FloatArray,
    weights: FloatArray,
    ordinal: list[bool],
    k: int,
    fuzziness: float,
    generator: np.random.Generator,
) -> tuple[FloatArray, int]:
    """For each record the values of the cluster it drew, in the original units, and the number of clusters.

    The clusters start from those of MDAV. The centre in the original units is undone from the standardised one by the
    column's own scale; ordinal places are rounded.
    """
    start = PARTITIONS["mdav"](np.ascontiguousarray(points), k)
    first = np.unique(start, return_index=True)[1]
    middle = fuzzy_centres(
        np.ascontiguousarray(points),
        weights / max(float(weights.max()), np.finfo(np.float64).tiny),
        centres(points, start, [Scale.NUMERIC] * points.shape[1], weights)[first],
        fuzziness,
        ROUNDS,
        TOLERANCE,
    )
    pick = draw_centres(np.ascontiguousarray(points), middle, fuzziness, generator.random(len(points)))
    back = np.column_stack(
        [_unscaled(points[:, j], values[:, j], middle[:, j]) for j in range(points.shape[1])]
    )
    for j in np.flatnonzero(ordinal):
        back[:, j] = np.clip(np.round(back[:, j]), values[:, j].min(), values[:, j].max())
    return back[pick], len(middle)


def _unscaled(points: FloatArray, values: FloatArray, centre: FloatArray) -> FloatArray:
    """The centre in the units of the values, which are a straight line away from the points."""
    low, high = int(np.argmin(points)), int(np.argmax(points))
    if points[low] == points[high]:
        return np.full(len(centre), values[low])
    slope = (values[high] - values[low]) / (points[high] - points[low])
    back: FloatArray = np.clip(values[low] + (centre - points[low]) * slope, values[low], values[high])
    return back
