"""Microaggregation: the group of a known record is one of those next to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.attack.clues.kinds import Clue, Near, Points, PublishedStep, Range, StepClues, present
from discreet.attack.points import centre_and_spread, compared_columns, errors_of
from discreet.comparing import numbers_of
from discreet.table import FloatArray, Scale

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
    values, axis = numbers_of(step.known, name), numbers_of(step.masked, name)
    whole = step.known.frame[name].dtype.is_temporal()
    low, high = _between(values, present(axis), 1.0 if whole else 0.0)
    return Range(columns=(name,), axis=axis, low=low, high=high, may_vanish=True)


def _between(values: FloatArray, centres: FloatArray, slack: float) -> tuple[FloatArray, FloatArray]:
    """The greatest centre below each value and the least above it; without end where there is none."""
    missing = np.isnan(values)
    walled = np.concatenate([[-np.inf], centres, [np.inf]])
    low = walled[np.searchsorted(centres, np.where(missing, 0.0, values) - slack, side="left")]
    high = walled[np.searchsorted(centres, np.where(missing, 0.0, values) + slack, side="right") + 1]
    return np.where(missing, np.nan, low), np.where(missing, np.nan, high)


def _columns(step: PublishedStep, names: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    known = np.column_stack([numbers_of(step.known, name) for name in names])
    masked = np.column_stack([numbers_of(step.masked, name) for name in names])
    return known, masked


def _standardises(step: PublishedStep) -> bool:
    return bool(step.parameters.get("standardise", True))


def _scaled(known: FloatArray, masked: FloatArray, standardise: bool) -> tuple[FloatArray, FloatArray]:
    """Both less the known means, in known standard deviations where the groups were formed in these."""
    means, spreads = np.array([centre_and_spread(column) for column in known.T]).T
    units = spreads if standardise else np.ones(len(spreads))
    return (known - means) / units, (masked - means) / units


def _projected(step: PublishedStep, names: tuple[str, ...], direction: FloatArray) -> Range:
    """The centres next to the record on the axis along which the groups were cut.

    Records that lack a value were grouped by themselves; of them nothing is known. Means and spreads are those of the
    known file, so that an intruder with a part of it only estimates them, and so does one with values that were blanked
    before; medians of ordinal columns may be elsewhere.
    """
    known, masked = _scaled(*_columns(step, names), _standardises(step))
    complete = ~np.isnan(known).any(axis=1)
    score, axis = known @ direction, masked @ direction
    centres = present(axis)
    errors = errors_of(compared_columns(step.known, step.masked, names, step.truth))
    if not _standardises(step):
        errors *= [centre_and_spread(numbers_of(step.known, name))[1] for name in names]
    slack = SLACK * (centres[-1] - centres[0]) + errors @ np.abs(direction) if len(centres) else 0.0
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


def _direction(step: PublishedStep, names: tuple[str, ...]) -> FloatArray | None:
    """The axis of the order: the sum of z-scores, or the first principal component; None where that is not settled."""
    known, _ = _scaled(*_columns(step, names), _standardises(step))
    points = known[~np.isnan(known).any(axis=1)]
    if len(points) == 0:
        return np.ones(len(names))
    if step.variant == "zscore":
        return np.array([1.0 / centre_and_spread(column)[1] for column in points.T])
    centred = points - points.mean(axis=0)
    lengths, axes = np.linalg.eigh(centred.T @ centred)
    settled = len(names) == 1 or lengths[-1] - lengths[-2] > CLEAR * lengths[-1]
    return axes[:, -1] if settled else None


def _nearest(step: PublishedStep, names: tuple[str, ...]) -> tuple[Clue, ...]:
    """The groups whose centres are the nearest to the record in the units they were formed in, missing at the mean.

    A single group of columns leaves nothing to intersect, and the nearest group is that of the least distance.
    """
    from scipy.spatial import cKDTree

    from discreet._kernels.counting.distinct import distinct_rows

    known, masked = (np.nan_to_num(each) for each in _scaled(*_columns(step, names), _standardises(step)))
    points = Points(columns=names, known=known, masked=masked)
    if not step.parameters.get("groups"):
        return (points,)
    groups = distinct_rows(masked)
    tried = LADDER if step.nearest is None else (step.nearest,)
    most = min(tried[-1], len(groups.firsts))
    _, nearest = cKDTree(masked[groups.firsts]).query(known, k=range(1, most + 1))
    return points, Near(columns=names, labels=groups.labels, groups=np.asarray(nearest), tried=tried)
