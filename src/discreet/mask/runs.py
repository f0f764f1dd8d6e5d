"""Numbers and ordered categories as runs: where intervals begin and end, and what they are called."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from discreet.bands import write_band, write_run
from discreet.mask.mixed import MISSING, CodedColumn
from discreet.table import FloatArray, Table

FINEST_BINS = 32
"""The lowest level of numbers has intervals so wide that about so many cover them."""

EXACT_WHOLES = 2**53
"""Below this every whole number is a float64."""

LAST_INSTANT = 86_399_999_999_999
"""The last nanosecond of a day: no time of day lies beyond it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """The distinct values of a column in their order, their texts, and the edges of the lowest intervals.

    Of an ordinal column the values are places: among its levels, or where it names none, among the values that occur.
    """

    values: FloatArray
    texts: tuple[str, ...]
    edges: FloatArray
    names: tuple[str, ...]
    kind: pl.DataType

    @classmethod
    def of(cls, table: Table, coded: CodedColumn) -> Run:
        """The run of a column."""
        order = table[coded.name].order
        texts = tuple(_distinct_texts(table.frame[coded.name], coded))
        kind = table.frame[coded.name].dtype
        if not coded.ordinal:
            return cls(
                values=coded.values, texts=texts, edges=_edges(coded.values, kind), names=(), kind=kind
            )
        names = order or texts
        values = coded.values if order else np.arange(len(texts), dtype=np.float64)
        edges = np.arange(0.0, 2 * len(names) + 4, 2.0)
        return cls(values=values, texts=texts, edges=edges, names=tuple(names), kind=kind)

    @property
    def wide(self) -> bool:
        """Whether the numbers differ as float64; whole numbers of many digits may not."""
        return len(self.values) > 1 and bool(self.values[0] < self.values[-1])

    def label(self, low: float, high: float) -> str:
        """What is published for an interval, or for a run of ordered categories."""
        if not self.names:
            if self.kind.is_integer() and max(abs(low), abs(high)) >= EXACT_WHOLES:
                # The number itself may lie on the other side of the edge than its float64.
                low, high = math.nextafter(low, -math.inf), math.nextafter(high, math.inf)
            return write_band(*_texts(np.array([low, high]), self.kind))
        first, last = self.names[int(low)], self.names[min(int(high), len(self.names)) - 1]
        return write_run(first, last)


def _distinct_texts(series: pl.Series, coded: CodedColumn) -> Sequence[str]:
    """The values of the codes, each as text."""
    first = np.zeros(len(coded.values), dtype=np.int64)
    present = np.flatnonzero(coded.codes != MISSING)[::-1]
    first[coded.codes[present]] = present
    values = series.gather(pl.Series(first))
    if series.dtype.is_float():
        return _texts(values.cast(pl.Float64).to_numpy(), series.dtype)
    return list(as_text(values))


def as_text(values: pl.Series) -> pl.Series:
    """The values as text; a time of day with the parts of its second, which a cast to text leaves out."""
    return values.dt.to_string("iso") if values.dtype == pl.Time else values.cast(pl.String)


def _texts(values: FloatArray, kind: pl.DataType) -> list[str]:
    """Numbers, dates and times as text, each of which reads back as itself."""
    if not kind.is_temporal():
        return [
            str(int(value)) if abs(value) < EXACT_WHOLES and value == int(value) else repr(value)
            for value in values.tolist()
        ]
    within = (0, LAST_INSTANT) if isinstance(kind, pl.Time) else (-(2.0**62), 2.0**62)
    instants = pl.Series(np.clip(np.floor(values), *within)).cast(pl.Int64).cast(kind)
    return list(as_text(instants))


def _edges(values: FloatArray, kind: pl.DataType) -> FloatArray:
    """Where the lowest intervals begin and end, as they will be written, so that each holds what it says.

    They are one, two or five times a power of ten wide.
    """
    if len(values) < 2 or not values[0] < values[-1]:
        return np.array([-np.inf, np.inf])
    low, high = float(values[0]), float(values[-1])
    rough = max(high / FINEST_BINS - low / FINEST_BINS, float(np.spacing(max(abs(low), abs(high)))))
    digits = max(-300, math.floor(math.log10(rough)))
    width = next(
        step * 10.0**digits for step in (1, 2, 5, 10, 20) if step * 10.0**digits >= rough * (1 - 1e-9)
    )
    if bool((values == np.round(values)).all()):
        width = max(2.0, width)
    start = math.floor(low / width) - 1
    count = 2 * math.ceil(high / width - low / width) + 4
    edges = np.unique([round((start + place) * width, 1 - digits) for place in range(count)])
    edges = np.floor(edges) if kind.is_temporal() else edges
    return edges[max(0, int(np.searchsorted(edges, low, side="right")) - 1) :]
