"""Families of distributions: fitted to a column, compared by Kolmogorov-Smirnov, and drawn from in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from discreet.table import FloatArray, IntArray

EULER = 0.5772156649015329


class Density(Protocol):
    """What is asked of a fitted density."""

    def cdf(self, values: FloatArray, /) -> FloatArray: ...

    def ppf(self, chances: FloatArray, /) -> FloatArray: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A fitted family and its Kolmogorov-Smirnov distance to the values it was fitted to."""

    family: str
    density: Density
    distance: float


def fit_density(ranked: FloatArray, families: tuple[str, ...]) -> Fitted | None:
    """The family nearest to the sorted values, the first of equally near ones; None when none can be fitted.

    The values must be finite and not all equal.
    """
    best: Fitted | None = None
    with np.errstate(all="ignore"):
        for family in families:
            density = DENSITIES[family](ranked)
            if density is None:
                continue
            distance = kolmogorov_smirnov(ranked, density)
            if np.isfinite(distance) and (best is None or distance < best.distance):
                best = Fitted(family=family, density=density, distance=distance)
    return best


def kolmogorov_smirnov(ranked: FloatArray, density: Density) -> float:
    """The largest difference between the share of the sorted values up to a point and the density's chance of it."""
    count = len(ranked)
    chance = np.asarray(density.cdf(ranked))
    above = np.arange(1, count + 1) / count - chance
    below = chance - np.arange(count) / count
    return float(max(above.max(), below.max()))


def draw_in_order(
    density: Density, count: int, bounds: tuple[float, float] | None, generator: np.random.Generator
) -> FloatArray:
    """Sorted draws from a density, between the bounds where they are given."""
    chances = np.sort(generator.random(count))
    with np.errstate(all="ignore"):
        if bounds is None:
            return np.asarray(density.ppf(chances))
        low, high = np.asarray(density.cdf(np.array(bounds)))
        return np.clip(density.ppf(low + (high - low) * chances), *bounds)


def _normal(x: FloatArray) -> Density | None:
    from scipy import stats

    return _if_finite(stats.norm, loc=x.mean(), scale=x.std())


def _lognormal(x: FloatArray) -> Density | None:
    from scipy import stats

    if x[0] <= 0:
        return None
    logs = np.log(x)
    return _if_finite(stats.lognorm, s=logs.std(), scale=np.exp(logs.mean()))


def _exponential(x: FloatArray) -> Density | None:
    from scipy import stats

    return _if_finite(stats.expon, loc=x[0], scale=x.mean() - x[0])


def _uniform(x: FloatArray) -> Density | None:
    from scipy import stats

    return _if_finite(stats.uniform, loc=x[0], scale=x[-1] - x[0])


def _gamma(x: FloatArray) -> Density | None:
    """By maximum likelihood: Minka's Newton steps for the shape, from his first guess."""
    from scipy import special, stats

    if x[0] <= 0:
        return None
    gap = float(np.log(x.mean()) - np.log(x).mean())
    if gap <= 0:
        return None
    shape = (3 - gap + np.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)
    for _ in range(6):
        slope = 1 / shape - special.polygamma(1, shape)
        shape = 1 / (1 / shape + (-gap + np.log(shape) - special.digamma(shape)) / (shape**2 * slope))
    return _if_finite(stats.gamma, a=shape, scale=x.mean() / shape)


def _weibull(x: FloatArray) -> Density | None:
    """By maximum likelihood, the shape as the root of its equation."""
    from scipy import optimize, stats

    if x[0] <= 0:
        return None
    logs = np.log(x) - np.log(x[-1])
    mean = logs.mean()

    def equation(shape: float) -> float:
        weight = np.exp(shape * logs)
        return float((weight @ logs) / weight.sum() - 1 / shape - mean)

    if not equation(1e-3) < 0 < equation(1e3):
        return None
    shape = float(optimize.brentq(equation, 1e-3, 1e3))
    return _if_finite(stats.weibull_min, c=shape, scale=x[-1] * np.exp(shape * logs).mean() ** (1 / shape))


def _logistic(x: FloatArray) -> Density | None:
    from scipy import stats

    return _if_finite(stats.logistic, loc=x.mean(), scale=x.std() * np.sqrt(3) / np.pi)


def _laplace(x: FloatArray) -> Density | None:
    from scipy import stats

    middle = np.median(x)
    return _if_finite(stats.laplace, loc=middle, scale=np.abs(x - middle).mean())


def _gumbel(x: FloatArray) -> Density | None:
    from scipy import stats

    scale = x.std() * np.sqrt(6) / np.pi
    return _if_finite(stats.gumbel_r, loc=x.mean() - EULER * scale, scale=scale)


def _beta(x: FloatArray) -> Density | None:
    """By moments, between the smallest and the largest value."""
    from scipy import stats

    width = x[-1] - x[0]
    mean, spread = (x.mean() - x[0]) / width, x.var() / width**2
    both = mean * (1 - mean) / spread - 1
    return _if_finite(stats.beta, a=mean * both, b=(1 - mean) * both, loc=x[0], scale=width)


def _if_finite(family: Callable[..., Density], **parameters: float) -> Density | None:
    """The density with these parameters, when it has them: all finite, shapes and scales above zero."""
    for name, value in parameters.items():
        if not np.isfinite(value) or (name != "loc" and value <= 0):
            return None
    return family(**parameters)


DENSITIES: dict[str, Callable[[FloatArray], Density | None]] = {
    "normal": _normal,
    "lognormal": _lognormal,
    "exponential": _exponential,
    "uniform": _uniform,
    "gamma": _gamma,
    "weibull": _weibull,
    "logistic": _logistic,
    "laplace": _laplace,
    "gumbel": _gumbel,
    "beta": _beta,
}

COUNTS = ("uniform", "binomial", "poisson", "geometric")
"""Families of the places 0, 1, 2, … of ordered levels, cut off at the last level."""


def fit_counts(counts: IntArray, families: tuple[str, ...]) -> tuple[str, FloatArray, float]:
    """The family of places nearest to these counts of levels, its chances, and its Kolmogorov-Smirnov distance."""
    shares = counts / counts.sum()
    fitted = [(family, _chances(family, shares)) for family in families]
    away = [float(np.abs(np.cumsum(chances) - np.cumsum(shares)).max()) for _, chances in fitted]
    nearest = int(np.argmin(away))
    return fitted[nearest][0], fitted[nearest][1], away[nearest]


def _chances(family: str, shares: FloatArray) -> FloatArray:
    """The chances of the places under a family with the mean of the shares."""
    from scipy import stats

    places = np.arange(len(shares))
    mean = float(places @ shares)
    if family == "uniform":
        chances = np.ones(len(shares))
    elif family == "binomial":
        chances = stats.binom.pmf(places, max(1, len(shares) - 1), min(1.0, mean / max(1, len(shares) - 1)))
    elif family == "poisson":
        chances = stats.poisson.pmf(places, mean)
    else:
        chances = stats.geom.pmf(places + 1, 1 / (1 + mean))
    normalised: FloatArray = chances / chances.sum()
    return normalised
