"""Draws from the posterior of a regression and of a linear discriminant, under flat priors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Floats, Ints

SMALL = 1e-10
CELLS_AT_ONCE = 4_000_000


class Line(NamedTuple):
    """Coefficients and residual standard deviation drawn from their posterior, and the share of variance explained."""

    coefficients: Floats
    deviation: float
    explained: float


def draw_line(
    points: Floats, values: Floats, generator: np.random.Generator, counted: Floats | None = None
) -> Line | None:
    """A draw from the posterior of the regression of values on points; None where residuals have no freedom.

    Directions in which the points do not vary are left out. `counted` is how much each point counts, one on average;
    the draw is then that of the pseudo-posterior, which takes the weighted sums for those of as many plain points.
    """
    apart = values - np.average(values, weights=counted)
    if counted is not None:
        root = np.sqrt(counted)
        points, values, apart = points * root[:, None], values * root, apart * root
    spectrum, axes = np.linalg.eigh(points.T @ points)
    kept = spectrum > SMALL * max(spectrum[-1], np.finfo(np.float64).tiny)
    freedom = (len(values) if counted is None else int((counted > 0).sum())) - int(kept.sum())
    if freedom < 1:
        return None
    roots = axes[:, kept] / np.sqrt(spectrum[kept])
    best = roots @ (roots.T @ (points.T @ values))
    left = float(((values - points @ best) ** 2).sum())
    whole = float((apart**2).sum())
    deviation = float(np.sqrt(left / generator.chisquare(freedom)))
    drawn = best + deviation * (roots @ generator.standard_normal(int(kept.sum())))
    return Line(drawn, deviation, max(0.0, 1 - left / whole) if whole > 0 else 1.0)


def draw_between(
    means: Floats, deviation: float, low: float, high: float, generator: np.random.Generator
) -> Floats:
    """Normal draws around the means, each between low and high."""
    from scipy import special

    chances = generator.random(len(means))
    if deviation <= 0:
        return np.clip(means, low, high)
    # Seen from the side of its mean, an interval lies in the lower tail, where small chances keep their digits.
    sign = np.where(means >= (low + high) / 2, 1.0, -1.0)
    centre = sign * means
    first, last = np.where(sign > 0, low, -high), np.where(sign > 0, high, -low)
    with np.errstate(over="ignore"):
        below, up_to = special.ndtr((first - centre) / deviation), special.ndtr((last - centre) / deviation)
    drawn = centre + deviation * special.ndtri(below + (up_to - below) * chances)
    between: Floats = sign * np.where(up_to > 0, np.clip(drawn, first, last), last)
    return between


class Discriminant(NamedTuple):
    """Scores of classes are points @ slopes + levels; chances are proportional to their exponentials."""

    slopes: Floats
    levels: Floats


def draw_discriminant(
    points: Floats,
    codes: Ints,
    classes: int,
    generator: np.random.Generator,
    counted: Floats | None = None,
) -> Discriminant:
    """A linear discriminant with class means and shares drawn from their posterior.

    The spread inside classes is that of the data, mixed with the whole variance of each column as if that had been
    seen in as many records as there are columns: a column that tells the classes apart exactly still leaves a chance.
    `counted` is how much each point counts, one on average; every class must count something.
    """
    often = np.ones(len(points)) if counted is None else counted
    counts = np.bincount(codes, weights=often, minlength=classes)
    totals = [np.bincount(codes, weights=column * often, minlength=classes) for column in points.T]
    means = np.column_stack(totals) / counts[:, None]
    inside = (points - means[codes]) * np.sqrt(often)[:, None]
    prior = points.shape[1] + 2
    variances = np.average((points - np.average(points, axis=0, weights=often)) ** 2, axis=0, weights=often)
    spread = inside.T @ inside + prior * np.diag(variances)
    spread /= max(1, len(points) - classes) + prior
    spectrum, axes = np.linalg.eigh(spread)
    kept = spectrum > SMALL * max(float(spectrum.max(initial=0.0)), np.finfo(np.float64).tiny)
    whiten = axes[:, kept] / np.sqrt(spectrum[kept])
    drawn = means @ whiten
    drawn = drawn + generator.standard_normal(drawn.shape) / np.sqrt(counts)[:, None]
    shares = generator.gamma(counts)
    levels = np.log(np.maximum(shares, np.finfo(np.float64).tiny)) - 0.5 * (drawn**2).sum(axis=1)
    return Discriminant(whiten @ drawn.T, levels)


def draw_classes(points: Floats, by: Discriminant, generator: np.random.Generator) -> Ints:
    """A class for each point, drawn by the chances of the discriminant."""
    fresh = np.empty(len(points), dtype=np.int64)
    size = max(1, CELLS_AT_ONCE // max(1, len(by.levels)))
    for start in range(0, len(points), size):
        part = slice(start, start + size)
        scores = points[part] @ by.slopes + by.levels
        # The largest of scores with Gumbel noise is a draw by the chances, without computing them.
        fresh[part] = np.argmax(scores + generator.gumbel(size=scores.shape), axis=1)
    return fresh
