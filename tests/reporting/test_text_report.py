"""The report on a release of text: the same page as for tables, rounded outside, nothing from a network."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.text.vectors.small_corpora import invented

from discreet.errors import BadParameter
from discreet.reporting import report
from discreet.text.assessment import TextAssessment
from discreet.text.vectors.assess import assess_vectors
from discreet.text.vectors.spherical_microaggregate import microaggregate


@pytest.fixture(scope="module")
def found() -> TextAssessment:
    matrix = invented(80)
    return assess_vectors(
        matrix, microaggregate(matrix, k=4), ceilings={"identity": 0.2}, floors={"k_anonymity": 4}
    )


def test_the_page_tells_verdict_risks_losses_and_limitations(found: TextAssessment) -> None:
    page = report(found).html()
    assert "1 of 2 limits is exceeded." in page
    for words in (
        "Linking by the cosine",
        "Information loss (IL)",
        "Spherical microaggregation",
        "Not tested",
        "Assumed",
    ):
        assert words in page
    assert page.count("<svg") == 3
    assert "Internal: do not publish" in page


def test_the_page_loads_nothing(found: TextAssessment) -> None:
    page = report(found).html()
    assert "default-src 'none'" in page
    assert not re.findall(r'(?:src|href)="(?!#)', page)


def test_outside_numbers_are_rounded_and_distributions_left_out(found: TextAssessment) -> None:
    inside, outside = report(found).to_dict(), report(found, audience="external").to_dict()
    assert "columns" in inside
    assert "columns" not in outside
    assert all(each["interval"] is None for each in outside["risks"])
    assert all(round(each["value"], 2) == each["value"] for each in outside["risks"])
    assert all(not each["facts"] for each in outside["steps"])
    page = report(found, audience="external").html()
    assert "<svg" not in page
    assert "Internal" not in page


def test_the_report_is_saved_as_a_page_or_json(found: TextAssessment, tmp_path: Path) -> None:
    made = report(found)
    assert json.loads(made.save(tmp_path / "a.json").read_text()) == json.loads(json.dumps(made.to_dict()))
    assert made.save(tmp_path / "a.html").read_text().lstrip().startswith("<!doctype html>")
    assert sorted(made.charts()) == [
        "column cosine distance of two documents",
        "column terms in a row",
        "column weight of a term",
    ]
    assert "vectors" in made.to_dict()["kind"]


def test_a_report_on_text_has_no_reference_points(found: TextAssessment) -> None:
    with pytest.raises(BadParameter, match="no map"):
        report(found, reference=[("x", 0.1, 0.1)])  # type: ignore[call-overload]


def test_losses_of_text_do_not_change_how_those_of_tables_are_shown(found: TextAssessment) -> None:
    from discreet.reporting.words import loss_shown
    from discreet.results import Loss

    report(found)
    assert loss_shown(Loss(name="lost", loss=50.0, meaning="")) == "50%"
