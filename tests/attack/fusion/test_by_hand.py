"""Likelihood and vote against the textbook, record by record: Dawid and Skene's expectation and maximisation."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

from discreet.attack import coalition
from discreet.attack.fusion.latent import CLOSE, KEPT, PRIOR, ROUNDS
from discreet.table import FloatArray, Table

LEVELS = ["a", "b", "c"]
Said = list[list[str | None]]


def releases(seed: int) -> Said:
    """What some releases of different strength say of each record; some say nothing, or a category made up."""
    rng = np.random.default_rng(seed)
    kept = rng.uniform(0.3, 0.95, rng.integers(2, 6))
    true = rng.choice(LEVELS, rng.integers(5, 40))
    return [
        [
            None
            if rng.random() < 0.1
            else str(one if rng.random() < share else rng.choice([*LEVELS, "made up"]))
            for share in kept
        ]
        for one in true
    ]


def tables(said: Said) -> list[Table]:
    return [
        Table.of(pl.DataFrame({"x": pl.Series(column, dtype=pl.String)}), roles={}, rest="quasi-identifier")
        for column in zip(*said, strict=True)
    ]


def textbook(said: Said, named: set[int]) -> FloatArray:
    """The chance of each level for each record; only `named` releases use the names of the levels."""
    outcomes = [sorted({cell for cell in column if cell is not None}) for column in zip(*said, strict=True)]
    votes = np.array(
        [[sum(row[place] == level for place in named) for level in LEVELS] for row in said], dtype=np.float64
    )
    overall = votes.sum(axis=0) + PRIOR
    chance = np.array([each / each.sum() if each.any() else overall / overall.sum() for each in votes])
    for _ in range(ROUNDS):
        prior = chance.sum(axis=0) + PRIOR
        fresh = np.tile(prior / prior.sum(), (len(said), 1))
        for place, names in enumerate(outcomes):
            changes = np.array(
                [[PRIOR + KEPT * (place in named and level == name) for name in names] for level in LEVELS]
            )
            for row, chances in zip(said, chance, strict=True):
                if (cell := row[place]) is not None:
                    changes[:, names.index(cell)] += chances
            changes /= changes.sum(axis=1, keepdims=True)
            for record, row in enumerate(said):
                if (cell := row[place]) is not None:
                    fresh[record] *= changes[:, names.index(cell)]
        fresh /= fresh.sum(axis=1, keepdims=True)
        moved, chance = np.abs(fresh - chance).max(), fresh
        if moved < CLOSE:
            break
    return chance


@pytest.mark.parametrize("renamed", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_the_likeliest_category_is_that_of_the_textbook(seed: int, renamed: bool) -> None:
    said = releases(seed)
    strange = {len(said[0]) - 1} if renamed else set()
    if renamed:
        said = [[*row[:-1], None if row[-1] is None else f"new {row[-1]}"] for row in said]
    found = coalition(tables(said), column="x", by="likelihood", levels=LEVELS, renamed=list(strange) or None)
    chance = textbook(said, set(range(len(said[0]))) - strange)
    for row, value, chances in zip(said, found.values, chance, strict=True):
        if not any(row):
            assert value is None
        else:
            assert chances[LEVELS.index(value)] == pytest.approx(chances.max(), abs=1e-5)


@pytest.mark.parametrize("seed", range(12))
def test_a_vote_that_is_tied_goes_to_the_category_most_frequent_in_all_releases(seed: int) -> None:
    said = releases(seed)
    overall = Counter(cell for row in said for cell in row if cell in LEVELS)
    found = coalition(tables(said), column="x", by="vote", levels=LEVELS)
    for row, value in zip(said, found.values, strict=True):
        votes = Counter(cell for cell in row if cell in LEVELS)
        most = [level for level in LEVELS if votes and votes[level] == max(votes.values())]
        assert value == (max(most, key=lambda level: overall[level]) if most else None)
