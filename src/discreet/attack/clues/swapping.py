"""Rank swapping: a value cannot have moved further than p percent of the ranks (Nin, Herranz and Torra 2008).

Where the method rules no rank out, it still says how far values usually move: in ranks, not in standard deviations.
"""

from __future__ import annotations

import numpy as np

from discreet.attack.clues.kinds import Points, PublishedStep, Range, StepClues, present
from discreet.table import FloatArray

USUAL_MOVE = {"buckets": np.sqrt(3 + 1 / 6), "distribution": np.sqrt(1 / 2)}
"""The root of the mean squared number of ranks that a value moves, over p percent of them, far from the ends.

A geometric number of buckets with mean 1 and variance 2, and the difference of two places in a bucket; or a normal
number with mean and standard deviation of a half."""
UNKNOWN_VARIANT = "no attack on the variant '{variant}' is known"
DROPPED = "records were dropped after it, so ranks are not known"


def swapped_ranks(step: PublishedStep) -> StepClues:
    """For each column which masked values are within reach of the known one, or how far away they are in usual moves.

    An intruder who is not told p itself takes an upper bound of it.
    """
    p = step.parameters.get("p") if step.p_at_most is None else step.p_at_most
    if p is None:
        return StepClues(silent=dict.fromkeys(step.columns, "p is not published; give an upper bound of it"))
    if step.variant in USUAL_MOVE:
        return StepClues(clues=tuple(_moves(step, name, p) for name in step.columns))
    if step.variant != "window":
        return StepClues(silent=dict.fromkeys(step.columns, UNKNOWN_VARIANT.format(variant=step.variant)))
    if step.dropped_after:
        return StepClues(silent=dict.fromkeys(step.columns, DROPPED))
    return StepClues(clues=tuple(_window(step, name, p) for name in step.columns))


def _window(step: PublishedStep, name: str, p: float) -> Range:
    """The masked values within reach of the known one.

    Swapping keeps the values of a column, so the published column is the one that was ranked. A value at sorted
    positions i to j was swapped with one at i - q to j + q, q being p percent of the ranks; positions that are tied
    with the ends cannot be told apart from them. Cells blanked since can each have moved a rank by one.
    """
    values, axis = step.numbers(name)
    blanked = int(np.isnan(axis).sum()) if name in step.blanked else 0
    reach = int(p * (len(present(axis)) + blanked) / 100) + blanked
    low, high = window(values, present(axis), reach)
    return Range(columns=(name,), axis=axis, low=low, high=high, may_vanish=blanked > 0)


def _moves(step: PublishedStep, name: str, p: float) -> Points:
    """The ranks of the known and the masked values, in usual moves: the likelihood of normal moves.

    Ranks are those in the published column, which holds the values that were ranked; missing stands in the middle.
    """
    known, axis = step.numbers(name)
    ordered = present(axis)
    usual = USUAL_MOVE[step.variant] * p / 100 * max(1, len(ordered))
    places = [_ranks(values, ordered)[:, None] / usual for values in (known, axis)]
    return Points(columns=(name,), known=places[0], masked=places[1])


def _ranks(values: FloatArray, ordered: FloatArray) -> FloatArray:
    """The middle of the sorted positions that each value is at, or between."""
    ranks = (
        np.searchsorted(ordered, values, side="left") + np.searchsorted(ordered, values, side="right")
    ) / 2
    return np.where(np.isnan(values), len(ordered) / 2, ranks)


def window(values: FloatArray, ordered: FloatArray, reach: int) -> tuple[FloatArray, FloatArray]:
    """The least and the greatest of the sorted values that is at most `reach` positions away from each value."""
    missing = np.isnan(values)
    if len(ordered) == 0:
        return np.where(missing, np.nan, np.inf), np.where(missing, np.nan, -np.inf)
    last = len(ordered) - 1
    low = ordered[np.clip(np.searchsorted(ordered, values, side="left") - reach, 0, last)]
    high = ordered[np.clip(np.searchsorted(ordered, values, side="right") + reach - 1, 0, last)]
    return np.where(missing, np.nan, low), np.where(missing, np.nan, high)
