"""Microaggregation: the group of a known record is one of those next to it."""

from __future__ import annotations

import numpy as np

from discreet._kernels.counting.distinct import distinct_rows
from discreet.attack.clues.kinds import Clue, Near, Points, PublishedStep, Range, StepClues, present
from discreet.attack.points import centre_and_spread, compared_columns, errors_of
from discreet.attack.whitening import covariance_of
from discreet.comparing import numbers_of
from discreet.stored import Matrix
from discreet.table import FloatArray, IntArray, Scale

SLACK = 1e-9
CLEAR = 1e-4
"""The share by which the first principal axis is the longest; with less, rounding can decide which one it is."""
LADDER = (1, 2, 3, 4, 6, 8, 16)
"""How many of the nearest groups are tried, one number after the other, where groups do not follow each other."""


def neighbouring_groups(step: PublishedStep) -> StepClues:
    """The groups that a known record can be in, by how the groups were formed.

    `individual`: the best groups of one column follow each other, so a value is between the centres of its neighbours.
    `zscore`, `component`: groups follow each other on an axis, and so do their centres. `mdav`, `adaptive`: the groups
    with the nearest centres, which is likely and not certain. A nominal column tells nothing of its own: it is compared
    like one that was not masked.
    """
    ordered = [name for name in step.columns if step.known[name].scale != Scale.NOMINAL]
    silent = {name: "categories have no neighbours" for name in step.columns if name not in ordered}
    if step.variant == "individual":
        return StepClues(clues=tuple(_enclosing(step, name) for name in ordered), silent=silent)
    clues: list[Clue] = []
    for names in step.parameters.get("groups") or [step.parameters["columns"]]:
        known = tuple(name for name in names if name in ordered)
        if step.variant in ("zscore", "component"):
            if len(known) < len(names):
                silent |= dict.fromkeys(known, "other columns of its group are not known, or are nominal")
                continue
            direction = _direction(step, known)
            if direction is None:
                silent |= dict.fromkeys(
                    known, "several axes are as long as the first, so that it can be any of them"
                )
                continue
            clues.append(_projected(step, known, direction))
        elif known:
            clues += _nearest(step, known)
    return StepClues(clues=tuple(clues), silent=silent)


def _enclosing(step: PublishedStep, name: str) -> Range:
    """The published centres next to the value, and those equal to it.

    A centre below the one below, or above the one above, belongs to a group that ends before the value.
    """
    values, axis = step.numbers(name)
    whole = step.known.dtype(name).is_temporal()
    low, high = _between(values, present(axis), 1.0 if whole else 0.0)
    return Range(columns=(name,), axis=axis, low=low, high=high, may_vanish=True)


def _between(values: FloatArray, centres: FloatArray, slack: float) -> tuple[FloatArray, FloatArray]:
    """The greatest centre below each value and the least above it; without end where there is none."""
    missing = np.isnan(values)
    walled = np.concatenate([[-np.inf], centres, [np.inf]])
    low = walled[np.searchsorted(centres, np.where(missing, 0.0, values) - slack, side="left")]
    high = walled[np.searchsorted(centres, np.where(missing, 0.0, values) + slack, side="right") + 1]
    return np.where(missing, np.nan, low), np.where(missing, np.nan, high)


def _standardises(step: PublishedStep) -> bool:
    return bool(step.parameters.get("standardise", True))


def _scaled(step: PublishedStep, name: str) -> tuple[FloatArray, FloatArray]:
    """Both columns less the known mean, in known standard deviations where the groups were formed in these."""
    known, masked = step.numbers(name)
    mean, spread = centre_and_spread(known)
    unit = spread if _standardises(step) else 1.0
    return (known - mean) / unit, (masked - mean) / unit


def _projected(step: PublishedStep, names: tuple[str, ...], direction: FloatArray) -> Range:
    """The centres next to the record on the axis along which the groups were cut.

    Records that lack a value were grouped by themselves; of them nothing is known. Means and spreads are those of the
    known file, so that an intruder with a part of it only estimates them, and so does one with values that were blanked
    before; medians of ordinal columns may be elsewhere.
    """
    score, axis, slack = np.zeros(len(step.known)), np.zeros(len(step.masked)), 0.0
    for name, weight in zip(names, direction.tolist(), strict=True):
        known, masked = _scaled(step, name)
        score, axis = score + known * weight, axis + masked * weight
        slack += _error(step, name) * abs(weight)
    complete, centres = ~np.isnan(score), present(axis)
    slack = slack + SLACK * (centres[-1] - centres[0]) if len(centres) else 0.0
    low, high = _between(np.where(complete, score, 0.0), centres, slack)
    ordinal = any(step.known[name].scale == Scale.ORDINAL for name in names)
    blanked_before = any(name in step.blanked_before for name in names)
    return Range(
        columns=names,
        axis=axis,
        low=np.where(complete, low - slack, -np.inf),
        high=np.where(complete, high + slack, np.inf),
        may_vanish=True,
        sound=step.whole and not ordinal and not blanked_before,
    )


def _error(step: PublishedStep, name: str) -> float:
    """By how much rounding can part two places on an axis that are the same, for one column of it."""
    known, masked = step.tables(name)
    error = float(errors_of(compared_columns(known, masked, [name], step.truth))[0])
    return error if _standardises(step) else error * centre_and_spread(numbers_of(known, name))[1]


def _direction(step: PublishedStep, names: tuple[str, ...]) -> FloatArray | None:
    """The axis of the order: the sum of z-scores, or the first principal component; None where that is not settled."""
    known = step.matrix(_scaled(step, name)[0] for name in names)
    complete = np.ones(len(known), dtype=bool)
    for place in range(len(names)):
        complete &= ~np.isnan(_column(known, place))
    if not complete.any():
        return np.ones(len(names))
    if step.variant == "zscore":
        columns = (_column(known, place)[complete] for place in range(len(names)))
        return np.array([1.0 / centre_and_spread(column)[1] for column in columns])
    covariance = covariance_of(known)
    lengths, axes = np.linalg.eigh(np.zeros((len(names),) * 2) if covariance is None else covariance)
    settled = len(names) == 1 or lengths[-1] - lengths[-2] > CLEAR * lengths[-1]
    return axes[:, -1] if settled else None


def _column(matrix: Matrix, place: int) -> FloatArray:
    column: FloatArray = matrix[:, place : place + 1]
    return column[:, 0]


def _nearest(step: PublishedStep, names: tuple[str, ...]) -> tuple[Clue, ...]:
    """The groups whose centres are the nearest to the record in the units they were formed in, missing at the mean.

    A single group of columns leaves nothing to intersect, and the nearest group is that of the least distance.
    """
    from scipy.spatial import cKDTree

    known = step.matrix(np.nan_to_num(_scaled(step, name)[0]) for name in names)
    masked = step.matrix(np.nan_to_num(_scaled(step, name)[1]) for name in names)
    points = Points(columns=names, known=known, masked=masked)
    if not step.parameters.get("groups"):
        return (points,)
    labels, firsts = _equal_rows(masked)
    tried = LADDER if step.nearest is None else (step.nearest,)
    most = min(tried[-1], len(firsts))
    people = slice(None) if step.people is None else step.people
    _, nearest = cKDTree(masked[firsts]).query(known[people], k=range(1, most + 1))
    return points, Near(columns=names, labels=labels, groups=np.asarray(nearest), tried=tried)


def _equal_rows(points: Matrix) -> tuple[IntArray, IntArray]:
    """For each row the number of its group, and for each group its first row; one column is held at a time."""
    label = np.zeros(len(points), dtype=np.int64)
    firsts = label[:1]
    for place in range(points.shape[1]):
        bits = (_column(points, place) + 0.0).view(np.int64)
        label, firsts, _ = distinct_rows(np.column_stack([label, bits]))
    return label, firsts
