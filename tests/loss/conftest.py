"""Small tables to measure loss on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet.table import FloatArray, Table

Maker = Callable[..., Table]


@pytest.fixture(scope="session")
def numeric() -> Maker:
    """Makes a table of numeric quasi-identifiers, and of a weight where it is given."""

    def make(columns: Mapping[str, Sequence[float | None]], weight: Sequence[float] | None = None) -> Table:
        frame = pl.DataFrame(dict(columns), schema=dict.fromkeys(columns, pl.Float64))
        roles = dict.fromkeys(columns, "quasi-identifier")
        if weight is not None:
            frame = frame.with_columns(pl.Series("weight", weight, dtype=pl.Float64))
            roles["weight"] = "weight"
        return Table.of(frame, roles=roles)

    return make


@pytest.fixture(scope="session")
def matrix(numeric: Maker) -> Callable[[FloatArray], Table]:
    """Makes a table of the columns a, b, c, ... of an array; NaN is missing."""

    def make(values: FloatArray) -> Table:
        names = "abcdefghij"[: values.shape[1]]
        return numeric({name: values[:, place].tolist() for place, name in enumerate(names)})

    return make


@pytest.fixture(scope="session")
def nominal() -> Maker:
    """Makes a table of nominal quasi-identifiers, or ordinal ones where their order is given."""

    def make(
        columns: Mapping[str, Sequence[str | None]],
        orders: Mapping[str, Sequence[object]] | None = None,
        **more: Any,
    ) -> Table:
        frame = pl.DataFrame(dict(columns), schema=dict.fromkeys(columns, pl.String))
        return Table.of(frame, roles=dict.fromkeys(columns, "quasi-identifier"), orders=orders, **more)

    return make


@pytest.fixture(scope="session")
def two_matrices() -> tuple[FloatArray, FloatArray]:
    """Correlated numbers and a noisy version of them, some of both missing."""
    rng = np.random.default_rng(5)
    true = rng.normal(size=(60, 3)) @ np.array([[1.0, 0.5, 0.2], [0.0, 1.0, -0.4], [0.0, 0.0, 1.0]]) + 4.0
    published = true + rng.normal(scale=0.4, size=true.shape)
    true[rng.random(true.shape) < 0.1] = np.nan
    published[rng.random(true.shape) < 0.1] = np.nan
    return true, published
