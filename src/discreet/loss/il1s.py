"""Loss of values: how far cells are from the true ones, against the spread of their column (IL1s)."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.loss.cell_changes import CELLS_MISSING, average_cell_change
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Table

MEANING = (
    "how far the published values are from the true ones, in units of 1.41 standard deviations of the column, on "
    "average over cells"
)


@registry.loss(
    family="statistics",
    title="Values against their spread (IL1s)",
    unit=registry.SPREADS,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.NUMERIC,
    missing=CELLS_MISSING,
    meaning=MEANING,
    cites=("Yancey, Winkler and Creecy, in Inference Control in Statistical Databases, LNCS 2316, 2002",),
)
def il1s(
    original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS, truth: IntArray | None = None
) -> Loss:
    """The mean over all cells of the change in units of sqrt(2) standard deviations of the true column.

    Values near zero do not make it explode, as they do `il1`. Changed cells of a column that is constant in the
    original have no scale: they are left out and counted.

    The scaled IL1 of Yancey, Winkler and Creecy (2002): the mean of |x_ij - y_ij| / (sqrt(2) sd_j).

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.il1s(table, masked))
    il1s: 0.1283
    """
    return average_cell_change(
        "il1s", MEANING, original, masked, columns=columns, truth=truth, scaling=_spread
    )


def _spread(true: FloatArray, deviation: FloatArray) -> FloatArray:
    # IL1s, Yancey, Winkler and Creecy 2002: the mean over i, j of |x_ij - y_ij| / (sqrt(2) sd_j).
    return np.broadcast_to(np.sqrt(2.0) * deviation, true.shape)
