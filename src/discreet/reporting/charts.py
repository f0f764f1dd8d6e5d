"""The charts of a report, as altair charts: data plus specification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.distributions import Bar, Distribution
from discreet.errors import BadParameter
from discreet.exposure import Chances
from discreet.reporting.drawing import Form, draw
from discreet.reporting.map_chart import of_map, ru_map
from discreet.reporting.style import (
    AFTER,
    BEFORE,
    chart_of,
    dressed,
    percent_axis,
    share_axis,
    spoken,
    value_axis,
)
from discreet.reporting.words import percent, title
from discreet.writing.atomic import write_bytes

if TYPE_CHECKING:
    import altair as alt

    from discreet.reporting.facts import Facts as Facts
    from discreet.reporting.text_facts import TextFacts

__all__ = ["chances", "charts_of", "distribution", "of_map", "ru_map", "save_chart"]

BAR_HEIGHT = 26
KINDS = ("original", "published")
FORMS: Mapping[str, Form] = {".svg": "svg", ".png": "png", ".pdf": "pdf", ".html": "html"}


def charts_of(facts: Facts | TextFacts) -> dict[str, alt.Chart | alt.LayerChart]:
    """The charts of a report by name: its map, the chances under each attack, and the columns that changed."""
    from discreet.reporting.facts import Facts

    found: dict[str, alt.Chart | alt.LayerChart] = {}
    if isinstance(facts, Facts):
        if facts.map is not None:
            found["map"] = of_map(facts.map)
        for each in facts.exposure.chances if facts.exposure is not None else ():
            found[f"chances of {each.attack}"] = chances(each)
    for column in facts.columns:
        if column.bars and column.changed:
            found[f"column {column.column}"] = distribution(column)
    return found


def distribution(column: Distribution) -> alt.Chart | alt.LayerChart:
    """The chart of one column: a histogram for numbers and dates, bars for categories."""
    if not column.bars:
        raise BadParameter(f"column '{column.column}' has nothing to draw: {column.note}")
    return _bars(column) if column.kind == "categories" else _histogram(column)


def _histogram(column: Distribution) -> alt.LayerChart:
    """The original as filled bars, the published values as a line over them."""
    import altair as alt

    highest = max(share for bar in column.bars for share in _shares(bar, column).values()) or 1.0
    rows = [
        {
            **{
                "low": bar.low,
                "high": bar.high,
                "ground": 0.0,
                "top": highest,
                "text": _spoken_text(bar, column),
            },
            **_shares(bar, column),
        }
        for bar in column.bars
    ]
    x = value_axis(column)
    base = chart_of(rows)
    filled = base.mark_bar(color=BEFORE).encode(
        x=x, x2="high", y=share_axis("original"), y2="ground:Q", description=spoken()
    )
    line = (
        chart_of(_outline(rows))
        .mark_line(color=AFTER, strokeWidth=2)
        .encode(
            x=alt.X("x", type="temporal" if column.kind == "dates" else "quantitative"),
            y="share:Q",
            order="order:Q",
        )
    )
    # A clear bar of full height catches the pointer where both are low.
    catch = base.mark_bar(opacity=0, color=BEFORE).encode(
        x=x, x2="high", y="top:Q", y2="ground:Q", description=spoken()
    )
    return dressed(
        alt.LayerChart(layer=[filled, line, catch]),
        f"Distribution of {column.column}, original and published",
    )


def _outline(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    """The corners of the steps that the published values make, from the ground and back to it."""
    corners: list[tuple[float, float]] = [(rows[0]["low"], 0.0)]
    for row in rows:
        corners += [(row["low"], row["published"]), (row["high"], row["published"])]
    corners.append((rows[-1]["high"], 0.0))
    return [{"x": x, "share": share, "order": place} for place, (x, share) in enumerate(corners)]


def _bars(column: Distribution) -> alt.Chart:
    """Two bars for each category, original and published."""
    import altair as alt

    rows = [
        {
            "label": bar.label,
            "kind": kind,
            "share": _shares(bar, column)[kind],
            "text": _spoken_text(bar, column),
        }
        for bar in column.bars
        for kind in KINDS
    ]
    chart: alt.Chart = (
        chart_of(rows)
        .mark_bar()
        .encode(
            y=alt.Y("label:N", sort=None, title=None, axis=alt.Axis(labelLimit=150, ticks=False)),
            yOffset=alt.YOffset("kind:N", sort=list(KINDS), scale=alt.Scale(paddingInner=0)),
            x=alt.X("share:Q", title=None, axis=percent_axis()),
            color=alt.Color(
                "kind:N", scale=alt.Scale(domain=list(KINDS), range=[BEFORE, AFTER]), legend=None
            ),
            description=spoken(),
        )
    )
    return dressed(
        chart,
        f"Distribution of {column.column}, original and published",
        height=40 + BAR_HEIGHT * len(column.bars),
    )


def chances(of: Chances) -> alt.Chart:
    """How many records an attack finds with how much chance."""
    import altair as alt

    total = max(1, sum(of.records))
    rows = [
        {
            "label": label,
            "share": many / total,
            "text": f"{label}: {many:,} records ({percent(many / total)})",
        }
        for label, many in zip(of.labels, of.records, strict=True)
    ]
    chart: alt.Chart = (
        chart_of(rows)
        .mark_bar(color=AFTER)
        .encode(
            y=alt.Y("label:N", sort=None, title=None, axis=alt.Axis(ticks=False)),
            x=alt.X("share:Q", title="share of records", axis=percent_axis(), scale=alt.Scale(domain=[0, 1])),
            description=spoken(),
        )
    )
    return dressed(chart, f"Records by their chance of being found: {title(of.attack)}", height=230)


def save_chart(chart: alt.Chart | alt.LayerChart, path: str | Path, *, force: bool = False) -> Path:
    """The file of a chart, for a paper: .svg, .png, .pdf; or .html, a page that can be used without a network.

    The file is complete or not there; one that is there already is replaced only with `force`. Raises NotDrawn where
    the renderer fails.
    """
    target = Path(path)
    form = FORMS.get(target.suffix)
    if form is None:
        raise BadParameter(
            f"save_chart: the name must end in .svg, .png, .pdf or .html; got '{target.suffix}'."
        )
    write_bytes(target, draw(chart, form), force=force)
    return target


def _shares(bar: Bar, column: Distribution) -> dict[str, float]:
    return {
        "original": (bar.original or 0) / max(1, column.original_records),
        "published": (bar.published or 0) / max(1, column.published_records),
    }


def _spoken_text(bar: Bar, column: Distribution) -> str:
    shares = _shares(bar, column)
    before = "fewer than 3 records" if bar.original is None else percent(shares["original"])
    after = "fewer than 3 records" if bar.published is None else percent(shares["published"])
    return f"{bar.label}: original {before}, published {after}"
