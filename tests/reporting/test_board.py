"""The first pages are for a board: before and after, what was done, what is left, what is not covered; details fold."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.reporting.test_page import BROWSER, QUIET
from tests.small_people import PLAN, SEED, assessed, people

import discreet as dc
from discreet.assessment import Assessment
from discreet.errors import BadFile, Mismatch
from discreet.method import Method
from discreet.parameters import Real
from discreet.registry import methods
from discreet.reporting.board import step_in_short
from discreet.reporting.document import Audience
from discreet.searching.tried import plans_tried

Limited = Callable[..., Assessment]
MOST_PAGES = 4
BOARD = ["before-after", "done", "left", "not-covered", "details"]
AUDIENCES: list[Audience] = ["internal", "external"]


@pytest.mark.parametrize("audience", AUDIENCES)
def test_the_page_goes_from_the_verdict_to_what_is_not_covered(
    assessment: Assessment, audience: Audience
) -> None:
    page = dc.report(assessment, audience=audience).html()
    places = [page.index(f'id="{name}"') for name in ["verdict", *BOARD]]
    assert places == sorted(places)
    folded = page.split('id="details"')[1]
    for heading in ("all parameters", "what each attack achieves", "what users of the file lose"):
        assert heading in folded
    assert '<details class="fold" open' not in page


def test_before_and_after_are_those_of_the_assessment(assessment: Assessment) -> None:
    (line,) = dc.report(assessment).facts.board.before_after
    assert line.before == assessment.before.identity
    assert line.after == assessment.headlines[0].risk
    assert (line.after_shown, line.limit, line.state) == ("3.1%", None, "")


def test_a_limit_stands_beside_its_line(assessment: Assessment) -> None:
    from discreet.assessment import Limit

    limit = Limit(name="identity", bound=0.01, found=0.0312, is_floor=False)
    (line,) = dc.report(replace(assessment, limits=(limit,))).facts.board.before_after
    assert (line.limit_shown, line.state) == ("1%", "exceeded")


def test_before_and_after_are_rounded_outside(assessment: Assessment) -> None:
    (line,) = dc.report(assessment, audience="external").facts.board.before_after
    assert (line.after, line.after_shown) == (0.03, "about 3%")
    assert line.before == round(line.before or 0.0, 2)


def test_what_is_not_known_is_no_number(assessment: Assessment) -> None:
    unknown = replace(assessment.headlines[0], attacks={}, attack="", unchecked="nothing ran", risk=1.0)
    (line,) = dc.report(replace(assessment, headlines=(unknown,))).facts.board.before_after
    assert (line.after, line.after_shown) == (None, "not known")


def test_each_step_is_told_with_its_numbers_in_a_sentence(assessment: Assessment) -> None:
    done = dc.report(assessment).facts.board.done
    assert done[0] == (
        "In age and income, numbers are moved by random amounts, of 20% of the spread of their column (add noise)."
    )
    assert any(each == "Left out of the file: name." for each in done)
    assert done[-1].endswith("checked, and it holds.") or "properties guaranteed" in done[-1]


@pytest.mark.parametrize(
    ("name", "chosen", "said"),
    [
        (
            "recode",
            {"columns": "town", "rarer_than": "0.01", "label": "elsewhere"},
            "In town, categories that fewer than 1% of the records have are joined into one, called 'elsewhere' "
            "(recode).",
        ),
        (
            "recode",
            {"columns": "town", "rarest": "3"},
            "In town, the 3 rarest categories are joined into one (recode).",
        ),
        (
            "recode",
            {"columns": "town", "mapping": "4 categories into 2"},
            "In town, categories are renamed by a mapping, 4 categories into 2 (recode).",
        ),
        (
            "microaggregate",
            {"columns": "age", "k": "8", "variant": "zscore"},
            "In age, values become the average of a group of similar records, at least 8 in each "
            "(microaggregate, variant zscore).",
        ),
        ("round", {"columns": "pay", "base": "1,000"}, "In pay, numbers become multiples of 1,000 (round)."),
        ("sample", {"fraction": "0.25"}, "25% of the records are published, drawn at random (sample)."),
        (
            "distort",
            {"columns": "pay"},
            "In pay, each column is drawn anew from a distribution fitted to it, in the order of the true values "
            "(distort).",
        ),
    ],
)
def test_a_step_reads_as_a_sentence_of_its_own_parameters(
    name: str, chosen: dict[str, str], said: str
) -> None:
    assert step_in_short(name, list(chosen.items())) == said


@pytest.mark.parametrize("mask", [pytest.param(each, id=each.name) for each in methods("mask")])
def test_words_of_parameters_are_those_of_parameters_that_there_are(mask: Method) -> None:
    words = {**mask.in_words.instead, **mask.in_words.besides}
    assert len(words) == len(mask.in_words.instead) + len(mask.in_words.besides)
    for name, each in words.items():
        kind = mask.parameter(name).kind
        assert each.count("{}") + each.count("{%}") == 1, name
        assert "{%}" not in each or isinstance(kind, Real)


def test_names_that_end_in_a_point_give_one_point_and_people_are_counted() -> None:
    frame = pl.DataFrame(
        {
            "Bankverb.": [f"b{place // 2}" for place in range(12)],
            "Kosten": [float(place) for place in range(12)],
        }
    )
    table = dc.Table.of(frame, roles={"Bankverb.": "person", "Kosten": "quasi-identifier"})
    release = dc.protect(table, dc.Plan.of(["microaggregate k=3 columns=Kosten"]), seed=1)
    facts = dc.report(dc.assess(table, release, attacks=["link"], losses=["il1s"])).facts
    assert "Left out of the file: Bankverb." in facts.board.done
    assert any("12 records of 6 people" in each for each in facts.summary)


def test_guarantees_are_told_with_the_numbers_of_this_release() -> None:
    table = people()
    plan = dc.Plan.of(["suppress k=4 columns=town", "round base=10 columns=age"])
    found = dc.assess(table, dc.protect(table, plan, seed=1), attacks=["k_anonymity"], losses=["il1"])
    suppress, rounded = dc.report(found).facts.done.steps
    assert suppress.guarantees == ("Every combination of 'town' is shared by at least 4 records",)
    assert rounded.guarantees == ("All values of 'age' are multiples of 10",)
    assert not suppress.undone


def test_a_step_that_later_ones_undid_claims_nothing() -> None:
    table = people()
    plan = dc.Plan.of(["round base=10 columns=age", "add_noise p=0.3 columns=age"])
    found = dc.assess(table, dc.protect(table, plan, seed=1), attacks=["k_anonymity"], losses=["il1"])
    report = dc.report(found)
    assert (report.facts.done.steps[0].guarantees, report.facts.done.steps[0].undone) == ((), True)
    assert "nothing that it guarantees is claimed of the file" in report.html()


@pytest.mark.parametrize("audience", AUDIENCES)
def test_an_unfinished_release_says_so_first(audience: Audience) -> None:
    table = people()
    found = assessed(table, dc.protect(table, PLAN, seed=SEED, upto=1))
    verdict = dc.report(found, audience=audience).facts.verdict
    assert verdict.headline.startswith(
        "The release is unfinished: 1 of the 2 steps of its plan were carried out."
    )
    assert verdict.state != "met"
    assert dc.report(replace(found, limits=()), audience=audience).facts.verdict.state == "not checked"


def test_every_number_has_a_unit(assessment: Assessment) -> None:
    facts = dc.report(assessment).facts
    for each in (*facts.risks, *facts.losses):
        assert each.unit or each.shown.endswith("%"), each.name


def test_the_plans_that_a_search_tried_are_on_the_map(tmp_path: Path) -> None:
    table = people(60)
    journal = tmp_path / "journal.jsonl"
    found = dc.search(table, ceilings={"identity": 1.0}, trials=6, journal=journal)
    tried = plans_tried(journal, table)
    assert len(tried) == len(found.points)
    assert {round(loss, 9) for _, _, loss in tried} == {round(each.loss, 9) for each in found.points}
    judged = dc.assess(table, dc.protect(table, found.plan, seed=2), losses=["lost"])
    drawn = dc.report(judged, reference=tried).facts.map
    assert drawn is not None
    assert len(drawn.points) == len(tried) + 3
    assert "quick attacks only" in drawn.note
    assert "quick attacks only" not in dc.report(judged, audience="external", reference=tried).html()
    with pytest.raises(Mismatch, match="other values"):
        plans_tried(journal, people(50))
    with journal.open("a") as file:
        file.write('{"trial": "9.9", "po')
    assert plans_tried(journal, table) == tried


@pytest.mark.parametrize("content", ["", "{}\n", "[1]\n", '{"format": 2}\n', "\x00\n"])
def test_what_is_no_journal_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "j").write_text(content)
    with pytest.raises(BadFile, match="journal of a search"):
        plans_tried(tmp_path / "j", people(50))
    with pytest.raises(BadFile, match="--journal"):
        plans_tried(tmp_path / "nosuch", people(50))


PRINTED = pytest.mark.skipif(
    BROWSER is None or shutil.which("pdfinfo") is None,
    reason="NOT PRINTED: no chromium or no pdfinfo, so that nobody counted the pages",
)


def pages(path: Path, profile: Path) -> int:
    """How many sheets of paper a page takes."""
    assert BROWSER is not None
    printed = path.with_suffix(".pdf")
    order = [BROWSER, *QUIET, "--no-pdf-header-footer", f"--user-data-dir={profile}"]
    subprocess.run(
        [*order, f"--print-to-pdf={printed}", path.as_uri()], capture_output=True, timeout=300, check=True
    )
    told = subprocess.run(["pdfinfo", str(printed)], capture_output=True, text=True, check=True).stdout
    found = re.search(r"Pages:\s+(\d+)", told)
    assert found is not None
    return int(found[1])


@PRINTED
def test_the_external_report_of_the_demo_takes_four_sheets_at_most(tmp_path: Path) -> None:
    for command in (
        ["demo", "--folder", "demo", "--records", "300", "--json"],
        ["report", "demo/release", "--original", "demo/people.csv", "--audience", "external", "--json"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "discreet", *command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1), done.stderr
    assert json.loads(done.stdout)["audience"] == "external"
    assert 1 <= pages(tmp_path / "report.html", tmp_path / "profile") <= MOST_PAGES


@PRINTED
def test_what_is_open_is_printed(assessment: Assessment, tmp_path: Path) -> None:
    page = dc.report(assessment, audience="external").html()
    folded, unfolded = tmp_path / "folded.html", tmp_path / "open.html"
    folded.write_text(page)
    unfolded.write_text(page.replace('<details class="fold"', '<details open class="fold"'))
    few, many = (pages(each, tmp_path / each.stem) for each in (folded, unfolded))
    assert few <= 2
    assert few < many
