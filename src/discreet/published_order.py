"""The order in which the file of a release holds its records."""

from __future__ import annotations

import numpy as np

from discreet import seeds
from discreet.table import IntArray

ORDER_STREAM = (1 << 20) + 2
"""The stream of the seed that shuffles the records, beside those of the steps, which are numbered from zero."""


def published_order(records: int, order: str, seed: int) -> IntArray:
    """The rows of the release in the order in which the file holds them."""
    if order == "kept":
        return np.arange(records)
    return seeds.generator(seed, ORDER_STREAM).permutation(records)
