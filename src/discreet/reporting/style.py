"""How the charts of a report look: colours, fonts and axes.

Colours are fixed here so that a chart saved for a paper stands by itself; the page maps them to its own palette for
light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from discreet.distributions import Distribution
from discreet.visible import visible_line

if TYPE_CHECKING:
    import altair as alt

Drawn = TypeVar("Drawn", bound="alt.Chart | alt.LayerChart")

INK, FAINT, GRID, PAPER = "#1d2730", "#5d6b78", "#dfe4e8", "#fcfcfa"
BEFORE, AFTER, WARN = "#a9b4be", "#0e7c86", "#b4472e"
FONT = "Arial, Helvetica, 'Liberation Sans', sans-serif"
"""Fonts of one width, so that a label takes the room that was measured for it on most machines."""
WIDTH, HEIGHT = 420, 190
SMALLEST_PREFIX, LARGEST_PREFIX = 1e-24, 1e27
"""The numbers that prefixes of units, from yocto to yotta, can write in few digits."""


def chart_of(rows: Sequence[Mapping[str, Any]]) -> alt.Chart:
    """A chart of these rows, which it carries with it, every text in them made visible."""
    import altair as alt

    shown = [
        {name: visible_line(each) if isinstance(each, str) else each for name, each in row.items()}
        for row in rows
    ]
    return alt.Chart(alt.InlineData(values=shown))


def dressed(chart: Drawn, description: str, *, width: int = WIDTH, height: int = HEIGHT) -> Drawn:
    """The chart in the report's clothes: no frame, faint grid, text in one size."""
    made = (
        chart.properties(
            width=width, height=height, description=visible_line(description), background="transparent"
        )
        .properties(autosize={"type": "fit", "contains": "padding"}, padding=4)
        .configure(font=FONT)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=FAINT,
            titleColor=FAINT,
            titleFontWeight="normal",
            labelFontSize=11,
            labelPadding=5,
            titleFontSize=12,
            gridColor=GRID,
            domainColor=GRID,
            tickColor=GRID,
        )
        .configure_axisY(domain=False)
    )
    return cast(Drawn, made)


def spoken() -> alt.Description:
    """What a mark says to a screen reader, and on the page to whoever points at it."""
    import altair as alt

    return alt.Description("text:N")


def percent_axis() -> alt.Axis:
    """An axis of shares."""
    import altair as alt

    return alt.Axis(format="~%", tickCount=5, domain=False, ticks=False)


def share_axis(field: str) -> alt.Y:
    """The height of a bar that is a share."""
    import altair as alt

    return alt.Y(f"{field}:Q", title=None, axis=alt.Axis(format="~%", tickCount=4, domain=False, ticks=False))


def value_axis(column: Distribution) -> alt.X:
    """The axis of a histogram: dates as such, numbers with as few digits as they allow."""
    import altair as alt

    if column.kind == "dates":
        return alt.X(
            "low",
            type="temporal",
            title=None,
            scale=alt.Scale(type="utc", nice=False),
            axis=alt.Axis(tickCount=5, grid=False),
        )
    written = _tick_format(column)
    return alt.X(
        "low",
        type="quantitative",
        title=None,
        scale=alt.Scale(zero=False, nice=False),
        axis=alt.Axis(
            tickCount=6, grid=False, labelExpr=f"datum.value == 0 ? '0' : format(datum.value, '{written}')"
        ),
    )


def _tick_format(column: Distribution) -> str:
    """How ticks are written, with digits enough to tell them apart: plain, with a prefix of units, or with a power."""
    places = [place for bar in column.bars for place in (bar.low, bar.high) if place is not None]
    largest, step = max(map(abs, places)), places[1] - places[0]
    if 0.01 <= largest < 1e6:
        return f",.{max(6, math.ceil(-math.log10(step)))}~f"
    digits = max(6, 1 + math.ceil(math.log10(largest / step)))
    return f".{digits}~{'s' if SMALLEST_PREFIX <= largest < LARGEST_PREFIX else 'e'}"
