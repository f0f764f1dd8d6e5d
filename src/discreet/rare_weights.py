"""Sampling weights that few people share: they follow from the design, so they can say who somebody is."""

from __future__ import annotations

import numpy as np
import polars as pl

from discreet.table import IntArray

FEW_SHARE = 10
"""A weight that fewer people than this share is rare; those of one household share theirs and count as one."""
NEARLY_UNIQUE = 0.5
"""From this share of records with a rare weight on, weights are nearly unique and are attacked as a key."""


def rare_share(weights: pl.Series, households: IntArray | None = None, few: int = FEW_SHARE) -> float:
    """The share of the records whose weight fewer than `few` people, or households, have; a missing weight is not rare.

    >>> rare_share(pl.Series([1.0, 1.0, 1.0, 2.5]), few=3)
    0.25
    """
    if len(weights) == 0:
        return 0.0
    who = np.arange(len(weights)) if households is None else households
    frame = pl.DataFrame({"weight": weights, "who": who})
    rare = frame.select((pl.col("who").n_unique().over("weight") < few) & pl.col("weight").is_not_null())
    return float(rare.to_series().sum()) / len(weights)
