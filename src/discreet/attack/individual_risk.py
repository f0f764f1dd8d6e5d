"""Individual risk: how many people of the population a published record could be."""

from __future__ import annotations

from discreet import registry
from discreet.attack.population import ABOUT_MISSING, CITES, expected_inverse, frequencies
from discreet.parameters import KEYS, WEIGHT, Known, Weighing
from discreet.results import Risk, wilson
from discreet.table import Table

MEANING = (
    "the share of published records that somebody would link to the right person who knows the quasi-identifiers but "
    "not who was sampled, and picks one of those in the population who share them"
)


@registry.attack(
    family="uniqueness",
    title="Individual risk",
    unit=registry.AVERAGE_CHANCE,
    splits=registry.Split.COUNTS,
    classes_alone=True,
    scales=registry.EVERY_SCALE,
    missing=ABOUT_MISSING,
    meaning=MEANING,
    cites=CITES,
)
def individual_risk(masked: Table, *, keys: Known = KEYS, weight: Weighing = WEIGHT) -> Risk:
    """The chance of each record to be linked to its person in the population, from the sampling weights.

    A class of f people whose weights add up to F is taken for a sample of its people with the share p = f/F. How many
    people there are is then negative binomial, and the chance is the expected value of one over that number. The sum
    over the records is how many an intruder expects to get right who tries them all.

    That value is (p^f / f) 2F1(f, f; f+1; 1-p), with the hypergeometric function 2F1 (Benedetti and Franconi 1998).

    >>> print(dc.attack.individual_risk(release.table))
    individual_risk: 0.1% of 400 attempts (95% interval 0.0%-1.1%; guessing 0.0%)
    """
    found = frequencies(masked, keys, weight, "individual_risk")
    chance = expected_inverse(found.sample, found.share)
    expected = float(chance.sum())
    return Risk(
        name="individual_risk",
        risk=expected / len(masked),
        meaning=MEANING,
        reidentifies=True,
        records=chance,
        interval=wilson(expected, len(masked)),
        baseline=1.0 / found.population,
        attempts=len(masked),
        details={"expected": expected, "highest": float(chance.max()), "population": found.population},
    )
