"""Twelve farmers, small enough to count by hand, and a masked file of them."""

from __future__ import annotations

import numpy as np
import polars as pl

from discreet.table import Table

FARMERS = pl.DataFrame(
    {
        "age": [23, 25, 31, 34, 38, 41, 47, 52, 58, 63, 66, 71],
        "income": [11.0, 14.5, 18.0, 20.5, 22.0, 27.5, 30.0, 33.5, 41.0, 52.0, 24.5, 16.0],
        "school": ["low", "mid", "mid", "high", "mid", "high", "low", "mid", "high", "high", "low", None],
        "town": ["A", "A", "B", "B", "A", "C", "C", "A", "B", "B", "C", "A"],
        "animal": ["dog", "cat", "dog", "eagle", "cat", "dog", "cat", "eagle", "dog", "cat", "dog", "cat"],
        "ill": ["yes", "no", "no", "no", "yes", "no", "no", "yes", "no", "no", "yes", "no"],
        "home": [1, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8],
        "w": [2.0, 2.0, 5.0, 5.0, 3.0, 1.0, 1.0, 4.0, 2.5, 2.5, 8.0, 6.0],
    }
)
MASKED = FARMERS.with_columns(
    pl.Series("age", [24, 24, 32, 32, 40, 40, 50, 50, 60, 60, 68, 68]),
    pl.Series("income", [12.0, 14.0, 18.5, 20.0, 22.0, 28.0, 30.0, 35.0, 40.0, 45.0, 24.0, 16.0]),
    pl.Series(
        "school", ["low", "low", "mid", "high", "mid", "high", "low", "mid", "high", "mid", "low", None]
    ),
    pl.Series("town", ["A", None, "B", "B", "A", "C", "C", "B", "B", "B", "C", None]),
    pl.Series(
        "animal",
        ["dog", "cat", "mammal", "eagle", "cat", "dog", "dog", "eagle", "dog", "cat", "mammal", "cat"],
    ),
)
ROLES = {"ill": "confidential", "home": "household", "w": "weight"}
TRUTH = np.arange(len(FARMERS))


def farm(frame: pl.DataFrame, **roles: str) -> Table:
    """The farmers as a table: five quasi-identifiers, an illness, households and sampling weights."""
    return Table.of(
        frame,
        roles={**ROLES, **roles},
        rest="quasi-identifier",
        scales={"age": "numeric", "income": "numeric"},
        orders={"school": ["low", "mid", "high"]},
    )
