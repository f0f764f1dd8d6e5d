"""Loss of statistics: cells, means, covariances, variances and correlations, original against masked (IL1 to IL5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.pairs import truth_of
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import BoolArray, FloatArray, IntArray, Table

CITES = ("Domingo-Ferrer and Torra, in Confidentiality, Disclosure and Data Access, North-Holland, 2001",)
MISSING = (
    "left out: each statistic uses the values that are present in its own table, cells those present in both"
)
MEANINGS = {
    "il1": "how far the published values are from the true ones, as a share of the true value, on average over cells",
    "il2": "how far the published means are from the true ones, as a share, on average over columns",
    "il3": "how far the published covariances are from the true ones, as a share, on average over pairs of columns",
    "il4": "how far the published variances are from the true ones, as a share, on average over columns",
    "il5": "how far the published correlations are from the true ones, as a share, on average over pairs of columns",
    "il": "the average of IL1 to IL5 in percent: how much statistics computed from the published file are off",
}


@registry.loss(
    family="statistics", scales=registry.NUMERIC, missing=MISSING, meaning=MEANINGS["il1"], cites=CITES
)
def il1(
    original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS, truth: IntArray | None = None
) -> Loss:
    """The mean over all cells of the relative change; where the true value is zero, relative to the column's spread."""
    true, published = aligned_numbers(original, masked, columns, truth)
    both = ~(np.isnan(true) | np.isnan(published))
    spread = _deviations(true)
    scale = np.where(true != 0, np.abs(true), spread)
    usable = both & (scale > 0)
    same = both & ~usable & (true == published)
    change = np.where(usable, np.abs(true - published) / np.where(usable, scale, 1.0), 0.0)
    counted = usable | same
    return _loss("il1", change, counted, int((both & ~counted).sum()), columns)


@registry.loss(
    family="statistics", scales=registry.NUMERIC, missing=MISSING, meaning=MEANINGS["il2"], cites=CITES
)
def il2(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the columns of the relative change of the mean."""
    return _of_columns("il2", original, masked, columns, _means)


@registry.loss(
    family="statistics", scales=registry.NUMERIC, missing=MISSING, meaning=MEANINGS["il3"], cites=CITES
)
def il3(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the pairs of columns, a column with itself among them, of the relative change of the covariance."""
    return _of_pairs("il3", original, masked, columns, _covariances, np.triu_indices(len(columns)))


@registry.loss(
    family="statistics", scales=registry.NUMERIC, missing=MISSING, meaning=MEANINGS["il4"], cites=CITES
)
def il4(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the columns of the relative change of the variance."""
    return _of_columns("il4", original, masked, columns, _variances)


@registry.loss(
    family="statistics", scales=registry.NUMERIC, missing=MISSING, meaning=MEANINGS["il5"], cites=CITES
)
def il5(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """The mean over the pairs of different columns of the relative change of the correlation."""
    if len(columns) < 2:
        raise NotComputable("il5: correlations need at least two numeric columns.")
    return _of_pairs("il5", original, masked, columns, _correlations, np.triu_indices(len(columns), k=1))


@registry.loss(
    family="statistics", scales=registry.NUMERIC, missing=MISSING, meaning=MEANINGS["il"], cites=CITES
)
def il(
    original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS, truth: IntArray | None = None
) -> Loss:
    """The average of IL1 to IL5, in percent; with one column IL5 has no meaning and the other four are averaged."""
    parts = [il2, il3, il4] + ([il5] if len(columns) > 1 else [])
    found = [il1(original, masked, columns=columns, truth=truth)]
    found += [part(original, masked, columns=columns) for part in parts]
    return Loss(
        name="il",
        loss=100 * float(np.mean([each.loss for each in found])),
        meaning=MEANINGS["il"],
        left_out=sum(each.left_out for each in found),
        details={each.name: each.loss for each in found},
    )


def aligned_numbers(
    original: Table, masked: Table, columns: Sequence[str], truth: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    """The numbers of both tables, record by record; masked records that come from nobody are left out."""
    owner = truth_of(original, masked, truth)
    paired = owner >= 0
    if not paired.any():
        raise NotComputable(
            "no masked record comes from a record of the original, so there are no cells to compare."
        )
    return original.numbers(columns)[owner[paired]], masked.numbers(columns)[paired]


def _of_columns(
    name: str,
    original: Table,
    masked: Table,
    columns: Sequence[str],
    statistic: Callable[[FloatArray], FloatArray],
) -> Loss:
    old, new = statistic(original.numbers(columns)), statistic(masked.numbers(columns))
    change, usable = _relative(old, new)
    return _loss(name, change[None, :], usable[None, :], int((~usable).sum()), columns)


def _of_pairs(
    name: str,
    original: Table,
    masked: Table,
    columns: Sequence[str],
    statistic: Callable[[FloatArray], FloatArray],
    which: tuple[np.ndarray, np.ndarray],
) -> Loss:
    old, new = statistic(original.numbers(columns))[which], statistic(masked.numbers(columns))[which]
    change, usable = _relative(old, new)
    if not usable.any():
        raise NotComputable(f"{name}: no pair of columns has a value to compare.")
    return Loss(
        name=name, loss=float(change[usable].mean()), meaning=MEANINGS[name], left_out=int((~usable).sum())
    )


def _relative(old: FloatArray, new: FloatArray) -> tuple[FloatArray, BoolArray]:
    """The change as a share of the old value, and where that has a value; nothing changed counts as zero."""
    known = np.isfinite(old) & np.isfinite(new)
    usable = known & ((old != 0) | (old == new))
    scale = np.where(usable & (old != 0), np.abs(old), 1.0)
    return np.where(usable, np.abs(old - new) / scale, 0.0), usable


def _loss(name: str, change: FloatArray, counted: BoolArray, left_out: int, columns: Sequence[str]) -> Loss:
    if not counted.any():
        raise NotComputable(f"{name}: no value can be compared.")
    totals = counted.sum(axis=0)
    by_column = {
        column: float(change[:, place][counted[:, place]].mean())
        for place, column in enumerate(columns)
        if totals[place]
    }
    return Loss(
        name=name,
        loss=float(change[counted].mean()),
        meaning=MEANINGS[name],
        columns=by_column,
        left_out=left_out,
    )


def _means(values: FloatArray) -> FloatArray:
    present = ~np.isnan(values)
    count = present.sum(axis=0)
    total = np.where(present, values, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _deviations(values: FloatArray) -> FloatArray:
    return np.sqrt(_variances(values))


def _variances(values: FloatArray) -> FloatArray:
    present = ~np.isnan(values)
    count = present.sum(axis=0)
    centred = np.where(present, values - _means(values), 0.0)
    return np.where(count > 1, (centred**2).sum(axis=0) / np.maximum(count - 1, 1), np.nan)


def _covariances(values: FloatArray) -> FloatArray:
    """Covariances over the records in which both columns are present."""
    present = (~np.isnan(values)).astype(np.float64)
    filled = np.where(present > 0, values - _means(values), 0.0)
    count = present.T @ present
    sums = filled.T @ filled
    cross = (filled.T @ present) * (present.T @ filled)
    return np.where(count > 1, (sums - cross / np.maximum(count, 1)) / np.maximum(count - 1, 1), np.nan)


def _correlations(values: FloatArray) -> FloatArray:
    covariance = _covariances(values)
    spread = np.sqrt(np.diag(covariance))
    scale = np.outer(spread, spread)
    return np.where(scale > 0, covariance / np.where(scale > 0, scale, 1.0), np.nan)
