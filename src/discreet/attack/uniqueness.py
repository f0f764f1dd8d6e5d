"""Uniqueness: how many records share each combination of the keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from discreet import registry
from discreet.errors import NotComputable
from discreet.parameters import KEYS, Known
from discreet.results import Risk
from discreet.table import IntArray, Table

MEANING = (
    "the chance of the most exposed person: somebody who knows that a person is in the file and knows the "
    "quasi-identifiers finds at best this few records to choose from (1/k)"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Classes(Risk):
    """The records by their keys: `k` is the size of the smallest class, `sizes` that of each record's."""

    k: int
    sizes: IntArray

    def below(self, k: int) -> int:
        """How many records are in classes of fewer than k."""
        return int((self.sizes < k).sum())


@registry.attack(
    family="uniqueness",
    scales=registry.ANY_SCALE,
    missing="counts as a value of its own",
    meaning=MEANING,
    cites=("Samarati and Sweeney, Technical Report SRI-CSL-98-04, 1998",),
)
def k_anonymity(masked: Table, *, keys: Known = KEYS) -> Classes:
    """The k that the table reaches on the keys, and the size of each record's class."""
    if len(masked) == 0:
        raise NotComputable("k_anonymity: the table has no records, so it has no smallest class.")
    sizes = masked.frame.select(pl.len().over(keys).cast(pl.Int64).alias("size"))["size"].to_numpy()
    k = int(sizes.min())
    return Classes(
        name="k_anonymity",
        risk=1.0 / k,
        meaning=MEANING,
        names_people=True,
        records=1.0 / sizes,
        baseline=1.0 / len(masked),
        attempts=len(masked),
        level=k,
        details={
            "k": k,
            "classes": float(np.round((1.0 / sizes).sum())),
            "unique": int((sizes == 1).sum()),
            "average_chance": float((1.0 / sizes).mean()),
        },
        k=k,
        sizes=sizes,
    )
