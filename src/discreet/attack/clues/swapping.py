"""Rank swapping: a value cannot have moved further than p percent of the ranks (Nin, Herranz and Torra 2008)."""

from __future__ import annotations

import numpy as np

from discreet.attack.clues.kinds import Range, Step, Told, present
from discreet.attack.points import numbers_of
from discreet.table import FloatArray

WITHOUT_BOUND = "the variant '{variant}' rules no rank out"
DROPPED = "records were dropped after it, so ranks are not known"


def rank_windows(step: Step) -> Told:
    """For each column the masked values within reach of the known one.

    Swapping keeps the values of a column, so the published column is the one that was ranked. A value at sorted
    positions i to j was swapped with one at i - q to j + q, q being p percent of the ranks; positions that are tied
    with the ends cannot be told apart from them. Cells blanked since can each have moved a rank by one. An intruder who
    is not told p itself takes an upper bound of it.
    """
    p = step.parameters.get("p") if step.p_at_most is None else step.p_at_most
    if step.variant != "window":
        return Told(silent=dict.fromkeys(step.columns, WITHOUT_BOUND.format(variant=step.variant)))
    if step.dropped_after:
        return Told(silent=dict.fromkeys(step.columns, DROPPED))
    if p is None:
        return Told(silent=dict.fromkeys(step.columns, "p is not published; give an upper bound of it"))
    clues = []
    for name in step.columns:
        axis = numbers_of(step.masked, name)
        blanked = int(np.isnan(axis).sum()) if name in step.blanked else 0
        reach = int(p * (len(present(axis)) + blanked) / 100) + blanked
        low, high = window(numbers_of(step.known, name), present(axis), reach)
        clues.append(Range(columns=(name,), axis=axis, low=low, high=high, may_vanish=blanked > 0))
    return Told(clues=tuple(clues))


def window(values: FloatArray, ordered: FloatArray, reach: int) -> tuple[FloatArray, FloatArray]:
    """The least and the greatest of the sorted values that is at most `reach` positions away from each value."""
    missing = np.isnan(values)
    if len(ordered) == 0:
        return np.where(missing, np.nan, np.inf), np.where(missing, np.nan, -np.inf)
    last = len(ordered) - 1
    low = ordered[np.clip(np.searchsorted(ordered, values, side="left") - reach, 0, last)]
    high = ordered[np.clip(np.searchsorted(ordered, values, side="right") + reach - 1, 0, last)]
    return np.where(missing, np.nan, low), np.where(missing, np.nan, high)
