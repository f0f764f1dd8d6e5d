"""A report says what was found, to those who may know it."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import discreet as dc
from discreet.assessment import Assessment
from discreet.errors import BadParameter, WouldOverwrite
from discreet.guarantees import KAnonymous
from discreet.intruder import Intruder
from discreet.reporting.document import Audience
from discreet.table import Scale

Limited = Callable[..., Assessment]
SECRETS = (
    "Quentin Vandersnatch",
    "Zebedeeville",
    "7654321",
    "7,654,321",
    str(0x5EED_0F_7E57),
    f"{0x5EED_0F_7E57:x}",
)
"""A name, a rare town, an extreme income and the seed of the release, in the forms they could be written."""

ELSEWHERE = {"columns": ["town"], "rarest": 2, "label": "elsewhere"}


def headline(assessment: Assessment) -> tuple[str, str]:
    verdict = dc.report(assessment).facts.verdict
    return verdict.state, verdict.headline


def test_the_verdict_counts_limits_met_and_exceeded(limited: Limited) -> None:
    assert headline(limited((0.1, 0.05))) == ("met", "The limit is met.")
    assert headline(limited((0.1, 0.05), (0.2, 0.05))) == ("met", "Both limits are met.")
    assert headline(limited((0.1, 0.2))) == ("exceeded", "The limit is exceeded.")
    assert headline(limited((0.1, 0.05), (0.01, 0.05))) == ("exceeded", "1 of 2 limits is exceeded.")


def test_a_limit_that_could_not_be_checked_never_looks_safe(limited: Limited) -> None:
    state, text = headline(limited((0.1, 0.05), (0.2, None)))
    assert state == "not checked"
    assert "not cleared" in text
    page = dc.report(limited((0.2, None))).html()
    assert "this could not be checked, which counts as not met" in page


def test_without_limits_there_is_no_verdict(limited: Limited) -> None:
    state, text = headline(limited())
    assert state == "no limits"
    assert "no verdict" in text


@pytest.mark.parametrize("audience", ["internal", "external"])
def test_what_was_not_computed_is_named(assessment: Assessment, audience: Audience) -> None:
    report = dc.report(assessment, audience=audience)
    assert [each["name"] for each in report.to_dict()["unknown"]] == ["sse"]
    assert "say nothing about safety" in report.html()


def test_no_attack_on_people_is_a_limitation(assessment: Assessment) -> None:
    said = dc.report(replace(assessment, risks=(), headlines=())).facts.limitations.not_tested
    assert any("Whether people can be found is not known" in text for text in said)


def test_the_summary_tells_what_an_intruder_finds_against_guessing(assessment: Assessment) -> None:
    said = dc.report(assessment).facts.summary
    assert (
        "An intruder who knows a person's age, income and town would find 3.1% of people (linking to the nearest "
        "record); guessing finds 0.8%." in said
    )


def test_the_secrets_looked_for_are_in_what_is_reported_on(assessment: Assessment) -> None:
    assert isinstance(assessment.original, dc.Table)
    cells = assessment.original.frame.write_csv()
    assert [secret for secret in SECRETS[:3] if secret not in cells] == []
    assert SECRETS[4:] == (str(assessment.release.secrets.seed), f"{assessment.release.secrets.seed:x}")


def test_free_text_that_nobody_looked_at_is_told_in_the_summary(assessment: Assessment) -> None:
    release = assessment.release
    assert isinstance(release, dc.Release)
    columns = tuple(
        replace(each, scale=Scale.TEXT) if each.name == "town" else each for each in release.table.columns
    )
    published = replace(release, table=replace(release.table, columns=columns))
    said = dc.report(replace(assessment, release=published)).facts
    assert "The free text in town can name people; none of this looked at it." in said.summary
    assert any("Free text in town was not searched" in text for text in said.limitations.not_tested)


@pytest.mark.parametrize("form", ["page", "json"])
@pytest.mark.parametrize("audience", ["internal", "external"])
def test_no_cell_and_no_seed_is_in_a_report(assessment: Assessment, audience: Audience, form: str) -> None:
    report = dc.report(assessment, audience=audience)
    text = report.html() if form == "page" else json.dumps(report.to_dict())
    assert [secret for secret in SECRETS if secret in text] == []


@pytest.mark.parametrize("form", ["page", "json"])
def test_the_categories_of_a_published_matrix_are_counted_not_named(table: dc.Table, form: str) -> None:
    release = dc.protect(table, dc.Plan.of([("pram", {"columns": ["town"]}), ("recode", ELSEWHERE)]), seed=1)
    report = dc.report(dc.assess(table, release, attacks=["k_anonymity"], losses=["il"]), audience="external")
    text = report.html() if form == "page" else json.dumps(report.to_dict())
    assert re.search(r"[2-5] shares", text)
    assert "Zebedeeville" not in text


@pytest.mark.parametrize("form", ["page", "json"])
def test_the_external_report_tells_nothing_of_the_original_but_rounded_numbers(
    assessment: Assessment, form: str
) -> None:
    report = dc.report(assessment, audience="external", reference=[("a secret plan", 0.1, 5.0)])
    text = report.html() if form == "page" else json.dumps(report.to_dict())
    assert "Bexton" not in text
    assert "a secret plan" not in text
    assert "41 odd values" not in text
    assert "0.0312" not in text
    assert "3.1%" not in text
    assert "0.123456789" not in text
    assert "12.3%" not in text
    said = report.to_dict()
    assert not {"columns", "map", "exposure"} & set(said)
    assert all(
        each["by_column"] == [] and each["interval"] is None for each in said["risks"] + said["losses"]
    )
    assert next(each for each in said["risks"] if each["name"] == "link")["value"] == 0.03


def test_every_risk_and_loss_told_outside_has_two_digits_at_most(assessment: Assessment) -> None:
    said = dc.report(assessment, audience="external").to_dict()
    for each in said["risks"] + said["losses"]:
        for number in (each["value"], each["share"]):
            assert number is None or float(f"{number:.2g}") == number


def test_only_the_internal_report_is_labelled_so(assessment: Assessment) -> None:
    assert "Internal: do not publish" in dc.report(assessment).html()
    assert "Internal" not in dc.report(assessment, audience="external").html()


def test_the_json_of_a_report_comes_back_as_it_was(assessment: Assessment, tmp_path: Path) -> None:
    report = dc.report(assessment)
    path = report.save(tmp_path / "report.json")
    assert json.loads(path.read_text()) == report.to_dict()


def test_an_internal_report_can_be_read_by_its_owner_only(assessment: Assessment, tmp_path: Path) -> None:
    inside = dc.report(assessment).save(tmp_path / "inside.json")
    outside = dc.report(assessment, audience="external").save(tmp_path / "outside.json")
    assert stat.S_IMODE(inside.stat().st_mode) == 0o600
    assert stat.S_IMODE(outside.stat().st_mode) & 0o400


def test_the_ending_of_the_name_decides_the_form(assessment: Assessment, tmp_path: Path) -> None:
    report = dc.report(assessment)
    assert report.save(tmp_path / "report.html").read_text().startswith("<!doctype html>")
    with pytest.raises(BadParameter, match=r"\.html or \.json"):
        report.save(tmp_path / "report.pdf")
    with pytest.raises(WouldOverwrite):
        report.save(tmp_path / "report.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html"]


def test_the_same_assessment_gives_the_same_page(assessment: Assessment) -> None:
    assert dc.report(assessment).html() == dc.report(assessment).html()


def test_bad_arguments_are_refused_by_name(assessment: Assessment) -> None:
    with pytest.raises(BadParameter, match="audience 'extern'"):
        dc.report(assessment, audience="extern")  # type: ignore[call-overload]
    with pytest.raises(BadParameter, match="Assessment"):
        dc.report("nothing")  # type: ignore[call-overload]
    with pytest.raises(BadParameter, match="reference point 'plan'"):
        dc.report(assessment, reference=[("plan", float("nan"), 1.0)])


def test_the_map_places_the_release_between_the_original_and_nothing(assessment: Assessment) -> None:
    found = dc.report(assessment, reference=[("other", 0.2, 7.0)]).facts.map
    assert found is not None
    assert (found.attack, found.measure) == ("identity", "il")
    points = {point.name: (point.risk, point.loss) for point in found.points}
    assert points["publish the original"] == (assessment.before.identity, 0.0)
    assert points["publish nothing"] == (0.0, 100.0)
    assert points["other"] == (0.2, 7.0)
    risk, loss = assessment.identity, assessment.loss("il")
    assert risk is not None
    assert loss is not None
    assert points["this release"] == (risk.risk, loss.loss)
    assert found.ceilings == ()


def test_the_original_is_placed_by_what_linking_finds_in_it(limited: Limited) -> None:
    assessment = limited((0.1, 0.0312))
    found = dc.report(assessment).facts.map
    assert found is not None
    original = next(point for point in found.points if point.name == "publish the original")
    assert isinstance(assessment.original, dc.Table)
    keys = assessment.original.frame.select("age", "income", "town")
    assert original.risk == pytest.approx(keys.n_unique() / len(keys))


def test_importing_discreet_loads_no_charts() -> None:
    code = (
        "import sys, discreet, discreet.reporting; print([n for n in ('altair', 'jinja2', 'vl_convert') if n in "
        "sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_release_read_from_its_folder_has_a_report_too(assessment: Assessment, tmp_path: Path) -> None:
    assert isinstance(assessment.release, dc.Release)
    folder = assessment.release.save(tmp_path / "release")
    said = dc.report(replace(assessment, release=dc.Release.load(folder))).to_dict()
    before = dc.report(assessment).to_dict()
    assert [check["says"] for check in said["done"]["checks"]] == [
        check["says"] for check in before["done"]["checks"]
    ]
    assert {check["state"] for check in said["done"]["checks"]} == {"holds"}
    assert said["done"]["steps"] == before["done"]["steps"]
    assert said["exposure"] == before["exposure"]


def test_a_guarantee_that_is_broken_is_shown_as_broken(assessment: Assessment) -> None:
    release = assessment.release
    assert isinstance(release, dc.Release)
    guarantee = KAnonymous(columns=("age", "income"), k=50)
    report = dc.report(replace(assessment, release=replace(release, guarantees=(guarantee,))))
    assert [check.state for check in report.facts.done.checks] == ["broken"]
    assert "Does not hold" in report.html()


def test_a_report_says_that_the_intruder_knew_little(table: dc.Table, release: dc.Release) -> None:
    who = Intruder(columns=("town",), records=0.5, training=0.1, reads_manifest=False)
    said = dc.report(dc.assess(table, release, attacks=["link"], losses=["sse"], intruder=who)).facts
    assumed = " ".join(said.limitations.assumed)
    assert "knows the true value of town for 50% of the people" in assumed
    assert "which record belongs to 10% of them" in assumed
    assert "does not know how the file was masked" in assumed
    assert any("who knows a person's town would find" in text for text in said.summary)
