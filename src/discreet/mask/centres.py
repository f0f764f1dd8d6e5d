"""Centres of groups: means, medians and modes, with or without sampling weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.table import FloatArray, IntArray, Scale


def centres(
    values: FloatArray, labels: IntArray, scales: Sequence[Scale], weights: FloatArray | None = None
) -> FloatArray:
    """Each record's group centre, the same to the last bit for all records of a group.

    The centre is the mean, of ordinal columns the lower median, of nominal ones the mode, the first of several; they
    count records by their weights where given. A group whose weights are all zero has its plain centre. Labels count
    from 0 and leave none out.
    """
    counted = np.ones(len(labels)) if weights is None else _counted(weights, labels)
    fresh = np.empty_like(values)
    for place, scale in enumerate(scales):
        column = np.ascontiguousarray(values[:, place])
        middle = CENTRES[scale](column, labels, counted)
        fresh[:, place] = middle[labels]
    return fresh


def _counted(weights: FloatArray, labels: IntArray) -> FloatArray:
    """What each record counts, at most one, so that sums of large numbers stay in range."""
    scaled = weights / max(float(weights.max(initial=0.0)), np.finfo(np.float64).tiny)
    nothing = np.bincount(labels, weights=scaled) == 0
    counted: FloatArray = np.where(nothing[labels], 1.0, scaled)
    return counted


def _means(column: FloatArray, labels: IntArray, counted: FloatArray) -> FloatArray:
    """The mean of each group; of equal values it is that value itself, not its rounded mean."""
    middle = np.bincount(labels, weights=column * counted) / np.bincount(labels, weights=counted)
    low, high = np.full(len(middle), np.inf), np.full(len(middle), -np.inf)
    np.minimum.at(low, labels, column)
    np.maximum.at(high, labels, column)
    return np.clip(middle, low, high)


def _medians(column: FloatArray, labels: IntArray, counted: FloatArray) -> FloatArray:
    """The lowest value of each group that has half of it at or below."""
    order = np.lexsort((column, labels))
    running = np.cumsum(counted[order])
    ends = np.cumsum(np.bincount(labels))
    before = np.append(0.0, running[ends[:-1] - 1])
    half = (before + running[ends - 1]) / 2
    # Halves that sums of weights miss by their last digits are halves.
    found = np.searchsorted(running, half * (1 - 1e-12), side="left")
    starts = np.append(0, ends[:-1])
    median: FloatArray = column[order[np.clip(found, starts, ends - 1)]]
    return median


def _modes(column: FloatArray, labels: IntArray, counted: FloatArray) -> FloatArray:
    """The value of each group that counts most, the lowest of several."""
    order = np.lexsort((column, labels))
    first = np.append(True, (np.diff(labels[order]) != 0) | (np.diff(column[order]) != 0))
    starts = np.flatnonzero(first)
    totals = np.add.reduceat(counted[order], starts)
    groups, values = labels[order[starts]], column[order[starts]]
    best = np.lexsort((values, -totals, groups))
    mode: FloatArray = values[best[np.flatnonzero(np.diff(groups[best], prepend=-1))]]
    return mode


CENTRES = {Scale.NUMERIC: _means, Scale.ORDINAL: _medians, Scale.NOMINAL: _modes}
