"""Sums of squares: how far records were moved, against how far they are spread."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.compared import UNWEIGHTED, aligned_numbers, loss_of
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import IntArray, Table

MEANING = (
    "the squared distance between true and published records as a percentage of the spread of the true ones: 0 is "
    "unchanged, 100 is as bad as publishing only the averages"
)


@registry.loss(
    family="squares",
    title="Squared error (SSE)",
    unit=registry.PERCENT,
    splits=registry.Split.SUMS,
    scales=registry.NUMERIC,
    missing=f"cells that are missing in one of the tables are left out and counted; {UNWEIGHTED}",
    meaning=MEANING,
    cites=("Domingo-Ferrer and Mateo-Sanz, IEEE Transactions on Knowledge and Data Engineering 14(1), 2002",),
)
def sse(
    original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS, truth: IntArray | None = None
) -> Loss:
    """The sum of squared changes over the total sum of squares, in percent, on standardised columns.

    The details hold, on standardised columns, SSE (published against true records), SST (true records against their
    mean) and SSA (published records against that mean). A microaggregation has SSE + SSA = SST: what is lost within
    groups and what is kept between them. Columns that are constant in the original are left out and counted.

    SSE / SST of Domingo-Ferrer and Mateo-Sanz (2002): the sum of (x_ij - y_ij)^2 over that of (x_ij - m_j)^2.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.sse(table, masked))
    sse: 8.99
    """
    true, published = aligned_numbers(original, masked, columns, truth)
    both = ~(np.isnan(true) | np.isnan(published))
    count = np.maximum(1, both.sum(axis=0))
    # SSE sums (x - y)^2, SSA (y - m)^2 and SST (x - m)^2, Domingo-Ferrer and Mateo-Sanz 2002.
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.where(both, true, 0.0).sum(axis=0) / count
        within, between, total = (
            np.where(both, difference**2, 0.0).sum(axis=0)
            for difference in (true - published, published - mean, true - mean)
        )
    low = np.where(both, true, np.inf).min(axis=0, initial=np.inf)
    spread = low < np.where(both, true, -np.inf).max(axis=0, initial=-np.inf)
    if not spread.any():
        raise NotComputable(
            "sse: every column is constant or missing, so there is no spread to compare with."
        )
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        lost, kept = within[spread] / total[spread], between[spread] / total[spread]
    records = count[spread]
    named = [name for name, used in zip(columns, spread, strict=True) if used]
    return loss_of(
        "sse",
        100 * float(lost.mean()),
        MEANING,
        columns=dict(zip(named, (100 * lost).tolist(), strict=True)),
        left_out=int((~spread).sum() + (np.isnan(true) != np.isnan(published)).sum()),
        details={
            "sse": float(records @ lost),
            "ssa": float(records @ kept),
            "sst": float(records.sum()),
            "records": len(true),
        },
    )
