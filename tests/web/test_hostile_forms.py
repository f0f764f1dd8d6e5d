"""Every change of every page, sent as nobody should: refused by its page or by the door, and nothing is written."""

from __future__ import annotations

import pytest
from tests.web.conftest import FORM, HOST, Browser

from discreet.states import version_of
from discreet.web.desk import Desk
from discreet.web.pages import PAGES

CHANGES = [(page.name, name) for page in PAGES for name in page.changes]
OF_TABLES = [(page.name, name) for page in PAGES if page.of == "table" for name in page.changes]
PARTS = [(page.name, name) for page in PAGES for name in page.parts]
LEAVE = ("../outside.csv", "/etc/passwd", "..\\outside.csv", "a\x00.csv", "%2e%2e/outside.csv")
"""Names that lead out of the folder; the last is one that stays in it, and is not there."""


@pytest.fixture
def besieged(browser: Browser) -> Browser:
    """The desk with links and hidden files in its folder."""
    folder = browser.folder
    (folder / "link.csv").symlink_to(folder.parent / "outside.csv")
    (folder / "link.hierarchy.csv").symlink_to(folder.parent / "outside.csv")
    (folder / ".hidden.csv").write_text("name\nZaphod\n")
    (folder / "sub").mkdir()
    (folder / "sub" / "levels.csv").write_text("a;*\n")
    return browser


def version(browser: Browser) -> str:
    return version_of((browser.folder / "discreet.toml").read_text())


@pytest.mark.parametrize(("page", "change"), CHANGES)
def test_no_change_is_made_for_another_site_by_reading_or_without_a_form(
    browser: Browser, page: str, change: str
) -> None:
    target, fields = f"/{page}/{change}", {"table": "people.csv", "version": version(browser)}
    before = (browser.folder / "discreet.toml").read_bytes()
    assert browser.get(target).status == 405
    assert browser.post(target, fields, origin="http://evil.example").status == 403
    assert browser.post(target, fields, host="evil.example").status == 421
    assert browser.post(target, fields, cookie="discreet=wrong").status == 401
    assert browser.post(target, fields, **{"content-type": "application/json"}).status == 415
    sent = browser.send("POST", target, {"host": HOST, "cookie": browser.let_in["cookie"], **FORM}, b"a=b")
    assert sent.status == 403
    assert 400 <= browser.post(target, {}).status < 500
    assert (browser.folder / "discreet.toml").read_bytes() == before


@pytest.mark.parametrize(("page", "change"), OF_TABLES)
def test_no_change_reaches_a_table_outside_of_the_folder(besieged: Browser, page: str, change: str) -> None:
    for name in (*LEAVE, "link.csv"):
        answer = besieged.post(f"/{page}/{change}", {"table": name, "version": "0" * 16})
        assert answer.status in (400, 403, 404, 422), (name, answer.text[:200])
        assert "Zaphod" not in answer.text
    assert not (besieged.folder.parent / "discreet.toml").exists()


@pytest.mark.parametrize(("page", "part"), PARTS)
def test_no_part_of_a_page_is_given_to_who_was_not_let_in_or_takes_a_change(
    browser: Browser, page: str, part: str
) -> None:
    target = f"/{page}/{part}?table=people.csv"
    assert browser.send("GET", target, [("host", HOST)]).status == 401
    assert browser.post(target, {"a": "b"}).status == 405


@pytest.mark.parametrize(
    ("target", "fields", "status"),
    [
        ("/hierarchies/build", {"column": "nobody"}, 404),
        ("/hierarchies/build", {"column": "../age"}, 404),
        ("/hierarchies/build", {"column": "age", "from": "../outside.csv"}, 400),
        ("/hierarchies/build", {"column": "age", "from": "/etc/passwd"}, 400),
        ("/hierarchies/build", {"column": "age", "from": "link.csv"}, 403),
        ("/hierarchies/build", {"column": "age", "from": "link.hierarchy.csv"}, 403),
        ("/hierarchies/build", {"column": "age", "from": ".hidden.csv"}, 403),
        ("/hierarchies/build", {"column": "age", "from": "discreet.toml"}, 404),
        ("/hierarchies/build", {"column": "age", "from": "sub/levels.csv"}, 404),
        ("/hierarchies/build", {"column": "age", "from": "people.csv"}, 404),
        ("/hierarchies/build", {"column": "age", "ontology": "../../etc/passwd"}, 400),
        ("/hierarchies/build", {"column": "age", "ontology": "/etc/passwd"}, 400),
        ("/hierarchies/build", {"column": "age", "ontology": "link.csv"}, 403),
        ("/hierarchies/use", {"column": "age"}, 409),
        ("/hierarchies/use", {"column": "nobody"}, 409),
        ("/hierarchies/forget", {"column": "nobody"}, 422),
        ("/columns/more", {"column": "age", "parameter.ontology": "../outside.csv"}, 400),
        ("/columns/more", {"column": "age", "parameter.ontology": "link.csv"}, 403),
        ("/columns/more", {"column": "age", "parameter.mapping": "/etc/passwd"}, 400),
        ("/columns/more", {"column": "age", "parameter.mapping": "C:\\people.csv"}, 400),
        ("/columns/more", {"column": "age", "parameter.importance": "nan"}, 422),
        ("/columns/more", {"column": "age", "parameter.importance": "1e400"}, 422),
        ("/columns/more", {"column": "nobody", "parameter.importance": "2"}, 422),
        ("/columns/read", {"parameter.encoding": "no such coding"}, 422),
        ("/columns/read", {"parameter.delimiter": "much too long"}, 422),
        ("/columns/read", {"parameter.header": "perhaps"}, 422),
        ("/columns/read", {"parameter.header_row": "0"}, 422),
        ("/columns/take", {}, 409),
        ("/plan/take", {}, 409),
        ("/plan/settings", {"section": "release", "parameter.policy": "../outside.toml"}, 422),
        ("/plan/settings", {"section": "read", "parameter.file": "../outside.csv"}, 422),
        ("/plan/settings", {"section": "release", "parameter.format": "exe"}, 422),
        ("/plan/make", {"release": "new", "upto": "0"}, 422),
        ("/plan/make", {"release": "new", "upto": "1e9"}, 422),
        ("/search/begin", {"identity": "20", "importance.age": "1e400"}, 422),
        ("/export/check", {"release": "../outside"}, 400),
        ("/export/check", {"release": "sub"}, 404),
        ("/export/check", {"release": ".discreet"}, 403),
    ],
)
def test_a_form_that_leads_out_or_makes_no_sense_is_refused_and_begins_no_work(
    besieged: Browser, target: str, fields: dict[str, str], status: int
) -> None:
    before = (besieged.folder / "discreet.toml").read_bytes()
    answer = besieged.post(target, {"table": "people.csv", "version": version(besieged), **fields})
    assert answer.status == status, answer.text[:300]
    assert "Zaphod" not in answer.text
    assert (besieged.folder / "discreet.toml").read_bytes() == before
    assert not Desk(besieged.folder).works.running()


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/hierarchies?table=people.csv&column=nobody", 404),
        ("/hierarchies?table=people.csv&column=..%2fage", 404),
        ("/columns?table=people.csv&column=nobody", 404),
        ("/history?table=..%2foutside.csv", 400),
        ("/history?table=link.csv", 403),
        ("/result?table=people.csv&intruder=..%2f..%2fetc", 200),
        ("/export?table=people.csv&release=..%2foutside", 400),
        ("/plan?table=people.csv&making=..%2f..%2fetc", 400),
        ("/plan?table=people.csv&add=nothing", 422),
    ],
)
def test_what_an_address_asks_for_is_taken_from_the_folder_alone(
    besieged: Browser, address: str, status: int
) -> None:
    assert besieged.get(address).status == status


@pytest.mark.parametrize("key", ["turn0", "../lock", "g" * 32, "0" * 31, "0" * 33, ""])
def test_work_is_stopped_by_its_own_name_only(browser: Browser, key: str) -> None:
    assert browser.post("/work/stop", {"work": key, "back": "/files"}).status == 400


def test_a_form_larger_than_any_page_has_is_refused_unread(browser: Browser) -> None:
    many = [("table", "people.csv"), *(("parameter.pseudonymise", "name") for _ in range(3000))]
    assert browser.post("/plan/settings", many).status == 400
    long = {"table": "people.csv", "section": "release", "parameter.policy": "a" * 1_100_000}
    assert browser.post("/plan/settings", long).status == 413


def test_what_a_form_says_is_never_an_option_of_the_command(browser: Browser) -> None:
    desk = Desk(browser.folder)
    sent = {"table": "people.csv", "column": "age", "by": "--force", "steps": "--out=/tmp/x"}
    assert browser.post("/hierarchies/build", sent).status == 303
    arguments = [each.read_text() for each in desk.works.folder.glob("*/work.json")]
    assert '"--by=--force"' in arguments[0]
    assert '"--steps=--out=/tmp/x"' in arguments[0]
    for work in desk.works.running():
        desk.works.stop(work.key)
