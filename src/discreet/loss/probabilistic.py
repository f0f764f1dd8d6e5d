"""Probabilistic loss: is a statistic of the masked table further off than sampling alone would put it?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.compared import WEIGHTED, comparable_numbers, loss_of
from discreet.loss.moments import ROUNDING, Moments, moments, shares
from discreet.loss.quantiles import quantiles, quantiles_and_deviations
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import BoolArray, FloatArray, IntArray, Table

LEVELS = np.arange(5, 100, 5) / 100
MEANING = (
    "how sure one can be, in percent, that statistics of the published file are off by more than the chance of "
    "drawing a sample: 0 is unchanged, near 100 no statistic can be trusted"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Doubt:
    """One kind of statistic: the chances, which of them have a value, and the columns each speaks of."""

    chance: FloatArray
    usable: BoolArray
    about: tuple[IntArray, ...]


@registry.loss(
    family="probabilistic",
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
    """
    old, new = comparable_numbers(original, masked, columns)
    weights = original.weights()
    before, after = moments(old, weights), moments(new, masked.weights())
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        centred = np.where(shares(old, weights) > 0, old - before.mean, 0.0)
        found = {
            "quantiles": _of_quantiles(old, new, weights, masked.weights(), after.records),
            "means": _of_means(before, after),
            "variances": _of_variances(before, after, centred, shares(old, weights)),
            **_of_pairs(before, after, centred, shares(old, weights)),
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


def _doubt(
    old: FloatArray, new: FloatArray, variance: FloatArray, rounding: FloatArray, about: tuple[IntArray, ...]
) -> Doubt:
    """The chances of one kind of statistic. Without variance any change beyond rounding is certain to be one."""
    from scipy.special import erf

    change = np.abs(old - new)
    change = np.where(change <= rounding, 0.0, change)
    deviation = np.sqrt(np.maximum(variance, 0.0))
    steps = np.where(deviation > 0, change / np.where(deviation > 0, deviation, 1.0), np.inf)
    usable = np.isfinite(old) & np.isfinite(new) & np.isfinite(variance)
    chance = np.where(change == 0, 0.0, erf(np.where(usable, steps, 0.0) / np.sqrt(2.0)))
    return Doubt(chance=np.where(usable, chance, 0.0), usable=usable, about=about)


def _of_quantiles(
    old: FloatArray,
    new: FloatArray,
    old_weights: FloatArray | None,
    new_weights: FloatArray | None,
    records: FloatArray,
) -> Doubt:
    share = shares(old, old_weights)
    true, deviation = quantiles_and_deviations(old, share, LEVELS, records)
    published = quantiles(new, shares(new, new_weights), LEVELS)
    about = np.broadcast_to(np.arange(old.shape[1]), true.shape)
    few = (share > 0).sum(axis=0) < 2
    variance = np.where(few, np.nan, deviation**2)
    return _doubt(true, published, variance, ROUNDING * np.abs(true), (about,))


def _of_means(old: Moments, new: Moments) -> Doubt:
    return _doubt(
        old.mean, new.mean, old.variance / new.records, ROUNDING * old.size, (np.arange(len(old.mean)),)
    )


def _of_variances(old: Moments, new: Moments, centred: FloatArray, share: FloatArray) -> Doubt:
    """The variance of a variance is (mu4 - mu2^2) / n."""
    total = share.sum(axis=0)
    second, fourth = (share * centred**2).sum(axis=0) / total, (share * centred**4).sum(axis=0) / total
    variance = np.where(old.constant, 0.0, fourth - second**2) / new.records
    return _doubt(old.variance, new.variance, variance, ROUNDING * old.variance, (np.arange(len(old.mean)),))


def _of_pairs(old: Moments, new: Moments, centred: FloatArray, share: FloatArray) -> dict[str, Doubt]:
    """Covariances vary by (mu22 - mu11^2) / n; correlations by the mean square of z1 z2 - r (z1^2 + z2^2) / 2, over n.

    The latter is the usual formula of Pearson and Filon for the standard error, written so that it cannot be negative.
    """
    which = np.triu_indices(len(old.mean), k=1)
    present = (share > 0).astype(np.float64)
    total = (share.T @ present)[which]
    one, two = which
    deviation = np.where(old.constant, 1.0, old.deviation)
    standard = centred / deviation
    squares = standard**2

    def mixed(left: FloatArray, right: FloatArray) -> FloatArray:
        """The weighted mean of the products, over the records in which both columns are present."""
        return np.asarray(((share * left).T @ right)[which] / total)

    mu11, mu22 = mixed(standard, standard), mixed(squares, squares)
    mu31, mu13 = mixed(standard * squares, standard), mixed(standard, standard * squares)
    mu40, mu04 = mixed(squares**2, present), mixed(present, squares**2)
    records = np.minimum(new.records[one], new.records[two])
    r = old.correlation[which]
    scale = (deviation[one] * deviation[two]) ** 2
    of_covariance = (mu22 - mu11**2) * scale / records
    of_correlation = (mu22 + r**2 * (mu40 + 2 * mu22 + mu04) / 4 - r * (mu31 + mu13)) / records
    undefined = old.constant[one] | old.constant[two]
    return {
        "covariances": _doubt(
            old.covariance[which],
            new.covariance[which],
            np.where(undefined, 0.0, of_covariance),
            ROUNDING * np.sqrt(scale),
            which,
        ),
        "correlations": _doubt(
            np.where(undefined, np.nan, r),
            new.correlation[which],
            of_correlation,
            np.full(len(r), ROUNDING),
            which,
        ),
    }
