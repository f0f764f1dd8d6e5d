"""Values that change places with others of near rank."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from discreet._kernels.perturbation.rank_swap import (
    bucket_swap_pairs,
    distribution_swap_pairs,
    order_with_random_ties,
    rank_swap_pairs,
)
from discreet.table import FloatArray, IntArray

Pairing = Callable[[int, int, np.random.Generator], IntArray]
PAIRINGS: dict[str, Pairing] = {
    "window": rank_swap_pairs,
    "buckets": bucket_swap_pairs,
    "distribution": distribution_swap_pairs,
}


def moved_by_rank(
    values: FloatArray, reach: int, pairing: Pairing, generator: np.random.Generator
) -> IntArray:
    """For each value, which value takes its place."""
    order = order_with_random_ties(values, generator)
    moved = np.empty(len(values), dtype=np.int64)
    moved[order] = order[pairing(len(values), reach, generator)]
    return moved
