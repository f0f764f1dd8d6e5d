"""Records with missing values in a k-anonymous masking: which records can be masked together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from discreet.requirement import Holdings
from discreet.table import BoolArray, IntArray

STEPS = 16
"""Company grows by one unit at first, and by a share of it from so many units on."""


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


def strata(missing: BoolArray, holdings: Holdings, rows: IntArray | None = None) -> list[Stratum]:
    """The records split by their pattern of missing values, each part with enough records to be masked by itself.

    `rows` are the records in the file that these are; all of them when left out. Missing values stay missing. A pattern
    shared by too few records would single them out, so a few others that miss less lose the same cells, in the order of
    the file, as many as are wanting. Where nobody can be spared the rarest patterns are joined, and a joined part is
    treated as missing wherever one of its records is, until it holds enough. All records together must be enough.
    """
    if not missing.any():
        return [Stratum(rows=np.arange(len(missing)), present=np.arange(missing.shape[1]))]
    own = np.arange(len(missing)) if rows is None else rows
    together = own if holdings.together is None else holdings.together[own]

    def enough(some: IntArray) -> bool:
        return holdings.reaches(own[some])

    patterns, which = np.unique(missing, axis=0, return_inverse=True)
    which = which.reshape(-1)
    parts = [_part(pattern, np.flatnonzero(which == place), enough) for place, pattern in enumerate(patterns)]
    parts.sort(key=_rarest_first)
    while len(parts) > 1 and not all(part.enough for part in parts):
        one = parts.pop(next(place for place, part in enumerate(parts) if not part.enough))
        parts = _in_company(one, parts, together, enough) or _merged_alike(one, parts.pop(0), parts, enough)
        parts.sort(key=_rarest_first)
    return [Stratum(rows=part.rows, present=np.flatnonzero(~part.pattern)) for part in parts]


def _in_company(
    one: _Part, others: list[_Part], together: IntArray, enough: Callable[[IntArray], bool]
) -> list[_Part]:
    """All parts once the first has enough, by records of one that misses less; none where no part can spare them."""
    lenders = [part for part in others if part.enough and bool((part.pattern <= one.pattern).all())]
    lenders.sort(key=lambda part: (int((one.pattern & ~part.pattern).sum()), -len(part.rows)))
    for lender in lenders:
        lent = _spared(one.rows, lender.rows, together, enough)
        if len(lent):
            left = lender._replace(rows=np.setdiff1d(lender.rows, lent))
            joined = one._replace(rows=np.sort(np.concatenate([one.rows, lent])), enough=True)
            return [joined, left, *[part for part in others if part is not lender]]
    return []


def _spared(
    short: IntArray, lender: IntArray, together: IntArray, enough: Callable[[IntArray], bool]
) -> IntArray:
    """The first records of the lender that are as many as are wanting, and leave it with enough; else none.

    Records that tell of each other go together, and only where all of them are the lender's: the blank of one is of no
    use where another tells the value.
    """
    unit = np.unique(together, return_inverse=True)[1].reshape(-1)
    whole = np.bincount(unit[lender], minlength=int(unit.max()) + 1) == np.bincount(unit)
    eligible = lender[whole[unit[lender]]]
    first = np.unique(unit[eligible], return_index=True)[1]
    starts = eligible[np.sort(first)]
    taken = 1
    while taken <= len(starts):
        lent = eligible[np.isin(unit[eligible], unit[starts[:taken]])]
        if enough(np.concatenate([short, lent])):
            left = np.setdiff1d(lender, lent)
            spared: IntArray = lent if len(left) and enough(left) else lent[:0]
            return spared
        taken += max(1, taken // STEPS)
    return lender[:0]


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
