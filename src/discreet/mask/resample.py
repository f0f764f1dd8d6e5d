"""Resampling: values replaced by averages over random samples of the column or of the records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet._kernels.perturbation.rank_swap import order_with_random_ties
from discreet.guarantees import Guarantee, SameMeans, SameOrder, WithinRange
from discreet.mask.aggregation import GUARANTEES, aggregated
from discreet.mask.coordinates import (
    averaged,
    coordinates,
    is_ordinal,
    scaled,
    scales_of,
    spread_out,
    with_coordinates,
)
from discreet.mask.people import people_of
from discreet.mask.required import guaranteed
from discreet.mask.weights import weights_of
from discreet.parameters import ORDERED_KEYS, Flag, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.registry import DeclaredGuarantee
from discreet.requirement import Holdings
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, IntArray, Scale, Table


@registry.mask(
    family="resampling",
    title="Resample",
    meaning="each column becomes the average of random samples of it, in the order of the true values",
    tells=registry.Tells("that each column kept its order", clue="kept_order"),
    splits=registry.Split.RANGES,
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
    progress: Progress = SILENT,
) -> Masked:
    """The table with each column replaced by the average of t bootstrap samples of it, put in place by rank.

    Each sample has as many values as the column, drawn with replacement and sorted; the value of rank i becomes the
    mean (of ordinal columns the median) of the t values at place i. More samples mean less change. Each column is
    resampled by itself, equal values in random order. Sampling weights play no part: every record is one draw.
    """
    points = coordinates(table, columns)
    for place, ordinal in enumerate(is_ordinal(table, columns)):
        progress(place, len(columns), "resample")
        present = np.flatnonzero(~np.isnan(points[:, place]))
        generator = seeds.generator(seed, place)
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


@registry.mask(
    family="resampling",
    title="k-anonymous resampling",
    meaning="records become averages over k random samples",
    tells=registry.Tells(
        "how many records share an average, which the file shows; who shares it was drawn at random, and "
        "values are compared by distance"
    ),
    splits=registry.Split.BLOCKS,
    scales=registry.ANY_SCALE,
    missing="stays missing; records whose pattern of missing values is rarer than k lose further cells",
    guarantees=GUARANTEES,
    cites=(
        "Martínez, Sánchez and Valls, Information Processing and Management of Uncertainty, CCIS 298, 2012",
    ),
)
def k_resample(
    table: Table,
    *,
    columns: Masking = ORDERED_KEYS,
    k: Annotated[
        int, Whole(at_least=2, usual=(2, 30), about="how many samples, and fewest records alike")
    ] = 3,
    together: Annotated[
        bool, Flag(about="whether records are k-anonymous over all the columns, or each column by itself")
    ] = True,
    weighted: Annotated[
        bool, Flag(about="whether records count in a centre by their sampling weight")
    ] = False,
    seed: Seed = None,
) -> Masked:
    """The table with records replaced by averages of k random samples of a k-th of the records each.

    The samples are drawn without replacement and sorted, by the first principal component of the standardised columns
    where there are several. The records at place i of every sample form a set; those left over join the set with the
    nearest centre; each record becomes the centre of its set: the mean of numeric columns, the median of ordinal and
    the mode of nominal ones. Nominal columns are masked where they are named: two categories are alike or not. Where an
    ontology says what they mean, `semantic_resample` keeps more of it.

    Samples are of records, whatever these weigh. With `weighted` the centres are weighted means, medians and modes, so
    that estimates of means and totals of the population stay the same; without, those of the file do.
    """
    weights = weights_of(table, "k_resample") if weighted else None
    points = coordinates(table, columns)
    parts = [tuple(columns)] if together else [(name,) for name in columns]
    people = people_of(table, k, "k_resample")
    labels: dict[str, IntArray] = {}
    suppressed = 0
    for stream, names in enumerate(parts):
        where = [columns.index(name) for name in names]
        generator = seeds.generator(seed, stream)
        fresh, label = _aggregate(points[:, where], scales_of(table, names), people, weights, generator)
        suppressed += int((np.isnan(fresh) & ~np.isnan(points[:, where])).sum())
        points[:, where] = fresh
        labels["+".join(names)] = label
    guarantees: list[Guarantee] = [
        each for names in parts for each in guaranteed(table, names, people.requirement)
    ]
    means = averaged(table, columns)
    if means and not suppressed:
        guarantees.append(SameMeans(columns=means, before=table, weighted=weighted))
    facts = {
        "sets": sum(int(label.max()) + 1 for label in labels.values()),
        "suppressed_cells": suppressed,
        "labels": labels,
    }
    return Masked(table=with_coordinates(table, columns, points), facts=facts, guarantees=tuple(guarantees))


def _aggregate(
    values: FloatArray,
    scales: Sequence[Scale],
    people: Holdings,
    weights: FloatArray | None,
    generator: np.random.Generator,
) -> tuple[FloatArray, IntArray]:
    """The values replaced by the centres of their sets, and the set of each record."""

    def sets(rows: IntArray, present: IntArray) -> IntArray:
        kinds = [scales[place] for place in present]
        points = spread_out(*scaled(values[np.ix_(rows, present)], kinds, standardise=True))
        return sets_of_samples(points, people.requirement.k, generator)

    return aggregated(values, scales, people, sets, weights)


def sets_of_samples(points: FloatArray, k: int, generator: np.random.Generator) -> IntArray:
    """For each point its set: its place in its sorted sample, or the set of the nearest centre if it is in none."""
    size = len(points) // k
    drawn = generator.permutation(len(points))
    samples, left = drawn[: k * size].reshape(k, size), drawn[k * size :]
    order = np.argsort(_places(points)[samples], axis=1, kind="stable")
    samples = np.take_along_axis(samples, order, axis=1)
    labels = np.empty(len(points), dtype=np.int64)
    labels[samples] = np.arange(size)
    middles = points[samples].mean(axis=0)
    for row in left:
        labels[row] = np.argmin(((middles - points[row]) ** 2).sum(axis=1))
    return labels


def _places(points: FloatArray) -> FloatArray:
    """What samples are sorted by: the values of one column, else the first principal component.

    Unlike points with the same component, which categories often have, are told apart by their coordinates.
    """
    if points.shape[1] == 1:
        return points[:, 0]
    centred = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    score = centred @ axes[:, -1]
    score = np.round(score / max(float(np.abs(score).max(initial=0.0)), np.finfo(np.float64).tiny), 12)
    order = np.lexsort((*points.T[::-1], score))
    ranked = np.column_stack([score, points])[order]
    differs = (ranked[1:] != ranked[:-1]).any(axis=1)
    places = np.zeros(len(points))
    places[order[1:]] = np.cumsum(differs)
    return places
