"""How sure one can be that a published statistic is off by more than the chance of drawing a sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.loss.moments import ROUNDING, Moments, centred, portions, shares
from discreet.loss.quantiles import quantiles, quantiles_and_deviations
from discreet.stored import Matrix
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
    old: Matrix,
    new: Matrix,
    old_weights: FloatArray | None,
    new_weights: FloatArray | None,
    records: FloatArray,
    levels: FloatArray,
) -> Doubt:
    """The quantiles at these levels, in samples of so many records a column."""
    columns = [slice(place, place + 1) for place in range(old.shape[1])]
    parts = [_quantiles_of(old[:, each], old_weights, levels, records[each]) for each in columns]
    true, deviation = (np.hstack([np.empty((len(levels), 0)), *each]) for each in _both(parts))
    published = [quantiles(new[:, each], shares(new[:, each], new_weights), levels) for each in columns]
    about = np.broadcast_to(np.arange(old.shape[1]), true.shape)
    after = np.hstack([np.empty((len(levels), 0)), *published])
    return doubt(true, after, deviation**2, ROUNDING * np.abs(true), (about,))


def _quantiles_of(
    values: FloatArray, weights: FloatArray | None, levels: FloatArray, records: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The quantiles of one column and their deviations, NaN where there are fewer than two values."""
    share = shares(values, weights)
    true, deviation = quantiles_and_deviations(values, share, levels, records)
    return true, np.where((share > 0).sum() < 2, np.nan, deviation)


def _both(parts: Sequence[tuple[FloatArray, FloatArray]]) -> tuple[list[FloatArray], list[FloatArray]]:
    return [each[0] for each in parts], [each[1] for each in parts]


def of_means(old: Moments, new: Moments) -> Doubt:
    """The means, whose variance is that of the values over n."""
    return doubt(
        old.mean, new.mean, old.variance / new.records, ROUNDING * old.size, (np.arange(len(old.mean)),)
    )


def of_variances(old: Moments, new: Moments, values: Matrix, weights: FloatArray | None) -> Doubt:
    """The variances; the variance of a variance is (mu4 - mu2^2) / n. `values` are those of the original."""
    total, second, fourth = np.zeros((3, len(old.mean)))
    for part, share in portions(values, weights):
        squares = centred(part, share, old.mean) ** 2
        total += share.sum(axis=0)
        second += (share * squares).sum(axis=0)
        fourth += (share * squares**2).sum(axis=0)
    second, fourth = second / total, fourth / total
    variance = np.where(old.constant, 0.0, fourth - second**2) / new.records
    return doubt(old.variance, new.variance, variance, ROUNDING * old.variance, (np.arange(len(old.mean)),))


def of_pairs(old: Moments, new: Moments, values: Matrix, weights: FloatArray | None) -> dict[str, Doubt]:
    """The covariances and the correlations. `values` are those of the original.

    Covariances vary by (mu22 - mu11^2) / n; correlations by the mean square of z1 z2 - r (z1^2 + z2^2) / 2, over n.
    The latter is the usual formula of Pearson and Filon for the standard error, written so that it cannot be negative.
    """
    which = np.triu_indices(len(old.mean), k=1)
    one, two = which
    deviation = np.where(old.constant, 1.0, old.deviation)
    sums = _mixed_sums(values, weights, old.mean, deviation)
    total = sums[0][which]
    mu11, mu22, mu31, mu13, mu40, mu04 = (each[which] / total for each in sums[1:])
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


def _mixed_sums(
    values: Matrix, weights: FloatArray | None, mean: FloatArray, deviation: FloatArray
) -> FloatArray:
    """Weighted sums over the records in which both of two columns are present.

    They are those of 1, z1 z2, (z1 z2)^2, z1^3 z2, z1 z2^3, z1^4 and z2^4, for the z-scores of each pair of columns.
    """
    sums = np.zeros((7, len(mean), len(mean)))
    for part, share in portions(values, weights):
        present = (share > 0).astype(np.float64)
        standard = centred(part, share, mean) / deviation
        squares = standard**2
        products = (
            (present, present),
            (standard, standard),
            (squares, squares),
            (standard * squares, standard),
            (standard, standard * squares),
            (squares**2, present),
            (present, squares**2),
        )
        for place, (left, right) in enumerate(products):
            sums[place] += (share * left).T @ right
    return sums
