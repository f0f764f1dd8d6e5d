"""What the desk does beyond the shortest way: hierarchies, proposals, settings, history, checks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.web.conftest import Browser

from discreet.demo import people
from discreet.demo import project as demo_project
from discreet.hierarchies import ValueHierarchy
from discreet.history import NAME as HISTORY
from discreet.project import Project
from discreet.states import version_of
from discreet.web.asking import Wish, attack_work, further_place, protect_work, search_work
from discreet.web.desk import Desk

TABLE = "table=people.csv"
SMALL = """
assess.ceilings = { identity = 0.6 }
columns.name.role = "identifier"
columns.age.role = "quasi-identifier"
columns.sex.role = "quasi-identifier"
"""


@pytest.fixture
def desk(browser: Browser) -> Iterator[Desk]:
    made = Desk(browser.folder)
    yield made
    for each in made.works.running():
        made.works.stop(each.key)


def send(browser: Browser, target: str, **fields: str) -> int:
    told = {"table": "people.csv", "version": version(browser), **fields}
    return browser.post(target, told).status


def version(browser: Browser) -> str:
    return version_of((browser.folder / "discreet.toml").read_text())


def project(browser: Browser) -> Project:
    return Project.load(browser.folder / "discreet.toml")


def settled(browser: Browser, target: str, *parts: str) -> Any:
    """The facts of a page once the work in one part of it is over, however it ended."""
    for _ in range(600):
        facts = work = browser.twin(target)
        for part in parts:
            work = work[part]
        state = work["work"]["state"] if isinstance(work.get("work"), dict) else work["state"]
        if state != "running":
            return facts
        time.sleep(0.1)
    raise AssertionError(f"{target}: the work did not end")


def test_a_hierarchy_is_built_seen_used_and_taken_back(browser: Browser, desk: Desk) -> None:
    mine = browser.folder / "age.hierarchy.csv"
    mine.write_text("mine\n")
    fields = {"column": "age", "by": "widths", "steps": "10,20", "top": "80"}
    assert send(browser, "/hierarchies/build", **fields) == 303
    facts = settled(browser, f"/hierarchies?{TABLE}&column=age")
    assert [each["what"] for each in facts["levels"]] == [
        "values",
        "bands of 10",
        "bands of 20",
        "everything",
    ]
    assert facts["tree"][0]["text"] == "*"
    assert facts["way"]["top"] == "80"
    assert "bands of 20" in browser.get(f"/hierarchies?{TABLE}&column=age").text
    assert send(browser, "/hierarchies/use", column="age") == 303
    assert mine.read_text() == "mine\n"
    assert project(browser).columns["age"].ontology == "age-2.hierarchy.csv"
    built = ValueHierarchy.read(browser.folder / "age-2.hierarchy.csv")
    assert len(built.names) == 4
    assert [each["name"] for each in browser.twin("/files")["tables"]] == ["people.csv"]
    assert send(browser, "/columns/undo") == 303
    assert not project(browser).columns["age"].ontology
    assert (browser.folder / "age-2.hierarchy.csv").exists()
    assert send(browser, "/hierarchies/use", column="age") == 303
    assert project(browser).columns["age"].ontology == "age-2.hierarchy.csv"
    assert send(browser, "/hierarchies/forget", column="age") == 303
    assert not project(browser).columns["age"].ontology


def test_a_hierarchy_that_cannot_be_built_says_why_and_is_not_used(browser: Browser, desk: Desk) -> None:
    assert send(browser, "/hierarchies/build", column="sex", by="widths") == 303
    facts = settled(browser, f"/hierarchies?{TABLE}&column=sex")
    assert facts["work"]["state"] == "failed"
    assert "needs numbers" in facts["work"]["error"]
    assert send(browser, "/hierarchies/use", column="sex") == 409
    assert not project(browser).columns["sex"].ontology


def test_a_plan_is_proposed_shown_and_taken_over(browser: Browser, desk: Desk) -> None:
    (browser.folder / "people.csv").write_text(people(60, seed=4).select("name", "age", "sex").write_csv())
    (browser.folder / "discreet.toml").write_text(SMALL)
    assert send(browser, "/plan/propose") == 303
    before = project(browser).plan
    facts = settled(browser, f"/plan?{TABLE}", "proposal")
    plan = facts["proposal"]["plan"]
    assert plan["meets"]
    assert plan["tried"][0]["in_full"]
    assert plan["tried"][0]["identity"] <= 0.6
    assert "A plan within the limits" in browser.get(f"/plan?{TABLE}").text
    assert send(browser, "/plan/take") == 303
    made = project(browser)
    assert made.plan != before
    assert str(made.plan.steps[0]).startswith(plan["tried"][0]["steps"][0].split("(")[0])
    assert set(plan["tried"][0]["left_out"]) <= {
        name for name, each in made.columns.items() if each.role == "identifier"
    }
    assert send(browser, "/plan/undo") == 303
    assert project(browser).plan == before


def test_a_proposal_for_another_state_of_the_project_is_not_taken_over(browser: Browser, desk: Desk) -> None:
    place = further_place(desk.subject("people.csv"), tried=True)
    place.write_text("nothing")
    assert send(browser, "/plan/take") == 409
    assert browser.post("/plan/take", {"table": "people.csv", "version": "0" * 16}).status == 409


def test_the_file_is_read_otherwise_and_its_new_columns_are_taken_over(browser: Browser, desk: Desk) -> None:
    table = browser.folder / "people.csv"
    lines = table.read_text().splitlines()
    table.write_text("\n".join([lines[0].replace("commute", "way"), *lines[1:]]) + "\n")
    asked = {"parameter.delimiter": ",", "parameter.missing": "NA, ?"}
    assert send(browser, "/columns/read", **asked) == 303
    assert project(browser).read.missing == ("NA", "?")
    facts = settled(browser, f"/columns?{TABLE}", "further")
    assert (facts["further"]["new"], facts["further"]["gone"]) == (["way"], ["commute"])
    assert settled(browser, f"/columns?{TABLE}")["work"]["state"] == "failed"
    assert "Take the columns of the file" in browser.get(f"/columns?{TABLE}").text
    assert send(browser, "/columns/take") == 303
    assert "way" in project(browser).columns
    assert "commute" not in project(browser).columns
    facts = settled(browser, f"/columns?{TABLE}")
    assert facts["work"]["state"] == "done"
    assert not facts["further"]["new"]


def test_a_tab_is_spelt_out_in_its_field_and_read_back(browser: Browser) -> None:
    assert send(browser, "/columns/read", **{"parameter.delimiter": "tab"}) == 303
    assert project(browser).read.delimiter == "\t"
    fields = {each["name"]: each for each in browser.twin(f"/columns?{TABLE}")["reading"]}
    assert fields["delimiter"]["value"] == "tab"


def test_more_is_said_of_a_column(browser: Browser, desk: Desk) -> None:
    asked = {"column": "income", "parameter.importance": "3", "parameter.missing": "-1, 999999"}
    assert send(browser, "/columns/more", **asked) == 303
    assert project(browser).columns["income"].importance == 3
    assert project(browser).read.missing_in["income"] == ("-1", "999999")
    fields = {
        each["name"]: each["value"]
        for each in browser.twin(f"/columns?{TABLE}&column=income")["more"]["fields"]
    }
    assert (fields["importance"], fields["missing"]) == ("3.0", "-1, 999999")
    assert send(browser, "/columns/more", column="income") == 303
    assert project(browser).columns["income"].importance == 1


@pytest.mark.parametrize(
    ("section", "fields", "status"),
    [
        ("release", {"parameter.format": "parquet", "parameter.order": "kept"}, 303),
        ("release", {"parameter.pseudonymise": "name"}, 303),
        ("release", {"parameter.pseudonymise": "nobody"}, 422),
        ("release", {"parameter.policy": "../../etc/passwd"}, 422),
        ("release", {"parameter.spreadsheet_safe": "perhaps"}, 422),
        ("assess", {"parameter.floors": "k_anonymity = 4\nl_diversity = 2", "parameter.alpha": "0.3"}, 303),
        ("assess", {"parameter.floors": "not toml ="}, 422),
        ("assess", {"parameter.attacks": "nothing"}, 422),
        ("columns", {"parameter.role": "insensitive"}, 422),
        ("mask", {}, 422),
    ],
)
def test_how_a_release_is_written_and_judged_is_set(
    browser: Browser, section: str, fields: dict[str, str], status: int
) -> None:
    before = (browser.folder / "discreet.toml").read_bytes()
    assert send(browser, "/plan/settings", section=section, **fields) == status
    made = project(browser)
    if status != 303:
        assert (browser.folder / "discreet.toml").read_bytes() == before
    elif section == "assess":
        assert (dict(made.assess.floors), made.assess.alpha) == ({"k_anonymity": 4, "l_diversity": 2}, 0.3)
    elif "parameter.format" in fields:
        assert (made.release.format, made.release.order) == ("parquet", "kept")
    else:
        assert made.release.pseudonymise == ("name",)


def test_a_search_weighs_columns_and_its_plan_takes_the_weights_along(browser: Browser, desk: Desk) -> None:
    fields = {"identity": "60", "attribute": "", "k": "", "seconds": "5", "importance.income": "4"}
    assert send(browser, "/search/begin", **fields) == 303
    facts = browser.twin(f"/search?{TABLE}")
    assert facts["wish"]["importance"] == {"income": 4}
    subject = desk.subject("people.csv")
    wish = Wish(ceilings={"identity": 0.6}, floors={}, seconds=5, importance={"income": 4})
    assert "income=4" in search_work(subject, wish).arguments
    for wrong in ("0", "-1", "nan", "lots", "1e9"):
        assert send(browser, "/search/begin", **{**fields, "importance.income": wrong}) == 422


def test_the_first_steps_alone_are_carried_out_and_said_to_be_unfinished(
    browser: Browser, desk: Desk
) -> None:
    subject = desk.subject("people.csv")
    assert "--upto" in protect_work(subject, "draft", "x", 1).arguments
    assert "--upto" not in protect_work(subject, "draft", "x").arguments
    for wrong in ("0", "99", "-1", "many"):
        assert send(browser, "/plan/make", release="draft", upto=wrong) == 422
    made = browser.post(
        "/plan/make", {"table": "people.csv", "version": version(browser), "release": "draft", "upto": "1"}
    )
    assert made.status == 303
    settled(browser, made.headers["location"], "making")
    manifest = json.loads((browser.folder / "draft/public/manifest.json").read_text())
    assert len(manifest["steps"]) == 1
    (release,) = browser.twin(f"/history?{TABLE}")["releases"]
    assert release["unfinished"]
    assert (release["name"], release["opens"], release["verdict"]) == ("draft", True, "not assessed")
    assert "not for publication" in browser.get(f"/history?{TABLE}").text
    assert send(browser, "/export/check", release="draft") == 303
    checked = settled(browser, f"/export?{TABLE}&release=draft", "check")["checked"]
    assert not checked["sound"]
    broken = [each["says"] for each in checked["findings"] if each["state"] == "broken"]
    assert broken == ["all steps of the plan were carried out"]
    assert "Broken" in browser.get(f"/export?{TABLE}&release=draft").text


def test_an_empty_history_is_a_page_and_torn_lines_are_counted(browser: Browser) -> None:
    assert browser.twin(f"/history?{TABLE}")["releases"] == []
    (browser.folder / HISTORY).write_text('{"half a li')
    facts = browser.twin(f"/history?{TABLE}")
    assert (facts["releases"], facts["unread_lines"]) == ([], 1)
    assert "cannot be read" in browser.get(f"/history?{TABLE}").text


def test_an_intruder_who_knows_everybody_is_given_the_population(browser: Browser, desk: Desk) -> None:
    (browser.folder / "all.csv").write_text("age\n31\n")
    subject = desk.subject("people.csv")
    release = browser.folder / "release" / "public"
    release.mkdir(parents=True)
    (release / "manifest.json").write_text("{}")
    (browser.folder / "who.toml").write_text("")
    known = attack_work(subject, release.parent, browser.folder / "who.toml", browser.folder / "all.csv")
    plain = attack_work(subject, release.parent, browser.folder / "who.toml")
    assert known.arguments[known.arguments.index("--population") + 1] == "./all.csv"
    assert "--population" not in plain.arguments
    assert known.key != plain.key


def test_an_answer_is_not_kept_when_a_file_that_the_project_names_changes(
    browser: Browser, desk: Desk
) -> None:
    assert send(browser, "/columns/more", column="sex", **{"parameter.ontology": "sexes.csv"}) == 303
    place = browser.folder / "sexes.csv"
    place.write_text("female;*\nmale;*\n")
    before = protect_work(desk.subject("people.csv"), "release", "x").key
    place.write_text("female;*\nmale;*\nother;*\n")
    assert protect_work(desk.subject("people.csv"), "release", "x").key != before


def test_limits_are_set_by_rows_and_attacks_are_chosen_from_a_list(browser: Browser) -> None:
    version = browser.twin(f"/plan?{TABLE}")["version"]
    rows = [
        *(("table", "people.csv"), ("version", version), ("section", "assess")),
        *(("parameter.ceilings.of", "identity"), ("parameter.ceilings.at", "12.5")),
        *(("parameter.ceilings.of", "link"), ("parameter.ceilings.at", "7")),
        *(("parameter.ceilings.of", "suda"), ("parameter.ceilings.at", "")),
        *(("parameter.floors.of", ""), ("parameter.floors.at", "4")),
        *(("parameter.attacks", "link"), ("parameter.attacks", "k_anonymity")),
    ]
    assert browser.post("/plan/settings", rows).status == 303
    made = project(browser).assess
    assert (dict(made.ceilings), dict(made.floors)) == ({"identity": 0.125, "link": 0.07}, {})
    assert made.attacks == ("link", "k_anonymity")
    fields = {each["name"]: each for each in browser.twin(f"/plan?{TABLE}")["settings"]["assess"]}
    assert [each["at"] for each in fields["ceilings"]["rows"]] == ["12.5", "7", "", ""]
    assert [each["name"] for each in fields["attacks"]["columns"] if each["chosen"]] == [
        "k_anonymity",
        "link",
    ]
    again = [*rows[:3], ("parameter.ceilings.of", "identity"), ("parameter.ceilings.at", "much")]
    now = browser.twin(f"/plan?{TABLE}")["version"]
    sent = [(name, now if name == "version" else value) for name, value in again]
    assert browser.post("/plan/settings", sent).status == 422


def test_a_file_that_cannot_be_read_as_it_is_gets_a_form_that_says_how(browser: Browser) -> None:
    (browser.folder / "discreet.toml").write_text(demo_project("people.csv"))
    rows = "".join(f"{number};{'üì'[number % 2]}\r\n" for number in range(40))
    (browser.folder / "alt.csv").write_bytes(f"alter;ort\r\n{rows}".encode("cp850"))
    facts = settled(browser, "/columns?table=alt.csv")
    assert (facts["work"]["state"], facts["columns"]) == ("failed", [])
    assert 'name="parameter.encoding"' in browser.get("/columns?table=alt.csv").text
    said = {"table": "alt.csv", "version": facts["version"], "parameter.encoding": "cp850"}
    assert browser.post("/columns/read", said).status == 303
    facts = settled(browser, "/columns?table=alt.csv")
    assert [each["name"] for each in facts["columns"]] == ["alter", "ort"]
    assert Project.load(browser.folder / "alt.toml").read.encoding == "cp850"
