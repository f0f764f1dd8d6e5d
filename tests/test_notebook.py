"""What a notebook shows: counts, roles, scales, bars and the verdict; never a cell, and nothing that is not escaped."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import discreet as dc
from discreet.errors import BadParameter, NotComputable

MARK = "SECRETCELL"
NUMBER = 87654
BAD = '<script>alert(1)</script>\x1b\n&"'
SIZE = 60


class Page(HTMLParser):
    """The elements of a page and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(html: str) -> Page:
    page = Page()
    page.feed(html)
    return page


@pytest.fixture(scope="module")
def table() -> dc.Table:
    """Markers in every cell: in texts, in categories, in ordered categories and in numbers."""
    rng = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "name": [f"{MARK}name{place}" for place in range(SIZE)],
            "age": NUMBER + rng.integers(0, 9, SIZE) * 100_000,
            "region": [f"{MARK}region{place % 3}" for place in range(SIZE)],
            "grade": [f"{MARK}grade{place % 3}" for place in range(SIZE)],
            BAD: NUMBER + rng.integers(0, 5, SIZE) * 100_000.0,
            "illness": [f"{MARK}illness{place % 4}" for place in range(SIZE)],
        }
    )
    return dc.Table.of(
        frame,
        roles={"name": "identifier", "illness": "confidential"},
        rest="quasi-identifier",
        orders={"grade": [f"{MARK}grade{place}" for place in range(3)]},
        name=BAD,
    )


@pytest.fixture(scope="module")
def plan() -> dc.Plan:
    categories = [f"{MARK}region{place}" for place in range(3)]
    matrix = {old: {new: 0.5 if new == old else 0.25 for new in categories} for old in categories}
    return dc.Plan.of(
        [
            ("microaggregate", {"columns": ["age", BAD], "k": 3}),
            ("pram", {"columns": ["region"], "variant": "given", "matrix": matrix}),
        ]
    )


@pytest.fixture(scope="module")
def release(table: dc.Table, plan: dc.Plan) -> dc.Release:
    return dc.protect(table, plan, seed=5)


@pytest.fixture(scope="module")
def assessment(table: dc.Table, release: dc.Release) -> dc.Assessment:
    return dc.assess(table, release, ceilings={"identity": 0.0, "attribute": 1.0}, floors={"k_anonymity": 2})


@pytest.fixture(scope="module")
def shown(table: dc.Table, plan: dc.Plan, release: dc.Release, assessment: dc.Assessment) -> dict[str, Any]:
    """Everything that a notebook can show of the table."""
    masked = dc.mask.pram(table, columns=["region"], seed=3)
    things = {
        "table": table,
        "plan": plan,
        "release": release,
        "masked": masked,
        "swapped": dc.mask.rank_swap(table, columns=["age", "grade"], p=10, seed=3),
        "assessment": assessment,
        "internal": dc.report(assessment),
        "external": dc.report(assessment, audience="external"),
    }
    results: tuple[Any, ...] = (*assessment.headlines, *assessment.risks, *assessment.losses)
    return things | {each.name: each for each in results}


def test_a_notebook_shows_no_cell_of_an_original(shown: dict[str, Any]) -> None:
    for name, thing in shown.items():
        assert MARK not in thing._repr_html_(), name
        assert str(NUMBER)[1:] not in thing._repr_html_(), name


def test_a_repr_is_one_line_without_a_cell(shown: dict[str, Any]) -> None:
    for name, thing in shown.items():
        assert len(repr(thing).splitlines()) == 1, name
        assert MARK not in repr(thing), name
        assert "\x1b" not in repr(thing), name


def test_everything_is_escaped(shown: dict[str, Any]) -> None:
    allowed = {"div", "span", "b", "code", "table", "tr", "th", "td"}
    for name, thing in shown.items():
        page = parsed(thing._repr_html_())
        assert set(page.tags) <= allowed, name
        assert "\x1b" not in page.text, name
    assert BAD[:25] in parsed(shown["table"]._repr_html_()).text


def test_a_table_shows_counts_roles_scales_and_what_is_missing(table: dc.Table) -> None:
    text = parsed(table._repr_html_()).text
    for words in (
        "60 records",
        "6 columns",
        "quasi-identifier",
        "confidential",
        "ordinal (3 levels)",
        "0.0%",
    ):
        assert words in text


def test_a_plan_shows_its_parameters_and_counts_what_may_be_cells(plan: dc.Plan) -> None:
    text = parsed(plan._repr_html_()).text
    assert "2 steps" in text
    assert "k=3" in text
    assert "matrix=3 entries" in text


def test_an_assessment_shows_the_verdict_with_its_three_values(assessment: dc.Assessment) -> None:
    assert assessment.verdict == "exceeded"
    text = parsed(assessment._repr_html_()).text
    for words in ("exceeded", "met", "not checked", "identity", "lost"):
        assert words in text


def test_what_is_not_checked_is_never_green(table: dc.Table) -> None:
    keyless = dc.Table.of(table.frame.select("illness"), roles={"illness": "confidential"})
    found = dc.assess(keyless, ceilings={"identity": 0.5})
    assert found.verdict == "not checked"
    assert "#2e9e5b" not in found._repr_html_()
    assert dc.assess(keyless).verdict == "no limits"


def test_an_assessment_is_a_frame_with_a_row_for_each_result(assessment: dc.Assessment) -> None:
    frame = assessment.to_frame()
    kinds = frame["kind"].to_list()
    assert kinds.count("headline") == len(assessment.headlines)
    assert kinds.count("limit") == 3
    link = frame.filter((pl.col("kind") == "risk") & (pl.col("name") == "link"))
    wanted = assessment.risk("link")
    assert wanted is not None
    assert link["value"].to_list() == [wanted.risk]
    undone = frame.filter(pl.col("status") == "not computed")
    assert undone["name"].to_list() == [each.name for each in assessment.not_done]


def test_a_risk_is_a_frame_with_a_row_for_each_record(assessment: dc.Assessment) -> None:
    link = assessment.risk("link")
    assert link is not None
    frame = link.to_frame()
    assert frame.columns == ["row", "chance"]
    assert frame["row"].to_list() == list(range(1, SIZE + 1))
    assert link.records is not None
    assert frame["chance"].to_list() == link.records.tolist()


def test_a_risk_without_records_says_so() -> None:
    from discreet.results import Risk

    with pytest.raises(NotComputable, match="nothing of single records"):
        Risk(name="x", risk=0.0, meaning="").to_frame()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_release_is_a_frame_of_the_kind_that_came_in(kind: Any) -> None:
    frame = kind({"age": list(range(20)), "region": ["a", "b"] * 10})
    table = dc.Table.of(frame, roles={}, rest="quasi-identifier")
    release = dc.protect(table, dc.Plan.of([("microaggregate", {"columns": ["age"], "k": 2})]), seed=1)
    assert isinstance(release.to_frame(), kind)
    assert isinstance(dc.assess(table, release).to_frame(), kind)


def test_a_release_is_a_frame_in_the_order_of_the_published_file(release: dc.Release, tmp_path: Any) -> None:
    folder = release.save(tmp_path / "out", file="table.parquet")
    assert release.to_frame().equals(pl.read_parquet(folder / "public" / "table.parquet"))
    assert not release.to_frame().equals(release.table.frame)


def test_whole_numbers_stay_whole_numbers() -> None:
    frame = pd.DataFrame({"age": [1, 3, 1, 3, 11, 13, 11, 13], "region": ["a"] * 8})
    table = dc.Table.of(frame, roles={}, rest="quasi-identifier")
    release = dc.protect(table, dc.Plan.of([("microaggregate", {"columns": ["age"], "k": 4})]), seed=1)
    assert sorted(release.to_frame()["age"]) == [2] * 4 + [12] * 4
    assert release.to_frame()["age"].dtype == np.int64


def test_whole_numbers_stay_whole_numbers_beside_blanks_in_pandas() -> None:
    table = dc.Table.of(pd.DataFrame({"age": [1, 2, 2**60 + 1]}), roles={"age": "quasi-identifier"})
    blanked = table.with_values({"age": pl.Series([None, 2, 2**60 + 1])}).to_native()
    assert str(blanked["age"].dtype) == "Int64"
    assert blanked["age"].isna().tolist() == [True, False, False]
    assert int(blanked["age"][2]) == 2**60 + 1


def test_the_charts_of_a_report_show_in_a_notebook(assessment: dc.Assessment) -> None:
    charts = dc.report(assessment).charts()
    assert "map" in charts
    assert "chances of link" in charts
    assert "column region" in charts
    for chart in charts.values():
        assert chart._repr_mimebundle_()
    assert not any(name.startswith("column") for name in dc.report(assessment, audience="external").charts())


def test_methods_lists_every_method() -> None:
    from discreet import registry

    listing = dc.methods()
    assert len(listing) == sum(len(registry.methods(kind)) for kind in ("mask", "attack", "loss"))
    assert {each.kind for each in dc.methods("loss")} == {"loss"}
    assert all(len(repr(each).splitlines()) == 1 for each in listing)
    assert len(repr(listing).splitlines()) == 1
    assert parsed(listing._repr_html_()).tags.count("tr") == len(listing) + 1
    with pytest.raises(BadParameter, match="Did you mean 'mask'"):
        dc.methods("masks")


def test_a_proposal_is_one_line_without_a_cell() -> None:
    grades = ["low", "medium", "high"] * 20
    proposal = dc.inspect(pl.DataFrame({"grade": grades, "age": [20 + place % 40 for place in range(60)]}))
    assert any(each.order for each in proposal.columns)
    assert repr(proposal) == "<proposal for 'table': 60 records, 2 columns>"
