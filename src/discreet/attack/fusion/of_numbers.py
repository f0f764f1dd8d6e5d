"""A column of numbers from several releases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from discreet.attack.fusion.alignment import Told
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
    told: Sequence[Told],
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
    used = [each for each in told if each.described.scale == Scale.NUMERIC]
    if not used:
        raise NotComputable(f"coalition: no release holds numbers in column '{column}'.")
    raw = np.column_stack([_floats(each.values) for each in used])
    if np.isnan(raw).all():
        raise NotComputable(f"coalition: no release holds a value in column '{column}'.")
    # All means here scale with their values, so a power of two keeps squares from overflowing and costs no digit.
    exponent = int(np.frexp(np.nanmax(np.abs(raw)))[1])
    raw = np.ldexp(raw, -exponent)
    way, variances = by or "mean", None
    if by in (None, "inverse_variance") and weights is None:
        read = [
            read_published(raw[:, place], each.manifest, column, unit=float(np.ldexp(1.0, -exponent)))
            for place, each in enumerate(used)
        ]
        variances = _variances(read, required=by is not None)
    if variances is not None:
        way = "inverse_variance"
        values = weighted_mean(np.column_stack([each.values for each in read]), _shares(variances))
    elif way == "mean":
        values = quasi_arithmetic_mean(raw, checked_weights(weights, raw.shape[1], "weights"), mean)
    else:
        ordered = checked_weights(order_weights, raw.shape[1], "order_weights")
        importance = checked_weights(weights, raw.shape[1], "weights")
        values = owa(raw, ordered) if way == "owa" else wowa(raw, importance, ordered)
    fused = Fused(
        column=column,
        values=_like(np.ldexp(values, exponent), used[0].values.dtype, column),
        by=way,
        releases=len(used),
        told=(~np.isnan(raw)).sum(axis=1),
        details={
            "release_of_each": [each.release for each in used],
            "left_out": [each.release for each in told if each.described.scale != Scale.NUMERIC],
            **({} if variances is None else {"weights": _shares(variances).tolist()}),
        },
    )
    if original is None:
        return fused
    true = np.ldexp(_floats(original.frame[column]), -exponent)
    return replace(fused, rebuilt=rebuilt_numbers(true, values, list(raw.T), tolerance))


def _variances(read: Sequence[Read], *, required: bool) -> FloatArray | None:
    """The variances of the errors; None where they cannot be told and need not be."""
    try:
        return error_variances(
            np.column_stack([each.values for each in read]), [each.variance for each in read]
        )
    except NotComputable:
        if required:
            raise
        return None


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
