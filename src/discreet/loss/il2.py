"""Loss of means: how far they are from the true ones, as a share of these (IL2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet import registry
from discreet.loss.moments import ROUNDING, Moments
from discreet.loss.statistic_changes import STATISTICS_MISSING, average_change, both_moments, relative_changes
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import Table

MEANING = "how far the published means are from the true ones, as a share, on average over columns"


@registry.loss(
    family="statistics",
    title="Means (IL2)",
    unit=registry.SHARE,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.NUMERIC,
    missing=STATISTICS_MISSING,
    meaning=MEANING,
    cites=("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",),
)
def il2(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the columns of the relative change of the mean; a true mean of zero is left out and counted.

    IL2 of Domingo-Ferrer and Torra (2001): the mean over j of |m_j - m'_j| / |m_j|.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.il2(table, masked))
    il2: 0.003865
    """
    return mean_loss(*both_moments(original, masked, columns), columns)


def mean_loss(old: Moments, new: Moments, columns: Sequence[str]) -> Loss:
    """The loss of the means, from the moments of both tables."""
    # IL2, Domingo-Ferrer and Torra 2001: the mean over j of |m_j - m'_j| / |m_j|.
    change = relative_changes(old.mean, new.mean, ROUNDING * old.size, (np.arange(len(old.mean)),))
    return average_change("il2", MEANING, change, columns)
