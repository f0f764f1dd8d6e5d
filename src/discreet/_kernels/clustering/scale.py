"""Scaling by a power of two, so that squares neither overflow nor lose a bit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def to_unit_range(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values divided by the power of two that brings the largest magnitude into [1/2, 1).

    Such a division is exact, so that comparisons of sums and squares come out as they would without it.
    Raises ValueError where a value is not finite.
    """
    if not np.isfinite(values).all():
        raise ValueError("all values must be finite numbers")
    largest = float(np.abs(values).max(initial=0.0))
    exponent = int(np.frexp(largest)[1])
    return np.ldexp(values, -exponent)
