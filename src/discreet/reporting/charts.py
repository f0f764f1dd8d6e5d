"""The charts of a report, as altair charts: data plus specification."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import BadParameter
from discreet.reporting.distributions import Bar, Distribution
from discreet.reporting.exposure import Chances
from discreet.reporting.map import NOTHING, ORIGINAL, RELEASE, Map, Point
from discreet.reporting.style import (
    AFTER,
    BEFORE,
    FAINT,
    INK,
    WARN,
    chart_of,
    dressed,
    percent_axis,
    share_axis,
    spoken,
    value_axis,
)
from discreet.reporting.words import inside_sentence, number, percent, title, whole_of
from discreet.writing.atomic import write_bytes

if TYPE_CHECKING:
    import altair as alt

BAR_HEIGHT = 26
MOST_LABELS = 12
KINDS = ("original", "published")


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
            **{"low": bar.low, "high": bar.high, "ground": 0.0, "top": highest, "text": _told(bar, column)},
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
        {"label": bar.label, "kind": kind, "share": _shares(bar, column)[kind], "text": _told(bar, column)}
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


def ru_map(
    points: Sequence[Point | tuple[str, float, float]],
    front: Collection[str] = (),
    chosen: str | None = None,
    ceilings: Mapping[str, float] | None = None,
    *,
    risk_title: str = "risk",
    loss_title: str = "loss",
) -> alt.LayerChart:
    """Risk against loss: every point a way to publish, the best in the corner at the bottom left.

    `front` names the points that no other beats in both; they are joined by a line. `chosen` names the one taken.
    `ceilings` are risks that may not be passed, drawn as lines with their names. Pointing at a mark tells its name,
    risk and loss.
    """
    import altair as alt

    rows = [_row(point, set(front), chosen) for point in points]
    if not rows:
        raise BadParameter("ru_map: give at least one point.")
    x = alt.X("risk:Q", title=f"{risk_title} →", axis=percent_axis(), scale=alt.Scale(zero=True))
    y = alt.Y(
        "loss:Q", title=f"{loss_title} →", scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5, ticks=False)
    )
    base = chart_of(rows)
    layers: list[Any] = [*_ceiling_layers(ceilings or {})]
    if front:
        layers.append(
            base.transform_filter("datum.front")
            .mark_line(color=AFTER, strokeWidth=1.5, interpolate="step-after")
            .encode(x=x, y=y, order="risk:Q")
        )
    for group, (color, shape, size) in STYLE.items():
        layers.append(
            base.transform_filter(f"datum.group == '{group}'")
            .mark_point(filled=True, opacity=1, color=color, shape=shape, size=size)
            .encode(x=x, y=y, description=spoken(), tooltip=alt.Tooltip("text:N", title="plan"))
        )
    layers.append(_labels(base, rows, x, y))
    return dressed(
        alt.LayerChart(layer=layers), "Risk against loss of the ways to publish", width=860, height=400
    )


STYLE: Mapping[str, tuple[str, str, int]] = {
    "other": (BEFORE, "circle", 45),
    "front": (AFTER, "circle", 65),
    "corner": (FAINT, "square", 80),
    "chosen": (AFTER, "diamond", 320),
}
"""Colour, shape and size of the marks of the map."""


def _row(point: Point | tuple[str, float, float], front: set[str], chosen: str | None) -> dict[str, Any]:
    made = point if isinstance(point, Point) else Point(name=point[0], risk=point[1], loss=point[2])
    group = "front" if made.name in front else "other"
    if made.kind in (ORIGINAL, NOTHING):
        group = "corner"
    if made.name == chosen or made.kind == RELEASE:
        group = "chosen"
    return {
        "name": made.name,
        "risk": made.risk,
        "loss": made.loss,
        "group": group,
        "front": made.name in front,
        "text": f"{made.name}: risk {percent(made.risk)}, loss {number(made.loss)}",
    }


def _ceiling_layers(ceilings: Mapping[str, float]) -> list[Any]:
    import altair as alt

    if not ceilings:
        return []
    base = chart_of(
        [{"name": f"{name}: {percent(bound)}", "risk": bound} for name, bound in ceilings.items()]
    )
    rule = base.mark_rule(color=WARN, strokeDash=[5, 4], strokeWidth=1.5).encode(
        x="risk:Q", description="name:N"
    )
    words = base.mark_text(align="left", dx=5, baseline="top", color=WARN, fontSize=11).encode(
        x="risk:Q", y=alt.value(4), text="name:N"
    )
    return [rule, words]


def _labels(base: alt.Chart, rows: Sequence[Mapping[str, Any]], x: alt.X, y: alt.Y) -> Any:
    """Names beside the marks that matter; beside all where they are few."""
    import altair as alt

    chart = base
    if len(rows) > MOST_LABELS:
        chart = base.transform_filter("datum.group == 'chosen' || datum.group == 'corner'")
    middle = max(row["risk"] for row in rows) / 2
    return chart.mark_text(
        fontSize=11,
        color=INK,
        dy=-15,
        align=alt.expr(f"datum.risk > {middle:g} ? 'right' : 'left'"),
    ).encode(x=x, y=y, text="name:N")


def of_map(facts: Map) -> alt.LayerChart:
    """The R-U map of a report."""
    unit = {100.0: ", percent", 1.0: ", share"}.get(whole_of(facts.measure) or 0.0, "")
    return ru_map(
        facts.points,
        ceilings=dict(facts.ceilings),
        risk_title=f"risk: {inside_sentence(facts.attack)}",
        loss_title=f"loss: {inside_sentence(facts.measure)}{unit}",
    )


def save_chart(chart: alt.Chart | alt.LayerChart, path: str | Path, *, force: bool = False) -> Path:
    """The file of a chart, for a paper: .svg, .png, .pdf; or .html, a page that can be used without a network.

    The file is complete or not there; one that is there already is replaced only with `force`.
    """
    import vl_convert

    target = Path(path)
    specification = chart.to_dict()
    version = vega_lite_version()
    if target.suffix == ".svg":
        made = vl_convert.vegalite_to_svg(specification, vl_version=version).encode()
    elif target.suffix == ".png":
        made = vl_convert.vegalite_to_png(specification, vl_version=version, scale=2)
    elif target.suffix == ".pdf":
        made = vl_convert.vegalite_to_pdf(specification, vl_version=version)
    elif target.suffix == ".html":
        made = vl_convert.vegalite_to_html(specification, vl_version=version, bundle=True).encode()
    else:
        raise BadParameter(
            f"save_chart: the name must end in .svg, .png, .pdf or .html; got '{target.suffix}'."
        )
    write_bytes(target, made, force=force)
    return target


def vega_lite_version() -> str:
    """The version of Vega-Lite that altair writes, as vl_convert names it."""
    import altair as alt

    return ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])


def _shares(bar: Bar, column: Distribution) -> dict[str, float]:
    return {
        "original": (bar.original or 0) / max(1, column.original_records),
        "published": (bar.published or 0) / max(1, column.published_records),
    }


def _told(bar: Bar, column: Distribution) -> str:
    shares = _shares(bar, column)
    before = "fewer than 3 records" if bar.original is None else percent(shares["original"])
    after = "fewer than 3 records" if bar.published is None else percent(shares["published"])
    return f"{bar.label}: original {before}, published {after}"
