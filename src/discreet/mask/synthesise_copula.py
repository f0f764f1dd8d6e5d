"""Synthetic data by a Gaussian copula: the columns' own distributions, joined by correlations of normal scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet.mask.synthetic import BY_DESIGN, GUARANTEES, MISSING, is_ordered, modelled, synthetic, values_of
from discreet.parameters import Whole
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import BoolArray, FloatArray, IntArray, Scale, Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Margin:
    """The distribution of one column: its sorted values, or the places of its categories from low to high."""

    name: str
    ranked: FloatArray
    numeric: bool
    missing: float

    def at(self, chances: FloatArray) -> FloatArray:
        """The values below which these shares of the column lie; numbers between two values are interpolated."""
        places = np.clip(chances * len(self.ranked) - 0.5, 0, len(self.ranked) - 1)
        if not self.numeric:
            return self.ranked[
                np.minimum((chances * len(self.ranked)).astype(np.int64), len(self.ranked) - 1)
            ]
        below = np.floor(places).astype(np.int64)
        above = np.minimum(below + 1, len(self.ranked) - 1)
        low, high = self.ranked[below], self.ranked[above]
        between: FloatArray = np.clip(low + (places - below) * (high - low), low, high)
        return between


@registry.mask(
    family="synthesis",
    title="Synthetic data by a copula",
    meaning="records are drawn from a model of the columns and their correlations",
    tells=registry.Tells(
        "that all records were drawn from a model, which is not published; one can still equal an original by chance"
    ),
    splits=registry.Split.WHOLE,
    instead="distort, which draws each column anew from its own distribution",
    scales=registry.ANY_SCALE,
    missing=MISSING,
    guarantees=GUARANTEES,
    by_design=BY_DESIGN,
    keeps_rows=False,
    cites=(
        "Nelsen, An Introduction to Copulas, Springer, 2006",
        "Patki, Wedge and Veeramachaneni, IEEE Data Science and Advanced Analytics, 2016",
    ),
)
def synthesise_copula(
    table: Table,
    *,
    records: Annotated[
        int | None, Whole(at_least=1, about="how many records are made; as many as there are if left out")
    ] = None,
    seed: Seed = None,
) -> Masked:
    """A table of synthetic records with the distribution of every column and the rank correlations between them.

    Values become normal scores by their ranks, and records are drawn from the normal distribution with the scores'
    correlations, then taken back through each column's own distribution; numbers between two neighbouring values are
    interpolated. The categories of a nominal column stand in the order of what the ordered columns say of them. A
    column with missing values has a second score, of whether it is missing. Only what correlations can tell is kept:
    trees keep more, and tell more.

    The Gaussian copula (Nelsen 2006), fitted and drawn from as in Patki, Wedge and Veeramachaneni 2016.

    >>> print(dc.mask.synthesise_copula(table, records=1000, seed=1))
    synthesise_copula: 1000 records
    """
    names = modelled(table, "synthesise_copula")
    count = len(table) if records is None else records
    generator = seeds.generator(seed)
    values = {name: values_of(table, name) for name in names}
    places = _places(table, values)
    margins = [_margin(table, name, values[name], places.get(name)) for name in names]
    scores, gaps = _scores(table, values, places)
    correlation = correlation_of(scores)
    chances = _chances(correlation, count, generator)
    drawn = {}
    for place, margin in enumerate(margins):
        fresh = margin.at(chances[:, place]) if len(margin.ranked) else np.full(count, np.nan)
        if margin.name in gaps:
            fresh = np.where(chances[:, gaps[margin.name]] > 1 - margin.missing, np.nan, fresh)
        drawn[margin.name] = fresh
    return synthetic(table, drawn, count, {"correlations": correlation, "columns": list(names)})


def _places(table: Table, values: dict[str, FloatArray]) -> dict[str, IntArray]:
    """For each nominal column the place of every category: by the first principal component of the ordered columns."""
    shown = [normal_scores(values[name]) for name in values if is_ordered(table, name)]
    axis = np.zeros(len(table))
    if shown:
        filled = np.nan_to_num(np.column_stack(shown))
        spread = filled.std(axis=0)
        filled = (filled - filled.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        axis = filled @ np.linalg.eigh(filled.T @ filled)[1][:, -1]
    places = {}
    for name in values:
        if is_ordered(table, name):
            continue
        present = ~np.isnan(values[name])
        codes = values[name][present].astype(np.int64)
        sizes = np.maximum(1, np.bincount(codes))
        means = np.bincount(codes, weights=axis[present]) / sizes if len(codes) else np.zeros(0)
        places[name] = np.argsort(np.argsort(means, kind="stable"), kind="stable")
    return places


def _margin(table: Table, name: str, values: FloatArray, places: IntArray | None) -> Margin:
    present = values[~np.isnan(values)]
    if places is not None:
        codes = present.astype(np.int64)
        present = codes[np.argsort(places[codes], kind="stable")].astype(np.float64)
    else:
        present = np.sort(present)
    return Margin(
        name=name,
        ranked=present,
        numeric=table[name].scale == Scale.NUMERIC,
        missing=1 - len(present) / len(values),
    )


def _scores(
    table: Table, values: dict[str, FloatArray], places: dict[str, IntArray]
) -> tuple[FloatArray, dict[str, int]]:
    """Normal scores of every column, then of whether a value is missing; and where these stand, by column."""
    columns, gaps = [], {}
    for name, own in values.items():
        if name in places:
            codes = np.where(np.isnan(own), 0, own).astype(np.int64)
            ordered = places[name][codes] if len(places[name]) else np.zeros(len(own))
            own = np.where(np.isnan(own), np.nan, ordered)
        columns.append(normal_scores(own))
    for name, own in values.items():
        missing = np.isnan(own)
        if missing.any() and not missing.all():
            gaps[name] = len(columns)
            columns.append(normal_scores(missing.astype(np.float64)))
    return np.column_stack(columns), gaps


def normal_scores(values: FloatArray) -> FloatArray:
    """The normal quantiles of the ranks of the values, equal ones at their middle rank; missing stays NaN."""
    from scipy import special, stats

    scores = np.full(len(values), np.nan)
    present = np.flatnonzero(~np.isnan(values))
    if len(present):
        scores[present] = special.ndtri((stats.rankdata(values[present]) - 0.5) / len(present))
    return scores


def correlation_of(scores: FloatArray) -> FloatArray:
    """Correlations from the records that have both scores, made positive semi-definite."""
    there: BoolArray = ~np.isnan(scores)
    filled = np.where(there, scores, 0.0)
    both = there.T.astype(np.float64) @ there
    covariance = (filled.T @ filled) / np.maximum(1.0, both)
    spread = np.sqrt(np.diag(covariance))
    scale = np.where(spread > 1e-9, spread, 1.0)
    correlation = covariance / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)
    spectrum, axes = np.linalg.eigh(np.clip(correlation, -1.0, 1.0))
    repaired = (axes * np.maximum(spectrum, 1e-9)) @ axes.T
    size = np.sqrt(np.diag(repaired))
    fixed: FloatArray = repaired / np.outer(size, size)
    return fixed


def _chances(correlation: FloatArray, count: int, generator: np.random.Generator) -> FloatArray:
    """Uniform numbers, a row a record, whose normal scores have these correlations."""
    from scipy import special

    root = np.linalg.cholesky(correlation + 1e-9 * np.eye(len(correlation)))
    drawn: FloatArray = special.ndtr(generator.standard_normal((count, len(correlation))) @ root.T)
    return drawn
