"""Sums of squares: how far records were moved, against how far they are spread."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.compared import UNWEIGHTED, aligned_columns, loss_of
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Table

MEANING = (
    "the squared distance between true and published records as a percentage of the spread of the true ones: 0 is "
    "unchanged, 100 is as bad as publishing only the averages"
)


@registry.loss(
    family="squares",
    title="Squared error (SSE)",
    unit=registry.PERCENT,
    splits=registry.Split.SUMS,
    in_portions=True,
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
    found = [_squares(*each) for each in aligned_columns(original, masked, columns, truth)]
    spread = [each for each in found if each.varies]
    if not spread:
        raise NotComputable(
            "sse: every column is constant or missing, so there is no spread to compare with."
        )
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        lost = np.array([np.float64(each.within) / each.total for each in spread])
        kept = np.array([np.float64(each.between) / each.total for each in spread])
    records = np.array([each.cells for each in spread])
    named = [name for name, each in zip(columns, found, strict=True) if each.varies]
    return loss_of(
        "sse",
        100 * float(lost.mean()),
        MEANING,
        columns=dict(zip(named, (100 * lost).tolist(), strict=True)),
        left_out=len(found) - len(spread) + sum(each.missing_in_one for each in found),
        details={
            "sse": float(records @ lost),
            "ssa": float(records @ kept),
            "sst": float(records.sum()),
            "records": found[0].records,
        },
    )


class _Squares(NamedTuple):
    """The sums of squares of one column, over the records that have both values, and how many these are."""

    within: float
    between: float
    total: float
    cells: int
    varies: bool
    missing_in_one: int
    records: int


def _squares(true: FloatArray, published: FloatArray) -> _Squares:
    here, there = ~np.isnan(true), ~np.isnan(published)
    both = here & there
    known, own = (true, published) if both.all() else (true[both], published[both])
    # SSE sums (x - y)^2, SSA (y - m)^2 and SST (x - m)^2, Domingo-Ferrer and Mateo-Sanz 2002.
    with np.errstate(over="ignore", invalid="ignore"):
        mean = known.sum() / max(1, len(known))
        within, between, total = (
            float((difference**2).sum()) for difference in (known - own, own - mean, known - mean)
        )
    varies = bool(len(known)) and bool(known.min() < known.max())
    return _Squares(within, between, total, len(known), varies, int((here != there).sum()), len(true))
