"""Sums of squares: how far records were moved, against how far they are spread."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.statistics import aligned_numbers
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import IntArray, Table

MEANING = (
    "the squared distance between true and published records as a percentage of the spread of the true ones: 0 is "
    "unchanged, 100 is as bad as publishing only the averages"
)


@registry.loss(
    family="squares",
    scales=registry.NUMERIC,
    missing="left out: a cell that is missing in either table is not counted",
    meaning=MEANING,
    cites=("Domingo-Ferrer and Mateo-Sanz, IEEE Transactions on Knowledge and Data Engineering 14(1), 2002",),
)
def sse(
    original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS, truth: IntArray | None = None
) -> Loss:
    """The sum of squared changes over the total sum of squares, in percent, on columns of equal weight."""
    true, published = aligned_numbers(original, masked, columns, truth)
    both = ~(np.isnan(true) | np.isnan(published))
    count = np.maximum(1, both.sum(axis=0))
    mean = np.where(both, true, 0.0).sum(axis=0) / count
    within = np.where(both, (true - published) ** 2, 0.0).sum(axis=0)
    total = np.where(both, (true - mean) ** 2, 0.0).sum(axis=0)
    spread = total > 0
    if not spread.any():
        raise NotComputable(
            "sse: every column is constant or missing, so there is no spread to compare with."
        )
    shares = within[spread] / total[spread]
    named = [name for name, used in zip(columns, spread, strict=True) if used]
    return Loss(
        name="sse",
        loss=100 * float(shares.mean()),
        meaning=MEANING,
        columns=dict(zip(named, (100 * shares).tolist(), strict=True)),
        left_out=int((~spread).sum()),
        details={"sse": float(within[spread].sum()), "sst": float(total[spread].sum())},
    )
