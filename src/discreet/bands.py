"""Bands of values as they are published: the one place where they are written and read.

Masks write "[20, 30)", "< 20" and ">= 90", and runs of ordered categories as "primary to secondary" and "three or
more", periods of days as "1967-10", "1967-Q4", "1967" and "1960-1969". Files of others also write "20-29" and "90+":
all are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import polars as pl

BELOW, FROM_ON = "< ", ">= "
OR_MORE, OR_LESS = " or more", " or less"
INTERVAL = re.compile(r"([\[(])\s*(.+?)\s*[,;]\s*(.+?)\s*([])])")
FROM_TO = re.compile(r"(.*[\d.])\s*(?:-|–|to)\s*([+-]?[\d.].*)")
ONE_SIDED = re.compile(r"(<=|>=|<|>|≤|≥)\s*(.+)")
OPEN_ABOVE = re.compile(r"(.+?)\s*(?:\+| or more| and over)")
OPEN_BELOW = re.compile(r"(.+?)(?: or less| and under)")
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
PERIOD = re.compile(r"(\d{4})(?:-(?:(\d\d)|[Qq]([1-4])))?", re.ASCII)
PERIODS = ("day", "month", "quarter", "year", "decade")
"""The periods that days are written as, each of them whole in the next."""
INSTANT = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))?([+-]\d\d:\d\d)?", re.ASCII)
NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6}


class Band(NamedTuple):
    """The least and the greatest value that a published cell can stand for, in the unit of its column."""

    low: float
    high: float


EVERYTHING = Band(-np.inf, np.inf)


def write_band(low: str, high: str, *, closed: bool = False) -> str:
    """The band from one value up to another, which is left out of it unless it is closed."""
    return f"[{low}, {high}{']' if closed else ')'}"


def write_bands(edges: Sequence[str]) -> tuple[str, ...]:
    """The bands between the edges, the first and the last of them open.

    >>> write_bands(["20", "30"])
    ('< 20', '[20, 30)', '>= 30')
    """
    inner = [write_band(low, high) for low, high in pairwise(edges)]
    return (f"{BELOW}{edges[0]}", *inner, f"{FROM_ON}{edges[-1]}")


def write_period(day: date, period: str) -> str:
    """The period that holds the day, one of PERIODS.

    >>> [write_period(date(1967, 10, 16), period) for period in PERIODS]
    ['1967-10-16', '1967-10', '1967-Q4', '1967', '1960-1969']
    """
    if period == "day":
        return day.isoformat()
    if period == "month":
        return f"{day.year:04d}-{day.month:02d}"
    if period == "quarter":
        return f"{day.year:04d}-Q{(day.month + 2) // 3}"
    first = day.year // 10 * 10
    return f"{day.year:04d}" if period == "year" else f"{first:04d}-{first + 9:04d}"


def write_run(first: str, last: str) -> str:
    """The run of ordered categories from one to another."""
    return first if first == last else f"{first} to {last}"


def read_band(label: str, kind: pl.DataType, *, as_written: bool = False) -> Band | None:
    """What a label can stand for in a column of this type; None where it is no value and no band of values.

    A band ends at the last value that it holds, or `as_written`: then "[20, 30)" is as wide as "[20, 30]", and "< 20"
    ends at 20.

    >>> read_band("[20, 30)", pl.Int64()), read_band("[20, 30)", pl.Int64(), as_written=True)
    (Band(low=20.0, high=29.0), Band(low=20.0, high=30.0))
    """
    found = _read_band(label.strip(), kind, as_written)
    if found is None or as_written or not kind.is_integer():
        return found
    whole = Band(_whole(found.low, np.ceil), _whole(found.high, np.floor))
    return whole if whole.low <= whole.high else found


def edges_of(label: str, kind: pl.DataType) -> tuple[float, ...]:
    """The numbers that a label of a column of this type names: a value, or the ends of a band, as they are written.

    >>> edges_of("[20, 30)", pl.Int64())
    (20.0, 30.0)
    """
    text = label.strip()
    patterns = (INTERVAL, FROM_TO, ONE_SIDED, OPEN_ABOVE, OPEN_BELOW)
    parts = [part for each in patterns if (found := each.fullmatch(text)) for part in found.groups()]
    read = [_read(part.strip(), kind) for part in (text, *parts)]
    return tuple(dict.fromkeys(edge for edge in read if edge is not None))


def read_run(label: str, levels: Sequence[str]) -> Band | None:
    """The places of a level, or of a run of levels, among ordered ones; None where the label names none.

    Names of levels may hold the word "to" themselves: a label that can be read in several ways holds what any of them
    does.
    """
    place = {level: number for number, level in enumerate(levels)}
    if label in place and " to " not in label:
        return Band(float(place[label]), float(place[label]))
    parts = label.split(" to ")
    ways = [(label, label)]
    ways += [(" to ".join(parts[:cut]), " to ".join(parts[cut:])) for cut in range(1, len(parts))]
    if levels:
        ways += [(label.removesuffix(OR_MORE), levels[-1])] if label.endswith(OR_MORE) else []
        ways += [(levels[0], label.removesuffix(OR_LESS))] if label.endswith(OR_LESS) else []
    read = [(place[first], place[last]) for first, last in ways if first in place and last in place]
    if not read:
        return None
    return Band(float(min(first for first, _ in read)), float(max(last for _, last in read)))


def _read_band(label: str, kind: pl.DataType, as_written: bool) -> Band | None:
    single = _read(label, kind)
    if single is not None:
        return Band(single, single)
    period = _period(label, kind)
    if period is not None:
        return period
    interval = INTERVAL.fullmatch(label)
    if interval is not None:
        opening, low, high, closing = interval.groups()
        return _between(
            _read(low, kind), _read(high, kind), as_written or opening == "[", as_written or closing == "]"
        )
    sided = ONE_SIDED.fullmatch(label)
    if sided is not None:
        edge = _edge(sided[2], kind)
        if edge is None:
            return None
        closed = as_written or sided[1] not in ("<", ">")
        if sided[1] in ("<", "<=", "≤"):
            return Band(-np.inf, edge.high if sided[1] != "<" else edge.low if closed else _before(edge.low))
        return Band(edge.low if sided[1] != ">" else edge.high if closed else _after(edge.high), np.inf)
    return _in_words(label, kind)


def _in_words(label: str, kind: pl.DataType) -> Band | None:
    """Bands as others write them: "20-29", "20 to 29", "90+", "5 or less"."""
    above, below = OPEN_ABOVE.fullmatch(label), OPEN_BELOW.fullmatch(label)
    if above is not None and (edge := _read(above[1], kind)) is not None:
        return Band(edge, np.inf)
    if below is not None and (edge := _read(below[1], kind)) is not None:
        return Band(-np.inf, edge)
    both = FROM_TO.fullmatch(label)
    if both is None:
        return None
    low, high = _edge(both[1].strip(), kind), _edge(both[2].strip(), kind)
    return None if low is None or high is None else _between(low.low, high.high, True, True)


def _edge(text: str, kind: pl.DataType) -> Band | None:
    """What stands at an end of a band: a value, or all days of a period."""
    single = _read(text, kind)
    return _period(text, kind) if single is None else Band(single, single)


def _between(low: float | None, high: float | None, from_on: bool, closed: bool) -> Band | None:
    if low is None or high is None or low > high:
        return None
    return Band(low if from_on else _after(low), high if closed else _before(high))


def _before(number: float) -> float:
    """The greatest value of a band that ends before the number."""
    return float(np.nextafter(number, -np.inf))


def _after(number: float) -> float:
    """The least value of a band that begins after the number."""
    return float(np.nextafter(number, np.inf))


def _whole(end: float, rounded: np.ufunc) -> float:
    return float(rounded(end)) if np.isfinite(end) else end


def _read(text: str, kind: pl.DataType) -> float | None:
    """What a text of a column of this type says, in the unit of the column; None for no number, date or time."""
    try:
        number = float(_instant(text, kind)) if kind.is_temporal() else float(text)
    except (ValueError, OverflowError):
        return None
    return None if np.isnan(number) else number


def _instant(text: str, kind: pl.DataType) -> int:
    """A date in days, or a time in the unit of its column."""
    if kind == pl.Date:
        if len(text) != len("1967-10-16"):
            raise ValueError("no day")
        return int(np.datetime64(text, "D").astype(np.int64))
    if kind == pl.Time:
        return _nanoseconds(f"1970-01-01 {text}")
    unit = kind.time_unit if isinstance(kind, pl.Datetime) else "ns"
    return _nanoseconds(text) // NANOSECONDS[unit]


def _nanoseconds(text: str) -> int:
    """The nanoseconds since 1970 of a time that may be written to the last of them."""
    written = INSTANT.fullmatch(text)
    if written is None:
        raise ValueError("no time")
    day_and_time, parts, zone = written.groups(default="")
    moment = datetime.fromisoformat(day_and_time + zone)
    since = moment - datetime(1970, 1, 1, tzinfo=UTC if zone else None)
    return since // timedelta(seconds=1) * 10**9 + int(parts.ljust(9, "0")[:9])


def _period(label: str, kind: pl.DataType) -> Band | None:
    """All days, or moments, of a year, a quarter, a month or a day; None where the label is no period."""
    if kind not in (pl.Date, pl.Datetime):
        return None
    if DAY.fullmatch(label):
        return _moments(_instant(label, pl.Date()), 1, kind) if _read(label, pl.Date()) is not None else None
    found = PERIOD.fullmatch(label)
    if found is None:
        return None
    year, month, quarter = found.groups()
    first = int(month or (3 * int(quarter) - 2 if quarter else 1))
    if not 1 <= first <= 12:
        return None
    months = 1 if month else 3 if quarter else 12
    begin = np.datetime64(f"{year}-{first:02d}", "M")
    days = [int(each.astype("datetime64[D]").astype(np.int64)) for each in (begin, begin + months)]
    return _moments(days[0], days[1] - days[0], kind)


def _moments(first: int, days: int, kind: pl.DataType) -> Band:
    """So many days from the first on, in the unit of the column."""
    unit = 86_400 * 10**9 // NANOSECONDS[kind.time_unit] if isinstance(kind, pl.Datetime) else 1
    return Band(float(first * unit), float((first + days) * unit - 1))
