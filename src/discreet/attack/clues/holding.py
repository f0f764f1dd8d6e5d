"""Values that became bands, runs or more general ones: what is published holds the original value."""

from __future__ import annotations

import numpy as np

from discreet.attack.clues.kinds import PublishedStep, Range, StepClues
from discreet.comparing import AxisColumn, compare_column
from discreet.table import Scale

VALUE_BY_VALUE = ("recode_numbers", "camouflage")
"""Methods that mask each value by itself: a missing one stays missing, and no other becomes so."""


def held(step: PublishedStep) -> StepClues:
    """For each column: the published band, run or category holds the known value.

    A label that says nothing to a reader of the file alone, such as "(any)", holds everything.
    """
    clues: list[Range] = []
    silent: dict[str, str] = {}
    for name in step.columns:
        averaged = step.parameters.get("numbers") == "mean" and step.known[name].scale != Scale.NOMINAL
        if averaged or (step.masked[name].scale == Scale.NUMERIC and step.known[name].scale == Scale.NUMERIC):
            silent[name] = "the mean of a group does not say whom it holds"
        else:
            clues += _containing(step, name)
    return StepClues(clues=tuple(clues), silent=silent)


def _containing(step: PublishedStep, name: str) -> tuple[Range, Range]:
    """The label begins at the value or before, and ends at the value or after.

    A missing value stays missing, or is joined with all others in a label that holds everything.
    """
    column = compare_column(*step.tables(name), name, step.truth)
    if isinstance(column, AxisColumn):
        values, begins, ends = column.known, column.low, column.high
    else:
        values, _, begins, ends = column.on_a_line()
    missing = np.isnan(values)
    by_itself = step.method in VALUE_BY_VALUE
    joined = np.nan if by_itself else np.inf
    may_vanish = name in step.blanked or not by_itself
    first = Range(
        columns=(name,),
        axis=begins,
        low=np.where(missing, -joined, -np.inf),
        high=np.where(missing, -joined, values),
        may_vanish=may_vanish,
    )
    last = Range(
        columns=(name,),
        axis=ends,
        low=np.where(missing, joined, values),
        high=np.where(missing, joined, np.inf),
        may_vanish=may_vanish,
    )
    return first, last
