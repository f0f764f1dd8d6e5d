"""Schooling, work and money, as they hang together with age, sex and region."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.demo.draw import happens, pick
from discreet.demo.households import Homes
from discreet.demo.vocabulary import EDUCATION, HOMEMAKER, OCCUPATIONS, PENSIONER, REGIONS, STUDENT
from discreet.table import BoolArray, FloatArray, IntArray

WORKING_AGE = 16
PENSION_AGE = 66
FULL_WEEK = 38
CALLINGS = (*(each.name for each in OCCUPATIONS), STUDENT, PENSIONER, HOMEMAKER)
STUDYING, RETIRED, KEEPING_HOUSE = (CALLINGS.index(each) for each in (STUDENT, PENSIONER, HOMEMAKER))
NO_CALLING = 0

# Where one level of schooling ends and the next begins, on a scale of spread 1.
EDUCATION_CUTS = (-2.3, -1.5, -0.6, 0.3, 0.75, 1.4, 2.2)
# The level nobody can have passed before an age: at 12, 16, 18, 21, 23, 26.
EDUCATION_AGES = (12, 16, 18, 21, 23, 26)
EDUCATION_CAPS = (0, 1, 2, 4, 5, 6, 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What people learned, do and earn. `calling` means nothing, and income is 0, where `child` is true."""

    education: IntArray
    calling: IntArray
    child: BoolArray
    employed: BoolArray
    jobless: BoolArray
    hours: IntArray
    commute: IntArray
    income: IntArray
    rent: IntArray


def employ(homes: Homes, rng: np.random.Generator) -> Work:
    """The schooling, occupation, hours, income, rent and way to work of these people."""
    n = len(homes)
    child = homes.age < WORKING_AGE
    education = _education(homes, rng)
    job = _jobs(education, homes.woman, rng)
    calling = _callings(homes, education, job, rng)
    working = ~child & (calling < len(OCCUPATIONS))
    jobless = working & happens(rng, np.float64(0.10) - 0.011 * education, n)
    employed = working & ~jobless
    hours = np.where(employed, _hours(homes, rng), 0)
    income = np.where(child, 0, _incomes(homes, education, calling, employed, jobless, hours, rng))
    return Work(
        education=education,
        calling=np.where(child, NO_CALLING, calling),
        child=child,
        employed=employed,
        jobless=jobless,
        hours=hours,
        commute=np.where(employed, _commutes(homes, rng), 0),
        income=income,
        rent=_rents(homes, income, rng),
    )


def _education(homes: Homes, rng: np.random.Generator) -> IntArray:
    """Members of a household resemble each other, and the young went to school for longer."""
    n = len(homes)
    shared = rng.normal(size=n)[homes.first]
    urban = np.array([each.log_wage for each in REGIONS])[homes.region]
    leaning = 0.6 * shared + 0.8 * rng.normal(size=n) + 0.018 * (45 - homes.age) + urban
    reached = np.digitize(leaning, EDUCATION_CUTS)
    cap = np.array(EDUCATION_CAPS)[np.digitize(homes.age, EDUCATION_AGES)]
    # All children are at the level of their age: school is compulsory.
    return np.where(homes.age < WORKING_AGE, cap, np.minimum(reached, cap)).astype(np.int64)


def _jobs(education: IntArray, woman: BoolArray, rng: np.random.Generator) -> IntArray:
    """An occupation for everyone, as if all worked."""
    level = np.digitize(
        education, [EDUCATION.index(each) for each in ("upper secondary", "bachelor", "master")]
    )
    schooling = np.array([each.schooling for each in OCCUPATIONS]).T
    women = np.array([each.women for each in OCCUPATIONS])
    odds = np.stack([schooling * (1 - women), schooling * women], axis=1).reshape(-1, len(OCCUPATIONS))
    return pick(rng, odds, 2 * level + woman)


def _callings(homes: Homes, education: IntArray, job: IntArray, rng: np.random.Generator) -> IntArray:
    """The job, or student, pensioner or homemaker."""
    n, age = len(homes), homes.age
    studies = np.select([age < 18, age < 22, age < 26, age < 30], [0.93, 0.52, 0.22, 0.06], 0.004) * np.where(
        education >= EDUCATION.index("lower secondary"), 1.0, 0.5
    )
    retires = np.select([age >= 75, age >= PENSION_AGE, age >= 60], [0.98, 0.88, 0.28], 0.0)
    keeps_house = np.where(homes.woman, 0.05 + 0.06 * np.minimum(homes.children, 2), 0.012)
    keeps_house = np.where(homes.child, 0.0, keeps_house)
    calling = np.where(happens(rng, keeps_house, n), KEEPING_HOUSE, job)
    calling = np.where(happens(rng, studies, n), STUDYING, calling)
    return np.where(happens(rng, retires, n), RETIRED, calling).astype(np.int64)


def _hours(homes: Homes, rng: np.random.Generator) -> IntArray:
    """Weekly hours: most work a full week, mothers often less, some far more."""
    n = len(homes)
    part_time = np.where(homes.woman, 0.18 + 0.12 * np.minimum(homes.children, 2), 0.08)
    part_time = np.where(homes.age >= PENSION_AGE, 0.7, part_time)
    kind = np.where(happens(rng, part_time, n), 0, 1 + pick(rng, (68, 32), np.zeros(n, dtype=np.int64)))
    usual = np.select([kind == 0, kind == 1], [rng.normal(22, 5, n), rng.normal(FULL_WEEK, 1.3, n)])
    return np.where(kind == 2, FULL_WEEK + rng.gamma(2.0, 4.0, n), usual).clip(4, 80).astype(np.int64)


def _incomes(
    homes: Homes,
    education: IntArray,
    calling: IntArray,
    employed: BoolArray,
    jobless: BoolArray,
    hours: IntArray,
    rng: np.random.Generator,
) -> IntArray:
    """Yearly income: a wage with a long tail, a pension, or what the others live on."""
    n = len(homes)
    region = np.array([each.log_wage for each in REGIONS])[homes.region]
    trade = np.array([*(each.log_wage for each in OCCUPATIONS), 0, 0, 0])[calling]
    # Wages rise until about fifty, and fall a little after.
    experience = 0.45 - 0.00055 * (np.minimum(homes.age, 75) - 50.0) ** 2
    wage = 10.12 + trade + 0.10 * (education - 3) + experience - 0.09 * homes.woman + region
    wage = wage + np.log(np.maximum(hours, 1) / FULL_WEEK)
    pension = 9.65 + 0.13 * (education - 3) - 0.12 * homes.woman + 0.5 * region
    middle = np.select(
        [employed, jobless, calling == RETIRED, calling == STUDYING], [wage, 9.3, pension, 8.3], 8.2
    )
    spread = np.select([employed, jobless, calling == RETIRED], [0.40, 0.35, 0.38], 0.7)
    amount = np.exp(rng.normal(middle, spread))
    # Some say their income to the euro on their payslip, others in round thousands.
    unit = np.where(happens(rng, 0.35, n) & (amount > 5000), 1000, 10)
    return (np.round(amount / unit) * unit).astype(np.int64)


def _commutes(homes: Homes, rng: np.random.Generator) -> IntArray:
    """Minutes to work, in fives as people say them; nought for those who work at home."""
    usual = np.array([each.commute for each in REGIONS], dtype=np.float64)[homes.region]
    minutes = np.maximum(5, np.round(rng.gamma(2.2, usual / 2.2) / 5) * 5).clip(5, 150)
    return np.where(happens(rng, 0.13, len(homes)), 0, minutes).astype(np.int64)


def _rents(homes: Homes, income: IntArray, rng: np.random.Generator) -> IntArray:
    """Monthly rent, or its worth to an owner: one for a household, by its income, size and region."""
    together = np.bincount(homes.household, income)[homes.household]
    size = np.bincount(homes.household)[homes.household]
    region: FloatArray = np.array([each.log_rent for each in REGIONS])[homes.region]
    noise = rng.normal(0, 0.25, len(homes))[homes.first]
    amount = np.exp(
        6.05 + 0.28 * np.log(np.maximum(together, 5000) / 10_000) + 0.22 * np.log(size) + region + noise
    )
    return (np.round(amount / 5) * 5).astype(np.int64)
