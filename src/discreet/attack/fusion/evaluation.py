"""How much of a column was rebuilt: loss in reverse."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.attack.fusion.distances import UNKNOWN
from discreet.attack.fusion.results import Rebuilt
from discreet.attack.points import ROUNDING, Scaling
from discreet.errors import NotComputable
from discreet.results import wilson
from discreet.table import BoolArray, FloatArray, IntArray

FARTHEST = 1e100
"""So many standard deviations are the farthest that an error is told, so that its square has a value."""
MEANING = (
    "the share of the original values that users rebuild who put several releases of the same people together, against "
    "the best of these releases alone"
)


def rebuilt_categories(
    true: IntArray, fused: IntArray, releases: Sequence[IntArray], levels: int, ordered: bool
) -> Rebuilt:
    """The comparison of rebuilt categories with the true ones, all as places among the levels; -1 is missing."""
    tried = _tried(true != UNKNOWN)
    right = (fused == true) & tried
    confusion = np.zeros((levels, levels + 1), dtype=np.int64)
    np.add.at(confusion, (true[tried], np.where(fused[tried] == UNKNOWN, levels, fused[tried])), 1)
    steps = np.abs(fused - true) / max(1, levels - 1) if ordered else (fused != true).astype(np.float64)
    far = np.where(fused == UNKNOWN, 1.0, steps)[tried]
    before, after = confusion.sum(axis=1), confusion[:, :levels].sum(axis=0)
    single = tuple(float(((each == true) & tried).sum() / tried.sum()) for each in releases)
    return _rebuilt(
        right,
        tried,
        single,
        distance=float(far.mean()),
        confusion=confusion,
        details={
            "table_distance": float(np.abs(before - after).sum() / (2 * tried.sum())),
            "cells_that_differ": int((before != after).sum()),
            "unknown": int((tried & (fused == UNKNOWN)).sum()),
        },
    )


def rebuilt_numbers(
    true: FloatArray, fused: FloatArray, releases: Sequence[FloatArray], tolerance: float
) -> Rebuilt:
    """The comparison of rebuilt numbers with the true ones: near ones, and the root mean square error.

    Where all true numbers are the same, only that one is right, and errors are told in the units of the column.
    """
    tried = _tried(~np.isnan(true))
    way = Scaling.of(true)
    varies = true[tried].min() < true[tried].max()
    reach = tolerance * (1 + 1e-9) if varies else ROUNDING * abs(way.pivot)

    def off(values: FloatArray) -> FloatArray:
        # What is too far away to be told in standard deviations is infinitely far, and near to nothing.
        with np.errstate(over="ignore"):
            gaps: FloatArray = (way.from_pivot(values) - way.from_pivot(true)) / way.spread
        return gaps

    def near(values: FloatArray) -> BoolArray:
        with np.errstate(invalid="ignore"):
            return (np.abs(off(values)) <= reach) & tried

    def error(values: FloatArray) -> float | None:
        gaps = np.clip(off(values)[tried & ~np.isnan(values)], -FARTHEST, FARTHEST)
        return float(np.sqrt(np.square(gaps).mean())) if len(gaps) else None

    distance = error(fused)
    if distance is None:
        raise NotComputable("coalition: no rebuilt value has a true one, so nothing can be compared.")
    return _rebuilt(
        near(fused),
        tried,
        tuple(float(near(each).sum() / tried.sum()) for each in releases),
        distance=distance,
        confusion=None,
        details={
            "tolerance": tolerance,
            "error_in_standard_deviations": distance,
            "error_of_each_release": [error(each) for each in releases],
            "unknown": int((tried & np.isnan(fused)).sum()),
        },
    )


def _tried(known: BoolArray) -> BoolArray:
    if not known.any():
        raise NotComputable("coalition: the original has no value in the column, so nothing can be compared.")
    return known


def _rebuilt(
    right: BoolArray,
    tried: BoolArray,
    single: tuple[float, ...],
    *,
    distance: float,
    confusion: IntArray | None,
    details: dict[str, object],
) -> Rebuilt:
    attempts = int(tried.sum())
    return Rebuilt(
        name="coalition",
        risk=float(right.sum() / attempts),
        meaning=MEANING,
        records=right.astype(np.float64),
        interval=wilson(float(right.sum()), attempts),
        baseline=max(single),
        attempts=attempts,
        details={"each_release": list(single), "distance": distance, **details},
        single=single,
        distance=distance,
        confusion=confusion,
    )
