"""Every cell that a notebook shows, by hand: words, lengths of bars and colours."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import polars as pl
import pytest

import discreet as dc
from discreet.assessment import Limit, NotDone
from discreet.errors import BadParameter
from discreet.notebook import _limit_row, report_html
from discreet.results import Loss, Masked, Risk
from discreet.table import Table


class Page(HTMLParser):
    """Tables as rows of texts, other texts, and the lengths and colours that are drawn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.texts: list[str] = []
        self.bars: list[float] = []
        self.colours: list[str] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        style = dict(attrs).get("style") or ""
        if found := re.match(r"width:([\d.]+)%", style):
            self.bars.append(float(found[1]))
        self.colours += re.findall(r"background:(#\w+);padding", style)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += data
        else:
            self.texts.append(data.strip())


def page(thing: Any) -> Page:
    shown = Page(thing if isinstance(thing, str) else thing._repr_html_())
    assert shown.open == []
    shown.texts = [each for each in shown.texts if each]
    return shown


@pytest.fixture(scope="module")
def table() -> Table:
    frame = pl.DataFrame(
        {
            "age": [*range(1000, 1007), None],
            "school": ["low", "high"] * 4,
            "town": ["a", None, None, None, "b", "b", "a", "b"],
        }
    )
    return Table.of(
        frame,
        roles={"town": "confidential"},
        rest="quasi-identifier",
        orders={"school": ["low", "high"]},
        name="farm",
    )


COLUMNS = [
    ["column", "role", "scale", "missing", ""],
    ["age", "quasi-identifier", "numeric", "", "12.5%"],
    ["school", "quasi-identifier", "ordinal (2 levels)", "", "0.0%"],
    ["town", "confidential", "nominal", "", "37.5%"],
]


def test_a_table_shows_its_columns(table: Table) -> None:
    shown = page(table)
    assert shown.texts == ["Table farm", "8 records, 3 columns"]
    assert shown.tables == [COLUMNS]
    assert shown.bars == [12.5, 0.0, 37.5]
    many = Table.of(pl.DataFrame({"x": range(1200)}), roles={}, rest="quasi-identifier", name="t")
    assert page(many).texts[1] == "1,200 records, 1 columns"
    empty = page(table.take(pl.Series([], dtype=pl.Int64).to_numpy()))
    assert empty.bars == [0.0] * 3


def test_plans_and_releases_show_their_steps(table: Table) -> None:
    plan = dc.Plan.of(
        [("round", {"columns": ["age"], "base": 5}), ("pram", {"columns": ["school"], "theta": 0.5})]
    )
    steps = [
        ["step", "method", "parameters"],
        ["1", "round", "columns=age, base=5"],
        ["2", "pram", "columns=school, theta=0.5"],
    ]
    assert page(plan).tables == [steps]
    assert page(plan).texts == ["Plan", "2 steps"]
    one = dc.Plan.of([("round", {"columns": ["age"], "base": 5})])
    assert page(one).texts == ["Plan", "1 step"]
    release = dc.protect(table, plan, seed=1)
    shown = page(release)
    assert shown.texts[:2] == [
        "Release of farm",
        f"8 records, 3 columns, {len(release.guarantees)} guarantees",
    ]
    assert shown.texts[2:] == [*release.warnings, *([release.doubt] if release.doubt else [])]
    assert shown.tables == [steps, COLUMNS]


def test_a_masked_table_shows_what_was_done(table: Table) -> None:
    masked = Masked(table=table, facts={"groups": 3, "share": 0.25, "order": ["secret"]}, method="mine")
    shown = page(masked)
    assert shown.texts == ["Masked by mine", "8 records"]
    assert shown.tables == [[["what it did", "number"], ["groups", "3"], ["share", "0.25"]], COLUMNS]
    assert page(Masked(table=table, method="mine")).tables == [COLUMNS]


RISK = ["risk", "", "share", ""]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, ""),
        ({"interval": (0.1, 0.3)}, "95% interval 10.0%-30.0%"),
        ({"interval": (0.25, 0.25)}, "exact"),
        ({"interval": (0.25, 0.25), "proven": True}, "proven to be the most"),
        ({"interval": (0.25, 0.5), "proven": True}, "at most 50.0% is proven"),
        ({"baseline": 0.125}, "guessing 12.5%"),
        ({"level": 3.0}, "level 3"),
        ({"failed": 1200}, "1,200 attempts failed"),
        ({"left_out": ("a", "b")}, "without a, b"),
        ({"baseline": 0.5, "level": 2.5, "failed": 1}, "guessing 50.0%; level 2.5; 1 attempts failed"),
    ],
)
def test_a_risk_is_a_bar_and_what_belongs_to_it(more: dict[str, Any], said: str) -> None:
    shown = page(Risk(name="link", risk=0.25, meaning="the share found", attempts=8, **more))
    assert shown.texts == ["link", "the share found"]
    assert shown.tables == [[RISK, ["link", "", "25.0%", said]]]
    assert shown.bars == [25.0]


def test_bars_stay_between_nothing_and_all() -> None:
    for risk, width in ((-0.5, 0.0), (1.5, 100.0), (0.3333, 33.3)):
        assert page(Risk(name="link", risk=risk, meaning="m")).bars == [width]


def test_a_loss_is_a_number_and_those_of_its_columns() -> None:
    shown = page(
        Loss(name="il1", loss=12.34567, meaning="the change", columns={"a": 1.0, "b": 0.33333}, left_out=2)
    )
    assert shown.texts == ["il1", "the change"]
    assert shown.tables == [
        [["loss", "value", ""], ["il1", "12.35", "2 parts left out"]],
        [["column", "loss"], ["a", "1"], ["b", "0.3333"]],
    ]
    bare = page(Loss(name="il1", loss=0.0, meaning="the change"))
    assert bare.tables == [[["loss", "value", ""], ["il1", "0", ""]]]


LIMITS = [
    (Limit(name="identity", bound=0.1, found=0.05, is_floor=False), ["at most 10.0%", "5.0%", "met"]),
    (Limit(name="link", bound=0.1, found=0.2, is_floor=False), ["at most 10.0%", "20.0%", "exceeded"]),
    (Limit(name="k_anonymity", bound=3, found=2, is_floor=True), ["at least 3", "2", "exceeded"]),
    (
        Limit(name="attribute", bound=0.5, found=None, is_floor=False, unchecked="no attack fits"),
        ["at most 50.0%", "", "not checked no attack fits"],
    ),
]


@pytest.mark.parametrize(
    ("limit", "cells"), LIMITS, ids=lambda each: each.name if isinstance(each, Limit) else ""
)
def test_a_limit_shows_what_is_allowed_found_and_the_verdict(limit: Limit, cells: list[str]) -> None:
    html = "<table><tr>" + "".join(f"<td>{cell}</td>" for cell in _limit_row(limit)) + "</tr></table>"
    shown = page(html)
    assert shown.tables == [[[limit.name, *cells]]]
    assert shown.colours == [
        {"met": "#2e9e5b", "exceeded": "#d64545", "not checked": "#c98a1b"}[limit.status]
    ]


def test_an_assessment_shows_its_verdict_limits_results_and_what_is_undone(table: Table) -> None:
    plan = dc.Plan.of([("round", {"columns": ["age"], "base": 5})])
    found = dc.assess(
        table,
        dc.protect(table, plan, seed=1),
        losses=["il1"],
        ceilings={"link": 1.0},
        floors={"k_anonymity": 9},
    )
    found = replace(found, not_done=(NotDone(kind="attack", name="suda", reason="too few records"),))
    shown = page(found)
    assert shown.texts == ["Assessment of farm", "8 records", "exceeded", "1 met, 1 exceeded, 0 not checked"]
    limits, risks, losses, undone = shown.tables
    assert limits[0] == ["limit", "allowed", "found", "verdict"]
    assert [row[0] for row in limits[1:]] == [limit.name for limit in found.limits]
    assert [row[0] for row in risks[1:]] == [each.name for each in (*found.headlines, *found.risks)]
    assert [row[:2] for row in losses[1:]] == [["il1", f"{found.losses[0].loss:.4g}"]]
    assert undone == [["not computed", "why"], ["suda", "too few records"]]
    free = dc.assess(table, attacks=["link"], losses=[])
    assert page(free).texts == ["Assessment of farm", "8 records", "no limits"]
    assert page(free).colours == ["#808080"]


def test_a_report_shows_its_verdict_limits_and_findings() -> None:
    shown = page(
        report_html(
            "A report",
            "for the office",
            ("met", "All is well."),
            [("link at most 5%", "met")],
            [("Found", 0.5, "half"), ("k", None, "3")],
        )
    )
    assert shown.texts[:4] == ["A report", "for the office", "met", "All is well."]
    assert shown.texts[4].startswith("save('report.html') writes the whole page")
    assert shown.tables == [
        [["limit", "verdict"], ["link at most 5%", "met"]],
        [["finding", "", "value"], ["Found", "", "half"], ["k", "", "3"]],
    ]
    assert shown.bars == [50.0]


def test_methods_are_listed_with_what_they_return() -> None:
    listing = dc.methods()
    shown = page(listing)
    assert shown.texts == ["Methods", str(len(listing))]
    assert shown.tables[0][0] == ["kind", "name", "what it returns"]
    assert shown.tables[0][1:] == [[each.kind, each.name, each.summary] for each in listing]


def test_methods_are_listed_in_words_too() -> None:
    listing = dc.methods("loss")
    assert len(listing) == len(list(listing))
    assert listing[0] is next(iter(listing))
    assert str(listing).splitlines() == [f"loss.{each.name}: {each.summary}" for each in listing]
    assert repr(listing) == f"<methods: {len(listing)} of kind loss>"
    every = dc.methods()
    counts = [sum(each.kind == kind for each in every) for kind in ("mask", "attack", "loss")]
    assert sum(counts) == len(every)
    assert repr(every) == (
        f"<methods: {counts[0]} of kind mask, {counts[1]} of kind attack, {counts[2]} of kind loss>"
    )
    with pytest.raises(BadParameter, match="there is no kind 'los'"):
        dc.methods("los")
