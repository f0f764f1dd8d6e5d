"""The chart of risk against loss: every point a way to publish."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from discreet.errors import BadParameter
from discreet.reporting.style import (
    AFTER,
    BEFORE,
    FAINT,
    INK,
    PAPER,
    WARN,
    chart_of,
    dressed,
    percent_axis,
    spoken,
)
from discreet.reporting.words import inside_sentence, number, percent
from discreet.ru_map import NOTHING, ORIGINAL, RELEASE, Map, MapPoint
from discreet.visible import visible_line

if TYPE_CHECKING:
    import altair as alt

MOST_LABELS = 12
LONGEST_LABEL = 44
WIDE, LETTER, SHORTEST = 860, 6.8, 40
"""The width of a map, of a letter of a label, and of the least room that a label takes, in pixels."""


def ru_map(
    points: Sequence[MapPoint | tuple[str, float, float]],
    front: Collection[str] = (),
    chosen: str | None = None,
    ceilings: Mapping[str, float] | None = None,
    *,
    risk_title: str = "risk",
    loss_title: str = "loss",
    width: int = WIDE,
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
    _name_those_with_room(rows, width)
    x = alt.X(
        "risk:Q", title=f"{visible_line(risk_title)} →", axis=percent_axis(), scale=alt.Scale(zero=True)
    )
    y = alt.Y(
        "loss:Q",
        title=f"{visible_line(loss_title)} →",
        scale=alt.Scale(zero=True),
        axis=alt.Axis(tickCount=5, ticks=False, labelPadding=9),
    )
    base = chart_of(rows)
    layers: list[Any] = [*_ceiling_layers(ceilings or {})]
    if front:
        layers.append(
            base.transform_filter("datum.front")
            .mark_line(color=AFTER, strokeWidth=1.5, interpolate="step-after")
            .encode(x=x, y=y, order="risk:Q", description=alt.value("the best trade-offs"))
        )
    for group, (color, shape, size) in STYLE.items():
        layers.append(
            base.transform_filter(f"datum.group == '{group}'")
            .mark_point(filled=True, opacity=1, color=color, shape=shape, size=size)
            .encode(x=x, y=y, description=spoken(), tooltip=alt.Tooltip("text:N", title="plan"))
        )
    layers += _labels(base, rows, x, y)
    return dressed(
        alt.LayerChart(layer=layers),
        "Risk against loss of the ways to publish",
        width=width,
        height=min(400, width),
    )


STYLE: Mapping[str, tuple[str, str, int]] = {
    "other": (BEFORE, "circle", 45),
    "front": (AFTER, "circle", 65),
    "corner": (FAINT, "square", 80),
    "chosen": (AFTER, "diamond", 320),
}
"""Colour, shape and size of the marks of the map."""


def _row(point: MapPoint | tuple[str, float, float], front: set[str], chosen: str | None) -> dict[str, Any]:
    made = point if isinstance(point, MapPoint) else MapPoint(name=point[0], risk=point[1], loss=point[2])
    group = "front" if made.name in front else "other"
    if made.kind in (ORIGINAL, NOTHING):
        group = "corner"
    if made.name == chosen or made.kind == RELEASE:
        group = "chosen"
    return {
        "name": made.name,
        "label": made.name if len(made.name) <= LONGEST_LABEL else f"{made.name[: LONGEST_LABEL - 1]}…",
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
    words = base.mark_text(align="left", dx=5, baseline="top", color=WARN, fontSize=11, aria=False).encode(
        x="risk:Q", y=alt.value(4), text="name:N"
    )
    return [rule, words]


def _labels(base: alt.Chart, rows: Sequence[Mapping[str, Any]], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Names beside the marks that matter, or beside all where they are few, each on a halo of paper."""
    import altair as alt

    right = max(row["risk"] for row in rows) / 2
    low = max(row["loss"] for row in rows) / 8
    # No plan lies below the best ones, so there is room for the name of the chosen one, unless the axis is near.
    above = f"datum.group == 'chosen' && datum.loss > {low:g} ? 19 : -15"
    halo, words = (
        base.transform_filter("datum.named")
        .mark_text(
            # The mark itself says its name; what Vega would say of it repeats the titles of the axes.
            aria=False,
            fontSize=12,
            align=alt.expr(f"datum.risk > {right:g} ? 'right' : 'left'"),
            dy=alt.expr(above),
            **look,
        )
        .encode(x=x, y=y, text="label:N")
        for look in ({"color": PAPER, "stroke": PAPER, "strokeWidth": 4}, {"color": INK})
    )
    return [halo, words]


def _name_those_with_room(rows: list[dict[str, Any]], width: int) -> None:
    """Marks which rows carry their name: what matters first, and none so near another that both are unreadable."""
    wide = max(row["risk"] for row in rows) or 1.0
    tall = max(row["loss"] for row in rows) or 1.0
    named: list[dict[str, Any]] = []
    for row in sorted(rows, key=lambda row: -list(STYLE).index(row["group"])):
        matters = row["group"] in ("chosen", "corner")
        near = any(
            _extent(row, wide, width)[0] < _extent(other, wide, width)[1]
            and _extent(other, wide, width)[0] < _extent(row, wide, width)[1]
            and abs(row["loss"] - other["loss"]) < tall / 18
            for other in named
        )
        row["named"] = row["group"] == "chosen" or ((matters or len(rows) <= MOST_LABELS) and not near)
        if row["named"]:
            named.append(row)


def _extent(row: Mapping[str, Any], wide: float, width: int) -> tuple[float, float]:
    """From where to where the name of a mark goes, in pixels; on the right half it ends at its mark."""
    at, long = width * row["risk"] / wide, max(len(row["label"]) * LETTER, SHORTEST)
    return (at - long, at) if row["risk"] > wide / 2 else (at, at + long)


def of_map(facts: Map, *, width: int = WIDE) -> alt.LayerChart:
    """The R-U map of a report."""
    unit = f", {facts.unit}" if facts.unit else ""
    return ru_map(
        facts.points,
        ceilings=dict(facts.ceilings),
        risk_title=f"risk: {inside_sentence(facts.attack)}",
        loss_title=f"loss: {inside_sentence(facts.measure)}{unit}",
        width=width,
    )
