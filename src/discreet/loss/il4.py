"""Loss of variances: how far they are from the true ones, as a share of these (IL4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet import registry
from discreet.loss.moments import Moments
from discreet.loss.statistic_changes import STATISTICS_MISSING, average_change, both_moments, relative_changes
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import Table

MEANING = "how far the published variances are from the true ones, as a share, on average over columns"


@registry.loss(
    family="statistics",
    title="Variances (IL4)",
    unit=registry.SHARE,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.NUMERIC,
    missing=STATISTICS_MISSING,
    meaning=MEANING,
    cites=("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",),
)
def il4(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the columns of the relative change of the variance; a true variance of zero is left out.

    IL4 of Domingo-Ferrer and Torra (2001): the mean over j of |v_jj - v'_jj| / |v_jj|.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.il4(table, masked))
    il4: 0.08649
    """
    return variance_loss(*both_moments(original, masked, columns), columns)


def variance_loss(old: Moments, new: Moments, columns: Sequence[str]) -> Loss:
    """The loss of the variances, from the moments of both tables."""
    # IL4, Domingo-Ferrer and Torra 2001: the mean over j of |v_jj - v'_jj| / |v_jj|.
    nothing = np.zeros(len(old.mean))
    change = relative_changes(old.variance, new.variance, nothing, (np.arange(len(old.mean)),))
    return average_change("il4", MEANING, change, columns)
