"""The people behind records: those in the file, and those in the population by the sampling weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet._kernels.counting.classes import class_sizes
from discreet.attack.only_column import only_column
from discreet.classes import classes_of
from discreet.errors import BadValues, NotComputable
from discreet.table import FloatArray, IntArray, Table

ABOUT_MISSING = "a missing key counts as a value of its own; a missing weight is an error"
CITES = (
    "Benedetti and Franconi, Pre-proceedings of New Techniques and Technologies for Statistics, 1998",
    "Franconi and Polettini, LNCS 3050, 2004",
)
MANY = 40
TERMS = 64
"""From so many records in a class, or where at least half of it was sampled, so many terms leave less than a rounding
error."""


class Frequencies(NamedTuple):
    """Of each record's class: its people in the file, the share of its people that were sampled; and all people."""

    sample: IntArray
    share: FloatArray
    population: float


def frequencies(table: Table, keys: Sequence[str], weight: Sequence[str], method: str) -> Frequencies:
    """How often each record's combination of keys occurs in the file, and the share that these are of its people."""
    if len(table) == 0:
        raise NotComputable(f"{method}: the table has no records, so there is nobody to find.")
    weights = weights_in(table, only_column(weight, "weight", method))
    classes = classes_of(table, keys)
    persons = table.persons()
    people = np.bincount(classes.label, weights=once_each(weights, persons, classes.label))[classes.label]
    # Weights below one would make a class larger in the sample than in the population.
    share = classes.sizes / np.maximum(people, classes.sizes)
    return Frequencies(classes.sizes, share, people_in_all(table, weights))


def number_of_people(table: Table) -> int:
    """How many people the records of a table are about."""
    persons = table.persons()
    return len(table) if persons is None else len(np.unique(persons))


def once_each(weights: FloatArray, persons: IntArray | None, label: IntArray | None = None) -> FloatArray:
    """Weights that add up to one weight for each person in a class, the mean where the records differ in it."""
    if persons is None:
        return weights
    pairs = persons[:, None] if label is None else np.column_stack([label, persons])
    shared: FloatArray = weights / class_sizes(np.ascontiguousarray(pairs)).sizes
    return shared


def people_in_all(table: Table, weights: FloatArray) -> float:
    """How many people the population has by the weights, and at least those in the file."""
    return max(float(once_each(weights, table.persons()).sum()), float(number_of_people(table)))


def weights_in(table: Table, column: str) -> FloatArray:
    """The sampling weights in a column; BadValues where one is missing or negative."""
    weights = table.numbers([column])[:, 0]
    bad = int((~np.isfinite(weights) | (weights < 0)).sum())
    if bad:
        raise BadValues(f"weight column '{column}' has {bad} missing or negative values.")
    return weights


def expected_inverse(sample: IntArray, share: FloatArray) -> FloatArray:
    """The expected value of 1/F where F is negative binomial: the draws until `sample` successes of chance `share`.

    Benedetti and Franconi give (p^f / f) 2F1(f, f; f+1; 1-p), which Euler's transformation turns into
    (p / f) 2F1(1, 1; f+1; 1-p). Its power series needs few terms where f is large or p is not small; elsewhere the
    values follow from that of f = 1 by r(f+1) = (p/q) (1/f - r(f)), where errors shrink by p/q at every step.
    """
    by_series = (share >= 0.5) | (sample >= MANY)
    chance = np.empty(len(sample))
    chance[by_series] = _by_series(sample[by_series], share[by_series])
    chance[~by_series] = _by_steps(sample[~by_series], share[~by_series])
    return np.minimum(chance, 1.0 / sample)


def _by_series(sample: IntArray, share: FloatArray) -> FloatArray:
    missed = 1.0 - share
    term, total = np.ones(len(sample)), np.ones(len(sample))
    for place in range(1, TERMS):
        term *= place * missed / (sample + place)
        total += term
    return share / sample * total


def _by_steps(sample: IntArray, share: FloatArray) -> FloatArray:
    odds = share / (1.0 - share)
    current = -np.log(share) * odds
    chance = current.copy()
    for reached in range(2, int(sample.max(initial=1)) + 1):
        current = odds * (1.0 / (reached - 1) - current)
        chance = np.where(sample == reached, current, chance)
    return chance
