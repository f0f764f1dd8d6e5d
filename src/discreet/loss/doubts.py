"""How sure one can be that a published statistic is off by more than the chance of drawing a sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.loss.moments import ROUNDING, Moments, shares
from discreet.loss.quantiles import quantiles, quantiles_and_deviations
from discreet.table import BoolArray, FloatArray, IntArray

SAMPLE = 1000
"""The headline loss asks how sure one can be of a change with a sample of so many records, or with all where fewer."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Doubt:
    """One kind of statistic: the chances, which of them have a value, and the columns each speaks of."""

    chance: FloatArray
    usable: BoolArray
    about: tuple[IntArray, ...]


def doubt(
    old: FloatArray, new: FloatArray, variance: FloatArray, rounding: FloatArray, about: tuple[IntArray, ...]
) -> Doubt:
    """The chances of one kind of statistic. Without variance any change beyond rounding is certain to be one."""
    from scipy.special import erf

    change = np.abs(old - new)
    change = np.where(change <= rounding, 0.0, change)
    deviation = np.sqrt(np.maximum(variance, 0.0))
    steps = np.where(deviation > 0, change / np.where(deviation > 0, deviation, 1.0), np.inf)
    usable = np.isfinite(old) & np.isfinite(new) & np.isfinite(variance)
    # 2 P(0 <= Z <= |theta - theta'| / sd(theta)) is erf(steps / sqrt(2)), Mateo-Sanz and others 2005.
    chance = np.where(change == 0, 0.0, erf(np.where(usable, steps, 0.0) / np.sqrt(2.0)))
    return Doubt(chance=np.where(usable, chance, 0.0), usable=usable, about=about)


def of_quantiles(
    old: FloatArray,
    new: FloatArray,
    old_weights: FloatArray | None,
    new_weights: FloatArray | None,
    records: FloatArray,
    levels: FloatArray,
) -> Doubt:
    """The quantiles at these levels, in samples of so many records a column."""
    share = shares(old, old_weights)
    true, deviation = quantiles_and_deviations(old, share, levels, records)
    few = (share > 0).sum(axis=0) < 2
    del share
    published = quantiles(new, shares(new, new_weights), levels)
    about = np.broadcast_to(np.arange(old.shape[1]), true.shape)
    variance = np.where(few, np.nan, deviation**2)
    return doubt(true, published, variance, ROUNDING * np.abs(true), (about,))


def of_means(old: Moments, new: Moments) -> Doubt:
    """The means, whose variance is that of the values over n."""
    return doubt(
        old.mean, new.mean, old.variance / new.records, ROUNDING * old.size, (np.arange(len(old.mean)),)
    )


def of_variances(old: Moments, new: Moments, centred: FloatArray, share: FloatArray) -> Doubt:
    """The variances; the variance of a variance is (mu4 - mu2^2) / n."""
    total = share.sum(axis=0)
    second, fourth = (share * centred**2).sum(axis=0) / total, (share * centred**4).sum(axis=0) / total
    variance = np.where(old.constant, 0.0, fourth - second**2) / new.records
    return doubt(old.variance, new.variance, variance, ROUNDING * old.variance, (np.arange(len(old.mean)),))


def of_pairs(old: Moments, new: Moments, centred: FloatArray, share: FloatArray) -> dict[str, Doubt]:
    """The covariances and the correlations.

    Covariances vary by (mu22 - mu11^2) / n; correlations by the mean square of z1 z2 - r (z1^2 + z2^2) / 2, over n.
    The latter is the usual formula of Pearson and Filon for the standard error, written so that it cannot be negative.
    """
    which = np.triu_indices(len(old.mean), k=1)
    everybody = bool((share == 1.0).all())
    present = share if everybody else (share > 0).astype(np.float64)
    total = (share.T @ present)[which]
    one, two = which
    deviation = np.where(old.constant, 1.0, old.deviation)
    standard = centred / deviation
    del centred
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
        "covariances": doubt(
            old.covariance[which],
            new.covariance[which],
            np.where(undefined, 0.0, of_covariance),
            ROUNDING * np.sqrt(scale),
            which,
        ),
        "correlations": doubt(
            np.where(undefined, np.nan, r),
            new.correlation[which],
            of_correlation,
            np.full(len(r), ROUNDING),
            which,
        ),
    }
