"""Loss of the distribution: how far the shares of whole records have moved."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.coded import combinations_of, counts
from discreet.loss.compared import loss_of
from discreet.parameters import CATEGORY_KEYS, Compared, Real
from discreet.results import Loss
from discreet.table import Table

MEANING = (
    "how far the distribution of whole records has moved, in nats: 0 is unchanged; it grows with every combination of "
    "values that became rarer"
)


@registry.loss(
    family="classes",
    title="Distribution of records (Kullback-Leibler)",
    unit=registry.NATS,
    splits=registry.Split.COUNTS,
    in_portions=True,
    scales=registry.ANY_SCALE,
    missing="a value of its own; counts are weighted by the sampling weights of each table that has them",
    meaning=MEANING,
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

    The divergence is that of Kullback and Leibler (1951).

    >>> masked = dc.mask.pram(table, columns=["sex"], theta=0.2, seed=1).table
    >>> print(dc.loss.kl_divergence(table, masked, columns=["sex"]))
    kl_divergence: 0.01139
    """
    left, right, number = combinations_of(original, masked, columns)
    old, new = (
        counts(labels, number, table.weights()) for labels, table in ((left, original), (right, masked))
    )
    if old.sum() <= 0 or new.sum() <= 0:
        raise NotComputable("kl_divergence: a table has no records.")
    old, new = old * len(left) / old.sum(), new * len(right) / new.sum()
    # D(f || f*) = sum over x of f(x) ln(f(x) / f*(x)), Kullback and Leibler 1951; g stands for f*.
    f = (old + smoothing) / (len(left) + smoothing * number)
    g = (new + smoothing) / (len(right) + smoothing * number)
    return loss_of(
        "kl_divergence",
        float((f * np.log(f / g)).sum()),
        MEANING,
        details={
            "combinations": number,
            "gone": int(((old > 0) & (new == 0)).sum()),
            "records_gone": float(old[new == 0].sum() / old.sum()),
        },
    )
