"""Values that became intervals, runs or more general ones: what is published holds the original value."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
import polars as pl

from discreet.attack.clues.kinds import Range, Step, Told
from discreet.attack.points import numbers_of, places_of
from discreet.ontology import VIRTUAL_ROOT
from discreet.table import FloatArray, Scale

SLACK = 1e-9
WHOLE_DIGITS = 10
"""Ends written with fewer digits than these are written whole."""
EVERYTHING = (-np.inf, np.inf)
INTERVAL = re.compile(r"\[(.+), (.+)([])])")
BELOW, FROM_ON = "< ", ">= "
VALUE_BY_VALUE = ("recode_numbers", "camouflage")
"""Methods that mask each value by itself: a missing one stays missing, and no other becomes so."""
INSTANT = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))?([+-]\d\d:\d\d)?")
NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6}


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
    kind = step.known.frame[name].dtype
    bounds = np.array([*(_bounds(label, levels, kind) for label in distinct), (np.nan, np.nan)])
    begins, ends = bounds[places_of(labels, distinct)].T
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


def _places(step: Step, name: str) -> tuple[FloatArray, tuple[str, ...]]:
    """The known values as places on an axis, and the categories that stand at 0, 1, 2, … of it; none for numbers."""
    column = step.known[name]
    if column.scale == Scale.NUMERIC:
        return numbers_of(step.known, name), ()
    texts = step.known.frame[name].cast(pl.String)
    levels = column.order or tuple(texts.drop_nulls().unique().sort().to_list())
    codes = places_of(texts, pl.Series(levels, dtype=pl.String))
    return np.where(codes < 0, np.nan, codes.astype(np.float64)), levels


def _bounds(label: str, levels: tuple[str, ...], kind: pl.DataType) -> tuple[float, float]:
    """From where to where a label reaches."""
    if levels:
        return _run(label, levels)
    if label.startswith(BELOW):
        end = _read(label.removeprefix(BELOW), kind)
        return EVERYTHING if end is None else (-np.inf, end.until)
    if label.startswith(FROM_ON):
        begin = _read(label.removeprefix(FROM_ON), kind)
        return EVERYTHING if begin is None else (begin.least, np.inf)
    interval = INTERVAL.fullmatch(label)
    low, high, bracket = interval.groups() if interval is not None else (label, label, "]")
    first, last = _read(low, kind), _read(high, kind)
    if first is None or last is None:
        return EVERYTHING
    return first.least, last.most if bracket == "]" else last.until


def _run(label: str, levels: tuple[str, ...]) -> tuple[float, float]:
    """The places of a level, or of a run of levels such as "primary to secondary".

    Names of levels may hold the word themselves: a label that can be read in several ways holds what any of them does.
    """
    if VIRTUAL_ROOT in label and label.strip("()") == VIRTUAL_ROOT.strip("()"):
        return EVERYTHING
    place = {level: number for number, level in enumerate(levels)}
    parts = label.split(" to ")
    cuts = range(1, len(parts))
    ends = [(" to ".join(parts[:cut]), " to ".join(parts[cut:])) for cut in cuts]
    read = [
        (place[first], place[last]) for first, last in [(label, label), *ends] if {first, last} <= set(place)
    ]
    if not read:
        return EVERYTHING
    return min(first for first, _ in read), max(last for _, last in read)


class _Written(NamedTuple):
    """A number as it is written, dates and times in the unit of their column, and how much was cut off its end."""

    number: float
    cut_off: float

    @property
    def least(self) -> float:
        """The least value that an interval from here can hold."""
        return self.number - self.cut_off

    @property
    def most(self) -> float:
        """The greatest value that an interval to here, its end included, can hold."""
        return self.number + self.cut_off

    @property
    def until(self) -> float:
        """The greatest value that an interval to here, its end left out, can hold."""
        return self.most if self.cut_off else float(np.nextafter(self.number, -np.inf))


def _read(text: str, kind: pl.DataType) -> _Written | None:
    """What a text of a column of this type says; None for what is no number, date or time."""
    try:
        if kind.is_temporal():
            return _instant(text, kind)
        number = float(text)
    except ValueError:
        return None
    mantissa = text.lower().split("e")[0]
    digits = sum(each.isdigit() for each in mantissa.lstrip("-0."))
    return _Written(number, SLACK * abs(number) if digits >= WHOLE_DIGITS else 0.0)


def _instant(text: str, kind: pl.DataType) -> _Written:
    """A date in days, or a time in the unit of its column."""
    if kind == pl.Date:
        return _Written(float(np.datetime64(text, "D").astype(np.int64)), 0.0)
    if kind == pl.Time:
        return _Written(float(_nanoseconds(f"1970-01-01 {text}")), 0.0)
    unit = kind.time_unit if isinstance(kind, pl.Datetime) else "ns"
    return _Written(float(_nanoseconds(text) // NANOSECONDS[unit]), 0.0)


def _nanoseconds(text: str) -> int:
    """The nanoseconds since 1970 of a time that may be written to the last of them."""
    written = INSTANT.fullmatch(text)
    if written is None:
        raise ValueError("no time")
    day_and_time, parts, zone = written.groups(default="")
    told = datetime.fromisoformat(day_and_time + zone)
    since = told - datetime(1970, 1, 1, tzinfo=UTC if zone else None)
    return since // timedelta(seconds=1) * 10**9 + int(parts.ljust(9, "0")[:9])
