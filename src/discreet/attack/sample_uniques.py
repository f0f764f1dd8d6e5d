"""Sample uniques: the records that nobody else in the file has one like."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.attack.population import number_of_people
from discreet.classes import classes_of
from discreet.errors import NotComputable
from discreet.parameters import KEYS, Known
from discreet.results import Risk, wilson
from discreet.table import Table

MEANING = (
    "the share of published records with a combination of quasi-identifiers that nobody else in the file has: whoever "
    "knows that such a person is in the file has found the record"
)


@registry.attack(
    family="uniqueness",
    title="Sample uniques",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.COUNTS,
    classes_alone=True,
    scales=registry.EVERY_SCALE,
    missing="counts as a value of its own",
    meaning=MEANING,
    cites=("Bethlehem, Keller and Pannekoek, Journal of the American Statistical Association 85(409), 1990",),
    cost="expensive",
)
def sample_uniques(masked: Table, *, keys: Known = KEYS) -> Risk:
    """How many published records nobody else in the file has one like.

    It is told by `k_anonymity` in every assessment too (`unique` in its details), and so runs only when asked for, to
    set a ceiling on it.

    It is the share of records with f = 1, f being the size of a record's class (Bethlehem, Keller and Pannekoek
    1990).

    >>> print(dc.attack.sample_uniques(release.table, keys=["sex", "education", "age"]))
    sample_uniques: 50.5% of 400 attempts (95% interval 45.6%-55.4%; guessing 0.2%)
    """
    if len(masked) == 0:
        raise NotComputable("sample_uniques: the table has no records, so none is alone.")
    sizes = classes_of(masked, keys).sizes
    alone = sizes == 1
    found = int(alone.sum())
    return Risk(
        name="sample_uniques",
        risk=found / len(masked),
        meaning=MEANING,
        records=alone.astype(np.float64),
        interval=wilson(found, len(masked)),
        baseline=1.0 / number_of_people(masked),
        attempts=len(masked),
        details={"unique": found, "in_pairs": int((sizes == 2).sum())},
    )
