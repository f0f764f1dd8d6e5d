"""Risk in a sample: how many people of the population a published record could be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet import registry
from discreet._kernels.counting.classes import class_sizes
from discreet.classes import classes_of
from discreet.errors import BadParameter, BadValues, NotComputable
from discreet.parameters import HOUSEHOLD, KEYS, WEIGHT, Grouping, Known, Weighing
from discreet.results import Risk, wilson
from discreet.table import FloatArray, IntArray, Table

MISSING_KEYS = "a missing key counts as a value of its own; a missing weight is an error"
INDIVIDUAL_MEANING = (
    "the share of published records that somebody would link to the right person who knows the quasi-identifiers but "
    "not who was sampled, and picks one of those in the population who share them"
)
UNIQUES_MEANING = (
    "the share of published records that are estimated to be alone in the whole population with their combination of "
    "quasi-identifiers, not only in the file"
)
HOUSEHOLD_MEANING = (
    "the average chance that at least one person of a record's household is found in the population, which gives the "
    "others away"
)
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


@registry.attack(
    family="uniqueness",
    title="Individual risk",
    unit=registry.AVERAGE_CHANCE,
    splits=registry.Split.COUNTS,
    scales=registry.EVERY_SCALE,
    missing=MISSING_KEYS,
    meaning=INDIVIDUAL_MEANING,
    cites=CITES,
)
def individual_risk(masked: Table, *, keys: Known = KEYS, weight: Weighing = WEIGHT) -> Risk:
    """The chance of each record to be linked to its person in the population, from the sampling weights.

    A class of f people whose weights add up to F is taken for a sample of its people with the share p = f/F. How many
    people there are is then negative binomial, and the chance is the expected value of one over that number. The sum
    over the records is how many an intruder expects to get right who tries them all.
    """
    found = frequencies(masked, keys, weight, "individual_risk")
    chance = expected_inverse(found.sample, found.share)
    expected = float(chance.sum())
    return Risk(
        name="individual_risk",
        risk=expected / len(masked),
        meaning=INDIVIDUAL_MEANING,
        reidentifies=True,
        records=chance,
        interval=wilson(expected, len(masked)),
        baseline=1.0 / found.population,
        attempts=len(masked),
        details={"expected": expected, "highest": float(chance.max()), "population": found.population},
    )


@registry.attack(
    family="uniqueness",
    title="Population uniques",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.COUNTS,
    scales=registry.EVERY_SCALE,
    missing=MISSING_KEYS,
    meaning=UNIQUES_MEANING,
    cites=CITES,
)
def population_uniques(masked: Table, *, keys: Known = KEYS, weight: Weighing = WEIGHT) -> Risk:
    """How many records that are alone in the file are estimated to be alone in the population too.

    Under the model of `individual_risk` a record that is alone, with weight w, is alone in the population with the
    chance 1/w; a record that shares its class is not.
    """
    found = frequencies(masked, keys, weight, "population_uniques")
    chance = np.where(found.sample == 1, found.share, 0.0)
    expected = float(chance.sum())
    return Risk(
        name="population_uniques",
        risk=expected / len(masked),
        meaning=UNIQUES_MEANING,
        records=chance,
        interval=wilson(expected, len(masked)),
        baseline=1.0 / found.population,
        attempts=len(masked),
        details={"expected": expected, "alone_in_the_file": int((found.sample == 1).sum())},
    )


@registry.attack(
    family="uniqueness",
    title="Household risk",
    unit=registry.AVERAGE_CHANCE,
    splits=registry.Split.COUNTS,
    scales=registry.EVERY_SCALE,
    missing=f"{MISSING_KEYS}; a record without a household is one of its own",
    meaning=HOUSEHOLD_MEANING,
    cites=CITES,
)
def household_risk(
    masked: Table, *, keys: Known = KEYS, weight: Weighing = WEIGHT, household: Grouping = HOUSEHOLD
) -> Risk:
    """The chance of each record that somebody of its household is found: one minus the chance that nobody is.

    A member with several records is found by the one with the highest chance.
    Members are taken to be found independently of each other, each with its `individual_risk`. The interval counts
    households, whose members share their chance; the baseline picks anybody of the population for each member.
    """
    found = frequencies(masked, keys, weight, "household_risk")
    home = masked.groups(only_column(household, "household", "household_risk"))
    persons = masked.persons()
    chance = somebody_found(expected_inverse(found.sample, found.share), home, persons)
    homes = int(home.max()) + 1
    first = np.unique(home, return_index=True)[1]
    guessed = somebody_found(np.full(len(masked), 1.0 / found.population), home, persons)
    return Risk(
        name="household_risk",
        risk=float(chance.mean()),
        meaning=HOUSEHOLD_MEANING,
        records=chance,
        interval=wilson(float(chance.mean()) * homes, homes),
        baseline=float(guessed.mean()),
        attempts=len(masked),
        details={"households": homes, "expected_households": float(chance[first].sum())},
    )


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


def once_each(weights: FloatArray, persons: IntArray | None, label: IntArray | None = None) -> FloatArray:
    """Weights that add up to one weight for each person in a class, the mean where the records differ in it."""
    if persons is None:
        return weights
    pairs = persons[:, None] if label is None else np.column_stack([label, persons])
    shared: FloatArray = weights / class_sizes(np.ascontiguousarray(pairs)).sizes
    return shared


def people_in_all(table: Table, weights: FloatArray) -> float:
    """How many people the population has by the weights, and at least those in the file."""
    persons = table.persons()
    sampled = len(table) if persons is None else len(np.unique(persons))
    return max(float(once_each(weights, persons).sum()), float(sampled))


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


def at_least_one(chance: FloatArray, group: IntArray) -> FloatArray:
    """For each record the chance that at least one of its group is found, each record being one of them."""
    with np.errstate(divide="ignore"):
        nobody = np.bincount(group, weights=np.log1p(-chance))[group]
    return -np.expm1(nobody)


def somebody_found(chance: FloatArray, home: IntArray, persons: IntArray | None) -> FloatArray:
    """For each record the chance that at least one person of its home is found."""
    if persons is None:
        return at_least_one(chance, home)
    member = class_sizes(np.column_stack([home, persons])).label
    best = np.zeros(int(member.max()) + 1)
    np.maximum.at(best, member, chance)
    first = np.unique(member, return_index=True)[1]
    found = np.zeros(int(home.max()) + 1)
    found[home[first]] = at_least_one(best, home[first])
    return found[home]


def only_column(columns: Sequence[str], name: str, method: str) -> str:
    """The one column that was asked for."""
    if len(columns) != 1:
        raise BadParameter(f"{method}: {name} must be one column; got {len(columns)}.")
    return columns[0]
