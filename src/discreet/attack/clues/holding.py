"""Values that became intervals, runs or more general ones: what is published holds the original value."""

from __future__ import annotations

import re

import numpy as np
import polars as pl

from discreet.attack.clues.kinds import Range, Step, Told
from discreet.attack.points import numbers_of, places_of
from discreet.table import FloatArray, Scale

SLACK = 1e-9
WHOLE_DIGITS = 10
"""Ends written with fewer digits than these are written whole."""
EVERYTHING = (-np.inf, np.inf)
INTERVAL = re.compile(r"\[(.+), (.+)([])])")
BELOW, FROM_ON = "< ", ">= "


def held(step: Step) -> Told:
    """For each column: the published interval, run or category holds the known value.

    A label that says nothing to a reader of the file alone, such as "(any)", holds everything. What a concept of an
    ontology holds is not looked up.
    """
    clues: list[Range] = []
    silent: dict[str, str] = {}
    for name in step.columns:
        averaged = step.parameters.get("numbers") == "mean" and step.known[name].scale != Scale.NOMINAL
        if averaged or step.masked[name].scale == Scale.NUMERIC:
            silent[name] = "the mean of a group does not say whom it holds"
        elif step.known[name].scale == Scale.NOMINAL and _has_ontology(step, name):
            silent[name] = "what a concept of its ontology holds is not looked up"
        else:
            clues += _containing(step, name)
    return Told(clues=tuple(clues), silent=silent)


def _has_ontology(step: Step, name: str) -> bool:
    return bool(step.known[name].ontology or step.parameters.get("ontology"))


def _containing(step: Step, name: str) -> tuple[Range, Range]:
    """The label begins at the value or before, and ends at the value or after.

    A missing value stays missing, or is joined with all others in a label that holds everything.
    """
    values, levels = _places(step, name)
    labels = step.masked.frame[name].cast(pl.String)
    distinct = labels.drop_nulls().unique().sort()
    bounds = np.array([*(_bounds(label, levels) for label in distinct), (np.nan, np.nan)])
    begins, ends = bounds[places_of(labels, distinct)].T
    missing = np.isnan(values)
    everywhere = np.full(len(values), np.inf)
    first = Range(
        columns=(name,),
        axis=begins,
        low=-everywhere,
        high=np.where(missing, -np.inf, values),
        may_vanish=True,
    )
    last = Range(
        columns=(name,), axis=ends, low=np.where(missing, np.inf, values), high=everywhere, may_vanish=True
    )
    return first, last


def _places(step: Step, name: str) -> tuple[FloatArray, tuple[str, ...]]:
    """The known values as places on an axis, and the categories that stand at 0, 1, 2, … of it; none for numbers."""
    column = step.known[name]
    if column.scale == Scale.NUMERIC:
        return numbers_of(step.known, name), ()
    texts = step.known.frame[name].cast(pl.String)
    levels = column.order or tuple(texts.drop_nulls().unique().sort().to_list())
    codes = places_of(texts, pl.Series(levels, dtype=pl.String))
    return np.where(codes < 0, np.nan, codes.astype(np.float64)), levels


def _bounds(label: str, levels: tuple[str, ...]) -> tuple[float, float]:
    """From where to where a label reaches."""
    if levels:
        return _run(label, levels)
    if label.startswith(BELOW):
        return -np.inf, _until(label.removeprefix(BELOW))
    if label.startswith(FROM_ON):
        return _from(label.removeprefix(FROM_ON)), np.inf
    interval = INTERVAL.fullmatch(label)
    if interval is not None:
        low, high, bracket = interval.groups()
        if _number(low) is None or _number(high) is None:
            return EVERYTHING
        return _from(low), _up_to(high) if bracket == "]" else _until(high)
    return EVERYTHING if _number(label) is None else (_from(label), _up_to(label))


def _run(label: str, levels: tuple[str, ...]) -> tuple[float, float]:
    """The places of a run of levels such as "primary to secondary"; names of levels may hold the word themselves."""
    if label in levels:
        return levels.index(label), levels.index(label)
    parts = label.split(" to ")
    for cut in range(1, len(parts)):
        first, last = " to ".join(parts[:cut]), " to ".join(parts[cut:])
        if first in levels and last in levels:
            return levels.index(first), levels.index(last)
    return EVERYTHING


def _number(text: str) -> float | None:
    """A number or a date (in days) as it is written; None for anything else."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return float(np.datetime64(text, "D").astype(np.int64))
    try:
        return float(text)
    except ValueError:
        return None


def _from(text: str) -> float:
    """The least value that an interval from here can hold; the digits of a long number may have been cut."""
    return (_number(text) or 0.0) - _cut_off(text)


def _up_to(text: str) -> float:
    return (_number(text) or 0.0) + _cut_off(text)


def _until(text: str) -> float:
    """The greatest value that an interval to here, its end left out, can hold."""
    end, slack = _number(text) or 0.0, _cut_off(text)
    return end + slack if slack else float(np.nextafter(end, -np.inf))


def _cut_off(text: str) -> float:
    mantissa = text.lower().split("e")[0]
    digits = sum(each.isdigit() for each in mantissa.lstrip("-0."))
    is_date = text.count("-") == 2 and len(text) == 10
    return 0.0 if is_date or digits < WHOLE_DIGITS else SLACK * abs(float(text))
