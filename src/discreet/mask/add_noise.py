"""Additive noise: a random amount is added to each number."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry
from discreet.all_records import AllRecords, Alone, Moments, drawn_by_rows, moments_of_parts
from discreet.errors import NotComputable
from discreet.guarantees import WithinRange
from discreet.parameters import NUMERIC_KEYS, Choice, Masking, Real
from discreet.registry import DeclaredGuarantee
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import LARGEST, FloatArray, Table


@registry.mask(
    family="noise",
    title="Add noise",
    meaning="numbers are moved by random amounts in proportion to their spread",
    tells=registry.Tells(
        "how far numbers were moved on average, so how likely each record is", clue="likely_noise"
    ),
    splits=registry.Split.ROWS,
    whole_only=(registry.WholeOnly("variant", "nonlinear", "another variant"),),
    searched=registry.Searched(usual_for=registry.NUMERIC, turn=3),
    scales=registry.NUMERIC,
    in_words=registry.InWords(
        instead={"p": "numbers are moved by random amounts, of {%} of the spread of their column"}
    ),
    missing="stays missing; spreads are of the values present, covariances of complete records",
    guarantees=(
        DeclaredGuarantee(
            "with the variant 'nonlinear' no value leaves the range of its column",
            WithinRange,
            when={"variant": "nonlinear"},
        ),
    ),
    by_design=(
        "means are kept in expectation, except with the variant 'nonlinear'",
        "with the variant 'correlated' correlations are kept in expectation",
        "with the variant 'linear' means and covariances are kept in expectation",
    ),
    cites=(
        "Kim, Proceedings of the ASA Section on Survey Research Methods, 1986",
        "Sullivan, The use of added error to avoid disclosure in microdata releases, Iowa State University, 1989",
        "Brand, LNCS 2316, 2002",
    ),
)
def add_noise(
    table: Table,
    *,
    columns: Masking = NUMERIC_KEYS,
    p: Annotated[
        float,
        Real(above=0, usual=(0.02, 0.5), about="size of the noise, as a share of the standard deviation"),
    ] = 0.1,
    variant: Annotated[
        str,
        Choice(
            among=("uncorrelated", "correlated", "linear", "nonlinear"),
            about="how the noise of the columns hangs together, and what is done after adding it",
        ),
    ] = "uncorrelated",
    seed: Seed = None,
    all_records: AllRecords | None = None,
) -> Masked:
    """The table with normal noise added to each number.

    The noise has p times the standard deviation of its column. `correlated` noise has p^2 times the covariance of the
    columns, so correlations stay and variances grow by 1 + p^2, which a user who knows p can correct; `linear` does
    that correction, so that means and covariances need none. `nonlinear` adds the noise to normal scores and goes back
    through the column's own distribution, which is what to take for skewed columns.

    Spreads are those of the records of the file, whatever these weigh; noise of mean zero leaves weighted means and
    totals unbiased too. Covariances are those of the records without a missing value.

    All four are compared by Brand 2002: x + N(0, (p sd)^2) for each column, or p^2 Cov(X) for all together;
    `linear` is by Kim 1986, `nonlinear` by Sullivan 1989.

    >>> masked = dc.mask.add_noise(table, columns=["age"], p=0.1, seed=1)
    >>> [float(round(age, 1)) for age in masked.table.frame["age"][:3]], table.frame["age"][:3].to_list()
    ([40.7, 40.1, 7.9], [40, 39, 6])
    """
    all_records = all_records or Alone(table)
    values, moments = table.numbers(columns), all_records.moments(columns)
    noise = drawn_by_rows(
        lambda generator, records: generator.standard_normal((records, len(columns))),
        seed,
        first=all_records.first,
        records=len(table),
    )
    # Squares of very large and very small numbers are out of range: a division by a power of two is exact.
    with np.errstate(over="ignore"):
        noisy = VARIANTS[variant](values / moments.power, noise, p, moments) * moments.power
    if (np.abs(noisy) > LARGEST).any():
        raise NotComputable(f"add_noise: noise of p={p:g} makes numbers too large to compute with. Lower p.")
    inside = (WithinRange(columns=tuple(columns), before=table),) if variant == "nonlinear" else ()
    return Masked(table=table.with_numbers(columns, noisy), guarantees=inside)


def _uncorrelated(values: FloatArray, noise: FloatArray, p: float, moments: Moments) -> FloatArray:
    if (moments.count < 2).any():
        raise NotComputable(
            "add_noise: a column has fewer than two values, so its standard deviation is not known."
        )
    return values + noise * (p * moments.spreads)


def _correlated(values: FloatArray, noise: FloatArray, p: float, moments: Moments) -> FloatArray:
    return values + p * noise @ covariance_root(moments)


def _linear(values: FloatArray, noise: FloatArray, p: float, moments: Moments) -> FloatArray:
    """a(X + e) + b with a = 1/sqrt(1 + p^2) and b = (1 - a) times the mean (Kim 1986)."""
    shrink = 1 / np.sqrt(1 + p * p)
    shrunk: FloatArray = shrink * _correlated(values, noise, p, moments) + (1 - shrink) * moments.means
    return shrunk


def _nonlinear(values: FloatArray, noise: FloatArray, p: float, _: Moments) -> FloatArray:
    """Normal scores, linear-transformed noise on them, and back through the empirical distribution (Sullivan 1989)."""
    from scipy.special import ndtr

    scores = np.column_stack([_normal_scores(column) for column in values.T])
    moments = moments_of_parts(lambda: [scores])
    noisy = _linear(scores / moments.power, noise, p, moments) * moments.power
    back = np.full_like(values, np.nan)
    for place, column in enumerate(values.T):
        present = ~np.isnan(column)
        ordered = np.sort(column[present])
        shares = (np.arange(len(ordered)) + 0.5) / len(ordered)
        back[present, place] = np.interp(ndtr(noisy[present, place]), shares, ordered)
    return back


VARIANTS = {
    "uncorrelated": _uncorrelated,
    "correlated": _correlated,
    "linear": _linear,
    "nonlinear": _nonlinear,
}


def _normal_scores(column: FloatArray) -> FloatArray:
    """The normal quantile of each value's rank; equal values share the middle of their ranks."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    ranks = rankdata(column, nan_policy="omit")
    count = int((~np.isnan(column)).sum())
    scores: FloatArray = ndtri((ranks - 0.5) / max(count, 1))
    return scores


def covariance_root(moments: Moments) -> FloatArray:
    """A matrix R with R'R the covariance of the complete records, whatever its rank."""
    if not np.isfinite(moments.covariance).all():
        raise NotComputable("add_noise: fewer than two complete records, so the covariance is not known.")
    spectrum, axes = np.linalg.eigh(moments.covariance)
    root: FloatArray = (axes * np.sqrt(np.maximum(spectrum, 0.0))) @ axes.T
    return root
