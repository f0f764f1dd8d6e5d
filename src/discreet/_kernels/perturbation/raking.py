"""Weights raked to totals: iterative proportional fitting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet._kernels.arrays import Floats, Ints

MOST_ROUNDS = 1000
NEAR = 1e-10


def rake(weights: Floats, codes: Sequence[Ints], totals: Sequence[Floats]) -> Floats | None:
    """Weights whose sums over the categories of every column are the given totals; None when none are found.

    Each column in turn has its weights multiplied so that its totals hold (Deming and Stephan 1940), until all
    hold. Categories with a total of zero must have no weight.
    """
    fitted = weights.copy()
    for _ in range(MOST_ROUNDS):
        worst = 0.0
        for column, wanted in zip(codes, totals, strict=True):
            sums = np.bincount(column, weights=fitted, minlength=len(wanted))
            if ((sums <= 0) & (wanted > 0)).any():
                return None
            factors = np.divide(wanted, sums, out=np.ones(len(wanted)), where=sums > 0)
            fitted *= factors[column]
            worst = max(worst, float(np.abs(factors - 1).max(initial=0.0)))
        if worst < NEAR:
            return fitted
    return None
