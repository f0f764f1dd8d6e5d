"""Additive noise: a random amount is added to each number."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry, seeds
from discreet.errors import NotComputable
from discreet.parameters import NUMERIC_KEYS, Choice, Masking, Real
from discreet.results import Masked
from discreet.seeds import Seed
from discreet.table import FloatArray, Table


@registry.mask(
    family="noise",
    scales=registry.NUMERIC,
    missing="stays missing",
    guarantees=(
        "means are kept in expectation",
        "with correlated noise, correlations are kept in expectation",
    ),
    cites=("Kim, Proceedings of the ASA Section on Survey Research Methods, 1986", "Brand, LNCS 2316, 2002"),
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
        str, Choice(among=("uncorrelated", "correlated"), about="how the noise of the columns hangs together")
    ] = "uncorrelated",
    seed: Seed = None,
) -> Masked:
    """The table with normal noise added to each number.

    The noise has p times the standard deviation of its column. Correlated noise has p^2 times the covariance of the
    columns, so correlations stay and variances grow by 1 + p^2, which a user who knows p can correct.
    """
    values = table.numbers(columns)
    generator = seeds.generator(seed)
    if variant == "uncorrelated":
        noise = generator.standard_normal(values.shape) * (p * _spreads(values))
    else:
        noise = p * generator.standard_normal(values.shape) @ covariance_root(values)
    return Masked(table=table.with_numbers(columns, values + noise))


def _spreads(values: FloatArray) -> FloatArray:
    """The standard deviation of each column, missing left out."""
    present = ~np.isnan(values)
    count = present.sum(axis=0)
    if (count < 2).any():
        raise NotComputable(
            "add_noise: a column has fewer than two values, so its standard deviation is not known."
        )
    centred = np.where(present, values - np.nansum(values, axis=0) / count, 0.0)
    spread: FloatArray = np.sqrt((centred**2).sum(axis=0) / (count - 1))
    return spread


def covariance_root(values: FloatArray) -> FloatArray:
    """A matrix R with R'R the covariance of the complete records, whatever its rank."""
    complete = values[~np.isnan(values).any(axis=1)]
    if len(complete) < 2:
        raise NotComputable("add_noise: fewer than two complete records, so the covariance is not known.")
    covariance = np.atleast_2d(np.cov(complete, rowvar=False))
    spectrum, axes = np.linalg.eigh(covariance)
    root: FloatArray = (axes * np.sqrt(np.maximum(spectrum, 0.0))) @ axes.T
    return root
