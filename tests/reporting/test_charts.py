"""Charts carry their data, and can be saved for a paper."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from discreet.distributions import distribution
from discreet.errors import BadParameter, WouldOverwrite
from discreet.reporting import charts
from discreet.reporting.html import inline
from discreet.ru_map import MapPoint
from discreet.table import Table

POINTS = [(f"plan {place}", place / 300, 100 - place / 4) for place in range(300)]


def marks(svg: str) -> list[str]:
    return re.findall(r'aria-label="(plan [^"]*)"', svg)


def test_the_map_shows_every_plan_and_its_numbers() -> None:
    svg = inline(charts.ru_map(POINTS, front=["plan 0", "plan 150"], chosen="plan 150"), "map")
    shown = marks(svg)
    assert len(shown) == 300
    assert "plan 30: risk 10%, loss 92.5" in shown


def test_the_chosen_plan_stands_out() -> None:
    svg = inline(charts.ru_map(POINTS, chosen="plan 150"), "map")
    sizes = {
        label: len(re.findall(rf'aria-label="{label}: [^>]* d="([^"]*)"', svg)[0])
        for label in ("plan 150", "plan 149")
    }
    assert sizes["plan 150"] != sizes["plan 149"]
    assert ">plan 150<" in svg
    assert ">plan 149<" not in svg


def test_ceilings_are_drawn_with_their_names() -> None:
    svg = inline(charts.ru_map(POINTS, ceilings={"limit of linking": 0.1}), "map")
    assert ">limit of linking: 10%<" in svg


def test_few_points_are_all_named() -> None:
    svg = inline(charts.ru_map([("a", 0.1, 1.0), MapPoint(name="b", risk=0.2, loss=0.5)]), "map")
    assert ">a<" in svg
    assert ">b<" in svg


def test_a_map_needs_a_point() -> None:
    with pytest.raises(BadParameter, match="at least one point"):
        charts.ru_map([])


@pytest.mark.parametrize(
    ("start", "step"),
    [(1e16, 2.0), (0.0, 1e-299), (0.0, 1e298), (-1e300, 2e298), (0.5, 1e-9), (0.0, 1e26), (20.0, 1.0)],
)
def test_the_ticks_of_an_axis_are_short_and_all_different(start: float, step: float) -> None:
    frame = pl.DataFrame({"x": [start + place * step for place in range(100)]})
    numbers = Table.of(frame, roles={"x": "quasi-identifier"})
    svg = inline(charts.distribution(distribution(numbers, numbers, "x")), "x")
    ticks = [tick for tick in re.findall(r"<text[^>]*>([^<]*)</text>", svg) if "%" not in tick]
    assert len(set(ticks)) == len(ticks) > 2
    assert max(map(len, ticks)) < 20
    assert not [tick for tick in ticks if "…" in tick]


@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_a_chart_is_saved_in_the_form_its_name_asks_for(
    table: Table, tmp_path: Path, suffix: str, start: bytes
) -> None:
    chart = charts.distribution(distribution(table, table, "age"))
    path = charts.save_chart(chart, tmp_path / f"age{suffix}")
    assert path.read_bytes().startswith(start)
    with pytest.raises(WouldOverwrite):
        charts.save_chart(chart, path)


def test_a_chart_saved_as_a_page_loads_nothing(table: Table, tmp_path: Path) -> None:
    chart = charts.distribution(distribution(table, table, "age"))
    page = charts.save_chart(chart, tmp_path / "age.html").read_text()
    assert "<script src" not in page
    assert "vega" in page


def test_a_chart_of_an_unknown_form_is_refused(table: Table, tmp_path: Path) -> None:
    chart = charts.distribution(distribution(table, table, "age"))
    with pytest.raises(BadParameter, match=r"\.svg, \.png, \.pdf or \.html"):
        charts.save_chart(chart, tmp_path / "age.gif")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["age", "income", "town", "born", "health"])
def test_every_kind_of_column_is_drawn(table: Table, name: str) -> None:
    drawn = inline(charts.distribution(distribution(table, table, name)), name)
    assert f'aria-label="Distribution of {name}, original and published"' in drawn
    assert "NaN" not in drawn
    assert re.search(r'aria-label="[^"]*: original [^"]*%, published [^"]*%"', drawn)


def test_a_column_without_bars_cannot_be_drawn(table: Table) -> None:
    empty = distribution(table.take(table.codes("town")[:0]), table, "age")
    with pytest.raises(BadParameter, match="nothing to draw"):
        charts.distribution(empty)


def test_long_names_are_shortened_beside_their_marks_and_do_not_cover_each_other() -> None:
    long = "rank_swap p 11.6 variant distribution, then pram theta 0.159, then suppress k 5"
    points = [(f"1. {long}", 0.1, 50.0), (f"2. {long}", 0.3, 50.5), (f"3. {long}", 0.1, 80.0)]
    svg = inline(charts.ru_map([*points, ("end", 1.0, 1.0)]), "map")
    shown = re.findall(r">(\d\. [^<]*)<", svg)
    assert {each[:2] for each in shown} in ({"1.", "3."}, {"2.", "3."})
    assert all(len(each) == 44 and each.endswith("…") for each in shown)
    assert f'aria-label="2. {long}: risk 30%, loss 50.5"' in svg


def test_names_that_would_cover_each_other_are_left_to_the_pointer() -> None:
    near = [("first", 0.5, 50.0), ("second", 0.51, 50.5), ("far", 0.0, 100.0)]
    svg = inline(charts.ru_map(near, chosen="second"), "map")
    assert ">second<" in svg
    assert ">far<" in svg
    assert ">first<" not in svg
    assert 'aria-label="first: risk 50%, loss 50"' in svg
