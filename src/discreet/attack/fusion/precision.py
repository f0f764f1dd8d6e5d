"""How much each release of a number is off, from what its manifest says or from how far releases are apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from discreet.errors import NotComputable
from discreet.manifest import PublicManifest
from discreet.table import FloatArray

LEAST = 1e-12
"""The smallest variance of an error, as a share of that of the values: nothing is taken as exact."""


class Read(NamedTuple):
    """The values of a release as an intruder reads them, and the variance of their errors where it is published."""

    values: FloatArray
    variance: float | None


def read_published(
    values: FloatArray, manifest: PublicManifest | None, column: str, *, unit: float = 1.0
) -> Read:
    """The values with what the manifest says undone, and the variance of what it says was added.

    Noise of p standard deviations makes the variance of a column grow by 1 + p^2, so that of the noise follows from
    the published values. Noise that was shrunk back afterwards ("linear") is blown up again. Rounding to a base is
    off by a variance of base^2/12, or base^2/6 where chance decides, the values being counted in `unit`s. Of other
    methods, and of several steps on one column, nothing is known.
    """
    steps = [] if manifest is None else [step for step in manifest.steps if _touches(step, column)]
    if len(steps) != 1:
        return Read(values, None)
    method, parameters = steps[0]["method"], steps[0]["parameters"]
    spread = _variance(values)
    if method == "add_noise" and parameters["variant"] in ("uncorrelated", "correlated"):
        p2 = float(parameters["p"]) ** 2
        return Read(values, spread * p2 / (1 + p2))
    if method == "add_noise" and parameters["variant"] == "linear":
        p2 = float(parameters["p"]) ** 2
        mean = 0.0 if np.isnan(values).all() else float(np.nanmean(values))
        return Read(mean + (values - mean) * np.sqrt(1 + p2), spread * p2)
    if method == "round" and isinstance(parameters.get("base"), int | float):
        by_chance = parameters.get("variant") == "stochastic"
        return Read(values, (float(parameters["base"]) * unit) ** 2 / (6 if by_chance else 12))
    return Read(values, None)


def error_variances(values: FloatArray, published: Sequence[float | None]) -> FloatArray:
    """The variance of each release's errors [releases]; those not published from how far releases are apart.

    With independent errors the variance of the difference of two releases is the sum of theirs. The unknown ones
    are the ones of at least zero that come nearest to all these sums. Two releases with nothing published cannot be
    told apart.
    """
    count = values.shape[1]
    unknown = [place for place in range(count) if published[place] is None]
    scale = max((_variance(column) for column in values.T), default=0.0)
    found = np.array([0.0 if each is None else each for each in published])
    if unknown:
        found[unknown] = _solved(values, found, unknown)
    least = LEAST * scale if scale > 0 else 1.0
    variances: FloatArray = np.maximum(found, least)
    return variances


def _solved(values: FloatArray, known: FloatArray, unknown: list[int]) -> FloatArray:
    from scipy.optimize import nnls

    rows, sums = [], []
    for one, other in combinations(range(values.shape[1]), 2):
        both = ~np.isnan(values[:, one]) & ~np.isnan(values[:, other])
        mine = [float(place in (one, other)) for place in unknown]
        if both.sum() > 1 and any(mine):
            rows.append(mine)
            sums.append(_variance(values[both, one] - values[both, other]) - known[one] - known[other])
    if not rows or np.linalg.matrix_rank(np.array(rows)) < len(unknown):
        raise NotComputable(
            "coalition: how much the releases are off is not published and cannot be told from how far they are apart. "
            "Give weights, or a third release."
        )
    return np.asarray(nnls(np.array(rows), np.array(sums))[0], dtype=np.float64)


def _touches(step: Mapping[str, Any], column: str) -> bool:
    return column in (step["parameters"].get("columns") or ())


def _variance(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.var()) if len(known) else 0.0
