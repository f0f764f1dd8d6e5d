"""What the pages tell and change, asked as a program would."""

from __future__ import annotations

import json
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import Browser

from discreet import registry
from discreet.project import Project
from discreet.states import version_of
from discreet.table import ColumnSpec, Role, Scale
from discreet.web.desk import Desk
from discreet.web.forms import call_from, fields_of, written
from discreet.web.pages import PAGES
from discreet.web.work import Work

TABLE = "table=people.csv"
TABLES = [each.name for each in PAGES if each.of == "table"]


@pytest.fixture
def desk(browser: Browser) -> Iterator[Desk]:
    """The desk of the browser, whose work is stopped at the end."""
    made = Desk(browser.folder)
    yield made
    for each in made.works.running():
        made.works.stop(each.key)


def version(browser: Browser) -> str:
    return version_of((browser.folder / "discreet.toml").read_text())


def project(browser: Browser) -> Project:
    return Project.load(browser.folder / "discreet.toml")


def answered(browser: Browser, target: str, part: str = "work", tries: int = 600) -> Any:
    """The facts of a page once the work in one part of it is over."""
    for _ in range(tries):
        facts = browser.twin(target)
        work = facts if part == "" else facts[part]
        if work["state"] not in ("none", "running"):
            assert work["state"] == "done", work
            return facts
        time.sleep(0.2)
    raise AssertionError(f"{target}: the work did not end")


@pytest.mark.parametrize("name", [each.name for each in PAGES])
def test_every_page_has_a_twin_for_programs_at_the_same_address(
    browser: Browser, desk: Desk, name: str
) -> None:
    target = f"/{name}?{TABLE}"
    page = browser.get(target, accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert page.headers["content-type"].startswith("text/html")
    assert browser.get(target, accept="application/json").headers["content-type"] == "application/json"
    assert isinstance(browser.twin(target), dict)


def test_names_of_pages_are_told_apart() -> None:
    names = [each.name for each in PAGES]
    assert len(set(names)) == len(names)


def test_errors_are_told_to_programs_too(browser: Browser) -> None:
    answer = browser.get("/columns?table=nobody.csv", accept="application/json")
    assert answer.status == 404
    assert answer.json()["error"]["status"] == 404


def test_columns_tell_types_values_roles_and_reasons(browser: Browser, desk: Desk) -> None:
    facts = answered(browser, f"/columns?{TABLE}")
    columns = {each["name"]: each for each in facts["columns"]}
    assert facts["records"] == 300
    assert columns["age"]["role"] == "quasi-identifier"
    assert columns["age"]["distinct"] > 50
    assert columns["age"]["distribution"]["bars"]
    assert columns["age"]["reasons"]
    assert not columns["name"]["distribution"]["bars"]
    assert "Why" in browser.get(f"/columns?{TABLE}").text


def test_a_table_without_a_project_gets_a_proposal(browser: Browser, desk: Desk) -> None:
    (browser.folder / "discreet.toml").unlink()
    facts = answered(browser, f"/columns?{TABLE}")
    assert facts["columns"]
    assert project(browser).file == browser.folder / "people.csv"


def test_a_second_table_gets_a_project_of_its_own(browser: Browser, desk: Desk) -> None:
    (browser.folder / "discreet.toml").unlink()
    answered(browser, f"/columns?{TABLE}")
    (browser.folder / "other.csv").write_text("a,b\n1,2\n3,4\n")
    answered(browser, "/columns?table=other.csv")
    assert Project.load(browser.folder / "other.toml").file == browser.folder / "other.csv"
    assert project(browser).file == browser.folder / "people.csv"


def test_a_change_of_role_keeps_the_comments_of_the_project(browser: Browser) -> None:
    place = browser.folder / "discreet.toml"
    place.write_text("# mine\n" + place.read_text())
    fields = {"table": "people.csv", "version": version(browser), "column": "commute"}
    answer = browser.post("/columns/change", {**fields, "role": "confidential", "scale": "numeric"})
    assert answer.status == 303
    assert project(browser).columns["commute"].role == Role.CONFIDENTIAL
    assert place.read_text().startswith("# mine\n")


@pytest.mark.parametrize(
    ("column", "role", "scale", "status"),
    [
        ("commute", "victim", "numeric", 422),
        ("commute", "confidential", "huge", 422),
        ("nobody", "confidential", "numeric", 422),
    ],
)
def test_a_change_that_makes_no_sense_changes_nothing(
    browser: Browser, column: str, role: str, scale: str, status: int
) -> None:
    before = (browser.folder / "discreet.toml").read_bytes()
    fields = {
        "table": "people.csv",
        "version": version(browser),
        "column": column,
        "role": role,
        "scale": scale,
    }
    assert browser.post("/columns/change", fields).status == status
    assert (browser.folder / "discreet.toml").read_bytes() == before


def test_a_stale_change_is_refused_explained_and_can_be_made_on_top(browser: Browser) -> None:
    stale = version(browser)
    fields = {"table": "people.csv", "version": stale, "role": "confidential", "scale": "numeric"}
    assert browser.post("/columns/change", {**fields, "column": "commute"}).status == 303
    now = (browser.folder / "discreet.toml").read_bytes()
    refused = browser.post("/columns/change", {**fields, "column": "rent"})
    assert refused.status == 409
    assert "changed in the meantime" in refused.text
    assert f'name="version" value="{version(browser)}"' in refused.text
    assert 'name="column" value="rent"' in refused.text
    assert (browser.folder / "discreet.toml").read_bytes() == now


def test_steps_are_added_changed_moved_removed_undone_and_redone(browser: Browser) -> None:
    def send(action: str, **fields: str) -> None:
        told = {"table": "people.csv", "version": version(browser), **fields}
        answer = browser.post(f"/plan/{action}", told)
        assert answer.status == 303, answer.text

    def names() -> list[str]:
        return [step.name for step in project(browser).plan.steps]

    begun = names()
    send("add", **{"method": "round", "parameter.columns": "weight", "parameter.base": "10"})
    assert names() == [*begun, "round"]
    send(
        "change",
        **{
            "step": str(len(begun) + 1),
            "method": "round",
            "parameter.base": "20",
            "parameter.columns": "rent",
        },
    )
    assert project(browser).plan.steps[-1].parameters["base"] == 20
    send("move", step=str(len(begun) + 1), to="earlier")
    assert names()[-2] == "round"
    send("remove", step="1")
    assert len(names()) == len(begun)
    for _ in range(4):
        send("undo")
    assert names() == begun
    send("redo")
    assert names() == [*begun, "round"]
    send("save", name="with rounding")
    send("undo")
    send("restore", name="with rounding")
    assert names() == [*begun, "round"]
    assert browser.twin(f"/plan?{TABLE}")["saved"] == ["with rounding"]


@pytest.mark.parametrize(
    "fields",
    [
        {"method": "microaggregate", "parameter.k": "1"},
        {"method": "microaggregate", "parameter.k": "many"},
        {"method": "nothing"},
        {"method": "microaggregate", "parameter.columns": "nobody"},
        {"method": "top_code", "parameter.columns": "age", "parameter.value": "1e999"},
        {"method": "pram", "parameter.columns": "region", "parameter.matrix": "not toml ="},
    ],
)
def test_a_step_that_its_method_refuses_changes_nothing(browser: Browser, fields: dict[str, str]) -> None:
    before = (browser.folder / "discreet.toml").read_bytes()
    answer = browser.post("/plan/add", {"table": "people.csv", "version": version(browser), **fields})
    assert answer.status == 422, answer.text
    assert (browser.folder / "discreet.toml").read_bytes() == before


def test_a_step_leads_to_files_of_the_folder_only(browser: Browser) -> None:
    takers = [
        (each.name, one.name)
        for each in registry.methods("mask")
        for one in each.parameters
        if one.kind.files("some.csv")
    ]
    assert takers
    for method, parameter in takers:
        fields = {"method": method, f"parameter.{parameter}": "../../etc/passwd"}
        answer = browser.post("/plan/add", {"table": "people.csv", "version": version(browser), **fields})
        assert answer.status in (400, 422)


@pytest.mark.parametrize("method", registry.methods("mask"), ids=lambda each: each.name)
def test_the_form_of_a_method_gives_back_what_it_shows(method: registry.Method) -> None:
    columns = {"age": ColumnSpec(role=Role.KEY, scale=Scale.NUMERIC), "sex": ColumnSpec(role=Role.KEY)}
    shown = fields_of(method, method.example, columns)
    assert [each["name"] for each in shown] == [each.name for each in method.parameters]
    assert all(each["about"] and each["wants"] for each in shown)
    given = {
        f"parameter.{name}": list(value)
        if method.parameter(name).kind.in_words(value) and name == "columns"
        else [written(method.parameter(name).kind, value)]
        for name, value in method.example.items()
    }
    if any(each.required and each.name not in method.example for each in method.parameters):
        pytest.skip("its example does not stand alone")
    made = call_from(method, given)
    assert {**made.parameters} == {**method.example}


def test_limits_are_set_in_percent_and_taken_away(browser: Browser) -> None:
    fields = {"table": "people.csv", "identity": "12.5", "attribute": "", "k": "5"}
    assert browser.post("/plan/limits", {**fields, "version": version(browser)}).status == 303
    assert dict(project(browser).assess.ceilings) == {"identity": 0.125}
    assert dict(project(browser).assess.floors) == {"k_anonymity": 5}
    empty = {"table": "people.csv", "identity": "", "attribute": "", "k": ""}
    assert browser.post("/plan/limits", {**empty, "version": version(browser)}).status == 303
    assert not project(browser).assess.ceilings
    over = {**fields, "identity": "120", "version": version(browser)}
    assert browser.post("/plan/limits", over).status == 422


def test_a_release_is_made_judged_attacked_and_made_again(browser: Browser, desk: Desk) -> None:
    fields = {"table": "people.csv", "version": version(browser), "release": "release"}
    made = browser.post("/plan/make", fields)
    assert made.status == 303
    answered(browser, made.headers["location"], "making")
    facts = answered(browser, f"/result?{TABLE}&release=release")
    assert facts["report"]["verdict"]["state"] in ("met", "exceeded", "not checked")
    assert facts["report"]["columns"]
    assert browser.get(f"/result?{TABLE}&release=release").status == 200
    asked = [
        ("table", "people.csv"),
        ("release", "release"),
        ("column", "age"),
        ("column", "sex"),
        ("people", "50"),
        ("training", "0"),
    ]
    attacked = browser.post("/result/attack", asked)
    place = attacked.headers["location"]
    for _ in range(300):
        told = browser.twin(place)["intruder"]
        if told["work"]["state"] != "running":
            break
        time.sleep(0.2)
    assert told["work"]["state"] == "done"
    assert told["answer"]["intruder"]["columns"] == ["age", "sex"]
    assert told["answer"]["intruder"]["records"] == 0.5
    assert told["answer"]["intruder"]["reads_manifest"] is False
    export = answered(browser, f"/export?{TABLE}&release=release")
    assert {each["name"] for each in export["files"]} == {"people.csv", "manifest.json"}
    published = browser.get("/export/file?release=release&name=people.csv")
    assert published.body == (browser.folder / "release/public/people.csv").read_bytes()
    assert "attachment" in published.headers["content-disposition"]
    _nothing_private_is_told(browser)


def _nothing_private_is_told(browser: Browser) -> None:
    seed = json.loads((browser.folder / "release/private/manifest.private.json").read_text())["seed"]
    for name in (*TABLES, "files"):
        assert seed not in browser.get(f"/{name}?{TABLE}&release=release").text
    for name in ("../private/manifest.private.json", "manifest.private.json", "..", "private"):
        assert browser.get(f"/export/file?release=release&name={name}").status in (400, 404)
    private = browser.folder / "release/private/manifest.private.json"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    report = browser.get(f"/result/report?{TABLE}&release=release&audience=internal")
    assert "sandbox" in report.headers["content-security-policy"]
    assert "default-src 'none'" in report.headers["content-security-policy"]


def test_a_release_takes_no_name_that_is_taken_or_leads_away(browser: Browser) -> None:
    (browser.folder / "taken").mkdir()
    for name, status in (("taken", 409), ("../away", 422), ("people.csv", 422), ("", 422), (".hidden", 422)):
        fields = {"table": "people.csv", "version": version(browser), "release": name}
        assert browser.post("/plan/make", fields).status == status, name


def test_the_demo_is_added_once(browser: Browser) -> None:
    assert browser.post("/files/demo", {}).status == 409
    for each in ("people.csv", "discreet.toml"):
        (browser.folder / each).unlink()
    assert browser.post("/files/demo", {}).status == 303
    assert project(browser).plan.steps


def test_what_the_desk_keeps_is_for_its_owner_only(browser: Browser, desk: Desk) -> None:
    answered(browser, f"/columns?{TABLE}")
    fields = {"table": "people.csv", "version": version(browser), "column": "rent", "role": "confidential"}
    browser.post("/columns/change", {**fields, "scale": "numeric"})
    own = browser.folder / ".discreet"
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    open_files = [
        each for each in own.rglob("*") if each.is_file() and stat.S_IMODE(each.stat().st_mode) & 0o077
    ]
    assert {each.name for each in open_files} <= {"exit.json", "pid", "progress.json"}


def work(name: str, *arguments: str) -> Work:
    return Work(name=name, says=name, arguments=arguments)


def over(desk: Desk, key: str) -> str:
    for _ in range(600):
        state = desk.works.progress(key).state
        if state != "running":
            return state
        time.sleep(0.1)
    raise AssertionError("the work did not end")


def test_the_same_work_is_done_once(desk: Desk) -> None:
    methods = work("methods", "methods", "--json")
    one, two = desk.works.start(methods), desk.works.start(methods)
    assert one.key == two.key
    assert over(desk, one.key) == "done"
    began = (desk.works.folder / one.key / "work.json").stat().st_mtime_ns
    assert desk.works.start(methods).state == "done"
    assert (desk.works.folder / one.key / "work.json").stat().st_mtime_ns == began
    assert "mask" in desk.works.answer(one.key)


def test_work_that_fails_says_why_in_the_words_of_the_command(desk: Desk) -> None:
    failed = desk.works.start(work("columns", "columns", "./nobody.csv", "--json"))
    assert over(desk, failed.key) == "failed"
    assert "nobody.csv" in desk.works.progress(failed.key).error
    assert desk.works.answer(failed.key) is None


def test_work_goes_on_without_its_desk_and_is_stopped_by_another(desk: Desk, browser: Browser) -> None:
    long = work("search", "search", "./people.csv", "--seconds", "300", "--out", "./found.toml", "--json")
    begun = desk.works.start(long)
    other = Desk(browser.folder)
    assert other.works.progress(begun.key).state == "running"
    assert [each.key for each in other.works.running()] == [begun.key]
    other.works.stop(begun.key)
    assert over(other, begun.key) == "stopped"
    assert not (browser.folder / "found.toml").exists()


def test_work_whose_process_dies_is_never_taken_for_done(desk: Desk) -> None:
    import os
    import signal

    long = work("search", "search", "./people.csv", "--seconds", "300", "--out", "./found.toml", "--json")
    begun = desk.works.start(long)
    place = desk.works.folder / begun.key
    os.killpg(int((place / "pid").read_text()), signal.SIGKILL)
    assert over(desk, begun.key) == "died"
    assert desk.works.answer(begun.key) is None


def test_the_first_step_back_is_what_another_program_wrote(browser: Browser) -> None:
    place = browser.folder / "discreet.toml"
    fields = {"table": "people.csv", "column": "rent", "role": "confidential", "scale": "numeric"}
    browser.post("/columns/change", {**fields, "version": version(browser)})
    by_hand = place.read_text() + "\n# by hand\n"
    place.write_text(by_hand)
    browser.post("/columns/change", {**fields, "role": "insensitive", "version": version(browser)})
    browser.post("/columns/undo", {"table": "people.csv", "version": version(browser)})
    assert place.read_text() == by_hand


def test_no_file_of_the_desk_is_listed_as_a_table(browser: Browser, desk: Desk, tmp_path: Path) -> None:
    answered(browser, f"/columns?{TABLE}")
    assert [each["name"] for each in browser.twin("/files")["tables"]] == ["people.csv"]


def test_a_folder_full_of_files_is_listed_in_part_and_found_by_name(browser: Browser) -> None:
    for number in range(250):
        (browser.folder / f"t{number:03}.csv").write_text("a\n1\n")
    facts = browser.twin("/files")
    assert (facts["all_tables"], facts["found"], len(facts["tables"])) == (251, 251, 200)
    assert "the first 200 are listed" in browser.get("/files").text
    found = browser.twin("/files?find=T24")
    assert [each["name"] for each in found["tables"]] == [f"t24{digit}.csv" for digit in range(10)]
    assert "No table has this in its name" in browser.get("/files?find=%3Cb%3E").text
