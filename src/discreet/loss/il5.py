"""Loss of correlations: how far they are from the true ones, as a share of these (IL5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.moments import ROUNDING, Moments
from discreet.loss.statistic_changes import STATISTICS_MISSING, average_change, both_moments, relative_changes
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import Table

MEANING = (
    "how far the published correlations are from the true ones, as a share, on average over pairs of columns"
)


@registry.loss(
    family="statistics",
    title="Correlations (IL5)",
    unit=registry.SHARE,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.NUMERIC,
    missing=STATISTICS_MISSING,
    meaning=MEANING,
    cites=("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",),
)
def il5(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the pairs of different columns of the relative change of the correlation.

    A column that the masking made constant correlates with nothing, so its correlations count as lost.

    IL5 of Domingo-Ferrer and Torra (2001): the mean over i < j of |r_ij - r'_ij| / |r_ij|.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.il5(table, masked))
    il5: 0.2701
    """
    if len(columns) < 2:
        raise NotComputable("il5: correlations need at least two numeric columns.")
    return correlation_loss(*both_moments(original, masked, columns), columns)


def correlation_loss(old: Moments, new: Moments, columns: Sequence[str]) -> Loss:
    """The loss of the correlations, from the moments of both tables."""
    # IL5, Domingo-Ferrer and Torra 2001: the mean over i < j of |r_ij - r'_ij| / |r_ij|.
    pairs = np.triu_indices(len(old.mean), k=1)
    nothing = np.full(len(pairs[0]), ROUNDING)
    change = relative_changes(old.correlation[pairs], new.correlation[pairs], nothing, pairs)
    return average_change("il5", MEANING, change, columns)
