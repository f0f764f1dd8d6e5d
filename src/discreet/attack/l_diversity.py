"""l-diversity: how many different confidential values the records of a class have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from discreet import registry
from discreet.classes import classes_of
from discreet.errors import NotComputable
from discreet.models import VARIANTS, Tally, Variant, diversity, most_frequent, tally_of
from discreet.parameters import CONFIDENTIAL, KEYS, Choice, Known, Learned, Real
from discreet.results import Risk
from discreet.table import FloatArray, IntArray, Table

MEANING = (
    "the chance of guessing a confidential value of the most exposed person right: the share of the most frequent "
    "value in the most uniform class of records with the same quasi-identifiers"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Diversity(Risk):
    """How diverse the confidential values are: `l` is the least over classes and columns, `levels` each record's.

    The level is infinite where the class of a record holds no value, and so tells none.
    """

    l: float  # noqa: E741
    levels: FloatArray = field(repr=False)


@registry.attack(
    family="models",
    title="l-diversity",
    unit=registry.CHANCE,
    splits=registry.Split.COUNTS,
    classes_alone=True,
    about_groups=True,
    scales=registry.EVERY_SCALE,
    missing="a missing key counts as a value of its own; a missing confidential value is left out of its class",
    meaning=MEANING,
    cites=(
        "Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, ACM Transactions on Knowledge Discovery from Data "
        "1(1), 2007",
    ),
)
def l_diversity(
    masked: Table,
    *,
    keys: Known = KEYS,
    columns: Learned = CONFIDENTIAL,
    variant: Annotated[
        Variant,
        Choice(among=VARIANTS, about="how the values of a class are counted"),
    ] = "distinct",
    c: Annotated[
        float, Real(above=0, about="recursive: the most frequent value may be this many times the rare ones")
    ] = 3.0,
) -> Diversity:
    """The l that the table reaches: the diversity of confidential values in its least diverse class.

    `distinct` counts the values of a class; `entropy` takes the exponential of their entropy, which rare values do not
    raise much; `recursive` is the largest l for which the most frequent value occurs less than c times as often as the
    l-th most frequent and all rarer ones together. With several columns each is looked at by itself and the least
    counts. Numbers are values like others: two incomes a penny apart are two.

    With the shares p_v of a class, entropy l is exp(-sum of p_v log p_v); with counts r_1 >= r_2 >= ... >= r_m,
    recursive l asks for r_1 < c (r_l + ... + r_m) (Machanavajjhala and others 2007).

    >>> print(dc.attack.l_diversity(release.table, keys=["sex", "education"], columns=["health"]))
    l_diversity: 78.6% of 400 attempts (exact; guessing 39.5%; level 2)
    """
    if len(masked) == 0:
        raise NotComputable("l_diversity: the table has no records, so it has no least diverse class.")
    label = classes_of(masked, keys).label
    tallies = {name: tally_of(masked, name, label) for name in columns}
    tallies = {name: tally for name, tally in tallies.items() if tally.present.any()}
    if not tallies:
        raise NotComputable("l_diversity: the confidential columns hold no value, so there is none to guess.")
    tops = {name: most_frequent(tally)[label] for name, tally in tallies.items()}
    chance: FloatArray = np.max(list(tops.values()), axis=0)
    levels = _least_diverse(tallies.values(), label, variant, c)
    least, highest = float(levels.min()), float(chance.max())
    return Diversity(
        name="l_diversity",
        risk=highest,
        meaning=MEANING,
        records=chance,
        interval=(highest, highest),
        baseline=max(_guessing(tally) for tally in tallies.values()),
        attempts=len(masked),
        level=least,
        columns={name: float(top.max()) for name, top in tops.items()},
        details={
            "l": least,
            "variant": variant,
            "records_in_uniform_classes": int((chance == 1).sum()),
            "average_chance": float(chance.mean()),
        },
        l=least,
        levels=levels,
    )


def _least_diverse(tallies: Iterable[Tally], label: IntArray, variant: Variant, c: float) -> FloatArray:
    """The least l over the columns for each record; infinite where its class has no value in any."""
    levels = np.full(len(label), np.inf)
    for tally in tallies:
        seen = tally.present[label] > 0
        levels[seen] = np.minimum(levels[seen], diversity(tally, variant, c)[label][seen])
    return levels


def _guessing(tally: Tally) -> float:
    """The share of the value that is the most frequent in the whole file."""
    return float(np.bincount(tally.values, weights=tally.counts).max() / tally.present.sum())
