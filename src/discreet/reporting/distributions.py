"""How each column was distributed and is now, in counts that no single person can be seen in.

Categories of fewer than three records are joined and lose their names. The first and the last bar of a histogram
hold all that lies beyond, and bars of fewer than three records are left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import polars as pl

from discreet.release import Release
from discreet.table import FloatArray, Role, Scale, Table

FEWEST = 3
"""Counts below this are not shown."""
MOST_CATEGORIES = 12
MOST_LEVELS = 24
"""Levels that have an order stay readable in larger numbers, and joining them would tear the order."""
BARS = 24
RARE = "fewer than 3 records each"
NOT_SHOWN = (Role.IDENTIFIER, Role.PERSON, Role.HOUSEHOLD)
INTERVAL = re.compile(r"^(?:< (?P<below>\S+)|\[(?P<low>\S+), (?P<high>\S+)\)|>= (?P<above>\S+))$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """Records of one category or of one range of numbers; None is a count of one or two, which is not shown.

    `low` and `high` are where a histogram draws the bar; for dates in milliseconds since 1970.
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


def distributions(original: Table, release: Release) -> tuple[Distribution, ...]:
    """The distribution of every published column, in the order of the file; those that number people are left out."""
    published = release.table
    return tuple(
        distribution(original, published, column.name)
        for column in published.columns
        if column.role not in NOT_SHOWN and column.name in original.names
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
    old, new = (_finite(table.numbers([name])[:, 0]) for table in (original, published))
    if len(old) < FEWEST:
        return "not shown", (), "Fewer than 3 records have a value."
    dtype = original.frame[name].dtype
    edges = _without_thin_ends(_round_edges(old, new), old)
    before, after = _counts(old, edges), _counts(new, edges)
    seconds = _seconds(dtype)
    unit = 1.0 if seconds is None else 1000 * seconds
    write = _writer(seconds)
    step = edges[1] - edges[0] if len(edges) > 1 else 1.0
    inner = edges if len(edges) else np.array([float(np.floor(old[0]))])
    starts = np.concatenate([[inner[0] - step], edges]) if len(edges) else inner
    bars = tuple(
        Bar(
            label=_range(place, edges, write),
            original=_shown(before[place]),
            published=_shown(after[place]),
            low=float(start * unit),
            high=float((start + step) * unit),
        )
        for place, start in enumerate(starts)
    )
    kind = "numbers" if seconds is None else "dates"
    return kind, bars, "" if len(edges) else "The column holds one value only, or too few to draw."


def _round_edges(old: FloatArray, new: FloatArray) -> FloatArray:
    """Inner edges at round numbers, so that no edge is somebody's value, over all but the extreme hundredths."""
    low = min(np.quantile(old, 0.01), np.quantile(new, 0.01) if len(new) else np.inf)
    high = max(np.quantile(old, 0.99), np.quantile(new, 0.99) if len(new) else -np.inf)
    if high <= low:
        return np.array([])
    whole = bool((old % 1 == 0).all())
    step = _round_step(max((high - low) / BARS, 1.0) if whole else (high - low) / BARS)
    return np.arange(math.floor(low / step) + 1, math.ceil(high / step), dtype=np.float64) * step


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


def _writer(seconds: float | None) -> Callable[[float], str]:
    """How an edge is written: as a date where the column holds dates."""
    if seconds is None:
        return lambda edge: f"{edge:,.10g}"
    return lambda edge: datetime.fromtimestamp(edge * seconds, UTC).date().isoformat()


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
    bounds = [_bounds(level) for level in levels]
    after = _category_counts(published.frame[name])
    old = _finite(original.numbers([name])[:, 0])
    told = [each for each in bounds if each is not None]
    if len(told) < len(levels):
        bars = [Bar(label=level, original=0, published=after.get(level, 0)) for level in levels]
        return (
            "categories",
            _joined(bars, MOST_LEVELS),
            "The original holds numbers, which cannot be counted by these categories.",
        )
    bars = [
        Bar(
            label=level,
            original=int(((old >= low) & (old < high)).sum()),
            published=after.get(level, 0),
        )
        for level, (low, high) in zip(levels, told, strict=True)
    ]
    return "categories", _joined(bars, MOST_LEVELS), ""


def _bounds(level: str) -> tuple[float, float] | None:
    """The least and the first too large number of an interval such as [20, 30), < 20 or >= 30."""
    found = INTERVAL.match(level)
    if found is None:
        return None
    try:
        if found["below"]:
            return -math.inf, float(found["below"])
        if found["above"]:
            return float(found["above"]), math.inf
        return float(found["low"]), float(found["high"])
    except ValueError:
        return None


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


def _finite(values: FloatArray) -> FloatArray:
    return np.asarray(values[np.isfinite(values)])
