"""How much of a column was rebuilt: loss in reverse."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.attack.fusion.distances import UNKNOWN
from discreet.attack.fusion.results import Rebuilt
from discreet.errors import NotComputable
from discreet.results import wilson
from discreet.table import BoolArray, FloatArray, IntArray

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
    """The comparison of rebuilt numbers with the true ones: near ones, and the root mean square error."""
    tried = _tried(~np.isnan(true))
    spread = float(true[tried].std()) or 1.0
    reach = tolerance * spread

    def near(values: FloatArray) -> BoolArray:
        with np.errstate(invalid="ignore"):
            return (np.abs(values - true) <= reach * (1 + 1e-9)) & tried

    def error(values: FloatArray) -> float | None:
        off = (values - true)[tried & ~np.isnan(values)]
        return float(np.sqrt(np.square(off).mean()) / spread) if len(off) else None

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
