"""Charts of any text are drawn, and a renderer that dies is an error and not the end of the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import polars as pl
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.assessment import assess
from discreet.attack.learning.charts import lattice_chart, pairs_chart, weights_chart
from discreet.attack.learning.keys import ColumnSet, KeyColumns
from discreet.errors import NotDrawn
from discreet.plan import Plan
from discreet.protection import protect
from discreet.reporting import drawing
from discreet.reporting.drawing import draw, draw_specification
from discreet.reporting.map_chart import ru_map
from discreet.table import Table
from discreet.visible import visible

ANY_TEXT = st.text(st.characters(codec=None), max_size=20) | st.text(
    st.sampled_from("\x00\x07\x0b\x1b\x7f\x85\x9b\u2028\u202e\u2066\ud800\udfff\ufffe\U0001ffff<>&'\"\\/s"),
    max_size=20,
)
QUICK = (Phase.explicit, Phase.generate)
"""Drawing takes a while, so that what fails is shown as it is and not made small."""
SCRIPT = "</script><script>alert(1)</script><!--<script>"


def hidden(text: str) -> set[str]:
    """Characters that no picture, page or terminal may hold."""
    return {each for each in text if each not in "\n\t" and visible(each) != each}


@pytest.fixture
def fresh() -> Iterator[None]:
    """No process that draws, before and after."""
    drawing._artist.end()
    yield
    drawing._artist.end()


@example(["\\x1b", "\\x00"], "a\\x0b\\ufffe")
@settings(max_examples=12, phases=QUICK)
@given(st.lists(ANY_TEXT, min_size=1, max_size=6), ANY_TEXT)
def test_charts_of_any_text_are_drawn_without_what_is_no_character(labels: list[str], title: str) -> None:
    points = [(label, place / 10, 1.0 + place) for place, label in enumerate(labels)]
    chart = ru_map(points, front=labels, ceilings={title: 0.2}, risk_title=title, loss_title=title)
    assert hidden(draw(chart, "svg").decode()) == set()


@pytest.mark.parametrize("form", ["png", "pdf", "html"])
def test_charts_of_controls_are_drawn_in_every_form(form: drawing.Form) -> None:
    name = "".join(map(chr, [*range(32), 0x7F, 0x9B, 0x202E, 0xD800, 0xFFFE, 0xFFFF]))
    assert len(draw(ru_map([(name, 0.1, 1.0)]), form)) > 1000


def test_charts_of_what_leaks_hold_no_control_either() -> None:
    name = "a\x1b\x0b\ufffe"
    keys = KeyColumns(
        distance="choquet",
        names=(name,),
        columns={name: 1.0},
        ranks=(),
        pairs=pl.DataFrame({"x": [1.0]}).to_numpy(),
        lattice=(ColumnSet(members=(name,), value=1.0),),
    )
    for chart in (weights_chart(keys), pairs_chart(keys), lattice_chart(keys)):
        assert hidden(str(chart.to_dict())) == set()


def test_no_text_ends_the_script_of_a_chart_on_a_page() -> None:
    plain = draw(ru_map([("a", 0.1, 1.0)]), "html").decode()
    page = draw(ru_map([(SCRIPT, 0.1, 1.0)], risk_title=SCRIPT), "html").decode()
    for tag in ("</script", "<script", "<!--"):
        assert page.count(tag) == plain.count(tag)
    assert r"\u003c/script>" in page


@settings(max_examples=6, phases=QUICK)
@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_a_page_of_any_text_holds_no_control_and_no_script_from_data(
    name: str, category: str, column: str
) -> None:
    # A table holds characters only; halves of them cannot be in it.
    column, category = (each.encode("utf-8", "replace").decode() + SCRIPT for each in (column, category))
    frame = pl.DataFrame({column: [category, "b"] * 10, "age": list(range(20))})
    table = Table.of(frame, roles={}, rest="quasi-identifier", name=name)
    plan = Plan.of([("recode", {"columns": [column], "mapping": {category: f"{category}\x1b"}})])
    found = assess(table, protect(table, plan, seed=1), attacks=["k_anonymity"], losses=["il1"])
    page = dc.report(found).html()
    assert hidden(page) == set()
    assert page.count("</script") == page.count("<script") == 1


def test_a_renderer_that_panics_is_an_error_by_name_and_the_next_chart_is_drawn(
    monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    chart = ru_map([("a", 0.1, 1.0)])
    with monkeypatch.context() as patched:
        patched.setattr(drawing, "visible", lambda text: text)
        deadly = {**chart.to_dict(), "title": "a\x0bb"}
        with pytest.raises(NotDrawn, match=r"'Risk against loss .* ended by SIGABRT.*ends in \.json") as told:
            draw_specification(deadly, "svg")
    assert told.value.exit_code == 3
    assert draw(chart, "svg").startswith(b"<svg")


def test_a_renderer_that_was_killed_between_two_charts_is_started_again(fresh: None) -> None:
    chart = ru_map([("a", 0.1, 1.0)])
    first = draw(chart, "svg")
    process = drawing._artist._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert draw(chart, "svg") == first


def test_a_chart_that_the_renderer_refuses_is_an_error_by_name(fresh: None) -> None:
    with pytest.raises(NotDrawn, match="without a description"):
        draw_specification({"mark": {"type": "no such mark"}}, "svg")
    assert drawing._artist._process is not None


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("import time; time.sleep(600)", "longer than 0.2 seconds"),
        ("raise SystemExit(7)", "ended with code 7"),
        ("import sys; sys.stdin.readline(); print('half', end='', flush=True)", "ended with code 0"),
    ],
)
def test_a_process_that_does_not_answer_is_ended(
    script: str, told: str, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    def started() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", script]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    monkeypatch.setattr(drawing, "_started", started)
    monkeypatch.setattr(drawing, "SECONDS", 0.2 if "longer" in told else 60.0)
    with pytest.raises(NotDrawn, match=told):
        draw(ru_map([("a", 0.1, 1.0)]), "svg")
    assert drawing._artist._process is None


def test_an_answer_that_nobody_waited_for_is_not_given_to_the_next_chart(
    monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    def stopped(process: subprocess.Popen[bytes], line: bytes) -> bytes:
        assert process.stdin is not None
        process.stdin.write(line + b"\n")
        process.stdin.flush()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(drawing, "_exchanged", stopped)
        with pytest.raises(KeyboardInterrupt):
            draw(ru_map([("first", 0.1, 1.0)]), "svg")
    second = draw(ru_map([("second", 0.1, 1.0)]), "svg")
    assert b"second" in second
    assert b"first" not in second
