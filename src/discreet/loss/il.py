"""Loss of statistics: cells, means, covariances, variances and correlations, averaged (IL)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.compared import loss_of
from discreet.loss.il1 import il1
from discreet.loss.il2 import mean_loss
from discreet.loss.il3 import covariance_loss
from discreet.loss.il4 import variance_loss
from discreet.loss.il5 import correlation_loss
from discreet.loss.statistic_changes import STATISTICS_MISSING, both_moments
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import IntArray, Table

MEANING = "the average of IL1 to IL5 in percent: how much statistics computed from the published file are off"


@registry.loss(
    family="statistics",
    title="Information loss (IL)",
    unit=registry.PERCENT,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.NUMERIC,
    missing=STATISTICS_MISSING,
    meaning=MEANING,
    cites=("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",),
)
def il(
    original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS, truth: IntArray | None = None
) -> Loss:
    """The average of IL1 to IL5, in percent.

    A part that has no value on this data, such as the correlations of a single column, is left out, counted, and
    named in the details; the others are averaged.

    IL of Domingo-Ferrer and Torra (2001): 100 (IL1 + IL2 + IL3 + IL4 + IL5) / 5.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.il(table, masked))
    il: 13.36
    """
    pair = both_moments(original, masked, columns)
    parts: dict[str, Callable[[], Loss]] = {
        "il1": lambda: il1(original, masked, columns=columns, truth=truth),
        "il2": lambda: mean_loss(*pair, columns),
        "il3": lambda: covariance_loss(*pair, columns),
        "il4": lambda: variance_loss(*pair, columns),
        "il5": lambda: correlation_loss(*pair, columns),
    }
    found, without = {}, []
    for name, part in parts.items():
        try:
            found[name] = part()
        except NotComputable:
            without.append(name)
    if not found:
        raise NotComputable("il: none of IL1 to IL5 has a value on this data.")
    # IL, Domingo-Ferrer and Torra 2001: 100 (IL1 + IL2 + IL3 + IL4 + IL5) / 5.
    return loss_of(
        "il",
        100 * float(np.mean([each.loss for each in found.values()])),
        MEANING,
        columns=_averaged([each for name, each in found.items() if name in ("il1", "il2", "il4")]),
        left_out=len(without) + sum(each.left_out for each in found.values()),
        details={name: each.loss for name, each in found.items()} | ({"without": without} if without else {}),
    )


def _averaged(parts: Sequence[Loss]) -> dict[str, float]:
    """For each column the average, in percent, of the parts that speak of it alone."""
    named = dict.fromkeys(name for part in parts for name in part.columns)
    return {
        name: 100 * float(np.mean([part.columns[name] for part in parts if name in part.columns]))
        for name in named
    }
