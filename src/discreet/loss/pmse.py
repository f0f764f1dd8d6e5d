"""Loss as what gives the masked table away: how well a model tells its records from the true ones."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from discreet import registry
from discreet.errors import BadParameter, NotComputable
from discreet.loss.compared import UNWEIGHTED, loss_of
from discreet.loss.features import Features, features
from discreet.parameters import KEYS, Compared, Flag
from discreet.results import Loss
from discreet.table import BoolArray, FloatArray, Table

MOST_FEATURES = 400
RIDGE = 1e-6
MOST_STEPS = 200
ENOUGH = 1e-8
STEEPEST = 1e-5
MEANING = (
    "how well a model tells published records from true ones (pMSE): 0 is not at all, 0.25 is perfectly when both "
    "tables have equally many records"
)


class Propensity(NamedTuple):
    """The pMSE of a model, its mean and deviation by chance alone, and how many features served."""

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
    0.0078
    """
    if len(original) == 0 or len(masked) == 0:
        raise NotComputable("pmse: a table has no records.")
    both = features(original, masked, columns)
    everything = _propensity(both, np.ones(len(both.about), dtype=bool), interactions)
    published = len(masked) / (len(original) + len(masked))
    return loss_of(
        "pmse",
        everything.pmse,
        MEANING,
        columns={name: _propensity(both, both.of(name), interactions).pmse for name in columns},
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


def _propensity(both: Features, which: BoolArray, interactions: bool) -> Propensity:
    """How well a model on these features tells the tables apart."""
    values = np.vstack([both.original[:, which], both.masked[:, which]])
    values = _with_products(values, both.on_a_line[which]) if interactions else values
    is_published = np.repeat([0.0, 1.0], [len(both.original), len(both.masked)])
    share, records = float(is_published.mean()), len(values)
    scores, number = propensity_scores(values, is_published)
    unit = (1 - share) ** 2 * share / records
    # pMSE = 1/N sum (p_i - c)^2, Woo and others 2009; by chance it is k (1 - c)^2 c / N for k features, with a
    # standard deviation of sqrt(2 k) (1 - c)^2 c / N, Snoke and others 2018.
    return Propensity(
        pmse=float(((scores - share) ** 2).mean()),
        expected=number * unit,
        deviation=float(np.sqrt(2 * number)) * unit,
        features=number,
    )


def propensity_scores(values: FloatArray, is_published: FloatArray) -> tuple[FloatArray, int]:
    """The chance of being a published one that a logistic regression gives each record, and the rank of its features.

    Features are standardised, constant ones dropped. A penalty of a millionth of each record's weight keeps the
    coefficients finite where the records can be told apart perfectly, and is too small to matter elsewhere. Raises
    NotComputable where the fit does not settle.
    """
    spread = values.std(axis=0)
    used = spread > 1e-9 * np.maximum(1.0, np.abs(values).max(axis=0, initial=0.0))
    if not used.any():
        return np.full(len(is_published), is_published.mean()), 0
    standard = values[:, used]
    standard -= standard.mean(axis=0)
    standard /= spread[used]
    rank = int(np.linalg.matrix_rank(standard.T @ standard / len(standard), tol=1e-9, hermitian=True))
    return _fitted_scores(standard, is_published), rank


def _fitted_scores(values: FloatArray, is_published: FloatArray) -> FloatArray:
    """The scores of the logistic regression of the least penalised deviance."""
    import warnings

    from scipy.linalg import LinAlgWarning
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    # Newton's method has no random start and does not depend on the order of the records.
    penalty = RIDGE * len(values)
    model = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=ENOUGH, max_iter=MOST_STEPS)
    with warnings.catch_warnings(), threadpool_limits(limits=1):
        # Whether the fit settled is seen below: a warning also comes where another solver then takes over.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", LinAlgWarning)
        model.fit(values, is_published)
    scores = np.asarray(model.predict_proba(values)[:, 1])
    slope = values.T @ (is_published - scores) - penalty * model.coef_[0]
    if not np.abs(slope).max() <= STEEPEST * len(values):
        raise NotComputable(
            "pmse: the logistic regression that tells published from true records does not settle. Name fewer "
            "columns, or set interactions to false."
        )
    return scores


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
