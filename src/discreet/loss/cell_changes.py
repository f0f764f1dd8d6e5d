"""Changes of cells in units of a scale, averaged: what IL1 and IL1s share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from discreet.errors import NotComputable
from discreet.loss.compared import aligned_numbers, comparable_numbers, loss_of
from discreet.loss.moments import moments
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Table

CELLS_MISSING = (
    "cells that are missing in one of the tables are left out and counted; cells count alike whatever the sampling "
    "weights, which only enter the standard deviation"
)
Scaling = Callable[[FloatArray, FloatArray], FloatArray]
"""The scale of each cell, from the true values and the standard deviations of their columns."""


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
    true, published = aligned_numbers(original, masked, columns, truth)
    whole, _ = comparable_numbers(original, masked, columns)
    scale = scaling(true, moments(whole, original.weights()).deviation)
    change = np.abs(true - published)
    known = ~np.isnan(change)
    scaled = known & (scale > 0)
    counted = scaled | (known & (change == 0))
    change = np.where(scaled, change / np.where(scaled, scale, 1.0), 0.0)
    if not counted.any():
        raise NotComputable(f"{name}: no cell can be compared.")
    totals, cells = change.sum(axis=0), counted.sum(axis=0)
    return loss_of(
        name,
        float(totals.sum() / cells.sum()),
        meaning,
        columns={
            column: float(total / count)
            for column, total, count in zip(columns, totals, cells, strict=True)
            if count
        },
        left_out=int((known & ~counted).sum() + (np.isnan(true) != np.isnan(published)).sum()),
        details={"records": len(true), "cells": int(cells.sum())},
    )
