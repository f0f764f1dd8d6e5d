"""Records as points: how the columns of two tables become comparable numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from discreet.errors import WrongScale
from discreet.table import FloatArray, IntArray, Scale, Table

FAR_APART = np.sqrt(0.5)
"""Two different categories, each this far along its own axis, are at distance one."""


def points_of(original: Table, masked: Table, keys: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    """Both tables as points: numbers and ranks standardised, each table by its own mean and standard deviation.

    A missing number stands at its column's mean. Different categories are at distance one from each other, and
    missing is a category of its own.
    """
    blocks = [_block(original, masked, name) for name in keys]
    left = np.hstack([one for one, _ in blocks])
    right = np.hstack([other for _, other in blocks])
    return np.ascontiguousarray(left), np.ascontiguousarray(right)


def _block(original: Table, masked: Table, name: str) -> tuple[FloatArray, FloatArray]:
    scales = {original[name].scale, masked[name].scale}
    if scales == {Scale.NUMERIC}:
        return _standard(original.numbers([name])), _standard(masked.numbers([name]))
    if Scale.NUMERIC in scales:
        raise WrongScale(
            f"column '{name}' is {original[name].scale} in the original and {masked[name].scale} in the masked table, "
            "so records cannot be compared on it. Leave it out of the keys."
        )
    if scales == {Scale.ORDINAL} and original[name].order == masked[name].order:
        return _standard(_ranks(original, name)), _standard(_ranks(masked, name))
    return _indicators(original, masked, name)


def _ranks(table: Table, name: str) -> FloatArray:
    codes = table.codes(name).astype(np.float64)[:, None]
    return np.where(codes < 0, np.nan, codes)


def _standard(values: FloatArray) -> FloatArray:
    present = ~np.isnan(values)
    count = max(1, int(present.sum()))
    mean = values[present].sum() / count
    spread = np.sqrt(((values[present] - mean) ** 2).sum() / count)
    return np.where(present, (values - mean) / (spread if spread > 0 else 1.0), 0.0)


def _indicators(original: Table, masked: Table, name: str) -> tuple[FloatArray, FloatArray]:
    left, right = (table.frame[name].cast(pl.String) for table in (original, masked))
    levels = pl.DataFrame({"level": pl.concat([left, right]).unique().sort()}).with_row_index("place")
    axes = np.eye(len(levels)) * FAR_APART
    return axes[_places(left, levels)], axes[_places(right, levels)]


def _places(values: pl.Series, levels: pl.DataFrame) -> IntArray:
    """The place of each value among the levels, missing being one of them."""
    found = values.to_frame("level").join(
        levels, on="level", how="left", nulls_equal=True, maintain_order="left"
    )
    return found["place"].to_numpy().astype(np.int64)
