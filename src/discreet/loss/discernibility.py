"""Loss of distinction: how many published records look alike."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.coded import combinations_of, counts
from discreet.loss.compared import UNWEIGHTED, loss_of
from discreet.parameters import KEYS, Compared
from discreet.results import Loss
from discreet.table import Table

MEANING = (
    "how much harder published records are to tell apart than true ones: 0 is as easy as before, 1 is that all "
    "published records look alike"
)


@registry.loss(
    family="classes",
    title="Records that look alike",
    unit=registry.FROM_0_TO_1,
    splits=registry.Split.COUNTS,
    in_portions=True,
    scales=registry.ANY_SCALE,
    missing=f"a value of its own; {UNWEIGHTED}",
    meaning=MEANING,
    cites=("Bayardo and Agrawal, International Conference on Data Engineering, 2005",),
    across_scales=True,
)
def discernibility(original: Table, masked: Table, *, columns: Compared = KEYS) -> Loss:
    """The growth of the discernibility metric, from 0 for none to 1 for a table of records that are all alike.

    The metric charges each record the number of records that look like it, itself among them: the sum of the squares
    of the class sizes. A record of the original that was not published is charged the size of the whole table. Both
    tables' metrics are divided by what they would be if all records were alike; the loss is the rise from the
    original's share to the masked one's, over the largest rise there could be. Masking that makes records differ more,
    as noise does, loses none of it. The details hold the metrics themselves.

    The discernibility metric of Bayardo and Agrawal (2005): the sum over classes E of |E|^2.

    >>> masked = dc.mask.mondrian(table, columns=["age", "sex"], k=5).table
    >>> print(dc.loss.discernibility(table, masked, columns=["age", "sex"]))
    discernibility: 0.009184
    """
    if len(original) == 0 or len(masked) == 0:
        raise NotComputable("discernibility: a table has no records.")
    left, right, number = combinations_of(original, masked, columns)
    # The sum over classes E of |E|^2, and |D| for each record left out, Bayardo and Agrawal 2005.
    before = float((counts(left, number, None) ** 2).sum())
    unpublished = max(0, len(original) - len(masked))
    after = float((counts(right, number, None) ** 2).sum()) + unpublished * len(original)
    worst = max(len(original), len(masked))
    old, new = before / len(original) ** 2, after / worst**2
    if old == 1:
        raise NotComputable("discernibility: all records of the original look alike, so nothing can be lost.")
    return loss_of(
        "discernibility",
        max(0.0, (new - old) / (1 - old)),
        MEANING,
        details={
            "original": before,
            "masked": after,
            "classes_of_original": len(np.unique(left)),
            "classes_of_masked": len(np.unique(right)),
            "not_published": unpublished,
        },
    )
