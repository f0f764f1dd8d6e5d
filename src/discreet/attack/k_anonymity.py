"""k-anonymity: how many people share each combination of the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from discreet import registry
from discreet.attack.population import number_of_people
from discreet.classes import classes_of, possible_matches
from discreet.coding import codes_of
from discreet.errors import NotComputable
from discreet.parameters import KEYS, Choice, Known
from discreet.possible_people import possible_people
from discreet.results import Risk
from discreet.table import IntArray, Table

MEANING = (
    "the chance of the most exposed person: somebody who knows that a person is in the file and knows the "
    "quasi-identifiers finds at best the records of this few people to choose from (1/k)"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KAnonymity(Risk):
    """The records by their keys: `k` is the people of the smallest class, `sizes` those of each record's."""

    k: int
    sizes: IntArray = field(repr=False)

    def below(self, k: int) -> int:
        """How many records are in classes of fewer than k people."""
        return int((self.sizes < k).sum())


@registry.attack(
    family="uniqueness",
    title="k-anonymity",
    unit=registry.CHANCE,
    splits=registry.Split.COUNTS,
    classes_alone=True,
    scales=registry.EVERY_SCALE,
    missing="counts as a value of its own, or matches anything where that is asked for",
    meaning=MEANING,
    cites=("Samarati and Sweeney, Technical Report SRI-CSL-98-04, 1998",),
)
def k_anonymity(
    masked: Table,
    *,
    keys: Known = KEYS,
    missing: Annotated[
        str, Choice(among=("a value", "anything"), about="what a missing key counts as")
    ] = "a value",
) -> KAnonymity:
    """The k that the table reaches on the keys, and how many people are in each record's class.

    Each record counts for a person, unless a column has the role person: then classes count people, however many
    records they have.

    Missing is a value of its own unless `missing` is "anything": then a record's class holds all that could be alike,
    which an intruder who sees which cells are missing need not accept.

    k is the least size of a class (Samarati and Sweeney 1998), and the risk is 1/k.

    >>> print(dc.attack.k_anonymity(release.table, keys=["sex", "education"]))
    k_anonymity: 33.3% of 400 attempts (exact; guessing 0.2%; level 3)
    """
    if len(masked) == 0:
        raise NotComputable("k_anonymity: the table has no records, so it has no smallest class.")
    classes = classes_of(masked, keys)
    sizes = classes.sizes if missing == "a value" else _who_could_be_alike(masked, keys)
    k = int(sizes.min())
    people = number_of_people(masked)
    return KAnonymity(
        name="k_anonymity",
        risk=1.0 / k,
        meaning=MEANING,
        reidentifies=True,
        records=1.0 / sizes,
        interval=(1.0 / k, 1.0 / k),
        baseline=1.0 / people,
        attempts=len(masked),
        level=k,
        details={
            "k": k,
            "people": people,
            "classes": int(classes.label.max()) + 1,
            "unique": int((sizes == 1).sum()),
            "average_chance": float((1.0 / sizes).mean()),
        },
        k=k,
        sizes=sizes,
    )


def _who_could_be_alike(table: Table, keys: Sequence[str]) -> IntArray:
    """For each record how many people, its own included, have one that could be alike, when missing is anything."""
    codes, persons = codes_of(table, keys), table.persons()
    if persons is None or number_of_people(table) == len(table):
        return possible_matches(codes)
    return possible_people(codes, persons)
