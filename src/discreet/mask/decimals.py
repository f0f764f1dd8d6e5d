"""Numbers written like those of their column: as many decimals, and no more."""

from __future__ import annotations

import numpy as np

from discreet.table import FloatArray

MOST = 6
"""Columns with more decimals than this are taken as measured without steps."""


def decimals_of(values: FloatArray) -> int | None:
    """How many decimals the values have, missing left out; None when they have more than can be told.

    >>> decimals_of(np.array([1.5, 20.25, np.nan]))
    2
    """
    present = values[~np.isnan(values)]
    for places in range(MOST + 1):
        if (np.round(present, places) == present).all():
            return places
    return None


def written_like(values: FloatArray, fresh: FloatArray) -> FloatArray:
    """The fresh numbers rounded to as many decimals as the values have."""
    places = decimals_of(values)
    return fresh if places is None else np.round(fresh, places)
