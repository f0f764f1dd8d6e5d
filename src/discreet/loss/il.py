"""Loss of statistics: cells, means, covariances, variances and correlations, original against masked (IL1 to IL5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.compared import WEIGHTED, aligned_numbers, comparable_numbers, loss_of
from discreet.loss.moments import ROUNDING, Moments, moments
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import BoolArray, FloatArray, IntArray, Table

CITES = ("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",)
SCALED_CITES = ("Yancey, Winkler and Creecy, in Inference Control in Statistical Databases, LNCS 2316, 2002",)
MISSING = f"left out: each statistic uses the values that are present in its own table; {WEIGHTED}"
CELLS_MISSING = (
    "cells that are missing in one of the tables are left out and counted; cells count alike whatever the sampling "
    "weights, which only enter the standard deviation"
)
MEANINGS = {
    "il1": "how far the published values are from the true ones, as a share of the true value, on average over cells",
    "il1s": (
        "how far the published values are from the true ones, in units of 1.41 standard deviations of the column, on "
        "average over cells"
    ),
    "il2": "how far the published means are from the true ones, as a share, on average over columns",
    "il3": "how far the published covariances are from the true ones, as a share, on average over pairs of columns",
    "il4": "how far the published variances are from the true ones, as a share, on average over columns",
    "il5": "how far the published correlations are from the true ones, as a share, on average over pairs of columns",
    "il": "the average of IL1 to IL5 in percent: how much statistics computed from the published file are off",
}


@registry.loss(
    family="statistics",
    title="Values (IL1)",
    unit=registry.SHARE,
    splits=registry.Split.SUMS,
    scales=registry.NUMERIC,
    missing=CELLS_MISSING,
    meaning=MEANINGS["il1"],
    cites=CITES,
)
def il1(
    original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS, truth: IntArray | None = None
) -> Loss:
    """The mean over all cells of the relative change; where the true value is zero, relative to the column's spread.

    It explodes where true values are near zero; `il1s` does not. A changed zero in a column of zeros has no scale at
    all: such cells are left out and counted. Raises NotComputable where no cell can be compared.
    """
    return _cells("il1", original, masked, columns, truth, _relative_cells)


@registry.loss(
    family="statistics",
    title="Values against their spread (IL1s)",
    unit=registry.SPREADS,
    splits=registry.Split.SUMS,
    scales=registry.NUMERIC,
    missing=CELLS_MISSING,
    meaning=MEANINGS["il1s"],
    cites=SCALED_CITES,
)
def il1s(
    original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS, truth: IntArray | None = None
) -> Loss:
    """The mean over all cells of the change in units of sqrt(2) standard deviations of the true column.

    Values near zero do not make it explode, as they do `il1`. Changed cells of a column that is constant in the
    original have no scale: they are left out and counted.
    """
    return _cells("il1s", original, masked, columns, truth, _scaled_cells)


@registry.loss(
    family="statistics",
    title="Means (IL2)",
    unit=registry.SHARE,
    splits=registry.Split.SUMS,
    scales=registry.NUMERIC,
    missing=MISSING,
    meaning=MEANINGS["il2"],
    cites=CITES,
)
def il2(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the columns of the relative change of the mean; a true mean of zero is left out and counted."""
    return _found("il2", _means(*_both(original, masked, columns)), columns)


@registry.loss(
    family="statistics",
    title="Covariances (IL3)",
    unit=registry.SHARE,
    splits=registry.Split.SUMS,
    scales=registry.NUMERIC,
    missing=MISSING,
    meaning=MEANINGS["il3"],
    cites=CITES,
)
def il3(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the pairs of columns, a column with itself among them, of the relative change of the covariance."""
    return _found("il3", _covariances(*_both(original, masked, columns)), columns)


@registry.loss(
    family="statistics",
    title="Variances (IL4)",
    unit=registry.SHARE,
    splits=registry.Split.SUMS,
    scales=registry.NUMERIC,
    missing=MISSING,
    meaning=MEANINGS["il4"],
    cites=CITES,
)
def il4(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the columns of the relative change of the variance; a true variance of zero is left out."""
    return _found("il4", _variances(*_both(original, masked, columns)), columns)


@registry.loss(
    family="statistics",
    title="Correlations (IL5)",
    unit=registry.SHARE,
    splits=registry.Split.SUMS,
    scales=registry.NUMERIC,
    missing=MISSING,
    meaning=MEANINGS["il5"],
    cites=CITES,
)
def il5(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the pairs of different columns of the relative change of the correlation.

    A column that the masking made constant correlates with nothing, so its correlations count as lost.
    """
    if len(columns) < 2:
        raise NotComputable("il5: correlations need at least two numeric columns.")
    return _found("il5", _correlations(*_both(original, masked, columns)), columns)


@registry.loss(
    family="statistics",
    title="Information loss (IL)",
    unit=registry.PERCENT,
    splits=registry.Split.SUMS,
    scales=registry.NUMERIC,
    missing=MISSING,
    meaning=MEANINGS["il"],
    cites=CITES,
)
def il(
    original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS, truth: IntArray | None = None
) -> Loss:
    """The average of IL1 to IL5, in percent.

    A part that has no value on this data, such as the correlations of a single column, is left out, counted, and
    named in the details; the others are averaged.
    """
    pair = _both(original, masked, columns)
    parts: dict[str, Callable[[], Loss]] = {
        "il1": lambda: il1(original, masked, columns=columns, truth=truth),
        "il2": lambda: _found("il2", _means(*pair), columns),
        "il3": lambda: _found("il3", _covariances(*pair), columns),
        "il4": lambda: _found("il4", _variances(*pair), columns),
        "il5": lambda: _found("il5", _correlations(*pair), columns),
    }
    found, without = {}, []
    for name, part in parts.items():
        try:
            found[name] = part()
        except NotComputable:
            without.append(name)
    if not found:
        raise NotComputable("il: none of IL1 to IL5 has a value on this data.")
    return loss_of(
        "il",
        100 * float(np.mean([each.loss for each in found.values()])),
        MEANINGS["il"],
        columns=_averaged([each for name, each in found.items() if name in ("il1", "il2", "il4")]),
        left_out=len(without) + sum(each.left_out for each in found.values()),
        details={name: each.loss for name, each in found.items()} | ({"without": without} if without else {}),
    )


def _averaged(parts: Sequence[Loss]) -> dict[str, float]:
    """For each column the average, in percent, of the parts that speak of it alone."""
    named = dict.fromkeys(name for part in parts for name in part.columns)
    return {
        name: 100 * float(np.mean([part.columns[name] for part in parts if name in part.columns]))
        for name in named
    }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Changes:
    """Relative changes, which of them have a value, and the columns each of them speaks of."""

    change: FloatArray
    usable: BoolArray
    about: tuple[IntArray, ...]


def _both(original: Table, masked: Table, columns: Sequence[str]) -> tuple[Moments, Moments]:
    old, new = comparable_numbers(original, masked, columns)
    return moments(old, original.weights()), moments(new, masked.weights())


def _means(old: Moments, new: Moments) -> Changes:
    return _relative(old.mean, new.mean, ROUNDING * old.size, (np.arange(len(old.mean)),))


def _variances(old: Moments, new: Moments) -> Changes:
    return _relative(old.variance, new.variance, np.zeros(len(old.mean)), (np.arange(len(old.mean)),))


def _covariances(old: Moments, new: Moments) -> Changes:
    which = np.triu_indices(len(old.mean))
    nothing = ROUNDING * np.outer(old.deviation, old.deviation)
    return _relative(old.covariance[which], new.covariance[which], nothing[which], which)


def _correlations(old: Moments, new: Moments) -> Changes:
    which = np.triu_indices(len(old.mean), k=1)
    nothing = np.full(len(which[0]), ROUNDING)
    return _relative(old.correlation[which], new.correlation[which], nothing, which)


@np.errstate(over="ignore", invalid="ignore")
def _relative(old: FloatArray, new: FloatArray, nothing: FloatArray, about: tuple[IntArray, ...]) -> Changes:
    """The change as a share of the old value; an old value of nothing has none, unless the new one is nothing too."""
    known = np.isfinite(old) & np.isfinite(new)
    scaled = known & (np.abs(old) > nothing)
    still = known & ~scaled & (np.abs(new) <= nothing)
    change = np.where(scaled, np.abs(old - new) / np.where(scaled, np.abs(old), 1.0), 0.0)
    return Changes(change=change, usable=scaled | still, about=about)


def _found(name: str, changes: Changes, columns: Sequence[str]) -> Loss:
    """The average of the changes, over all and for each column."""
    usable = changes.usable
    if not usable.any():
        raise NotComputable(f"{name}: no column or pair of columns has a statistic to compare.")
    by_column = {}
    for place, column in enumerate(columns):
        own = usable & np.any([which == place for which in changes.about], axis=0)
        if own.any():
            by_column[column] = float(changes.change[own].mean())
    return loss_of(
        name,
        float(changes.change[usable].mean()),
        MEANINGS[name],
        columns=by_column,
        left_out=int((~usable).sum()),
    )


Scaling = Callable[[FloatArray, FloatArray], FloatArray]


def _relative_cells(true: FloatArray, deviation: FloatArray) -> FloatArray:
    return np.where(true != 0, np.abs(true), deviation)


def _scaled_cells(true: FloatArray, deviation: FloatArray) -> FloatArray:
    return np.broadcast_to(np.sqrt(2.0) * deviation, true.shape)


@np.errstate(over="ignore", invalid="ignore")
def _cells(
    name: str,
    original: Table,
    masked: Table,
    columns: Sequence[str],
    truth: IntArray | None,
    scaling: Scaling,
) -> Loss:
    """The average over cells of the change in units of a scale; unchanged cells need no scale."""
    true, published = aligned_numbers(original, masked, columns, truth)
    whole, _ = comparable_numbers(original, masked, columns)
    scale = scaling(true, moments(whole, original.weights()).deviation)
    change = np.abs(true - published)
    known = ~np.isnan(change)
    scaled = known & (scale > 0)
    counted = scaled | (known & (change == 0))
    change = np.where(scaled, change / np.where(scaled, scale, 1.0), 0.0)
    if not counted.any():
        raise NotComputable(f"{name}: no cell can be compared.")
    totals, cells = change.sum(axis=0), counted.sum(axis=0)
    return loss_of(
        name,
        float(totals.sum() / cells.sum()),
        MEANINGS[name],
        columns={
            column: float(total / count)
            for column, total, count in zip(columns, totals, cells, strict=True)
            if count
        },
        left_out=int((known & ~counted).sum() + (np.isnan(true) != np.isnan(published)).sum()),
        details={"records": len(true), "cells": int(cells.sum())},
    )
