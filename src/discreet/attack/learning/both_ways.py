"""The worst case in the currency of plain linkage: expected links, from the originals to the masked rows and back.

A record whose own row is one of t nearest ones counts 1/t. Of several identical rows only one can be the right guess,
so that no way of linking is right about more records than there are different rows.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from discreet._kernels.distinct import distinct_rows
from discreet.attack.learning.families import Family
from discreet.attack.learning.learn import Counted, Learned, Solved, learned_of, solve
from discreet.attack.learning.relink import expected_links
from discreet.progress import SILENT, Progress
from discreet.results import wilson
from discreet.seeds import Seed
from discreet.table import FloatArray

SAME = 5e-6
"""Numbers of records that differ by less are the same: what the integer programs leave open."""
LAST = 0.05
"""The share of the time that the bound on expected links may take when the searches are done."""


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
    began = time.monotonic()
    people, rows = (np.ascontiguousarray(each[:pairs]) for each in (known, published))
    alone = len(distinct_rows(published).counts) == len(published)

    def rest() -> float:
        return max(1e-6, seconds - (time.monotonic() - began))

    # The only original there is is the nearest one whatever the distance.
    only = OneWay(parameters=family.equal(known.shape[1]), chances=np.ones(pairs), most=pairs, limit=None)
    share = (0.6 if alone else 0.4) * seconds
    strict = solve(people, published, family, seconds=share, seed=seed, progress=progress)
    forth = strict
    if not alone:
        hints = [strict.best.parameters]
        forth = solve(
            people,
            published,
            family,
            shared=True,
            hints=hints,
            seconds=rest() / 2,
            seed=seed,
            progress=progress,
        )
    until = began + seconds
    if len(known) < 2:
        tried = [forth.best.parameters]
        there = _one_way(forth, people, published, tried, until)
        return BothWays(learned=learned_of(strict), forth=there, back=only)
    hints = [forth.best.parameters]
    back = solve(
        rows,
        known,
        family,
        shared=True,
        hints=hints,
        seconds=(1 - LAST) * rest(),
        seed=seed,
        progress=progress,
    )
    until = time.monotonic() + LAST * seconds
    both = [each.best.parameters for each in (strict, forth, back)]
    return BothWays(
        learned=learned_of(strict),
        forth=_one_way(forth, people, published, both, until),
        back=_one_way(back, rows, known, both, until + LAST * seconds),
    )


def most_by_counting(left: FloatArray, right: FloatArray) -> float:
    """What no distance at all is expected to link of the rows of `left` to their own, in the same place in `right`.

    Identical rows have the same nearest ones, of which each is the own row of one of them at most: together they count
    no more than 1. A record whose own row stands t times counts no more than 1/t.
    """
    targets = distinct_rows(right)
    caps = 1.0 / targets.counts[targets.labels[: len(left)]]
    asking = distinct_rows(left).labels
    return float(np.minimum(1.0, np.bincount(asking, caps)).sum())


def _one_way(
    solved: Solved, left: FloatArray, right: FloatArray, tried: list[FloatArray], until: float
) -> OneWay:
    """The best of all parameters tried in this direction, and the bound that the search proves."""
    distance = solved.family.distance
    counted = [Counted(each, expected_links(left, right, distance, each)) for each in tried]
    best = max(counted, key=lambda each: each.worth)
    counting = max(most_by_counting(left, right), best.worth)
    proven = solved.worst.most(until)
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
    if most <= best.worth + SAME:
        most = best.worth
    return OneWay(parameters=best.parameters, chances=best.chances, most=most, limit=None)
