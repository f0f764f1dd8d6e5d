"""Values replaced by the centres of groups of records, each group among those with values in the same columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from discreet.mask.centres import centres
from discreet.mask.missing import strata
from discreet.table import FloatArray, IntArray, Scale

Group = Callable[[IntArray, IntArray], IntArray]
"""From some rows, and the columns in which they have values, to the group of each row, counted from 0."""


def aggregated(
    values: FloatArray,
    scales: Sequence[Scale],
    k: int,
    method: str,
    group: Group,
    weights: FloatArray | None,
) -> tuple[FloatArray, IntArray]:
    """The values replaced by the centres of their groups, and the group of each record.

    Centres count records by their weights where given. Raises Unreachable where there are fewer than k records.
    """
    fresh = np.full_like(values, np.nan)
    label = np.zeros(len(values), dtype=np.int64)
    found = 0
    for stratum in strata(np.isnan(values), k, method):
        rows, present = stratum.rows, stratum.present
        own = np.zeros(len(rows), dtype=np.int64)
        if len(present):
            own = group(rows, present)
            kinds = [scales[place] for place in present]
            counted = None if weights is None else weights[rows]
            fresh[np.ix_(rows, present)] = centres(values[np.ix_(rows, present)], own, kinds, counted)
        label[rows] = own + found
        found += int(own.max()) + 1
    return fresh, label
