"""A census of people who do not exist, made on the spot: no file, no network."""

from __future__ import annotations

import numpy as np
import polars as pl

from discreet import seeds
from discreet.demo.columns import COLUMNS
from discreet.demo.draw import blank, happens, words
from discreet.demo.health import confide
from discreet.demo.households import SECTORS, TOWNS, Homes, settle
from discreet.demo.names import MEN, SURNAME_ENDINGS, SURNAME_STEMS, WOMEN
from discreet.demo.remarks import remark
from discreet.demo.vocabulary import (
    BENEFITS,
    DIAGNOSES,
    EDUCATION,
    HEALTH,
    HOME_COUNTRY,
    MARITAL,
    OTHER_COUNTRIES,
    REGIONS,
)
from discreet.demo.work import CALLINGS, employ
from discreet.errors import BadParameter
from discreet.table import FloatArray, IntArray, Table

POPULATION = 5_200_000
CENSUS_YEAR, CENSUS_MONTH, CENSUS_DAY = 2024, 4, 21
MISSING_INCOME, MISSING_EDUCATION, MISSING_REMARKS = 0.04, 0.01, 0.20
SHARED_SURNAME = 0.7
POSTCODES = [
    f"{region.code}{town + 1}{sector + 1:02d}"
    for region in REGIONS
    for town in range(TOWNS)
    for sector in range(SECTORS)
]


def people(n: int = 3000, *, seed: int = 1) -> pl.DataFrame:
    """n invented people in households, one row a person, the members of a household next to each other.

    They are drawn from a land of eight regions and 5.2 million people, or four times n where that is more;
    the weights of a region sum to its people, and small regions are sampled more densely. Nobody in it
    exists, so the seed may be public.

    What hangs together:

    - partners are near in age (correlation above 0.9); parents are at least 18 years older than their children;
      a household shares its region, postcode, rent, and often surname, schooling and country of birth
    - income is skewed and rises with schooling (Spearman 0.3 to 0.6 among adults), until about fifty with
      age, with hours, and from region to region; women earn less than men
    - occupation follows schooling and sex; hours, and minutes to work, are 0 without work
    - rent rises with the income of the household (Spearman 0.3 to 0.8) and differs by region
    - health falls with age (Spearman -0.7 to -0.3) and with a diagnosis; benefits follow age, work,
      health and children
    - postcodes lie within regions, and remarks name the person's own town and occupation

    Missing is null: 4% of the incomes and 1% of the schooling were not told, 20% left no remark. Those
    under 16 have neither occupation nor income. Students, pensioners and homemakers have that as their
    occupation; those without work have their last one, with no hours.

    The same n and seed give the same people. An n below 1 raises BadParameter. `describe` says what role
    and scale each column has.

    >>> people(5).height
    5
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise BadParameter(f"people: n must be a whole number of at least 1; got {n}.")
    checked = seeds.check(seed)
    homes = settle(n, seeds.generator(checked, 0))
    work = employ(homes, seeds.generator(checked, 1))
    confidential = confide(homes, work, seeds.generator(checked, 2))
    rng = seeds.generator(checked, 3)
    no_income = work.child | happens(rng, MISSING_INCOME, n)
    columns = {
        "person": pl.int_range(1, n + 1, eager=True).cast(pl.String).str.zfill(7).str.replace("^", "P"),
        "name": _names(homes, rng),
        "household": pl.Series(homes.household + 1),
        "region": words([each.name for each in REGIONS], homes.region),
        "postcode": words(POSTCODES, (homes.region * TOWNS + homes.town) * SECTORS + homes.sector),
        "date_of_birth": _births(homes.age, rng),
        "age": pl.Series(homes.age),
        "sex": words(("male", "female"), homes.woman.astype(np.int64)),
        "marital_status": words(MARITAL, homes.marital),
        "country_of_birth": words((HOME_COUNTRY, *OTHER_COUNTRIES), homes.country),
        "education": words(EDUCATION, work.education, happens(rng, MISSING_EDUCATION, n)),
        "occupation": words(CALLINGS, work.calling, work.child),
        "hours": pl.Series(work.hours),
        "income": blank(pl.Series(work.income), no_income),
        "rent": pl.Series(work.rent),
        "commute": pl.Series(work.commute),
        "health": words(HEALTH, confidential.health),
        "diagnosis": words(list(DIAGNOSES), confidential.diagnosis),
        "benefit": words(BENEFITS, confidential.benefit),
        "remarks": blank(remark(homes, work, seeds.generator(checked, 4)), happens(rng, MISSING_REMARKS, n)),
        "weight": pl.Series(_weights(homes, rng)),
    }
    return pl.DataFrame(columns)


def table(n: int = 3000, *, seed: int = 1) -> Table:
    """The same people as a table, each column with its role and scale.

    >>> print(table(50))
    table 'census': 50 records, 21 columns
    """
    return Table.assemble(people(n, seed=seed), COLUMNS, name="census")


def _names(homes: Homes, rng: np.random.Generator) -> pl.Series:
    """Given name by sex, and a surname that children and most partners share with the first of the household."""
    n = len(homes)
    given = np.where(homes.woman, rng.integers(0, len(WOMEN), n), len(WOMEN) + rng.integers(0, len(MEN), n))
    surnames = [stem + ending for stem in SURNAME_STEMS for ending in SURNAME_ENDINGS]
    own = rng.integers(0, len(surnames), n)
    shares = homes.child | (homes.partnered & happens(rng, SHARED_SURNAME, n))
    return words((*WOMEN, *MEN), given) + " " + words(surnames, np.where(shares, own[homes.first], own))


def _births(age: IntArray, rng: np.random.Generator) -> pl.Series:
    """A day of birth in the year that makes the person this old on census day."""
    latest = _census_day(CENSUS_YEAR - age)
    earliest = _census_day(CENSUS_YEAR - age - 1) + 1
    days = earliest + np.floor(rng.random(age.size) * (latest - earliest + 1)).astype(np.int64)
    return pl.Series(days.astype(np.int32)).cast(pl.Date)


def _census_day(year: IntArray) -> IntArray:
    """The day of the census in these years, as days since 1970."""
    months = ((year - 1970) * 12 + CENSUS_MONTH - 1).astype("datetime64[M]")
    return months.astype("datetime64[D]").astype(np.int64) + CENSUS_DAY - 1


def _weights(homes: Homes, rng: np.random.Generator) -> FloatArray:
    """Weights that sum to the people of each region; equal within a household, and higher where answers are rare."""
    reluctance = np.exp(rng.normal(0, 0.15, len(homes)) + np.where(homes.age < 35, 0.15, 0.0))[homes.first]
    totals = np.array([each.share for each in REGIONS]) * max(POPULATION, 4 * len(homes))
    sampled = np.bincount(homes.region, reluctance, minlength=len(REGIONS))
    return np.round(reluctance * (totals / np.maximum(sampled, 1e-9))[homes.region], 2)
