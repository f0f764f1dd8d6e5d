"""Probabilistic loss: is a statistic of the masked table further off than sampling alone would put it?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.compared import WEIGHTED, comparable_numbers, loss_of
from discreet.loss.doubts import Doubt, of_means, of_pairs, of_quantiles, of_variances
from discreet.loss.moments import moments
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import Table

LEVELS = np.arange(5, 100, 5) / 100
MEANING = (
    "how sure one can be, in percent, that statistics of the published file are off by more than the chance of "
    "drawing a sample: 0 is unchanged, near 100 no statistic can be trusted"
)


@registry.loss(
    family="probabilistic",
    title="Doubt about statistics (PIL)",
    unit=registry.PERCENT,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.NUMERIC,
    missing=f"left out: each statistic uses the values that are present in its own table; {WEIGHTED}",
    meaning=MEANING,
    cites=(
        "Mateo-Sanz, Domingo-Ferrer and Sebé, Data Mining and Knowledge Discovery 11(2), 2005",
        "Stuart and Ord, Kendall's Advanced Theory of Statistics 1, 1994, chapter 10 (standard errors)",
        "Woodruff, Journal of the American Statistical Association 47(260), 1952 (standard errors of quantiles)",
    ),
)
def pil(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The probabilistic information loss in percent, from 0 to 100.

    For each statistic it is the chance 2 P(0 <= Z <= |theta - theta'| / sd(theta)) that a sample of the original, as
    large as the masked table, would be nearer to it. The statistics are the quantiles from 5 to 95 percent in steps of
    5, means, variances, covariances and correlations; the chances are averaged for each kind, then over the kinds.
    The standard deviations are the asymptotic ones, with the moments of the original. A statistic that does not vary
    from sample to sample counts as 0 when it is kept and as 100 when it is not. One that the original lacks, as the
    correlation of a constant column, is left out and counted.

    PIL of Mateo-Sanz, Domingo-Ferrer and Sebé (2005), with the formula above.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.pil(table, masked))
    pil: 36.04
    """
    old, new = comparable_numbers(original, masked, columns)
    weights = original.weights()
    before, after = moments(old, weights), moments(new, masked.weights())
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        found = {
            "quantiles": of_quantiles(old, new, weights, masked.weights(), after.records, LEVELS),
            "means": of_means(before, after),
            "variances": of_variances(before, after, old, weights),
            **of_pairs(before, after, old, weights),
        }
    kinds = {
        name: 100 * float(each.chance[each.usable].mean())
        for name, each in found.items()
        if each.usable.any()
    }
    if not kinds:
        raise NotComputable("pil: no column has two values in both tables, so no statistic can be compared.")
    return loss_of(
        "pil",
        float(np.mean(list(kinds.values()))),
        MEANING,
        columns=_by_column(list(found.values()), columns),
        left_out=sum(int((~each.usable).sum()) for each in found.values()),
        details=kinds,
    )


def _by_column(kinds: Sequence[Doubt], columns: Sequence[str]) -> dict[str, float]:
    """For each column the average over the kinds of the chances of the statistics it takes part in."""
    found = {}
    for place, column in enumerate(columns):
        own = [each.usable & np.any([which == place for which in each.about], axis=0) for each in kinds]
        parts = [each.chance[use].mean() for each, use in zip(kinds, own, strict=True) if use.any()]
        if parts:
            found[column] = 100 * float(np.mean(parts))
    return found
