"""Charts of what leaks: each function returns an Altair chart, data and specification together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import polars as pl

from discreet.attack.learning.holdout import HeldOut
from discreet.attack.learning.keys import ColumnSet, KeyColumns
from discreet.errors import NotComputable
from discreet.visible import visible_line

if TYPE_CHECKING:
    import altair as alt


def weights_chart(keys: KeyColumns) -> alt.Chart:
    """Bars of the share of each column in what re-identifies people; of each rank for OWA."""
    import altair as alt

    if keys.columns:
        label, shares = "column", {visible_line(name): share for name, share in keys.columns.items()}
    else:
        label, shares = (
            "rank",
            {f"{place}. difference": share for place, share in enumerate(keys.ranks, start=1)},
        )
    data = pl.DataFrame({label: list(shares), "share": list(shares.values())})
    chart: alt.Chart = (
        alt.Chart(data, title="What re-identifies people")
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title="share of the learned distance"),
            y=alt.Y(f"{label}:N", sort=None, title=None),
            tooltip=[f"{label}:N", alt.Tooltip("share:Q", format=".4f")],
        )
    )
    return chart


def pairs_chart(keys: KeyColumns) -> alt.LayerChart | alt.FacetChart:
    """A map of the pairs of columns: the matrix of a bilinear form, or how columns interact in a fuzzy measure.

    Colours are on one scale to both sides of zero, so that a small value looks small whatever its sign.
    """
    import altair as alt

    if keys.pairs is None:
        raise NotComputable(f"the distance '{keys.distance}' says nothing about pairs of columns.")
    largest = float(abs(keys.pairs).max()) or 1.0
    cells = [
        {"one": visible_line(one), "other": visible_line(other), "value": float(keys.pairs[i, j])}
        for i, one in enumerate(keys.names)
        for j, other in enumerate(keys.names)
    ]
    base = alt.Chart(pl.DataFrame(cells)).encode(
        x=alt.X("other:N", sort=None, title=None),
        y=alt.Y("one:N", sort=None, title=None),
        tooltip=["one:N", "other:N", alt.Tooltip("value:Q", format=".4f")],
    )
    colour = alt.Color(
        "value:Q", scale=alt.Scale(scheme="purpleorange", domain=[-largest, largest]), title=None
    )
    on_dark = alt.condition(f"abs(datum.value) > {0.7 * largest}", alt.value("white"), alt.value("black"))
    numbers = base.mark_text(fontSize=10).encode(text=alt.Text("value:Q", format=".2f"), color=on_dark)
    title = "Interaction of columns" if keys.distance == "choquet" else "Matrix of the distance"
    step = alt.Step(46)
    return alt.layer(base.mark_rect().encode(color=colour), numbers, title=title, width=step, height=step)


def lattice_chart(keys: KeyColumns, *, at_least: float = 0.0) -> alt.LayerChart | alt.FacetChart:
    """The lattice of a fuzzy measure, from single columns up to all, the sets of at least the given value."""
    import altair as alt

    if not keys.lattice:
        raise NotComputable(f"the distance '{keys.distance}' has no value for every set of columns.")
    shown = [each for each in keys.lattice if each.members and each.value >= at_least]
    places = _places(shown)
    nodes, lines = _nodes(shown, places), _lines(shown, places)
    edge = max(abs(place) for place in places.values()) + 0.6
    x = alt.X("place:Q", axis=None, scale=alt.Scale(domain=[-edge, edge + 0.4], nice=False))
    y = alt.Y("size:O", sort="descending", title="columns in the set")
    schema = {"line": pl.Int64, "size": pl.Int64, "place": pl.Float64}
    edges = (
        alt.Chart(pl.DataFrame(lines, schema=schema))
        .mark_line(opacity=0.25)
        .encode(x=x, y=y, detail="line:N")
    )
    points = alt.Chart(pl.DataFrame(nodes)).encode(x=x, y=y)
    circles = points.mark_circle(size=180, opacity=1.0).encode(
        color=alt.Color("value:Q", scale=alt.Scale(domain=[0, 1]), title="value"),
        tooltip=["set:N", alt.Tooltip("value:Q", format=".4f")],
    )
    labels = points.mark_text(align="left", baseline="middle", dx=11, fontSize=9, lineBreak="\n").encode(
        text="label:N"
    )
    longest = max(len(each.members) for each in shown)
    rows = len({len(each.members) for each in shown})
    return alt.layer(
        edges,
        circles,
        labels,
        title="What sets of columns reveal",
        width=max(360, round(190 * edge)),
        height=rows * max(70, 14 * longest + 30),
    )


def held_out_chart(results: Sequence[HeldOut]) -> alt.Chart:
    """Bars of the share re-identified among known pairs and among the others, for each distance tried."""
    import altair as alt

    rows = [
        {"distance": each.learned.distance, "where": where, "share": share}
        for each in results
        for where, share in (("known pairs", each.train), ("the others", each.test))
    ]
    chart: alt.Chart = (
        alt.Chart(pl.DataFrame(rows), title="Learned on known pairs, tested on the others")
        .mark_bar()
        .encode(
            x=alt.X("distance:N", sort=None, title=None),
            xOffset="where:N",
            y=alt.Y("share:Q", axis=alt.Axis(format="%"), title="records re-identified"),
            color=alt.Color("where:N", title=None),
            tooltip=["distance:N", "where:N", alt.Tooltip("share:Q", format=".1%")],
        )
    )
    return chart


def _nodes(
    sets: Sequence[ColumnSet], places: Mapping[tuple[str, ...], float]
) -> list[dict[str, str | float]]:
    """A point for each set: where it stands, its value, and what is written beside it, a line for each column."""
    return [
        {
            "set": " + ".join(map(visible_line, each.members)),
            "label": "\n".join([*map(visible_line, each.members), f"{each.value:.3f}"]),
            "size": len(each.members),
            "place": places[each.members],
            "value": each.value,
        }
        for each in sets
    ]


def _lines(sets: Sequence[ColumnSet], places: Mapping[tuple[str, ...], float]) -> list[dict[str, float]]:
    """Both ends of the line from each set to each that has one column more."""
    return [
        {"line": number, "size": len(end.members), "place": places[end.members]}
        for number, pair in enumerate(_covers(sets))
        for end in pair
    ]


def _places(sets: Sequence[ColumnSet]) -> dict[tuple[str, ...], float]:
    """Where each set stands in the row of its size: evenly spread, the first column's sets to the left."""
    rows: dict[int, list[tuple[str, ...]]] = {}
    for each in reversed(sets):
        rows.setdefault(len(each.members), []).append(each.members)
    return {members: place - (len(row) - 1) / 2 for row in rows.values() for place, members in enumerate(row)}


def _covers(sets: Sequence[ColumnSet]) -> list[tuple[ColumnSet, ColumnSet]]:
    """The pairs of sets of which one has just one column more."""
    return [
        (small, large)
        for small in sets
        for large in sets
        if len(large.members) == len(small.members) + 1 and set(small.members) < set(large.members)
    ]
