"""Multiple imputation: columns drawn anew from regressions on what is left."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import numpy as np
import polars as pl

from discreet import registry, seeds
from discreet._kernels.perturbation.bayes import draw_between, draw_classes, draw_discriminant, draw_line
from discreet.errors import BadTable, NotComputable
from discreet.guarantees import Guarantee, NoOtherValues, RecordCount, WithinRange
from discreet.mask.categories import coded, decoded
from discreet.mask.coordinates import mean_and_spread
from discreet.mask.decimals import written_like
from discreet.mask.predictors import encoding, predictors_of
from discreet.mask.weights import weights_of
from discreet.parameters import KEYS, Columns, ColumnsKind, Flag, Masking, Whole
from discreet.progress import SILENT, Progress
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import BoolArray, Column, FloatArray, Role, Scale, Table

IMPLICATE = "implicate"
"""The column that says which implicate a row of a stacked release belongs to."""


@registry.mask(
    family="imputation",
    title="Impute",
    meaning="columns are drawn anew from regressions on the others",
    tells=registry.Tells(
        "which columns were drawn from a model and on which others; a value drawn can still be near the true one, and "
        "values are compared by distance"
    ),
    splits=registry.Split.WHOLE,
    instead="distort, which draws each column anew from its own distribution",
    scales=registry.ANY_SCALE,
    missing="stays missing; in a predictor it is a fact of its own",
    guarantees=(
        DeclaredGuarantee(
            "no number lies outside the smallest and the largest of its column, when bounded", WithinRange
        ),
        DeclaredGuarantee("columns hold no other categories than before", NoOtherValues),
        DeclaredGuarantee(
            "with m implicates there are m times as many records", RecordCount, when={"implicates": 2}
        ),
    ),
    by_design=(
        "numbers have no more decimals than their column",
        "with m implicates nothing but the masked columns differs",
    ),
    cites=(
        "Rubin, Journal of Official Statistics 9(2), 1993",
        "Raghunathan, Reiter and Rubin, Journal of Official Statistics 19(1), 2003",
        "Reiter, Survey Methodology 29(2), 2003",
    ),
)
def impute(
    table: Table,
    *,
    columns: Masking = KEYS,
    predictors: Annotated[
        Columns | None,
        ColumnsKind(about="what the columns are drawn from; all that are not masked if left out"),
    ] = None,
    implicates: Annotated[
        int, Whole(at_least=1, at_most=100, usual=(1, 1), about="how many times the columns are drawn")
    ] = 1,
    bounded: Annotated[
        bool, Flag(about="whether numbers stay between the smallest and the largest of their column")
    ] = True,
    weighted: Annotated[
        bool, Flag(about="whether records count in the regressions by their sampling weight")
    ] = False,
    seed: Seed = None,
    progress: Progress = SILENT,
) -> Masked:
    """The table with its columns drawn anew, one after the other, from regressions on the other columns.

    Each column is predicted by the columns that are not masked and by the masked ones before it, whose new values are
    used. Numbers come from a linear regression with coefficients and residual variance drawn from their posterior;
    categories from a linear discriminant drawn likewise.

    With more than one implicate the release stacks them: the records of the first, then those of the second, and so on,
    with a column "implicate" that counts from 1, and `origin` says which record each row comes from. Users analyse each
    implicate and combine the results by the rules for partially synthetic data. Every further implicate tells more of
    what is hidden. The share of a column that the others explain is a fact for the steward: a column that they explain
    whole comes back as it was.

    With `weighted` the regressions are those of the population that the sampling weights stand for, so that estimates
    by weights keep near what they were where the chance to be sampled went with the values themselves. Without, the
    regressions are those of the records; where the predictors tell the weights, as strata do, both come to about the
    same.

    Synthetic values by imputation are by Rubin 1993; the rules for combining are those of Reiter 2003.

    >>> print(dc.mask.impute(table, columns=["income"], predictors=["age", "hours"], implicates=3, seed=1))
    impute: 1200 records (implicates 3)
    """
    weights = weights_of(table, "impute") if weighted else None
    used = predictors_of(table, columns, predictors, "impute")
    if implicates > 1 and IMPLICATE in table.names:
        raise BadTable(
            f"impute: the table has a column '{IMPLICATE}' already. Rename it, or draw one implicate."
        )
    drawn: list[Table] = []
    explained: dict[str, float] = {}
    for number in range(implicates):
        progress(number, implicates, "impute")
        one, explained = _implicate(table, columns, used, bounded, weights, seeds.generator(seed, number))
        drawn.append(one)
    progress(implicates, implicates, "impute")
    facts = {"predictors": list(used), "explained": explained, "implicates": implicates}
    guarantees = _guaranteed(table, columns, bounded)
    if implicates == 1:
        return Masked(table=drawn[0], facts=facts, guarantees=guarantees)
    return Masked(
        table=_stacked(drawn),
        facts=facts,
        guarantees=(*guarantees, RecordCount(columns=(), records=implicates * len(table))),
        origin=np.tile(np.arange(len(table)), implicates),
    )


def _guaranteed(table: Table, columns: Columns, bounded: bool) -> tuple[Guarantee, ...]:
    numeric = tuple(name for name in columns if table[name].scale == Scale.NUMERIC)
    others = tuple(name for name in columns if name not in numeric)
    inside = (WithinRange(columns=numeric, before=table),) if numeric and bounded else ()
    return (*inside, *((NoOtherValues(columns=others, before=table),) if others else ()))


def _implicate(
    table: Table,
    columns: Columns,
    used: tuple[str, ...],
    bounded: bool,
    weights: FloatArray | None,
    generator: np.random.Generator,
) -> tuple[Table, dict[str, float]]:
    """The table with its columns drawn once, and the share of each numeric one that the others explain."""
    blocks = [np.ones((len(table), 1)), *(encoding(table, name).numbers(table) for name in used)]
    before, after = list(blocks), list(blocks)
    masked, explained = table, {}
    for place, name in enumerate(columns):
        known, fresh = np.hstack(before), np.hstack(after)
        if table[name].scale == Scale.NUMERIC:
            values, explained[name] = _numbers(table, name, known, fresh, bounded, weights, generator)
            masked = masked.with_numbers([name], values[:, None])
        else:
            masked = masked.with_values({name: _categories(table, name, known, fresh, weights, generator)})
        if place + 1 < len(columns):
            own = encoding(table, name)
            before.append(own.numbers(table))
            after.append(own.numbers(masked))
    return masked, explained


def _numbers(
    table: Table,
    name: str,
    known: FloatArray,
    fresh: FloatArray,
    bounded: bool,
    weights: FloatArray | None,
    generator: np.random.Generator,
) -> tuple[FloatArray, float]:
    """New values of a numeric column, and the share of its variance that the predictors explain."""
    values = table.numbers([name])[:, 0].copy()
    present = ~np.isnan(values)
    own = values[present]
    if len(own) == 0 or own.min() == own.max():
        return values, 1.0
    middle, spread = mean_and_spread(own)
    line = draw_line(known[present], (own - middle) / spread, generator, _counted(weights, present, name))
    if line is None:
        raise NotComputable(
            f"impute: column '{name}' has {len(own)} values for {known.shape[1]} numbers to predict it from: too few. "
            "Name fewer predictors."
        )
    means = middle + spread * (fresh[present] @ line.coefficients)
    deviation = spread * line.deviation
    if bounded:
        drawn = draw_between(means, deviation, float(own.min()), float(own.max()), generator)
    else:
        drawn = means + deviation * generator.standard_normal(len(means))
    values[present] = written_like(own, drawn)
    return values, line.explained


def _categories(
    table: Table,
    name: str,
    known: FloatArray,
    fresh: FloatArray,
    weights: FloatArray | None,
    generator: np.random.Generator,
) -> pl.Series:
    """New values of a categorical column."""
    column = coded(table, name)
    present = column.codes >= 0
    if len(column.levels) < 2:
        return table.frame[name]
    codes, counted = column.codes[present], _counted(weights, present, name)
    if counted is not None and (np.bincount(codes, weights=counted, minlength=len(column.levels)) == 0).any():
        raise NotComputable(
            f"impute: a category of column '{name}' has a total weight of zero, so no chance."
        )
    by = draw_discriminant(known[present], codes, len(column.levels), generator, counted)
    drawn = column.codes.copy()
    drawn[present] = draw_classes(fresh[present], by, generator)
    return decoded(table, name, drawn, column.levels)


def _counted(weights: FloatArray | None, present: BoolArray, name: str) -> FloatArray | None:
    """What each record with a value counts, one on average; None where all count alike."""
    if weights is None:
        return None
    own = weights[present] / max(float(weights.max()), np.finfo(np.float64).tiny)
    if not own.any():
        raise NotComputable(f"impute: the values of column '{name}' have a total weight of zero.")
    counted: FloatArray = own / own.mean()
    return counted


def _stacked(drawn: list[Table]) -> Table:
    """The implicates beneath each other, numbered from 1."""
    numbers = np.repeat(np.arange(1, len(drawn) + 1), len(drawn[0]))
    frame = pl.concat([each.frame for each in drawn], how="vertical_relaxed").with_columns(
        pl.Series(IMPLICATE, numbers, dtype=pl.Int64)
    )
    first = drawn[0]
    described = Column(
        name=IMPLICATE, role=Role.INSENSITIVE, scale=Scale.NOMINAL, label="Number of the implicate"
    )
    return replace(first, columns=(*first.columns, described), frame=frame)
