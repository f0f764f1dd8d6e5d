"""Loss as what gives the masked table away: how well a model tells its records from the true ones."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from discreet import registry
from discreet.errors import BadParameter, NotComputable
from discreet.loss.compared import UNWEIGHTED, loss_of
from discreet.loss.features import Features, features
from discreet.loss.logistic import fitted_chances
from discreet.parameters import KEYS, Compared, Flag
from discreet.results import Loss
from discreet.table import BoolArray, FloatArray, Table

MOST_FEATURES = 400
MEANING = (
    "how well a model tells published records from true ones (pMSE): 0 is not at all, 0.25 is perfectly when both "
    "tables have equally many records"
)


class Told(NamedTuple):
    """How well the records were told apart, how well chance alone would do, and how many features served."""

    pmse: float
    expected: float
    deviation: float
    features: int


@registry.loss(
    family="purpose",
    title="Telling published from true (pMSE)",
    unit=registry.NUMBER,
    splits=registry.Split.WHOLE,
    instead="lost, or a sample of the records",
    scales=registry.ANY_SCALE,
    missing=f"a missing number counts as the mean of its column and as a feature that says so; {UNWEIGHTED}",
    meaning=MEANING,
    cites=(
        "Woo, Reiter, Oganian and Karr, Journal of Privacy and Confidentiality 1(1), 2009",
        "Snoke, Raab, Nowok, Dibben and Slavkovic, Journal of the Royal Statistical Society A 181(3), 2018",
    ),
    cost="expensive",
)
def pmse(
    original: Table,
    masked: Table,
    *,
    columns: Compared = KEYS,
    interactions: Annotated[
        bool, Flag(about="whether squares and products of numbers and of ordinal places are features too")
    ] = True,
) -> Loss:
    """The mean squared difference between the propensity scores and the share of published records.

    Both tables are put together and a logistic regression learns which record is a published one; a model that
    cannot tell gives every record the same score. The details hold what the model would reach by chance if the masked
    records were drawn at random from the original ones (Snoke and others), the ratio to it (about 1 is as good as such
    a draw; a table that masks every record once can be below), and the share of the worst possible. Each column's
    figure is that of a model that sees this column only.

    pMSE of Woo and others (2009): the mean of (p_i - c)^2 with scores p and c the share of published records.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> round(dc.loss.pmse(table, masked).loss, 4)
    0.0081
    """
    if len(original) == 0 or len(masked) == 0:
        raise NotComputable("pmse: a table has no records.")
    both = features(original, masked, columns)
    everything = _told(both, np.ones(len(both.about), dtype=bool), interactions)
    published = len(masked) / (len(original) + len(masked))
    return loss_of(
        "pmse",
        everything.pmse,
        MEANING,
        columns={name: _told(both, both.of(name), interactions).pmse for name in columns},
        details={
            "expected": everything.expected,
            "ratio": everything.pmse / everything.expected if everything.expected > 0 else 0.0,
            "standardised": (everything.pmse - everything.expected) / everything.deviation
            if everything.deviation > 0
            else 0.0,
            "share_of_worst": everything.pmse / (published * (1 - published)),
            "features": everything.features,
        },
    )


def _told(both: Features, which: BoolArray, interactions: bool) -> Told:
    """How well a model on these features tells the tables apart."""
    values = np.vstack([both.original[:, which], both.masked[:, which]])
    values = _with_products(values, both.on_a_line[which]) if interactions else values
    is_published = np.repeat([0.0, 1.0], [len(both.original), len(both.masked)])
    share, records = float(is_published.mean()), len(values)
    chances, number = fitted_chances(values, is_published)
    unit = (1 - share) ** 2 * share / records
    # pMSE = 1/N sum (p_i - c)^2, Woo and others 2009; by chance it is k (1 - c)^2 c / N for k features, with a
    # standard deviation of sqrt(2 k) (1 - c)^2 c / N, Snoke and others 2018.
    return Told(
        pmse=float(((chances - share) ** 2).mean()),
        expected=number * unit,
        deviation=float(np.sqrt(2 * number)) * unit,
        features=number,
    )


def _with_products(values: FloatArray, on_a_line: BoolArray) -> FloatArray:
    """The features, and the squares and products of those on a line."""
    lines = np.flatnonzero(on_a_line)
    one, two = np.triu_indices(len(lines))
    if values.shape[1] + len(one) > MOST_FEATURES:
        raise BadParameter(
            f"pmse: {values.shape[1]} features have {len(one)} squares and products; at most {MOST_FEATURES} "
            "features are fitted. Name fewer columns, or set interactions to false."
        )
    return np.hstack([values, values[:, lines[one]] * values[:, lines[two]]])
