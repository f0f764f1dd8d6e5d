"""Additive noise: how likely a masked record is, given the published size of the noise."""

from __future__ import annotations

import numpy as np

from discreet.attack.clues.kinds import Points, PublishedStep, StepClues, present
from discreet.attack.points import TurnedPoints, centre_and_spread
from discreet.attack.whitening import covariance_of, stretching
from discreet.table import FloatArray


def likely_noise(step: PublishedStep) -> StepClues:
    """Coordinates in which the noise has variance one in every direction, for whoever knows its size.

    The noise has p times the spread of each column (`uncorrelated`) or p^2 times the covariance of the columns. Masked
    values are first brought back to the spread of the original ones, where that was not done before publishing, and
    those of `nonlinear` to normal scores. Whoever looks for the person of a masked record leaves it as wide as the
    noise made it: whom it comes from is nearest to it as it is.
    """
    p = float(step.parameters["p"])
    widened = np.sqrt(1 + p * p)
    shrunk = widened if step.variant in ("uncorrelated", "correlated") else 1.0
    known = step.matrix(_standardised(step, name)[0] for name in step.columns)
    masked = step.matrix(_standardised(step, name)[1] / shrunk for name in step.columns)
    together = step.variant != "uncorrelated"
    covariance = covariance_of(known) if together else None
    if covariance is None:
        covariance = np.eye(len(step.columns))
    stretch = stretching(p * p * covariance)
    places = TurnedPoints(known, stretch)
    back = TurnedPoints(masked, stretch * widened), places
    points = Points(columns=step.columns, known=places, masked=TurnedPoints(masked, stretch), back=back)
    return StepClues(clues=(points,))


def _standardised(step: PublishedStep, name: str) -> tuple[FloatArray, FloatArray]:
    """The known and the published values of a column in known standard deviations, or their normal scores in these."""
    known, masked = step.numbers(name)
    if step.variant == "nonlinear":
        known, masked = _normal_scores(known, masked)
    mean, spread = centre_and_spread(known)
    return (known - mean) / spread, (masked - mean) / spread


def _normal_scores(known: FloatArray, masked: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The normal scores of the known values, and those that the masked values come back to.

    The way back went through the distribution of the original column, which the known one is taken for.
    """
    from scipy.special import ndtri

    ordered = present(known)
    return ndtri(_shares(known, ordered)), ndtri(_shares(masked, ordered))


def _shares(values: FloatArray, ordered: FloatArray) -> FloatArray:
    """The share of the sorted values below each value, half of those equal to it included, and never 0 or 1."""
    if len(ordered) == 0:
        return np.full(len(values), np.nan)
    below = np.searchsorted(ordered, values, side="left")
    upto = np.searchsorted(ordered, values, side="right")
    between = below == upto
    left, right = ordered[(below - 1).clip(min=0)], ordered[below.clip(max=len(ordered) - 1)]
    gap = np.where(right > left, right - left, 1.0)
    part = np.where(between & (right > left), (values - left) / gap - 0.5, 0.0)
    shares = ((below + upto) / 2 + part) / len(ordered)
    edge = 0.5 / len(ordered)
    return np.where(np.isnan(values), np.nan, np.clip(shares, edge, 1 - edge))
