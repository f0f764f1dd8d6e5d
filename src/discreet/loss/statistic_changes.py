"""Relative changes of statistics, averaged: what IL2 to IL5 share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.errors import NotComputable
from discreet.loss.compared import WEIGHTED, comparable_numbers, loss_of
from discreet.loss.moments import Moments, moments
from discreet.results import Loss
from discreet.table import BoolArray, FloatArray, IntArray, Table

STATISTICS_MISSING = f"left out: each statistic uses the values that are present in its own table; {WEIGHTED}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Changes:
    """Relative changes, which of them have a value, and the columns each of them speaks of."""

    change: FloatArray
    usable: BoolArray
    about: tuple[IntArray, ...]


def both_moments(original: Table, masked: Table, columns: Sequence[str]) -> tuple[Moments, Moments]:
    """The moments of the original's columns and of the masked ones."""
    old, new = comparable_numbers(original, masked, columns)
    return moments(old, original.weights()), moments(new, masked.weights())


@np.errstate(over="ignore", invalid="ignore")
def relative_changes(
    old: FloatArray, new: FloatArray, nothing: FloatArray, about: tuple[IntArray, ...]
) -> Changes:
    """The change as a share of the old value; an old value of nothing has none, unless the new one is nothing too."""
    known = np.isfinite(old) & np.isfinite(new)
    scaled = known & (np.abs(old) > nothing)
    still = known & ~scaled & (np.abs(new) <= nothing)
    change = np.where(scaled, np.abs(old - new) / np.where(scaled, np.abs(old), 1.0), 0.0)
    return Changes(change=change, usable=scaled | still, about=about)


def average_change(name: str, meaning: str, changes: Changes, columns: Sequence[str]) -> Loss:
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
        meaning,
        columns=by_column,
        left_out=int((~usable).sum()),
    )
