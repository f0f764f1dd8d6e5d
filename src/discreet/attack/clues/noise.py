"""Additive noise: how likely a masked record is, given the published size of the noise."""

from __future__ import annotations

import numpy as np

from discreet.attack.clues.kinds import Points, PublishedStep, StepClues, present
from discreet.attack.points import centre_and_spread
from discreet.attack.whitening import stretching, turned
from discreet.comparing import numbers_of
from discreet.table import FloatArray


def likely_noise(step: PublishedStep) -> StepClues:
    """Coordinates in which the noise has variance one in every direction, for whoever knows its size.

    The noise has p times the spread of each column (`uncorrelated`) or p^2 times the covariance of the columns. Masked
    values are first brought back to the spread of the original ones, where that was not done before publishing, and
    those of `nonlinear` to normal scores. Whoever looks for the person of a masked record leaves it as wide as the
    noise made it: whom it comes from is nearest to it as it is.
    """
    p = float(step.parameters["p"])
    known = np.column_stack([numbers_of(step.known, name) for name in step.columns])
    masked = np.column_stack([numbers_of(step.masked, name) for name in step.columns])
    if step.variant == "nonlinear":
        known, masked = _normal_scores(known, masked)
    means, spreads = np.array([centre_and_spread(column) for column in known.T]).T
    known, masked = (known - means) / spreads, (masked - means) / spreads
    if step.variant in ("uncorrelated", "correlated"):
        masked = masked / np.sqrt(1 + p * p)
    complete = known[~np.isnan(known).any(axis=1)]
    together = step.variant != "uncorrelated" and len(complete) > 1
    covariance = np.cov(complete, rowvar=False, bias=True) if together else np.eye(known.shape[1])
    stretch = stretching(p * p * np.atleast_2d(covariance))
    known, masked = (turned(np.nan_to_num(each), stretch) for each in (known, masked))
    back = masked * np.sqrt(1 + p * p), known
    return StepClues(clues=(Points(columns=step.columns, known=known, masked=masked, back=back),))


def _normal_scores(known: FloatArray, masked: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The normal scores of the known values, and those that the masked values come back to.

    The way back went through the distribution of the original column, which the known one is taken for.
    """
    from scipy.special import ndtri

    scores = np.empty_like(known), np.empty_like(masked)
    for place, column in enumerate(known.T):
        ordered = present(column)
        for values, score in zip((column, masked[:, place]), scores, strict=True):
            score[:, place] = ndtri(_shares(values, ordered))
    return scores


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
