"""Records as the numbers a model is fitted to, the same for both tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.coding import MISSING
from discreet.comparing import is_part_of_order
from discreet.loss.coded import coded, ranked
from discreet.loss.compared import comparable_numbers
from discreet.table import BoolArray, FloatArray, IntArray, Scale, Table

MOST_LEVELS = 20
"""A column has an axis for so many of its most frequent categories; the others share one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Features:
    """Both tables as numbers, the column that each of them comes from, and which of them are measured on a line.

    `complete` says of the records of each table whether no number among their columns is missing.
    """

    original: FloatArray
    masked: FloatArray
    about: tuple[str, ...]
    on_a_line: BoolArray
    complete_original: BoolArray
    complete_masked: BoolArray

    def of(self, column: str) -> BoolArray:
        """The features that come from a column."""
        return np.array([name == column for name in self.about], dtype=bool)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """The features of one column."""

    original: FloatArray
    masked: FloatArray
    on_a_line: BoolArray
    missing_original: BoolArray
    missing_masked: BoolArray


def features(
    original: Table, masked: Table, columns: Sequence[str], *, own_units: bool = False, baseline: bool = True
) -> Features:
    """The columns, in the order of their names, as features of both tables.

    Numbers, and ordinal categories by their place, are standardised by the original's mean and standard deviation,
    or with `own_units` each table by its own; a missing one counts as the mean and has a feature that says so.
    Nominal categories have a feature each, but for the most frequent with `baseline`; missing is one of them, and
    those beyond the twenty most frequent share one.
    """
    named = sorted(columns)
    blocks = [_block(original, masked, name, own_units, baseline) for name in named]
    return Features(
        original=np.hstack([each.original for each in blocks]),
        masked=np.hstack([each.masked for each in blocks]),
        about=tuple(
            name for name, each in zip(named, blocks, strict=True) for _ in range(each.original.shape[1])
        ),
        on_a_line=np.concatenate([each.on_a_line for each in blocks]),
        complete_original=~np.any([each.missing_original for each in blocks], axis=0),
        complete_masked=~np.any([each.missing_masked for each in blocks], axis=0),
    )


def _block(original: Table, masked: Table, name: str, own_units: bool, baseline: bool) -> Block:
    if original[name].scale == Scale.NUMERIC:
        true, published = comparable_numbers(original, masked, [name])
        return _line(true[:, 0], published[:, 0], own_units)
    places = ranked(original, masked, name)
    if places is not None and _ordered_alike(original, masked, name):
        old, new = (np.where(each >= 0, each.astype(np.float64), np.nan) for each in places[:2])
        return _line(old, new, own_units)
    both = coded(original, masked, name)
    old, new = _axes(both.original, both.masked, both.codes, baseline)
    none = np.zeros(old.shape[1], dtype=bool)
    return Block(
        original=old,
        masked=new,
        on_a_line=none,
        missing_original=np.zeros(len(old), dtype=bool),
        missing_masked=np.zeros(len(new), dtype=bool),
    )


def _ordered_alike(original: Table, masked: Table, name: str) -> bool:
    """Whether both columns are ordered by one order, of which the masked one may show a part."""
    return is_part_of_order(masked[name].order, original[name].order)


def _line(old: FloatArray, new: FloatArray, own_units: bool) -> Block:
    absent_old, absent_new = np.isnan(old), np.isnan(new)
    left, right = [_standard(old, old)], [_standard(new, new if own_units else old)]
    on_a_line = [True]
    if absent_old.any() or absent_new.any():
        left.append(absent_old.astype(np.float64))
        right.append(absent_new.astype(np.float64))
        on_a_line.append(False)
    return Block(
        original=np.column_stack(left),
        masked=np.column_stack(right),
        on_a_line=np.array(on_a_line),
        missing_original=absent_old,
        missing_masked=absent_new,
    )


@np.errstate(over="ignore", invalid="ignore")
def _standard(values: FloatArray, by: FloatArray) -> FloatArray:
    """The values less the mean and over the standard deviation of others; missing ones are at the mean."""
    present = by[~np.isnan(by)]
    if len(present) == 0:
        return np.zeros(len(values))
    spread = float(present.std()) if present.min() < present.max() else 0.0
    moved = values - present.mean()
    return np.where(np.isnan(values), 0.0, moved / spread if spread > 0 else moved)


def _axes(old: IntArray, new: IntArray, codes: int, baseline: bool) -> tuple[FloatArray, FloatArray]:
    """A feature for each frequent category, and one for the others together."""
    frequency = np.bincount(old, minlength=codes) + np.bincount(new, minlength=codes)
    used = frequency > 0
    used[MISSING] = frequency[MISSING] > 0
    order = np.argsort(-frequency, kind="stable")[: int(used.sum())]
    axis = np.full(codes, MOST_LEVELS)
    axis[order[:MOST_LEVELS]] = np.arange(min(MOST_LEVELS, len(order)))
    width = min(len(order), MOST_LEVELS + 1)
    first = 1 if baseline else 0
    lines = np.eye(max(width, 1))[:, first:]
    return lines[np.minimum(axis[old], max(width, 1) - 1)], lines[np.minimum(axis[new], max(width, 1) - 1)]
