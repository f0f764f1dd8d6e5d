"""Changes of cells in units of a scale, averaged: what IL1 and IL1s share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from discreet.errors import NotComputable
from discreet.loss.compared import aligned_columns, comparable_numbers, loss_of
from discreet.loss.moments import moments
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Table

CELLS_MISSING = (
    "cells that are missing in one of the tables are left out and counted; cells count alike whatever the sampling "
    "weights, which only enter the standard deviation"
)
Scaling = Callable[[FloatArray, FloatArray], FloatArray]
"""The scale of each cell, from the true values of a column and its standard deviation."""


@np.errstate(over="ignore", invalid="ignore")
def average_cell_change(
    name: str,
    meaning: str,
    original: Table,
    masked: Table,
    *,
    columns: Sequence[str],
    truth: IntArray | None,
    scaling: Scaling,
) -> Loss:
    """The average over cells of the change in units of a scale; unchanged cells need no scale."""
    whole, _ = comparable_numbers(original, masked, columns)
    deviation = moments(whole, original.weights()).deviation
    found = [
        _changes(*each, scaling, own)
        for each, own in zip(aligned_columns(original, masked, columns, truth), deviation, strict=True)
    ]
    cells = sum(each.cells for each in found)
    if not cells:
        raise NotComputable(f"{name}: no cell can be compared.")
    return loss_of(
        name,
        sum(each.total for each in found) / cells,
        meaning,
        columns={
            column: each.total / each.cells for column, each in zip(columns, found, strict=True) if each.cells
        },
        left_out=sum(each.left_out for each in found),
        details={"records": found[0].records, "cells": cells},
    )


class _Changes(NamedTuple):
    """The changes of one column's cells, added, of how many cells, and how many have no scale or only one value."""

    total: float
    cells: int
    left_out: int
    records: int


def _changes(true: FloatArray, published: FloatArray, scaling: Scaling, deviation: FloatArray) -> _Changes:
    scale = scaling(true, deviation)
    change = np.abs(true - published)
    known = ~np.isnan(change)
    scaled = known & (scale > 0)
    counted = scaled | (known & (change == 0))
    change = np.where(scaled, change / np.where(scaled, scale, 1.0), 0.0)
    missing_in_one = int((np.isnan(true) != np.isnan(published)).sum())
    return _Changes(
        total=float(change.sum()),
        cells=int(counted.sum()),
        left_out=int((known & ~counted).sum()) + missing_in_one,
        records=len(true),
    )
