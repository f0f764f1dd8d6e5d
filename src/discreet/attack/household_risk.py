"""Household risk: the chance that at least one member of a household is found in the population."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet._kernels.counting.classes import class_sizes
from discreet.attack.only_column import only_column
from discreet.attack.population import ABOUT_MISSING, CITES, expected_inverse, frequencies
from discreet.parameters import HOUSEHOLD, KEYS, WEIGHT, Grouping, Known, Weighing
from discreet.results import Risk, wilson
from discreet.table import FloatArray, IntArray, Table

MEANING = (
    "the average chance that at least one person of a record's household is found in the population, which gives the "
    "others away"
)


@registry.attack(
    family="uniqueness",
    title="Household risk",
    unit=registry.AVERAGE_CHANCE,
    splits=registry.Split.COUNTS,
    classes_alone=True,
    scales=registry.EVERY_SCALE,
    missing=f"{ABOUT_MISSING}; a record without a household is one of its own",
    meaning=MEANING,
    cites=CITES,
)
def household_risk(
    masked: Table, *, keys: Known = KEYS, weight: Weighing = WEIGHT, household: Grouping = HOUSEHOLD
) -> Risk:
    """The chance of each record that somebody of its household is found: one minus the chance that nobody is.

    A member with several records is found by the one with the highest chance.
    Members are taken to be found independently of each other, each with its `individual_risk`. The interval counts
    households, whose members share their chance; the baseline picks anybody of the population for each member.

    A household whose members have the risks r_i has 1 - product of (1 - r_i).

    >>> print(dc.attack.household_risk(release.table))
    household_risk: 0.3% of 400 attempts (95% interval 0.0%-2.6%; guessing 0.0%)
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
        meaning=MEANING,
        records=chance,
        interval=wilson(float(chance.mean()) * homes, homes),
        baseline=float(guessed.mean()),
        attempts=len(masked),
        details={"households": homes, "expected_households": float(chance[first].sum())},
    )


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
