"""How each column was distributed and is now, in counts that no single person can be seen in.

Categories of fewer than three records are joined and lose their names. The first and the last bar of a histogram
hold all that lies beyond, and bars of fewer than three records are left out. Numbers that cannot be drawn apart are
one bar that stands nowhere, like a category.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from discreet.bands import read_band
from discreet.beside import columns_beside
from discreet.dataset import Dataset
from discreet.release import Release, ReleaseInParts
from discreet.table import LARGEST, FloatArray, Role, Scale, Table

FEWEST = 3
"""Counts below this are not shown."""
MOST_CATEGORIES = 12
MOST_LEVELS = 24
"""Levels that have an order stay readable in larger numbers, and joining them would tear the order."""
BARS = 24
SMALLEST = 1e-300
"""The narrowest bar: numbers that differ by less are drawn as one."""
LAST_DRAWN_DATE = 8.64e15
"""The last date that a browser knows, in milliseconds since 1970."""
RARE = "fewer than 3 records each"
NOT_SHOWN = (Role.IDENTIFIER, Role.PERSON, Role.HOUSEHOLD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """Records of one category or of one range of numbers; None is a count of one or two, which is not shown.

    `low` and `high` are where a histogram draws the bar; for dates in milliseconds since 1970. Categories have none.
    """

    label: str
    original: int | None
    published: int | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """One column before and after. `kind` is "numbers", "dates", "categories" or "not shown"."""

    column: str
    role: str
    kind: str
    changed: bool
    original_records: int
    published_records: int
    original_missing: float
    published_missing: float
    bars: tuple[Bar, ...] = ()
    note: str = ""


def distributions(original: Table | Dataset, release: Release | ReleaseInParts) -> tuple[Distribution, ...]:
    """The distribution of every published column, in the order of the file; those that number people are left out."""
    return tuple(
        distribution(before, after, name)
        for name, before, after in columns_beside(original, release)
        if release.table[name].role not in NOT_SHOWN
    )


def distribution(original: Table, published: Table, name: str) -> Distribution:
    """The distribution of one column, original and published."""
    before, after = original.frame[name], published.frame[name]
    kind, bars, note = _bars(original, published, name)
    return Distribution(
        column=name,
        role=str(original[name].role),
        kind=kind,
        changed=not after.equals(before, null_equal=True),
        original_records=len(before),
        published_records=len(after),
        original_missing=before.null_count() / max(1, len(before)),
        published_missing=after.null_count() / max(1, len(after)),
        bars=bars,
        note=note,
    )


def _bars(original: Table, published: Table, name: str) -> tuple[str, tuple[Bar, ...], str]:
    scales = (original[name].scale, published[name].scale)
    if Scale.TEXT in scales:
        return "not shown", (), "Free text is not shown."
    if scales == (Scale.NUMERIC, Scale.NUMERIC):
        return _of_numbers(original, published, name)
    if scales[0] == Scale.NUMERIC:
        return _of_intervals(original, published, name)
    return "categories", _of_categories(original, published, name), ""


def _of_numbers(original: Table, published: Table, name: str) -> tuple[str, tuple[Bar, ...], str]:
    old, new = (_drawable(table.numbers([name])[:, 0]) for table in (original, published))
    if len(old) < FEWEST:
        return "not shown", (), "Fewer than 3 records have a value that can be shown."
    edges, step = _round_edges(old, new)
    edges = _without_thin_ends(edges, old)
    before, after = _counts(old, edges), _counts(new, edges)
    seconds = _seconds(original.frame[name].dtype)
    write = _number_writer(edges, step) if seconds is None else _date_writer(seconds, step)
    starts, unit = _starts(edges, step), 1.0 if seconds is None else 1000 * seconds
    kind = "numbers" if seconds is None else "dates"
    if len(edges) == 0 or (kind == "dates" and np.abs(starts * unit).max() > LAST_DRAWN_DATE):
        kind, starts = "categories", np.full(len(edges) + 1, np.nan)
    bars = tuple(
        Bar(
            label=_range(place, edges, write),
            original=_shown(before[place]),
            published=_shown(after[place]),
            low=None if np.isnan(start) else float(start * unit),
            high=None if np.isnan(start) else float((start + step) * unit),
        )
        for place, start in enumerate(starts)
    )
    return kind, bars, _note(original, published, name, edges)


def _starts(edges: FloatArray, step: float) -> FloatArray:
    """Where each bar begins; the first is as wide as all others."""
    return np.concatenate([edges[:1] - step, edges])


def _note(original: Table, published: Table, name: str, edges: FloatArray) -> str:
    """What the bars do not show."""
    notes = [] if len(edges) else ["The values are the same, too close together or too few to draw apart."]
    if any((np.abs(table.numbers([name])) > LARGEST).any() for table in (original, published)):
        notes.append(f"Numbers that are infinite or beyond {LARGEST:g} are left out.")
    return " ".join(notes)


def _round_edges(old: FloatArray, new: FloatArray) -> tuple[FloatArray, float]:
    """Inner edges at round numbers, so that no edge is somebody's value, and the step from one to the next.

    They span all but the extreme hundredths. The step stays wide enough for floating point to tell the edges apart.
    """
    low = float(min(np.quantile(old, 0.01), np.quantile(new, 0.01) if len(new) else np.inf))
    high = float(max(np.quantile(old, 0.99), np.quantile(new, 0.99) if len(new) else -np.inf))
    least = 1.0 if bool((old % 1 == 0).all()) else SMALLEST
    resolved = 4 * math.ulp(max(abs(low), abs(high)))
    step = _round_step(max((high - low) / BARS, least, resolved))
    return np.arange(math.floor(low / step) + 1, math.ceil(high / step), dtype=np.float64) * step, step


def _round_step(rough: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that is not below the rough step."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def _without_thin_ends(edges: FloatArray, old: FloatArray) -> FloatArray:
    """The edges without the outer ones that would leave fewer than three records beyond them."""
    ordered = np.sort(old)
    below = np.searchsorted(ordered, edges, side="left")
    return edges[(below >= FEWEST) & (len(ordered) - below >= FEWEST)]


def _counts(values: FloatArray, edges: FloatArray) -> list[int]:
    places = np.searchsorted(edges, values, side="right")
    return [int(many) for many in np.bincount(places, minlength=len(edges) + 1)]


def _range(place: int, edges: FloatArray, write: Callable[[float], str]) -> str:
    if len(edges) == 0:
        return "all values"
    if place == 0:
        return f"below {write(edges[0])}"
    if place == len(edges):
        return f"{write(edges[-1])} or more"
    return f"{write(edges[place - 1])} to {write(edges[place])}"


def _number_writer(edges: FloatArray, step: float) -> Callable[[float], str]:
    """How an edge is written: with the digits that tell it from the next one."""
    largest = float(np.abs(edges).max(initial=step))
    digits = max(10, 1 + math.ceil(math.log10(largest / step)))
    return lambda edge: f"{edge:,.{digits}g}"


def _date_writer(seconds: float, step: float) -> Callable[[float], str]:
    """How an edge is written in a column of dates: by the day, or finer where the bars are narrower than days."""
    units = (("D", 86400.0), ("s", 1.0), ("ms", 1e-3), ("us", 1e-6))
    unit, length = next((each for each in units if step * seconds >= each[1] * (1 - 1e-9)), ("ns", 1e-9))
    return lambda edge: str(
        np.array(math.floor(edge * (seconds / length) + 1e-6)).astype(f"datetime64[{unit}]")
    )


def _seconds(dtype: pl.DataType) -> float | None:
    """How many seconds one unit of a date's number stands for; None for what is no date."""
    if isinstance(dtype, pl.Date):
        return 86400.0
    if isinstance(dtype, pl.Datetime):
        return {"ms": 1e-3, "us": 1e-6, "ns": 1e-9}[dtype.time_unit]
    return None


def _of_intervals(original: Table, published: Table, name: str) -> tuple[str, tuple[Bar, ...], str]:
    """Numbers that became intervals: the original's numbers counted into the published intervals."""
    levels = [str(level) for level in published.levels(name)]
    bands = [read_band(level, original.frame[name].dtype) for level in levels]
    after = _category_counts(published.frame[name])
    old = original.numbers([name])[:, 0]
    read = [each for each in bands if each is not None]
    overlap = any(first.high >= second.low for first, second in pairwise(sorted(read)))
    if len(read) < len(levels) or overlap:
        bars = [Bar(label=level, original=0, published=after.get(level, 0)) for level in levels]
        return (
            "categories",
            _joined(bars, MOST_LEVELS),
            "The original holds numbers, which cannot be counted by these categories.",
        )
    bars = [
        Bar(
            label=level,
            original=int(((old >= low) & (old <= high)).sum()),
            published=after.get(level, 0),
        )
        for level, (low, high) in zip(levels, read, strict=True)
    ]
    return "categories", _joined(bars, MOST_LEVELS), ""


def _of_categories(original: Table, published: Table, name: str) -> tuple[Bar, ...]:
    before, after = _category_counts(original.frame[name]), _category_counts(published.frame[name])
    if original[name].scale == Scale.ORDINAL:
        known = [*map(str, original.levels(name)), *map(str, published.levels(name))]
        order = [level for level in dict.fromkeys(known) if level in before or level in after]
        most = MOST_LEVELS
    else:
        most = MOST_CATEGORIES
        largest = {level: max(before.get(level, 0), after.get(level, 0)) for level in {**before, **after}}
        order = sorted(largest, key=lambda level: (-largest[level], level))
    bars = [Bar(label=level, original=before.get(level, 0), published=after.get(level, 0)) for level in order]
    return _joined(bars, most)


def _category_counts(values: pl.Series) -> dict[str, int]:
    counted = values.drop_nulls().cast(pl.String).alias("level").value_counts(name="records")
    return dict(counted.iter_rows())


def _joined(bars: Sequence[Bar], most: int) -> tuple[Bar, ...]:
    """The bars with rare categories in one, nameless, and those beyond the largest ones in another."""
    rare = [bar for bar in bars if _is_rare(bar)]
    large = [bar for bar in bars if not _is_rare(bar)]
    kept = set(_largest(large, most))
    tail = [bar for bar in large if bar.label not in kept]
    out = [
        Bar(label=bar.label, original=_shown(bar.original), published=_shown(bar.published))
        for bar in large
        if bar.label in kept
    ]
    if tail:
        out.append(_sum(tail, f"{len(tail)} other categories"))
    if rare:
        out.append(_sum(rare, RARE))
    return tuple(out)


def _is_rare(bar: Bar) -> bool:
    """Whether one or two people of the original have the category, or hardly any published record."""
    original, published = bar.original or 0, bar.published or 0
    return 0 < original < FEWEST or max(original, published) < FEWEST


def _largest(bars: Sequence[Bar], most: int) -> list[str]:
    ordered = sorted(bars, key=lambda bar: -max(bar.original or 0, bar.published or 0))
    return [bar.label for bar in ordered[: most if len(bars) <= most else most - 1]]


def _sum(bars: Sequence[Bar], label: str) -> Bar:
    return Bar(
        label=label,
        original=_shown(sum(bar.original or 0 for bar in bars)),
        published=_shown(sum(bar.published or 0 for bar in bars)),
    )


def _shown(records: int | None) -> int | None:
    return None if records is None or 0 < records < FEWEST else records


def _drawable(values: FloatArray) -> FloatArray:
    """The values that are there and that a chart can place."""
    return np.asarray(values[np.abs(values) <= LARGEST])
