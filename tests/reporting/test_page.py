"""The page opens without a network, runs without errors, and can be read by everybody."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

import discreet as dc
from discreet.assessment import Assessment, assess
from discreet.plan import Plan
from discreet.protection import protect
from discreet.reporting.document import Audience
from discreet.table import Table

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
)
HOSTILE = '<script>alert("1")</script>&"\'</style>'
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Outline(HTMLParser):
    """The elements of a page in order, with their attributes and whether all were closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module", params=["internal", "external"])
def audience(request: pytest.FixtureRequest) -> Audience:
    name: Audience = request.param
    return name


@pytest.fixture(scope="module")
def page(assessment: Assessment, audience: Audience) -> str:
    return dc.report(assessment, audience=audience, reference=[("other", 0.3, 40.0)]).html()


@pytest.fixture(scope="module")
def hostile() -> Assessment:
    """An assessment of a table whose names and categories are HTML."""
    frame = pl.DataFrame({HOSTILE: ["<b>x</b>", "</svg><i>"] * 20, f"{HOSTILE}.[0]": list(range(40))})
    table = Table.of(frame, roles={}, rest="quasi-identifier", name=f"t{HOSTILE}")
    plan = Plan.of(
        [
            ("add_noise", {"columns": [f"{HOSTILE}.[0]"]}),
            ("recode", {"columns": [HOSTILE], "mapping": {"<b>x</b>": "</td><u>"}}),
        ]
    )
    return assess(table, protect(table, plan, seed=1), attacks=["k_anonymity"], losses=["il1"])


def test_the_page_names_no_address_of_another_machine(page: str) -> None:
    assert re.findall(r"https?:|//[a-z]|@import|url\((?!#)", page.replace("// Shows", "")) == []
    loads = [
        (tag, name) for tag, has in Outline(page).found for name in has if name in ("src", "srcset", "data")
    ]
    assert loads == []
    assert all(has["href"].startswith("#") for tag, has in Outline(page).found if has.get("href"))  # type: ignore[union-attr]


def test_the_page_forbids_the_browser_to_load_anything(page: str) -> None:
    rule = next(has["content"] for tag, has in Outline(page).found if has.get("http-equiv"))
    assert rule is not None
    assert rule.startswith("default-src 'none'")
    assert "unsafe-eval" not in rule


def test_headings_go_down_one_step_at_a_time(page: str) -> None:
    levels = [int(tag[1]) for tag, _ in Outline(page).found if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


def test_every_chart_has_a_name_and_every_header_a_direction(page: str, audience: Audience) -> None:
    found = Outline(page).found
    charts = [has for tag, has in found if tag == "svg"]
    assert all(has.get("aria-label") and has.get("role") == "img" for has in charts)
    assert bool(charts) == (audience == "internal")
    assert all(has.get("scope") in ("row", "col") for tag, has in found if tag == "th")
    assert next(has for tag, has in found if tag == "html")["lang"] == "en"


def test_no_two_elements_share_an_id_and_every_link_has_its_end(page: str) -> None:
    found = Outline(page).found
    ids = [has["id"] for _, has in found if has.get("id")]
    assert len(ids) == len(set(ids))
    ends = {(has.get("href") or "#")[1:] for tag, has in found if tag == "a"}
    assert ends <= set(ids)


def test_every_element_is_closed(page: str) -> None:
    assert Outline(page).open == []


def test_colours_of_charts_are_those_the_page_can_turn_dark(page: str) -> None:
    drawn = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{3,6})"', page))
    style = page[page.index("<style>") : page.index("</style>")]
    assert drawn - set(re.findall(r'="(#[0-9a-f]{6})"', style)) == set()


def test_names_that_are_html_stay_names(hostile: Assessment, audience: Audience) -> None:
    text = dc.report(hostile, audience=audience).html()
    assert Outline(text).open == []
    tags = {tag for tag, _ in Outline(text).found}
    assert not tags & {"b", "i", "u"}
    assert sum(tag == "script" for tag, _ in Outline(text).found) == 1
    assert HOSTILE not in text


def test_a_release_without_steps_risks_and_losses_still_has_a_page(assessment: Assessment) -> None:
    table = assessment.original
    assert isinstance(table, dc.Table)
    release = protect(table, Plan.of([]), seed=1)
    nothing = replace(assessment, risks=(), losses=(), headlines=(), not_done=(), limits=(), score=None)
    bare = replace(nothing, release=release)
    text = dc.report(bare).html()
    assert "Nothing is known about the risk" in text
    assert "No column was masked" in text


def browse(path: Path, profile: Path) -> tuple[str, str]:
    """What the page has become in a browser without a network, and what the browser logged."""
    assert BROWSER is not None
    done = subprocess.run(
        [
            BROWSER,
            *QUIET,
            "--proxy-server=127.0.0.1:9",
            f"--user-data-dir={profile}",
            "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout, done.stderr


@pytest.mark.skipif(BROWSER is None, reason="no chromium found")
def test_the_page_runs_in_a_browser_without_an_error(page: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(page)
    shown, logged = browse(path, tmp_path / "profile")
    assert "What this report does not show" in shown
    assert [line for line in logged.splitlines() if "CONSOLE" in line] == []


@pytest.mark.skipif(BROWSER is None, reason="no chromium found")
def test_pointing_at_a_mark_tells_what_it_stands_for(assessment: Assessment, tmp_path: Path) -> None:
    page = dc.report(assessment, reference=[("the other plan", 0.3, 40.0)]).html()
    poke = (
        "<script>document.querySelector('[aria-label^=\"the other plan\"]').dispatchEvent("
        "new PointerEvent('pointermove', {bubbles: true, clientX: 50, clientY: 50}));</script>"
    )
    path = tmp_path / "report.html"
    path.write_text(re.sub(r"<meta http-equiv[^>]*>", "", page).replace("</body>", poke + "</body>"))
    shown, logged = browse(path, tmp_path / "profile")
    assert re.search(r'<div id="tip"[^>]*>the other plan: risk 30%, loss 40</div>', shown)
    assert "CONSOLE" not in logged
