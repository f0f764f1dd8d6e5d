"""Who lives with whom: households, and the age, sex, marital status and origin of their members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from discreet.demo.draw import happens, pick
from discreet.demo.vocabulary import MARITAL, OTHER_COUNTRIES, REGIONS
from discreet.table import BoolArray, FloatArray, IntArray

ADULT = 18
OLDEST = 99
OLDEST_CHILD_AT_HOME = 22
TOWNS = 5
SECTORS = 20
MEN_ARE_OLDER_BY, GAP_SPREAD = 2.2, 3.2
SAME_SEX = 0.025
SINGLE, MARRIED, DIVORCED = MARITAL.index("single"), MARITAL.index("married"), MARITAL.index("divorced")


class Kind(NamedTuple):
    """A kind of household: how common, who is in it, and how old and how often a woman the first member is."""

    share: float
    adults: int
    children: int
    couple: bool
    youngest: int
    usual: int
    oldest: int
    women: float


KINDS = (
    Kind(0.100, 1, 0, False, 18, 27, 45, 0.45),
    Kind(0.100, 1, 0, False, 35, 50, 67, 0.45),
    Kind(0.120, 1, 0, False, 64, 76, 98, 0.66),
    Kind(0.100, 2, 0, True, 19, 29, 48, 0.50),
    Kind(0.180, 2, 0, True, 48, 66, 92, 0.50),
    Kind(0.110, 2, 1, True, 22, 38, 62, 0.50),
    Kind(0.130, 2, 2, True, 24, 40, 60, 0.50),
    Kind(0.050, 2, 3, True, 27, 41, 57, 0.50),
    Kind(0.045, 1, 1, False, 20, 37, 60, 0.84),
    Kind(0.025, 1, 2, False, 22, 39, 57, 0.84),
    Kind(0.030, 2, 0, False, 18, 23, 42, 0.50),
    Kind(0.010, 3, 0, False, 18, 22, 36, 0.50),
)

FACTS = {
    field: np.array(column) for field, column in zip(Kind._fields, zip(*KINDS, strict=True), strict=True)
}

# Odds of each marital status for adults without a partner, under 30, 45, 65 and beyond.
UNPARTNERED = ((96, 0, 2, 0, 2), (70, 0, 16, 1, 13), (38, 0, 36, 10, 16), (17, 0, 20, 58, 5))


@dataclass(frozen=True, slots=True, kw_only=True)
class Homes:
    """People in their households: one entry a person, the adults of a household before its children."""

    household: IntArray
    first: IntArray
    region: IntArray
    town: IntArray
    sector: IntArray
    age: IntArray
    woman: BoolArray
    child: BoolArray
    partnered: BoolArray
    children: IntArray
    marital: IntArray
    country: IntArray

    def __len__(self) -> int:
        return int(self.household.size)


def settle(n: int, rng: np.random.Generator) -> Homes:
    """n people in households; the last household is cut short where it would exceed n."""
    kind = pick(rng, FACTS["share"], np.zeros(n, dtype=np.int64))
    size = (FACTS["adults"] + FACTS["children"])[kind]
    starts = np.cumsum(size) - size
    kind, size, starts = (each[starts < n] for each in (kind, size, starts))
    household = np.repeat(np.arange(kind.size), size)[:n]
    first = starts[household]
    place = np.arange(n) - first
    child = place >= FACTS["adults"][kind][household]
    partnered = FACTS["couple"][kind][household] & ~child
    # A couple whose second half was cut off with the end of the sample is a person alone.
    partnered[-1] &= place[-1] > 0
    age, woman = _ages_and_sexes(kind, household, place, child, partnered, rng)
    region, town, sector = _places(kind.size, rng)
    return Homes(
        household=household,
        first=first,
        region=region[household],
        town=town[household],
        sector=sector[household],
        age=age,
        woman=woman,
        child=child,
        partnered=partnered,
        children=np.bincount(household, child, minlength=kind.size).astype(np.int64)[household],
        marital=_marital(age, first, child, partnered, rng),
        country=_countries(region, household, child, rng),
    )


def _ages_and_sexes(
    kind: IntArray,
    household: IntArray,
    place: IntArray,
    child: BoolArray,
    partnered: BoolArray,
    rng: np.random.Generator,
) -> tuple[IntArray, BoolArray]:
    """Partners are near in age, the man a little older as a rule; a child is 18 years or more younger."""
    n = household.size
    head = np.floor(rng.triangular(*(FACTS[each][kind] for each in ("youngest", "usual", "oldest"))))
    head_is_woman = happens(rng, FACTS["women"][kind], kind.size)
    siblings = FACTS["children"][kind]
    woman = np.where(partnered, head_is_woman[household] ^ ~happens(rng, SAME_SEX, n), happens(rng, 0.495, n))
    woman[place == 0] = head_is_woman
    gap = rng.normal(np.where(partnered, MEN_ARE_OLDER_BY, 0.0), GAP_SPREAD)
    fewest_years = ADULT + 2 * np.maximum(siblings - 1, 0)[household]
    other = np.clip(np.round(head[household] + np.where(woman, -gap, gap)), fewest_years, OLDEST)
    age = np.where(place == 0, head[household], other)
    youngest_adult = np.full(kind.size, np.inf)
    np.minimum.at(youngest_adult, household[~child], age[~child])
    eldest = _eldest_child(youngest_adult, siblings, rng)[household]
    is_eldest = child & (place == FACTS["adults"][kind][household])
    age = np.where(child, np.where(is_eldest, eldest, np.floor(rng.random(n) * (eldest + 1))), age)
    return age.astype(np.int64), woman


def _eldest_child(parent: FloatArray, siblings: IntArray, rng: np.random.Generator) -> FloatArray:
    """The age of the eldest child at home, for every household as if it had children."""
    most = np.clip(parent - ADULT, 0, OLDEST_CHILD_AT_HOME)
    born = np.round(parent - rng.normal(29.0, 4.5, parent.size))
    anywhere = np.floor(rng.random(parent.size) * (most + 1))
    age = np.where((born >= 0) & (born <= most), born, anywhere)
    return np.maximum(age, 2.0 * np.maximum(siblings - 1, 0)).astype(np.float64)


def _places(households: int, rng: np.random.Generator) -> tuple[IntArray, IntArray, IntArray]:
    """Region, town and postal sector. Small regions are sampled more densely, as a survey would do."""
    shares = np.sqrt([each.share for each in REGIONS])
    region = pick(rng, shares, np.zeros(households, dtype=np.int64))
    town = pick(rng, (40, 25, 16, 12, 7), np.zeros(households, dtype=np.int64))
    return region, town, rng.integers(0, SECTORS, households)


def _marital(
    age: IntArray, first: IntArray, child: BoolArray, partnered: BoolArray, rng: np.random.Generator
) -> IntArray:
    """Both halves of a couple are married or neither is; children are single."""
    n = age.size
    married = happens(rng, np.clip(0.30 + 0.014 * (age - 20), 0.3, 0.92), n)[first]
    unmarried = np.where(happens(rng, np.clip((age - 30) / 60, 0, 0.5), n), DIVORCED, SINGLE)
    alone = pick(rng, UNPARTNERED, np.digitize(age, (30, 45, 65)))
    status = np.where(partnered, np.where(married, MARRIED, unmarried), alone)
    return np.where(child, SINGLE, status).astype(np.int64)


def _countries(region: IntArray, household: IntArray, child: BoolArray, rng: np.random.Generator) -> IntArray:
    """Country of birth, 0 at home; members of a household tend to share it, children far less so."""
    origin = 1 + pick(rng, list(OTHER_COUNTRIES.values()), np.zeros(region.size, dtype=np.int64))
    migrants = happens(rng, np.array([each.migrants for each in REGIONS])[region], region.size)
    shared = happens(rng, np.where(child, 0.3, 0.85), household.size)
    return np.where(shared, np.where(migrants, origin, 0)[household], 0).astype(np.int64)
