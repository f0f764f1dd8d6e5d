"""Resampling: each column replaced by the average of random samples of it."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet._kernels.perturbation.rank_swap import order_with_random_ties
from discreet.guarantees import SameOrder, WithinRange
from discreet.mask.coordinates import coordinates, is_ordinal, with_coordinates
from discreet.parameters import ORDERED_KEYS, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, Table


@registry.mask(
    family="resampling",
    title="Resample",
    meaning="each column becomes the average of random samples of it, in the order of the true values",
    tells=registry.Tells("that each column kept its order", clue="kept_order"),
    splits=registry.Split.RANGES,
    by_columns={},
    scales=registry.ORDERED,
    missing="stays missing; samples are drawn from the values present",
    guarantees=(
        DeclaredGuarantee("the order of the values of a column is kept", SameOrder),
        DeclaredGuarantee("no value lies outside the smallest and the largest of its column", WithinRange),
    ),
    cites=("Heer, Proceedings of the International Seminar on Statistical Confidentiality, Dublin, 1993",),
)
def resample(
    table: Table,
    *,
    columns: Masking = ORDERED_KEYS,
    t: Annotated[int, Whole(at_least=1, usual=(1, 10), about="how many samples are averaged")] = 3,
    seed: Seed = None,
    first_column: int = 0,
    progress: Progress = SILENT,
) -> Masked:
    """The table with each column replaced by the average of t bootstrap samples of it, put in place by rank.

    Each sample has as many values as the column, drawn with replacement and sorted; the value of rank i becomes the
    mean (of ordinal columns the median) of the t values at place i. More samples mean less change. Each column is
    resampled by itself, equal values in random order. Sampling weights play no part: every record is one draw.

    The method of Heer 1993.

    >>> masked = dc.mask.resample(table, columns=["age"], t=3, seed=1)
    >>> [float(round(age, 1)) for age in masked.table.frame["age"][:3]], table.frame["age"][:3].to_list()
    ([40.7, 40.0, 5.7], [40, 39, 6])
    """
    points = coordinates(table, columns)
    for place, ordinal in enumerate(is_ordinal(table, columns)):
        progress(place, len(columns), "resample")
        present = np.flatnonzero(~np.isnan(points[:, place]))
        generator = seeds.generator(seed, first_column + place)
        order = present[order_with_random_ties(points[present, place], generator)]
        points[order, place] = bootstrap(points[order, place], t, ordinal, generator)
    progress(len(columns), len(columns), "resample")
    named = tuple(columns)
    return Masked(
        table=with_coordinates(table, columns, points),
        guarantees=(SameOrder(columns=named, before=table), WithinRange(columns=named, before=table)),
    )


def bootstrap(ranked: FloatArray, t: int, ordinal: bool, generator: np.random.Generator) -> FloatArray:
    """The mean (ordinal: the lower median) at every place of t sorted samples of the sorted values."""
    if len(ranked) == 0:
        return ranked
    drawn = np.empty((t, len(ranked)))
    for each in range(t):
        # How often each value is drawn gives the sorted sample without sorting it.
        often = np.bincount(generator.integers(0, len(ranked), len(ranked)), minlength=len(ranked))
        drawn[each] = np.repeat(ranked, often)
    if ordinal:
        middle: FloatArray = np.sort(drawn, axis=0)[(t - 1) // 2]
        return middle
    low, high = drawn.min(axis=0), drawn.max(axis=0)
    mean: FloatArray = np.clip(drawn.sum(axis=0) / t, low, high)
    return np.maximum.accumulate(mean)
