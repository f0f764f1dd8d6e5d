"""Categories and their shares, general ones spread evenly over those they can stand for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.comparing import AxisColumn, CategoryColumn, ComparedColumn
from discreet.loss.doubts import SAMPLE, doubt
from discreet.loss.features import MOST_LEVELS
from discreet.loss.lost_columns import Weights
from discreet.loss.moments import ROUNDING, effective
from discreet.table import FloatArray, IntArray

BLOCK = 1 << 22


def frequency_chance(column: ComparedColumn, weights: Weights) -> float:
    """How sure one can be that the categories' shares changed; NaN for numbers and for columns without a value.

    Each category counts by its mean share in both tables, so that many rare ones do not drown the frequent.
    """
    if isinstance(column, AxisColumn) and not column.steps:
        return np.nan
    levels = on_levels(column)
    present = np.where(levels.known >= 0, weights[0], 0.0)
    old, new = level_shares(levels, weights)
    if present.sum() == 0:
        return np.nan
    if np.isnan(new).any():
        return 1.0
    records = min(float(SAMPLE), float(effective(present[:, None])[0]))
    found = doubt(old, new, old * (1 - old) / records, np.full(len(old), ROUNDING), ())
    return float(found.chance @ (old + new) / 2)


def on_levels(column: ComparedColumn) -> CategoryColumn:
    """The column as categories; a run of ordered ones is a general category that holds them."""
    if isinstance(column, CategoryColumn):
        return column
    low, high = (np.where(np.isnan(each), -1, each).astype(np.int64) for each in (column.low, column.high))
    runs, label = np.unique(np.column_stack([low, high])[low < high], axis=0, return_inverse=True)
    published = low.copy()
    published[low < high] = column.steps + label.ravel()
    place = np.arange(column.steps)
    holds = (runs[:, :1] <= place) & (place <= runs[:, 1:])
    return CategoryColumn(
        name=column.name,
        known=np.where(np.isnan(column.known), -1, column.known).astype(np.int64),
        published=published,
        levels=column.steps,
        holds=holds,
        certain=holds,
    )


def level_shares(column: CategoryColumn, weights: Weights) -> tuple[FloatArray, FloatArray]:
    """The share of each level in both tables, of the cells that have a value; NaN where none has.

    The last is that of categories that the original does not have.
    """
    old = np.append(_counts(column.known, column.levels, weights[0]), 0.0)
    found = _counts(column.published, column.levels + len(column.holds), weights[1])
    new = np.append(found[: column.levels], 0.0)
    members = column.holds.sum(axis=1)
    general = found[column.levels :]
    new[-1] = general[members == 0].sum()
    each = general / np.maximum(members, 1)
    step = max(1, BLOCK // max(1, column.levels))
    for start in range(0, len(general), step):
        new[:-1] += each[start : start + step] @ column.holds[start : start + step]
    with np.errstate(invalid="ignore"):
        return old / old.sum(), new / new.sum()


def _counts(codes: IntArray, number: int, weights: FloatArray) -> FloatArray:
    there = codes >= 0
    return np.bincount(codes[there], weights=weights[there], minlength=number).astype(np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CategoryGroups:
    """A column in a few groups: `codes` of both tables, -1 blank, and how a code is shared out among the groups."""

    codes: tuple[IntArray, IntArray]
    into: FloatArray


def grouped(column: CategoryColumn, weights: Weights) -> CategoryGroups:
    """The column by its most frequent categories; the others are one group, with those that the original lacks.

    Where categories are equally frequent at the border all of them go to the others, so that names decide nothing.
    """
    counts = _counts(column.known, column.levels, weights[0])
    border = np.sort(counts)[-MOST_LEVELS - 1] if column.levels > MOST_LEVELS else -1.0
    frequent = np.flatnonzero(counts > border)
    rest = len(frequent)
    group = np.full(column.levels, rest, dtype=np.int64)
    group[frequent] = np.arange(rest)
    spread = np.zeros((len(column.holds), rest + 1))
    spread[:, :rest] = column.holds[:, frequent] / np.maximum(1, column.holds.sum(axis=1))[:, None]
    spread[:, rest] = np.maximum(0.0, 1.0 - spread.sum(axis=1))
    # A blank is -1, which takes the last.
    code = np.concatenate([group, rest + 1 + np.arange(len(column.holds)), [-1]])
    return CategoryGroups(
        codes=(code[column.known], code[column.published]), into=np.vstack([np.eye(rest + 1), spread])
    )
