"""How far single cells moved, from 0 (as they were) to 1 (gone, or as far as can be)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.comparing import AxisColumn, CategoryColumn, ComparedColumn
from discreet.errors import BadFile, BadOntology, NotInstalled
from discreet.loss.lost_columns import ends, is_blank
from discreet.ontology.columns import Interpretation, understood
from discreet.table import BoolArray, FloatArray, IntArray, Table

MIDDLE = (0.05, 0.95)
"""Distances of numbers are told in spans of the middle nine tenths of the true ones."""


class Semantics(NamedTuple):
    """How far apart categories are in meaning, from 0 to 1; None where there is no ontology or it cannot be read."""

    apart: FloatArray | None
    unread: bool = False


def cell_loss(column: ComparedColumn, truth: IntArray, apart: FloatArray | None = None) -> float | None:
    """The mean loss of a column's cells; None where neither table has a value in it.

    Each true value counts: by how far it moved, on average over its published copies, or 1 where its record was left
    out. A value where the original has none, in a record of somebody or of nobody, was made up and counts 1. Cells that
    are blank in both tables do not count.
    """
    absent, blank = is_blank(column)
    mine = np.flatnonzero(truth >= 0)
    owner = truth[mine]
    moved = np.where(blank[mine], 1.0, distances(column, owner, mine, apart))
    moved = np.where(absent[owner], ~blank[mine], moved).astype(np.float64)
    copies = np.bincount(owner, minlength=len(absent))
    mean = np.bincount(owner, weights=moved, minlength=len(absent)) / np.maximum(copies, 1)
    lost = np.where(absent | (copies > 0), mean, 1.0)
    invented = int((~blank[truth < 0]).sum())
    counted = int((~absent | (lost > 0)).sum()) + invented
    return (float(lost.sum()) + invented) / counted if counted else None


def distances(
    column: ComparedColumn, owner: IntArray, rows: IntArray, apart: FloatArray | None
) -> FloatArray:
    """How far each of the published cells is from the true value of its owner; anything where one is blank."""
    if isinstance(column, AxisColumn):
        return _on_axis(column, owner, rows)
    return _of_categories(column, owner, rows, apart)


def _on_axis(column: AxisColumn, owner: IntArray, rows: IntArray) -> FloatArray:
    """Midway between the distances to the nearest and to the farthest value that the cell can stand for, in spans."""
    unit = _unit(column)
    with np.errstate(over="ignore", invalid="ignore"):
        least, most = column.known[owner] / unit, column.known_high[owner] / unit
        low, high = column.low[rows] / unit, column.high[rows] / unit
        farthest = np.maximum(high - least, most - low)
        nearest = np.maximum(0.0, np.maximum(low - most, least - high))
        apart = nearest / 2 + farthest / 2
        span = _span(column, unit)
        moved = apart / span if span > 0 else (apart > 0).astype(np.float64)
    return np.minimum(1.0, moved)


def _unit(column: AxisColumn) -> float:
    """A power of two near the largest true value, in which differences neither overflow nor vanish."""
    least, most = ends(column)
    largest = max(abs(least), abs(most))
    return float(np.ldexp(1.0, min(1022, int(np.frexp(largest)[1])))) if largest > 0 else 1.0


def _span(column: AxisColumn, unit: float) -> float:
    """The steps of an order, else how far the middle nine tenths reach, or all where these are equal."""
    if column.steps:
        return max(0, column.steps - 1) / unit
    known = column.known[np.isfinite(column.known)] / unit
    if len(known) == 0:
        return 0.0
    low, high = np.quantile(known, MIDDLE)
    return float(high - low) or float(known.max() - known.min())


def _of_categories(
    column: CategoryColumn, owner: IntArray, rows: IntArray, apart: FloatArray | None
) -> FloatArray:
    """The distance between categories; of a more general one the other categories in it, over all others.

    A general category that does not hold the true one is as far as its members are on average, 1 without an ontology.
    """
    known, published = column.known[owner], column.published[rows]
    moved: FloatArray = (known != published).astype(np.float64)
    there = (known >= 0) & (published >= 0)
    plain = there & (published < column.levels)
    general = there & (published >= column.levels)
    if apart is not None:
        moved[plain] = apart[known[plain], published[plain]]
    if general.any():
        label, level = published[general] - column.levels, known[general]
        others = column.holds.sum(axis=1)[label] - 1
        outside = _outside(column.holds, apart, label, level)
        inside: BoolArray = column.holds[label, level]
        moved[general] = np.where(inside, others / max(1, column.levels - 1), outside)
    return moved


def _outside(holds: BoolArray, apart: FloatArray | None, label: IntArray, level: IntArray) -> FloatArray:
    if apart is None:
        return np.ones(len(label))
    members = holds.sum(axis=1)
    mean = (holds @ apart) / np.maximum(members, 1)[:, None]
    return np.where(members[label] > 0, mean[label, level], 1.0)


def semantics_of(original: Table, masked: Table, column: ComparedColumn) -> Semantics:
    """How far apart the categories of the column are in its ontology, as a share of the farthest that there is."""
    name = column.name
    if isinstance(column, AxisColumn) or not original[name].ontology or column.levels == 0:
        return Semantics(None)
    tables = [original, masked] if name in masked.names else [original]
    try:
        space, codes = understood(tables, name, Interpretation(unmapped="apart"))
    except (BadOntology, BadFile, NotInstalled):
        return Semantics(None, unread=True)
    present = column.known >= 0
    place = np.zeros(column.levels, dtype=np.int64)
    place[column.known[present]] = codes[0][present]
    between = space.between[np.ix_(place, place)]
    return Semantics(np.minimum(1.0, between / max(space.distance.largest, np.finfo(float).tiny)))
