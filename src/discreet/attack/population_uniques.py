"""Population uniques: the records that nobody in the whole population has one like."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.attack.population import ABOUT_MISSING, CITES, frequencies
from discreet.parameters import KEYS, WEIGHT, Known, Weighing
from discreet.results import Risk, wilson
from discreet.table import Table

MEANING = (
    "the share of published records that are estimated to be alone in the whole population with their combination of "
    "quasi-identifiers, not only in the file"
)


@registry.attack(
    family="uniqueness",
    title="Population uniques",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.COUNTS,
    classes_alone=True,
    scales=registry.EVERY_SCALE,
    missing=ABOUT_MISSING,
    meaning=MEANING,
    cites=CITES,
)
def population_uniques(masked: Table, *, keys: Known = KEYS, weight: Weighing = WEIGHT) -> Risk:
    """How many records that are alone in the file are estimated to be alone in the population too.

    Under the model of `individual_risk` a record that is alone, with weight w, is alone in the population with the
    chance 1/w; a record that shares its class is not.

    It is P(F = 1 | f = 1) = p of the negative binomial model (Benedetti and Franconi 1998), with p = 1/w.

    >>> print(dc.attack.population_uniques(release.table))
    population_uniques: 0.0% of 400 attempts (95% interval 0.0%-1.0%; guessing 0.0%)
    """
    found = frequencies(masked, keys, weight, "population_uniques")
    chance = np.where(found.sample == 1, found.share, 0.0)
    expected = float(chance.sum())
    return Risk(
        name="population_uniques",
        risk=expected / len(masked),
        meaning=MEANING,
        records=chance,
        interval=wilson(expected, len(masked)),
        baseline=1.0 / found.population,
        attempts=len(masked),
        details={"expected": expected, "alone_in_the_file": int((found.sample == 1).sum())},
    )
