"""A column of numbers from several releases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.attack.fusion.alignment import ReleasedColumn
from discreet.attack.fusion.evaluation import rebuilt_numbers
from discreet.attack.fusion.operators import (
    Mean,
    checked_weights,
    owa,
    quasi_arithmetic_mean,
    weighted_mean,
    wowa,
)
from discreet.attack.fusion.precision import Read, error_variances, read_published
from discreet.attack.fusion.results import Fused
from discreet.errors import BadValues, NotComputable
from discreet.table import FloatArray, Scale, Table


def fuse_numbers(
    released: Sequence[ReleasedColumn],
    column: str,
    original: Table | None,
    *,
    by: str | None,
    weights: Sequence[float] | None,
    order_weights: Sequence[float] | None,
    mean: Mean,
    tolerance: float,
) -> Fused:
    """The numbers of a column, fused; releases that hold no numbers any more are left out and counted."""
    used = [each for each in released if each.described.scale == Scale.NUMERIC]
    if not used:
        raise NotComputable(f"coalition: no release holds numbers in column '{column}'.")
    raw = np.column_stack([_floats(each.values) for each in used])
    if np.isnan(raw).all():
        raise NotComputable(f"coalition: no release holds a value in column '{column}'.")
    # All means here scale with their values, so a power of two keeps squares from overflowing and costs no digit.
    exponent = int(np.frexp(np.nanmax(np.abs(raw)))[1])
    raw = np.ldexp(raw, -exponent)
    combined = None
    if by in (None, "inverse_variance") and weights is None:
        read = [
            read_published(raw[:, place], each.manifest, column, unit=float(np.ldexp(1.0, -exponent)))
            for place, each in enumerate(used)
        ]
        combined = _by_precision(read, required=by is not None)
    if combined is None:
        combined = _by_weights(raw, by or "mean", weights, order_weights, mean)
    fused = Fused(
        column=column,
        values=_like(np.ldexp(combined.values, exponent), used[0].values.dtype, column),
        by=combined.way,
        releases=len(used),
        known_in=(~np.isnan(raw)).sum(axis=1),
        details={
            "release_of_each": [each.release for each in used],
            "left_out": [each.release for each in released if each.described.scale != Scale.NUMERIC],
            **({} if combined.shares is None else {"weights": combined.shares.tolist()}),
        },
    )
    if original is None:
        return fused
    true, single = _floats(original.frame[column]), [np.ldexp(each, exponent) for each in raw.T]
    rebuilt = rebuilt_numbers(true, np.ldexp(combined.values, exponent), single, tolerance)
    return replace(fused, rebuilt=rebuilt)


class _Combined(NamedTuple):
    """The fused numbers, the way they were fused, and what each release counted where that was found out."""

    values: FloatArray
    way: str
    shares: FloatArray | None = None


def _by_precision(read: Sequence[Read], *, required: bool) -> _Combined | None:
    """The mean in which releases count by how little they are off; None where it cannot be told and need not be."""
    values = np.column_stack([each.values for each in read])
    try:
        variances = error_variances(values, [each.variance for each in read])
    except NotComputable:
        if required:
            raise
        return None
    shares = _shares(variances)
    return _Combined(weighted_mean(values, shares), "inverse_variance", shares)


def _by_weights(
    raw: FloatArray,
    way: str,
    weights: Sequence[float] | None,
    order_weights: Sequence[float] | None,
    mean: Mean,
) -> _Combined:
    """The mean, OWA or WOWA of the releases, by weights that are given or equal."""
    importance = checked_weights(weights, raw.shape[1], "weights")
    if way == "mean":
        return _Combined(quasi_arithmetic_mean(raw, importance, mean), way)
    ordered = checked_weights(order_weights, raw.shape[1], "order_weights")
    return _Combined(owa(raw, ordered) if way == "owa" else wowa(raw, importance, ordered), way)


def _shares(variances: FloatArray) -> FloatArray:
    inverse = variances.min() / variances
    shares: FloatArray = inverse / inverse.sum()
    return shares


def _floats(values: pl.Series) -> FloatArray:
    """The numbers of a column, NaN where missing; BadValues where one is infinite."""
    plain = values.to_physical() if values.dtype.is_temporal() else values
    numbers = plain.cast(pl.Float64).fill_null(float("nan")).to_numpy().astype(np.float64)
    infinite = int(np.isinf(numbers).sum())
    if infinite:
        raise BadValues(
            f"coalition: column '{values.name}' has {infinite} infinite values, which have no mean. Make them missing, "
            "or cap them."
        )
    return numbers


def _like(values: FloatArray, dtype: pl.DataType, name: str) -> pl.Series:
    """The fused numbers as a column; dates are dates again."""
    series = pl.Series(name, values, dtype=pl.Float64).fill_nan(None)
    return series.round().cast(pl.Int64).cast(dtype) if dtype.is_temporal() else series
