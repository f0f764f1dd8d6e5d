"""k-anonymous resampling: records replaced by averages over k random samples of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet.mask.aggregation import GUARANTEES, aggregated, in_groups
from discreet.mask.coordinates import (
    coordinates,
    scaled,
    scales_of,
    spread_out,
)
from discreet.mask.people import people_of
from discreet.mask.required import guaranteed
from discreet.mask.weights import weights_of
from discreet.parameters import ORDERED_KEYS, Flag, Masking, Whole
from discreet.requirement import Holdings
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, IntArray, Scale, Table


@registry.mask(
    family="resampling",
    title="k-anonymous resampling",
    meaning="records become averages over k random samples",
    tells=registry.Tells(
        "how many records at least share an average, which the file shows; which of the near ones do was drawn at "
        "random, and values are compared by distance"
    ),
    splits=registry.Split.BLOCKS,
    by_columns={"together": False},
    scales=registry.ANY_SCALE,
    missing="stays missing; where fewer than k miss the same cells, a few others lose these too",
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
    first_column: int = 0,
) -> Masked:
    """The table with records replaced by averages of k random samples of a k-th of the records each.

    The samples are drawn without replacement and sorted, by the first principal component of the standardised columns
    where there are several. The records at place i of every sample form a set; those left over join the set with the
    nearest centre; each record becomes the centre of its set: the mean of numeric columns, the median of ordinal and
    the mode of nominal ones. Nominal columns are masked where they are named: two categories are alike or not. Where an
    ontology says what they mean, `semantic_resample` keeps more of it.

    Samples are of records, whatever these weigh. With `weighted` the centres are weighted means, medians and modes, so
    that estimates of means and totals of the population stay the same; without, those of the file do.

    The sets are those of Martínez, Sánchez and Valls 2012, with centres of numbers in place of semantic ones.

    >>> print(dc.mask.k_resample(table, columns=["age", "income"], k=5, seed=1))
    k_resample: 400 records (sets 80, suppressed_cells 0)
    """
    weights = weights_of(table, "k_resample") if weighted else None
    points = coordinates(table, columns)
    parts = [tuple(columns)] if together else [(name,) for name in columns]
    people = people_of(table, k, "k_resample")
    labels: dict[str, IntArray] = {}
    suppressed = 0
    for stream, names in enumerate(parts):
        where = [columns.index(name) for name in names]
        generator = seeds.generator(seed, first_column + stream)
        fresh, label = _aggregate(points[:, where], scales_of(table, names), people, weights, generator)
        suppressed += int((np.isnan(fresh) & ~np.isnan(points[:, where])).sum())
        points[:, where] = fresh
        labels["+".join(names)] = label
    guarantees = [each for names in parts for each in guaranteed(table, names, people.requirement)]
    return in_groups(
        table,
        columns,
        points,
        labels=labels,
        suppressed=suppressed,
        weighted=weighted,
        guarantees=guarantees,
        called="sets",
    )


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
