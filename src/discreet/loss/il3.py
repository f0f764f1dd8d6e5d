"""Loss of covariances: how far they are from the true ones, as a share of these (IL3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet import registry
from discreet.loss.moments import ROUNDING, Moments
from discreet.loss.statistic_changes import STATISTICS_MISSING, average_change, both_moments, relative_changes
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import Table

MEANING = (
    "how far the published covariances are from the true ones, as a share, on average over pairs of columns"
)


@registry.loss(
    family="statistics",
    title="Covariances (IL3)",
    unit=registry.SHARE,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.NUMERIC,
    missing=STATISTICS_MISSING,
    meaning=MEANING,
    cites=("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",),
)
def il3(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the pairs of columns, a column with itself among them, of the relative change of the covariance.

    IL3 of Domingo-Ferrer and Torra (2001): the mean over i <= j of |v_ij - v'_ij| / |v_ij|.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.il3(table, masked))
    il3: 0.1488
    """
    return covariance_loss(*both_moments(original, masked, columns), columns)


def covariance_loss(old: Moments, new: Moments, columns: Sequence[str]) -> Loss:
    """The loss of the covariances, from the moments of both tables."""
    # IL3, Domingo-Ferrer and Torra 2001: the mean over i <= j of |v_ij - v'_ij| / |v_ij|.
    pairs = np.triu_indices(len(old.mean))
    nothing = ROUNDING * np.outer(old.deviation, old.deviation)
    change = relative_changes(old.covariance[pairs], new.covariance[pairs], nothing[pairs], pairs)
    return average_change("il3", MEANING, change, columns)
