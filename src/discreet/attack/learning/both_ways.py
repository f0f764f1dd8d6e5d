"""The worst case in the currency of plain linkage: expected links, from the originals to the masked rows and back.

A record whose own row is one of t nearest ones counts 1/t. Of several identical rows only one can be the right guess,
so that no way of linking is right about more records than there are different rows.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

import numpy as np

from discreet._kernels.counting.distinct import distinct_rows
from discreet.attack.learning.families import Family
from discreet.attack.learning.learn import Counted, Learned, Solved, learned_of, solve
from discreet.attack.learning.relink import MANY_PAIRS, expected_links
from discreet.progress import SILENT, Progress
from discreet.results import wilson
from discreet.seeds import Seed
from discreet.table import FloatArray

SAME = 5e-6
"""Numbers of records that differ by less are the same: what the integer programs leave open."""
LAST = 0.05
"""The share of the time that the bound on expected links may take in each direction when the searches are done."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OneWay:
    """What the best distance is expected to link in one direction, and what no distance of its kind exceeds.

    `chances` are those of the records that have a row on both sides. `most` is proven. Where a large file was learned
    from a part of its records, `limit` is one that the worst case exceeds with a chance of 2.5% at most; else None.
    """

    parameters: FloatArray
    chances: FloatArray
    most: float
    limit: float | None

    @property
    def expected(self) -> float:
        """How many records are expected to be linked to their own row."""
        return float(self.chances.sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BothWays:
    """The worst case as published, in which a tie is no success, and the expected links in both directions."""

    learned: Learned
    forth: OneWay
    back: OneWay

    @property
    def proven(self) -> bool:
        """Whether the limit is proven for all records, not drawn from a part of them."""
        return self.forth.limit is None and self.back.limit is None

    def most(self, expected: float) -> float:
        """What is proven to be the most in either direction, where so many are expected in the better one."""
        return _met(max(self.forth.most, self.back.most), expected)

    def limit(self, expected: float) -> float:
        """The same, or for directions learned from a part of the records what is exceeded with a small chance."""
        ends = [way.most if way.limit is None else way.limit for way in (self.forth, self.back)]
        return _met(max(ends), expected)


def learn_both_ways(
    known: FloatArray,
    published: FloatArray,
    pairs: int,
    family: Family,
    *,
    seconds: float,
    seed: Seed,
    progress: Progress = SILENT,
) -> BothWays:
    """The worst case of linking the first `pairs` originals to their masked rows, and those rows to the originals.

    Row i of `published` is the masked row i of `known` for the first `pairs` rows; further rows are rivals only.
    """
    until = time.monotonic() + seconds
    people, rows = (np.ascontiguousarray(each[:pairs]) for each in (known, published))
    search = partial(solve, family=family, seed=seed, progress=progress)
    alone = len(distinct_rows(published).counts) == len(published)
    strict = search(people, published, seconds=(0.6 if alone else 0.4) * seconds)
    forth = strict
    if not alone:
        hints = [strict.best.parameters]
        forth = search(people, published, shared=True, hints=hints, seconds=_rest(until) / 2)
    if len(known) < 2:
        # The only original there is is the nearest one, whatever the distance.
        back = OneWay(parameters=forth.best.parameters, chances=np.ones(pairs), most=float(pairs), limit=None)
        tried = [forth.best.parameters]
    else:
        hints = [forth.best.parameters]
        turned = search(rows, known, shared=True, hints=hints, seconds=(1 - LAST) * _rest(until))
        tried = [each.best.parameters for each in (strict, forth, turned)]
        back = _one_way(turned, rows, known, tried, LAST * seconds)
    there = _one_way(forth, people, published, tried, LAST * seconds)
    return BothWays(learned=learned_of(strict), forth=there, back=back)


def _rest(until: float) -> float:
    """The seconds that are left; never none, which no search takes."""
    return max(1e-6, until - time.monotonic())


def most_by_counting(left: FloatArray, right: FloatArray) -> float:
    """What no distance at all is expected to link of the rows of `left` to those in the same place in `right`.

    Identical rows have the same nearest ones, of which each is the own row of one of them at most: together they count
    no more than 1. A record whose own row stands t times counts no more than 1/t.
    """
    targets = distinct_rows(right)
    caps = 1.0 / targets.counts[targets.labels[: len(left)]]
    labels = distinct_rows(left).labels
    return float(np.minimum(1.0, np.bincount(labels, caps)).sum())


def _one_way(
    solved: Solved, left: FloatArray, right: FloatArray, tried: list[FloatArray], seconds: float
) -> OneWay:
    """The best of all parameters tried in this direction, and the bound that the search proves; in so many seconds."""
    quick = len(left) * len(right) <= MANY_PAIRS
    # Counting is never cut short: on a large file only what was searched for in this direction is counted.
    more = tried if quick else [] if solved.shared else [solved.best.parameters]
    counted = [Counted(each, expected_links(left, right, solved.family.distance, each)) for each in more]
    best = max([*counted, *([solved.best] if solved.shared else [])], key=lambda each: each.worth)
    counting = max(most_by_counting(left, right), best.worth)
    proven = solved.worst.most(time.monotonic() + seconds)
    if not solved.whole:
        size = solved.worst.blocks.size
        limit = len(left) * wilson(min(proven, float(size)), size)[1]
        return OneWay(
            parameters=best.parameters,
            chances=best.chances,
            most=counting,
            limit=min(counting, max(limit, best.worth)),
        )
    # More found than proven possible: by margins that proofs do not look at, so that they say nothing here.
    most = min(counting, proven) if best.worth <= proven + SAME else counting
    return OneWay(parameters=best.parameters, chances=best.chances, most=_met(most, best.worth), limit=None)


def _met(most: float, expected: float) -> float:
    """The bound, which is what is expected where no more than rounding is between them."""
    return expected if most <= expected + SAME else most
