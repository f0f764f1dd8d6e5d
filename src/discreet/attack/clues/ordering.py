"""Methods that keep the order of a column: the masked value has the rank of the original one."""

from __future__ import annotations

import numpy as np

from discreet.attack.clues.kinds import PublishedStep, Range, StepClues, present
from discreet.comparing import AxisColumn, compare_column

INCOMPLETE = "the intruder does not hold the whole file, so the ranks of known values are not known"


def kept_order(step: PublishedStep) -> StepClues:
    """For each column the masked values at the ranks that the known value has in the whole file.

    Resampling and distortion give every record a new value by its rank, equal values in any order: whoever holds the
    whole file knows the rank of each record, and so its masked value.
    """
    clues, silent = [], {}
    for name in step.columns:
        column = compare_column(*step.tables(name), name, step.truth)
        if not isinstance(column, AxisColumn) or column.banded:
            silent[name] = "it has no order"
            continue
        values, axis = column.known, column.low
        ranked, ordered = present(values), present(axis)
        if not step.whole or len(ranked) != len(ordered) or len(ordered) == 0:
            silent[name] = INCOMPLETE
            continue
        missing = np.isnan(values)
        first = np.searchsorted(ranked, values, side="left").clip(max=len(ordered) - 1)
        last = np.searchsorted(ranked, values, side="right") - 1
        low, high = (np.where(missing, np.nan, ordered[place]) for place in (first, last.clip(min=0)))
        clues.append(Range(columns=(name,), axis=axis, low=low, high=high))
    return StepClues(clues=tuple(clues), silent=silent)
