"""Records with missing values in a k-anonymous masking: which records can be masked together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.errors import Unreachable
from discreet.table import BoolArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """Records that have the same columns present, and those columns."""

    rows: IntArray
    present: IntArray


def strata(missing: BoolArray, k: int, method: str) -> list[Stratum]:
    """The records split by their pattern of missing values, each part with at least k records.

    Missing values stay missing. A pattern shared by fewer than k records would single them out, so the rarest
    patterns are joined, and a joined part is treated as missing wherever one of its records is, until it holds k.
    """
    if len(missing) < k:
        raise Unreachable(
            f"{method}: k={k} needs at least {k} records and the table has {len(missing)}. Lower k or add records."
        )
    if not missing.any():
        return [Stratum(rows=np.arange(len(missing)), present=np.arange(missing.shape[1]))]
    patterns, which = np.unique(missing, axis=0, return_inverse=True)
    which = which.reshape(-1)
    parts = [(pattern, np.flatnonzero(which == place)) for place, pattern in enumerate(patterns)]
    parts.sort(key=lambda part: (len(part[1]), part[1][0]))
    while len(parts) > 1 and len(parts[0][1]) < k:
        (one, rows), (other, more) = parts[0], parts[1]
        parts = [(one | other, np.sort(np.concatenate([rows, more]))), *parts[2:]]
        parts = _merged_alike(parts)
        parts.sort(key=lambda part: (len(part[1]), part[1][0]))
    return [Stratum(rows=rows, present=np.flatnonzero(~pattern)) for pattern, rows in parts]


def _merged_alike(parts: list[tuple[BoolArray, IntArray]]) -> list[tuple[BoolArray, IntArray]]:
    """Parts with the same pattern as one part."""
    merged: dict[bytes, tuple[BoolArray, IntArray]] = {}
    for pattern, rows in parts:
        key = pattern.tobytes()
        if key in merged:
            rows = np.sort(np.concatenate([merged[key][1], rows]))
        merged[key] = (pattern, rows)
    return list(merged.values())
