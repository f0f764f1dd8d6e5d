"""Linkage of people by all members of their household at once, where the household's number is published."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet import registry
from discreet._kernels.counting.classes import class_sizes
from discreet.attack.link_person import linked_together
from discreet.attack.only_column import only_column
from discreet.classes import classes_of
from discreet.matches import true_matches
from discreet.parameters import HOUSEHOLD, KEYS, Grouping, Known
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.table import FloatArray, IntArray, Table

MEANING = (
    "the share of published records whose person is found by somebody who knows the quasi-identifiers of the whole "
    "household, takes the published household whose members fit these best, all together, and then the member"
)


@registry.attack(
    family="persons",
    title="Linking by all members of the household",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.QUERIES,
    counts_for=registry.CountsFor("identity", quick=True),
    scales=registry.EVERY_SCALE,
    missing="as in link; a record without a household is one of its own",
    meaning=MEANING,
    cites=(
        "de Montjoye, Hidalgo, Verleysen and Blondel, Unique in the crowd, Scientific Reports 3, 2013",
        "Hundepool and others, Statistical Disclosure Control, Wiley, 2012 (hierarchical data)",
    ),
)
def link_household(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    household: Grouping = HOUSEHOLD,
    truth: IntArray | None = None,
    progress: Progress = SILENT,
) -> Risk:
    """How many people are found by all members of their household at once, where its number is published.

    Whoever knows a person mostly knows who lives with them. The household is looked for as `link_person` looks for a
    person with several records; members of it whose published keys are the same share the chance that it is found.

    The members are linked as one, as hierarchical data ask for (Hundepool and others 2012); a household among t as
    good ones counts 1/t.

    >>> print(dc.attack.link_household(table, release.table, keys=["sex", "education", "age"]))
    link_household: 98.5% of 400 attempts (95% interval 96.8%-99.3%; guessing 0.2%)
    """
    column = only_column(household, "household", "link_household")
    found = linked_together("link_household", original, masked, keys, column, truth, progress)
    chance = np.asarray(found.records) * _share_of_the_person(masked, sorted(keys), masked.groups(column))
    judged = true_matches(original, masked, truth) >= 0
    expected, attempts = float(chance[judged].sum()), int(judged.sum())
    return Risk(
        name="link_household",
        risk=expected / attempts,
        meaning=MEANING,
        reidentifies=True,
        records=chance,
        interval=wilson(expected, attempts),
        baseline=1.0 / len(masked),
        attempts=attempts,
        details={
            "expected": expected,
            "certain": int((chance[judged] == 1).sum()),
            "households": found.attempts,
            "households_found": found.details["expected"],
            "exact": found.details["exact"],
        },
    )


def _share_of_the_person(masked: Table, keys: Sequence[str], homes: IntArray) -> FloatArray:
    """How many of the records of a household that nothing tells apart are of the same person, as a share of them."""
    alike = [homes, classes_of(masked, keys).label]
    persons = masked.persons()
    own = 1 if persons is None else class_sizes(np.column_stack([*alike, persons])).sizes
    share: FloatArray = own / class_sizes(np.column_stack(alike)).sizes
    return share
