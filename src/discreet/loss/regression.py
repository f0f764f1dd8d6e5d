"""Loss for regression: do the coefficients and their confidence intervals agree?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from discreet import registry
from discreet.errors import NotComputable, WrongScale
from discreet.loss.compared import comparable_numbers, loss_of
from discreet.loss.features import features
from discreet.loss.moments import ROUNDING
from discreet.parameters import NUMERIC_KEYS, Compared, Real, Targets
from discreet.results import Loss
from discreet.table import BoolArray, FloatArray, IntArray, Scale, Table

RANK = 1e-9
AS_LONG = 1e-6
"""Columns whose lengths differ by no larger a share are as long."""
MEANING = (
    "how little the confidence intervals of regression coefficients from the published file overlap with the true "
    "ones: 0 is the same intervals, 1 is that none of them meet"
)


class Fit(NamedTuple):
    """Coefficients, their standard errors, which could be estimated, and the degrees of freedom that are left."""

    coefficients: FloatArray
    errors: FloatArray
    estimated: BoolArray
    freedom: int


@registry.loss(
    family="purpose",
    title="Regression",
    unit=registry.FROM_0_TO_1,
    splits=registry.Split.SUMS,
    scales=registry.ANY_SCALE,
    missing=(
        "records in which the target or a numeric or ordinal predictor is missing are left out, in each table by "
        "itself; the fit is weighted by the sampling weights of each table that has them"
    ),
    meaning=MEANING,
    cites=("Karr, Kohnen, Oganian, Reiter and Sanil, The American Statistician 60(3), 2006",),
    cost="expensive",
)
def regression(
    original: Table,
    masked: Table,
    *,
    targets: Targets = NUMERIC_KEYS,
    columns: Compared = NUMERIC_KEYS,
    level: Annotated[
        float, Real(above=0, below=1, about="the level of the confidence intervals, 0.95 for 95 percent")
    ] = 0.95,
) -> Loss:
    """One less the average overlap of the confidence intervals of linear regressions on both tables.

    Each target is regressed on the other columns, by least squares with standard errors that hold for unequal variances
    and weights (HC1). The overlap of two intervals is the average of the shares of each that lies in the other; a
    coefficient that cannot be estimated in the masked table overlaps with nothing, and one that cannot be estimated in
    the original is left out and counted. Each target's figure is the average over its coefficients, without the
    intercept; the details hold how many standard errors half of the coefficients have moved at most.

    The overlap is that of Karr and others (2006): (c / w + c / w') / 2 for widths w and w' with c in common.

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> round(dc.loss.regression(table, masked).loss, 3)
    0.091
    """
    found: dict[str, float] = {}
    moved: dict[str, float] = {}
    left_out = 0
    for target in targets:
        _check_target(original, masked, target)
        predictors = [name for name in columns if name != target]
        result = _overlaps(original, masked, target, predictors, level) if predictors else None
        if result is None:
            left_out += 1
            continue
        overlaps, steps, missed = result
        found[target] = 1 - float(overlaps.mean())
        left_out += missed
        if len(steps):
            moved[target] = float(np.median(steps))
    if not found:
        raise NotComputable("regression: no target has a coefficient that can be estimated in the original.")
    return loss_of(
        "regression",
        float(np.mean(list(found.values()))),
        MEANING,
        columns=found,
        left_out=left_out,
        details={"standard_errors_moved": moved},
    )


def _check_target(original: Table, masked: Table, target: str) -> None:
    for table in (original, masked):
        if table[target].scale != Scale.NUMERIC:
            raise WrongScale(
                f"regression: target '{target}' of table '{table.name}' is {table[target].scale}; only numbers can "
                "be targets."
            )


def _overlaps(
    original: Table, masked: Table, target: str, predictors: Sequence[str], level: float
) -> tuple[FloatArray, FloatArray, int] | None:
    """The overlap of each coefficient, the standard errors that those in both moved, and how many are left out."""
    both = features(original, masked, predictors)
    true, published = comparable_numbers(original, masked, [target])
    old = _fit(true[:, 0], original.weights(), both.original, both.complete_original)
    if old is None or not old.estimated.any():
        return None
    known = both.original[both.complete_original]
    varies = known.min(axis=0) < known.max(axis=0)
    missed = int((varies & ~old.estimated).sum())
    # Categories that only the masked table has are in its model, but there is nothing to compare them with.
    fitted = old.estimated | ~varies
    new = _fit(published[:, 0], masked.weights(), both.masked[:, fitted], both.complete_masked)
    before = _only(old, old.estimated)
    if new is None:
        return np.zeros(len(before.coefficients)), np.empty(0), missed
    after = _only(new, old.estimated[fitted])
    overlap = np.where(after.estimated, _overlap(before, after, level), 0.0)
    sure = after.estimated & (before.errors > 0)
    steps = np.abs(before.coefficients - after.coefficients)[sure] / before.errors[sure]
    return overlap, steps, missed


def _only(fit: Fit, kept: BoolArray) -> Fit:
    return Fit(fit.coefficients[kept], fit.errors[kept], fit.estimated[kept], fit.freedom)


def _fit(
    outcome: FloatArray, weights: FloatArray | None, predictors: FloatArray, complete: BoolArray
) -> Fit | None:
    """Weighted least squares with an intercept; None where there are too few records."""
    weight = np.ones(len(outcome)) if weights is None else weights
    used = complete & ~np.isnan(outcome) & (weight > 0)
    rows = int(used.sum())
    if rows < 3:
        return None
    y, x, w = outcome[used], predictors[used], weight[used] / weight[used].mean()
    x = x - (w @ x) / w.sum()
    y = y - (w @ y) / w.sum()
    basis = _independent(x * np.sqrt(w)[:, None], rows)
    freedom = rows - 1 - len(basis)
    if freedom < 1:
        return None
    coefficients, errors = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    if len(basis):
        coefficients[basis], errors[basis] = _solved(x[:, basis], y, w, freedom)
    estimated = np.zeros(x.shape[1], dtype=bool)
    estimated[basis] = True
    return Fit(coefficients, errors, estimated, freedom)


def _independent(scaled: FloatArray, rows: int) -> IntArray:
    """The columns that no others before them make up, found by orthogonal steps from the longest on.

    Of columns that are as long but for rounding the first is taken, so that the order of the records does not decide.
    """
    length = np.sqrt((scaled**2).sum(axis=0))
    varies = np.flatnonzero(length > RANK * np.sqrt(rows))
    left = np.asarray(np.linalg.qr(scaled[:, varies] / length[varies], mode="r"), dtype=np.float64)
    chosen: list[int] = []
    while len(chosen) < min(left.shape):
        longest = np.sqrt((left**2).sum(axis=0))
        if longest.max() <= RANK:
            break
        chosen.append(int(np.argmax(longest >= (1 - AS_LONG) * longest.max())))
        step = left[:, chosen[-1]] / longest[chosen[-1]]
        left = left - np.outer(step, step @ left)
        left[:, chosen] = 0.0
    return np.sort(varies[chosen])


def _solved(x: FloatArray, y: FloatArray, w: FloatArray, freedom: int) -> tuple[FloatArray, FloatArray]:
    """The coefficients of centred columns, and their standard errors by the sandwich formula (HC1)."""
    bread = np.linalg.inv((x * w[:, None]).T @ x)
    coefficients = bread @ (x.T @ (w * y))
    residual = y - x @ coefficients
    exact = float(w @ residual**2) <= ROUNDING * float(w @ y**2)
    filling = x * (w * (0.0 if exact else residual))[:, None]
    variance = np.diagonal(bread @ (filling.T @ filling) @ bread) * len(y) / freedom
    # A coefficient that only records without any residual decide has no error either: what is left is rounding.
    rounding = ROUNDING * np.diagonal(bread) * float(w @ y**2)
    return coefficients, np.sqrt(np.where(variance <= rounding, 0.0, variance))


def _overlap(old: Fit, new: Fit, level: float) -> FloatArray:
    """The average share of each interval that lies in the other; intervals without width meet or do not."""
    from scipy.special import stdtrit

    half = [fit.errors * float(stdtrit(fit.freedom, 0.5 + level / 2)) for fit in (old, new)]
    low = np.maximum(old.coefficients - half[0], new.coefficients - half[1])
    high = np.minimum(old.coefficients + half[0], new.coefficients + half[1])
    common = np.maximum(0.0, high - low)
    point = (half[0] == 0) | (half[1] == 0)
    near = 1e-9 * (np.abs(old.coefficients) + np.abs(new.coefficients))
    meet = np.abs(old.coefficients - new.coefficients) <= near
    # (c / w + c / w') / 2 for widths w and w' with c in common, Karr and others 2006.
    widths = [np.where(point, 1.0, 2 * each) for each in half]
    return np.where(point, meet.astype(np.float64), (common / widths[0] + common / widths[1]) / 2)
