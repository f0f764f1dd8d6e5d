"""What somebody finds who has read in the manifest how a file was masked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from discreet.attack.clues.search import Narrowed
from discreet.attack.points import ROUNDING
from discreet.attack.records import sampled, shared_by_twins
from discreet.results import Risk, wilson
from discreet.table import FloatArray, IntArray

MEANING = (
    "the share of published records that an intruder links to the right person who knows the true values of the "
    "quasi-identifiers and has read in the manifest how they were masked"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disclosed(Risk):
    """What reading the manifest achieved.

    `candidates[i]` is how many masked records the clues leave for the person of masked record i, 0 where they
    contradict each other. `certain` people have one that is sure to be theirs.
    """

    certain: int
    candidates: IntArray = field(repr=False)


class Told(NamedTuple):
    """What kind of clue each column gives, why others give none, and which file's records look for a partner."""

    kinds: Mapping[str, str]
    silent: Mapping[str, str]
    direction: str = "original to masked"

    def with_back(self, chance: FloatArray, back: Narrowed, twins: IntArray) -> tuple[Told, FloatArray]:
        """What is told, and the chances, of the direction that finds more.

        `back` is what masked records found that look for people; those with the same number among `twins` are alike,
        and share their chances.
        """
        other = shared_by_twins(chances(back), twins, np.ones(len(twins), dtype=bool))
        if other.sum() <= chance.sum() + ROUNDING:
            return self, chance
        return self._replace(direction="masked to original"), other


def disclosed(
    found: Narrowed, surely: Narrowed, chance: FloatArray, told: Told, places: IntArray, count: int, of: int
) -> Disclosed:
    """The result; `surely` is what the sure clues alone leave.

    `places` are those of the people among `count` that chances are told of; the file has `of` records.
    """
    single = found.sizes == 1
    certain = int(((surely.sizes == 1) & surely.inside).sum())
    expected, attempts = float(chance.sum()), len(places)
    records, candidates = np.zeros(count), np.zeros(count, dtype=np.int64)
    records[places], candidates[places] = chance, found.sizes
    return Disclosed(
        name="transparency",
        risk=expected / attempts,
        meaning=MEANING,
        reidentifies=True,
        records=records,
        interval=wilson(expected, attempts),
        baseline=1.0 / of,
        attempts=attempts,
        failed=int((found.sizes == 0).sum()),
        details={
            "clues": dict(told.kinds),
            "no_clue": dict(told.silent),
            "certain": certain,
            "single_candidates": int(single.sum()),
            "single_candidates_right": int((single & found.inside).sum()),
            "median_candidates": float(np.median(found.sizes)),
            "true_record_ruled_out": int((~found.inside).sum()),
            "contradictions": int((found.sizes == 0).sum()),
            "direction": told.direction,
        },
        certain=certain,
        candidates=candidates,
    )


def sample_told(result: Disclosed, untried: IntArray, tried: int, people: int) -> Disclosed:
    """The result where a sample of the people speaks for all; those `untried` have no chance of their own."""
    if tried == people or result.records is None:
        return result
    records = result.records.copy()
    records[untried] = np.nan
    return replace(result, records=records, details={**result.details, **sampled(tried, people)})


def chances(found: Narrowed) -> FloatArray:
    """The chance of each person to be linked rightly."""
    chance: FloatArray = np.where(found.hit, 1.0 / np.maximum(found.ties, 1), 0.0)
    return chance
