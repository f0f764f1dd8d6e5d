"""The likeliest category of each record, when how each release changes categories is learned on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet.attack.fusion.distances import UNKNOWN
from discreet.table import FloatArray, IntArray

ROUNDS = 500
CLOSE = 1e-8
PRIOR, KEPT = 0.01, 1.0
"""Records given beforehand to every change of a category, so that nothing seen is impossible, and to every category
that keeps its name, because maskings leave more than they change."""


class ReleaseConfusion(NamedTuple):
    """How one release changes categories: how many different outcomes it has, and either the chances with which it is
    known to change them [categories, outcomes], or what is believed beforehand: records of each change."""

    outcomes: int
    given: FloatArray | None
    believed: FloatArray


def believed(categories: int, outcomes: int, same: IntArray | None) -> FloatArray:
    """Records given beforehand to each change; `same` is the outcome with the name of each category, -1 for none."""
    records = np.full((categories, outcomes), PRIOR)
    if same is not None:
        named = np.flatnonzero(same != UNKNOWN)
        records[named, same[named]] += KEPT
    return records


def likeliest(
    codes: IntArray, counts: IntArray, votes: FloatArray, releases: Sequence[ReleaseConfusion]
) -> FloatArray:
    """The chance of each category for each distinct tuple [n, categories] (Dawid and Skene 1979).

    `codes` [n, releases] are what the releases say, -1 where nothing, each release with its own outcomes: a
    category that a masking made up tells something too. `votes` [n, categories] is the first guess. What is not
    given is estimated by expectation maximisation: from the chances of the records how each release changes
    categories, and from that the chances of the records.
    """
    chance = _first(votes, counts)
    for _ in range(ROUNDS):
        prior = counts @ chance + PRIOR
        logs = np.tile(np.log(prior / prior.sum()), (len(codes), 1))
        for place, release in enumerate(releases):
            there = np.flatnonzero(codes[:, place] != UNKNOWN)
            outcomes = codes[there, place]
            changed = release.given
            if changed is None:
                changed = _changes(chance[there], counts[there], outcomes, release.believed)
            logs[there] += np.log(np.maximum(changed, 1e-300)).T[outcomes]
        fresh = np.exp(logs - logs.max(axis=1, keepdims=True))
        fresh /= fresh.sum(axis=1, keepdims=True)
        moved = float(np.abs(fresh - chance).max(initial=0.0))
        chance = fresh
        if moved < CLOSE:
            break
    return chance


def _first(votes: FloatArray, counts: IntArray) -> FloatArray:
    """The votes of each tuple as shares; where there are none, the shares of all."""
    total = votes.sum(axis=1, keepdims=True)
    overall = counts @ votes + PRIOR
    shares: FloatArray = np.where(total > 0, votes / np.maximum(total, 1.0), overall / overall.sum())
    return shares


def _changes(chance: FloatArray, counts: IntArray, outcomes: IntArray, before: FloatArray) -> FloatArray:
    """With which chance each category became each outcome [categories, outcomes], as the tuples have it now."""
    seen = before.copy()
    weighted = chance * counts[:, None]
    for category in range(chance.shape[1]):
        seen[category] += np.bincount(outcomes, weights=weighted[:, category], minlength=before.shape[1])
    changes: FloatArray = seen / seen.sum(axis=1, keepdims=True)
    return changes
