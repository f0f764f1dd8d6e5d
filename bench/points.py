"""Points to measure on: correlated, skewed or without any structure."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

FACTORS = 3
NOISE = 0.5
SKEW = 0.8


def correlated(
    n: int, d: int, *, seed: int, kind: Literal["factor", "skew", "iso"] = "factor"
) -> NDArray[np.float64]:
    """n points of d columns as one contiguous array, the same for the same seed.

    "factor" columns share three hidden factors, as the answers of a survey do; "skew" are the exponentials of
    such columns, as sums of money are; "iso" are independent normal columns, where no index helps.
    """
    if kind not in ("factor", "skew", "iso"):
        raise ValueError(f"kind must be factor, skew or iso; got {kind!r}")
    rng = np.random.default_rng(seed)
    if kind == "iso":
        return rng.normal(size=(n, d))
    loadings = rng.normal(size=(FACTORS, d))
    points: NDArray[np.float64] = rng.normal(size=(n, FACTORS)) @ loadings + NOISE * rng.normal(size=(n, d))
    if kind == "factor":
        return points
    spread = np.sqrt((loadings**2).sum(axis=0) + NOISE**2)
    return np.asarray(np.exp(SKEW * points / spread), dtype=np.float64)
