"""Distortion by probability distribution: the values of a column drawn anew from a distribution fitted to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from discreet import registry, seeds
from discreet._kernels.perturbation.rank_swap import order_with_random_ties
from discreet.errors import NotComputable, WrongScale
from discreet.guarantees import Guarantee, SameOrder, WithinRange
from discreet.mask.categories import coded, decoded
from discreet.mask.decimals import written_like
from discreet.mask.families import COUNTS, DENSITIES, draw_in_order, fit_counts, fit_density
from discreet.parameters import KEYS, Choice, Flag, Masking
from discreet.progress import SILENT, Progress
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import IntArray, Scale, Table

FAMILIES = ("best", "empirical", *DENSITIES, *(family for family in COUNTS if family not in DENSITIES))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnColumn:
    """A column drawn anew: the family it was drawn from, and how far that is from the column."""

    values: pl.Series
    family: str
    distance: float


@registry.mask(
    family="distortion",
    title="Distort",
    meaning="each column is drawn anew from a distribution fitted to it, in the order of the true values",
    tells=registry.Tells("that each numeric or ordinal column kept its order", clue="kept_order"),
    splits=registry.Split.RANGES,
    by_columns={},
    scales=registry.ANY_SCALE,
    missing="stays missing; the distribution is that of the values present",
    guarantees=(
        DeclaredGuarantee("the order of the values of a numeric or ordinal column is kept", SameOrder),
        DeclaredGuarantee(
            "no number lies outside the smallest and the largest of its column, when bounded", WithinRange
        ),
    ),
    by_design=(
        "numbers have no more decimals than their column",
        "in a nominal column as many records keep their category as the new counts allow",
    ),
    cites=("Liew, Choi and Liew, ACM Transactions on Database Systems 10(3), 1985",),
)
def distort(
    table: Table,
    *,
    columns: Masking = KEYS,
    family: Annotated[
        str,
        Choice(among=FAMILIES, about="the distribution; 'best' takes the nearest that fits the column"),
    ] = "best",
    bounded: Annotated[
        bool, Flag(about="whether numbers stay between the smallest and the largest of their column")
    ] = True,
    seed: Seed = None,
    first_column: int = 0,
    progress: Progress = SILENT,
) -> Masked:
    """The table with each column drawn anew from a distribution fitted to it, put in place by rank.

    `best` fits every family of the column's scale and takes the nearest by Kolmogorov-Smirnov: normal, lognormal,
    exponential, uniform, gamma, weibull, logistic, laplace, gumbel and beta for numbers; uniform, binomial, poisson and
    geometric, cut off at the last level, for ordinal columns. `empirical` draws from the values themselves, with
    replacement. Nominal columns are drawn from their own frequencies with either: they have no rank, so just as many
    records as the new counts ask for get another category. A column with a single value stays as it is. Sampling
    weights play no part: values keep their rank, so what a record stands for is distributed as before, as near as the
    family fits.

    The three steps of Liew, Choi and Liew 1985: fit a density, draw as many values, put them in place by rank.

    >>> dc.mask.distort(table, columns=["age", "income"], seed=1).facts["families"]
    {'age': 'beta', 'income': 'gamma'}
    """
    fresh, families, distances = {}, {}, {}
    for place, name in enumerate(columns):
        progress(place, len(columns), "distort")
        drawn = _drawn(table, name, family, bounded, seeds.generator(seed, first_column + place))
        fresh[name], families[name], distances[name] = drawn.values, drawn.family, drawn.distance
    progress(len(columns), len(columns), "distort")
    ordered = tuple(name for name in columns if table[name].scale != Scale.NOMINAL)
    guarantees: list[Guarantee] = [SameOrder(columns=ordered, before=table)] if ordered else []
    numeric = tuple(name for name in columns if table[name].scale == Scale.NUMERIC)
    if bounded and numeric:
        guarantees.append(WithinRange(columns=numeric, before=table))
    return Masked(
        table=table.with_values(fresh),
        facts={"families": families, "distances": distances},
        guarantees=tuple(guarantees),
    )


def _drawn(
    table: Table, name: str, family: str, bounded: bool, generator: np.random.Generator
) -> DrawnColumn:
    scale = table[name].scale
    known = {
        Scale.NUMERIC: ("best", "empirical", *DENSITIES),
        Scale.ORDINAL: ("best", "empirical", *COUNTS),
        Scale.NOMINAL: ("best", "empirical"),
    }[scale]
    if family not in known:
        raise WrongScale(
            f"distort: family '{family}' has no meaning for the {scale} column '{name}'. Known for it: "
            f"{', '.join(known)}."
        )
    if table.frame[name].n_unique() - (table.frame[name].null_count() > 0) < 2:
        return DrawnColumn(values=table.frame[name], family="constant", distance=0.0)
    if scale == Scale.NUMERIC:
        return _numbers(table, name, family, bounded, generator)
    return _categories(table, name, family, generator)


def _numbers(
    table: Table, name: str, family: str, bounded: bool, generator: np.random.Generator
) -> DrawnColumn:
    values = table.numbers([name])[:, 0]
    present = np.flatnonzero(~np.isnan(values))
    order = present[order_with_random_ties(values[present], generator)]
    ranked = values[order]
    if family == "empirical":
        used, distance = family, 0.0
        drawn = np.sort(generator.choice(ranked, len(ranked)))
    else:
        fitted = fit_density(ranked, tuple(DENSITIES) if family == "best" else (family,))
        if fitted is None:
            raise NotComputable(
                f"distort: no density of family '{family}' can be fitted to column '{name}'. Some families need values "
                "above zero; 'best' takes one that fits."
            )
        used, distance = fitted.family, fitted.distance
        bounds = (float(ranked[0]), float(ranked[-1])) if bounded else None
        drawn = draw_in_order(fitted.density, len(ranked), bounds, generator)
    fresh = values.copy()
    fresh[order] = np.maximum.accumulate(written_like(ranked, drawn))
    return DrawnColumn(
        values=table.with_numbers([name], fresh[:, None]).frame[name], family=used, distance=distance
    )


def _categories(table: Table, name: str, family: str, generator: np.random.Generator) -> DrawnColumn:
    if table[name].scale == Scale.NOMINAL:
        column = coded(table, name)
        drawn = redrawn(column.codes, len(column.levels), generator)
        return DrawnColumn(
            values=decoded(table, name, drawn, column.levels), family="empirical", distance=0.0
        )
    levels = table.levels(name)
    codes = table.codes(name, levels)
    present = np.flatnonzero(codes >= 0)
    counts = np.bincount(codes[present], minlength=len(levels))
    if family == "empirical":
        used, chances, distance = family, counts / counts.sum(), 0.0
    else:
        used, chances, distance = fit_counts(counts, COUNTS if family == "best" else (family,))
    order = present[order_with_random_ties(codes[present].astype(np.float64), generator)]
    fresh = codes.copy()
    fresh[order] = np.repeat(np.arange(len(levels)), generator.multinomial(len(present), chances))
    return DrawnColumn(values=decoded(table, name, fresh, levels), family=used, distance=distance)


def redrawn(codes: IntArray, levels: int, generator: np.random.Generator) -> IntArray:
    """Codes with new counts drawn from their own shares, changed in as few records as that takes; -1 stays."""
    present = np.flatnonzero(codes >= 0)
    counts = np.bincount(codes[present], minlength=levels)
    wanted = generator.multinomial(len(present), counts / counts.sum())
    shuffled = present[generator.permutation(len(present))]
    order = shuffled[np.argsort(codes[shuffled], kind="stable")]
    place = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    surplus = order[place >= np.repeat(wanted, counts)]
    fresh = codes.copy()
    fresh[surplus] = generator.permutation(np.repeat(np.arange(levels), np.maximum(0, wanted - counts)))
    return fresh
