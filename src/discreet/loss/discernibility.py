"""Loss of distinction: how many records look alike, and how the distribution of whole records has changed."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.coded import coded, combinations, counts
from discreet.loss.compared import UNWEIGHTED, loss_of
from discreet.parameters import CATEGORY_KEYS, KEYS, Compared, Real
from discreet.results import Loss
from discreet.table import Table

ALIKE = (
    "how much harder published records are to tell apart than true ones: 0 is as easy as before, 1 is that all "
    "published records look alike"
)
DIVERGENCE = (
    "how far the distribution of whole records has moved, in nats: 0 is unchanged; it grows with every combination of "
    "values that became rarer"
)


@registry.loss(
    family="classes",
    title="Records that look alike",
    unit=registry.FROM_0_TO_1,
    splits=registry.Split.COUNTS,
    scales=registry.ANY_SCALE,
    missing=f"a value of its own; {UNWEIGHTED}",
    meaning=ALIKE,
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
    """
    if len(original) == 0 or len(masked) == 0:
        raise NotComputable("discernibility: a table has no records.")
    left, right, number = combinations([coded(original, masked, name) for name in columns])
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
        ALIKE,
        details={
            "original": before,
            "masked": after,
            "classes_of_original": len(np.unique(left)),
            "classes_of_masked": len(np.unique(right)),
            "not_published": unpublished,
        },
    )


@registry.loss(
    family="classes",
    title="Distribution of records (Kullback-Leibler)",
    unit=registry.NATS,
    splits=registry.Split.COUNTS,
    scales=registry.ANY_SCALE,
    missing="a value of its own; counts are weighted by the sampling weights of each table that has them",
    meaning=DIVERGENCE,
    cites=("Kullback and Leibler, Annals of Mathematical Statistics 22(1), 1951",),
)
def kl_divergence(
    original: Table,
    masked: Table,
    *,
    columns: Compared = CATEGORY_KEYS,
    smoothing: Annotated[
        float,
        Real(above=0, at_most=1000, about="records added to each combination so that none has chance zero"),
    ] = 0.5,
) -> Loss:
    """The Kullback-Leibler divergence of the distribution of records, sum f(x) ln(f(x) / f*(x)), in nats.

    f and f* are the shares of each combination of values in the original and in the masked table. To every
    combination that occurs in either table `smoothing` records are added in both, because without them a combination
    that is gone would make it infinite. Weights are scaled so that they add up to the number of records. The details
    say how many combinations there are and which share of the original's records has one that is gone.
    """
    left, right, number = combinations([coded(original, masked, name) for name in columns])
    old, new = (
        counts(labels, number, table.weights()) for labels, table in ((left, original), (right, masked))
    )
    if old.sum() <= 0 or new.sum() <= 0:
        raise NotComputable("kl_divergence: a table has no records.")
    old, new = old * len(left) / old.sum(), new * len(right) / new.sum()
    f = (old + smoothing) / (len(left) + smoothing * number)
    g = (new + smoothing) / (len(right) + smoothing * number)
    return loss_of(
        "kl_divergence",
        float((f * np.log(f / g)).sum()),
        DIVERGENCE,
        details={
            "combinations": number,
            "gone": int(((old > 0) & (new == 0)).sum()),
            "records_gone": float(old[new == 0].sum() / old.sum()),
        },
    )
