"""Health, illness and benefits: what the people of the census would not want known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.demo.draw import happens, pick
from discreet.demo.households import Homes
from discreet.demo.vocabulary import BENEFITS, DIAGNOSES
from discreet.demo.work import RETIRED, STUDYING, WORKING_AGE, Work
from discreet.table import IntArray

# Where one self-rated level ends and the next begins, on a scale of spread about 1.
HEALTH_CUTS = (-2.1, -1.3, -0.4, 0.75)
AGE_BANDS = (16, 40, 65)
BURDENS = {"cancer": 1.1, "schizophrenia": 1.0, "depression": 0.8, "arthritis": 0.6, "epilepsy": 0.6}
LIGHT_BURDEN = 0.3
POOR = 12_000
NOTHING, PENSION, DOLE, DISABILITY, CHILD, GRANT, HOUSING = range(len(BENEFITS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidences:
    """The confidential answers, as places in their vocabularies."""

    health: IntArray
    diagnosis: IntArray
    benefit: IntArray


def confide(homes: Homes, work: Work, rng: np.random.Generator) -> Confidences:
    """Diagnosis by age; health by age, diagnosis and schooling; benefits by all of these and income."""
    n = len(homes)
    odds = np.array(list(DIAGNOSES.values())).T
    diagnosis = pick(rng, odds, np.digitize(homes.age, AGE_BANDS))
    burden = np.array([0.0, *(BURDENS.get(name, LIGHT_BURDEN) for name in list(DIAGNOSES)[1:])])[diagnosis]
    schooled = np.where(homes.age < 25, 0.0, 0.09 * (work.education - 3))
    feeling = 0.75 - 0.022 * (homes.age - 30) - burden + schooled + rng.normal(0, 0.85, n)
    health = np.digitize(feeling, HEALTH_CUTS)
    return Confidences(
        health=health.astype(np.int64), diagnosis=diagnosis, benefit=_benefits(homes, work, health, rng)
    )


def _benefits(homes: Homes, work: Work, health: IntArray, rng: np.random.Generator) -> IntArray:
    """The benefit a person draws; where several would be due, the one that comes first here."""
    n = len(homes)
    of_age = homes.age >= WORKING_AGE
    due = [
        ~of_age,
        of_age & (work.calling == RETIRED),
        of_age & (health <= 1) & happens(rng, np.where(work.employed, 0.15, 0.6), n),
        work.jobless & happens(rng, 0.85, n),
        of_age & homes.woman & ~homes.child & (homes.children > 0),
        of_age & (work.calling == STUDYING) & happens(rng, 0.45, n),
        of_age & (work.income < POOR) & happens(rng, 0.3, n),
    ]
    return np.select(due, [NOTHING, PENSION, DISABILITY, DOLE, CHILD, GRANT, HOUSING], NOTHING).astype(
        np.int64
    )
