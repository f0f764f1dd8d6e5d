"""Records with missing values in a k-anonymous masking: which records can be masked together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from discreet.table import BoolArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """Records that have the same columns present, and those columns."""

    rows: IntArray
    present: IntArray


class _Part(NamedTuple):
    """A pattern of missing values, the records that have it, and whether they may be masked by themselves."""

    pattern: BoolArray
    rows: IntArray
    enough: bool


def strata(missing: BoolArray, enough: Callable[[IntArray], bool]) -> list[Stratum]:
    """The records split by their pattern of missing values, each part with enough records to be masked by itself.

    Missing values stay missing. A pattern shared by too few records would single them out, so the rarest patterns are
    joined, and a joined part is treated as missing wherever one of its records is, until it holds enough. All records
    together must be enough.
    """
    if not missing.any():
        return [Stratum(rows=np.arange(len(missing)), present=np.arange(missing.shape[1]))]
    patterns, which = np.unique(missing, axis=0, return_inverse=True)
    which = which.reshape(-1)
    parts = [_part(pattern, np.flatnonzero(which == place), enough) for place, pattern in enumerate(patterns)]
    parts.sort(key=_rarest_first)
    while len(parts) > 1 and not all(part.enough for part in parts):
        one = parts.pop(next(place for place, part in enumerate(parts) if not part.enough))
        other = parts.pop(0)
        parts = _merged_alike(one, other, parts, enough)
        parts.sort(key=_rarest_first)
    return [Stratum(rows=part.rows, present=np.flatnonzero(~part.pattern)) for part in parts]


def _part(pattern: BoolArray, rows: IntArray, enough: Callable[[IntArray], bool]) -> _Part:
    return _Part(pattern, rows, enough(rows))


def _rarest_first(part: _Part) -> tuple[int, int]:
    return len(part.rows), int(part.rows[0])


def _merged_alike(
    one: _Part, other: _Part, rest: list[_Part], enough: Callable[[IntArray], bool]
) -> list[_Part]:
    """Two parts as one, with a third that has the pattern of both together."""
    pattern = one.pattern | other.pattern
    same = [part for part in rest if bool((part.pattern == pattern).all())]
    rows = np.sort(np.concatenate([part.rows for part in (one, other, *same)]))
    kept = [part for part in rest if not bool((part.pattern == pattern).all())]
    return [_part(pattern, rows, enough), *kept]
