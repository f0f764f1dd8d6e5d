"""What the desk does for the owner of the data: records at risk, signatures, releases together, search options."""

from __future__ import annotations

import csv
import io
import json
import stat
from collections.abc import Iterator

import pytest
from tests.web.conftest import FORM, HOST, Browser
from tests.web.test_more_pages import SMALL, TABLE, send, settled, version

import discreet as dc
from discreet.demo import people
from discreet.web.asking import Wish, search_work
from discreet.web.desk import Desk

RELEASED = f"{TABLE}&release=one"


@pytest.fixture
def desk(browser: Browser) -> Iterator[Desk]:
    made = Desk(browser.folder)
    yield made
    for each in made.works.running():
        made.works.stop(each.key)


@pytest.fixture
def released(browser: Browser) -> Browser:
    """The desk with two releases of a small table, which say almost the same of everybody."""
    people(60, seed=5).select("name", "age", "sex").write_csv(browser.folder / "people.csv")
    (browser.folder / "discreet.toml").write_text(f'read.file = "people.csv"\n{SMALL}')
    table = dc.read(browser.folder / "people.csv", project=browser.folder / "discreet.toml")
    for name, scale in (("one", 0.2), ("two", 0.3)):
        plan = dc.Plan.of([("add_noise", {"columns": ["age"], "p": scale})])
        release = dc.protect(table, plan)
        release.save(browser.folder / name, file="people.csv")
    return browser


def test_the_risk_of_every_record_is_a_file_for_the_owner_alone(released: Browser, desk: Desk) -> None:
    target = f"/result/records-file?{RELEASED}"
    assert released.get(target).status == 404
    assert send(released, "/result/records", release="one") == 303
    settled(released, f"/result?{RELEASED}", "records")
    answer = released.get(target)
    assert answer.status == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 60
    (place,) = (released.folder / ".discreet" / "records").iterdir()
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert released.send("GET", target, [("host", HOST)]).status == 401
    assert released.twin(f"/result?{RELEASED}")["records"]["state"] == "done"
    public = (released.folder / "one" / "public" / "manifest.json").read_text()
    (released.folder / "one" / "public" / "manifest.json").write_text(public + "\n")
    assert released.get(target).status == 404, "the release is another one now"


def test_a_release_is_signed_by_the_key_of_the_desk_and_checked_by_its_public_half(
    released: Browser, desk: Desk
) -> None:
    assert released.get(f"/export/key?{TABLE}").status == 404
    assert (
        send(released, "/plan/add", method="round", **{"parameter.columns": "age", "parameter.base": "5"})
        == 303
    )
    assert send(released, "/plan/make", release="three", sign="yes") == 409
    assert send(released, "/export/keygen") == 303
    facts = settled(released, f"/export?{TABLE}", "key")
    assert facts["key"]["there"]
    assert [stat.S_IMODE(each.stat().st_mode) for each in (desk.key.parent, desk.key)] == [0o700, 0o600]
    assert send(released, "/export/keygen") == 409
    public = released.get(f"/export/key?{TABLE}")
    assert public.text.startswith("-----BEGIN PUBLIC KEY-----")
    form = {"table": "people.csv", "version": version(released), "release": "three", "sign": "yes"}
    made = released.post("/plan/make", form)
    settled(released, made.headers["location"], "making")
    assert (released.folder / "three" / "public" / "manifest.json.sig").is_file()
    assert send(released, "/export/check", release="three") == 303
    checked = settled(released, f"/export?{TABLE}&release=three", "check")["checked"]
    (signature,) = [each for each in checked["findings"] if "signed by" in each["says"]]
    assert signature["state"] == "holds", checked


@pytest.mark.parametrize(
    "address",
    [
        "/export/file?table=people.csv&release=one&name=steward.key",
        "/export/key?table=people.csv&name=steward.key",
        "/columns?table=.discreet/keys/steward.key",
        "/static/steward.key",
        "/.discreet/keys/steward.key",
        "/export/keygen",
    ],
)
def test_the_secret_key_has_no_address(released: Browser, desk: Desk, address: str) -> None:
    desk.key.write_text("-----BEGIN PRIVATE KEY-----")
    answer = released.get(address)
    assert answer.status in (403, 404, 405)
    assert "PRIVATE" not in answer.text


def test_several_releases_are_put_together_as_one_who_has_them_all_would(
    released: Browser, desk: Desk
) -> None:
    facts = released.twin(f"/coalition?{TABLE}")
    assert [each["name"] for each in facts["releases"] if each["chosen"]] == ["two", "one"]
    assert facts["columns"] == ["age", "sex"]
    fields = [("table", "people.csv"), ("column", "age"), ("release", "one"), ("release", "two")]
    sent = released.post("/coalition/ask", fields)
    told = settled(released, sent.headers["location"])["told"]
    assert [each["name"] for each in told["alone"]] == ["one", "two"]
    alone = max(each["share"] for each in told["alone"])
    assert told["more"] is (told["together"] > alone)
    assert told["records"] == 60
    assert "together" in released.get(sent.headers["location"]).text


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ([("column", "age"), ("release", "one")], 422),
        ([("column", "nobody"), ("release", "one"), ("release", "two")], 404),
        ([("column", "age"), ("match", "nobody"), ("release", "one"), ("release", "two")], 404),
        ([("column", "age"), ("release", "../outside"), ("release", "two")], 400),
        ([("column", "age"), ("release", ".discreet"), ("release", "two")], 403),
        ([("column", "age"), ("release", "one/private"), ("release", "two")], 404),
        ([("release", "one"), ("release", "two")], 400),
    ],
)
def test_releases_are_put_together_from_the_folder_alone(
    released: Browser, fields: list[tuple[str, str]], status: int
) -> None:
    assert released.post("/coalition/ask", [("table", "people.csv"), *fields]).status == status
    assert not Desk(released.folder).works.running()


def test_a_search_makes_the_loss_small_that_is_chosen_and_tries_so_many_plans(
    released: Browser, desk: Desk
) -> None:
    fields = {"identity": "60", "seconds": "30", "loss": "il1s", "trials": "2"}
    assert send(released, "/search/begin", **fields) == 303
    facts = settled(released, f"/search?{TABLE}")
    assert (facts["wish"]["loss"], facts["wish"]["trials"]) == ("il1s", 2)
    if facts["work"]["state"] == "done":
        assert "%" not in facts["chosen"]["lost"]
    subject = desk.subject("people.csv")
    usual = Wish(ceilings={"identity": 0.6}, floors={}, seconds=30)
    other = Wish(ceilings={"identity": 0.6}, floors={}, seconds=30, loss="il1s", trials=2)
    arguments = search_work(subject, other).arguments
    assert arguments[arguments.index("--loss") + 1] == "il1s"
    assert arguments[arguments.index("--trials") + 1] == "2"
    assert usual.journal(subject) != other.journal(subject)


@pytest.mark.parametrize(
    "fields", [{"loss": "nothing"}, {"trials": "-1"}, {"trials": "2.5"}, {"trials": "1e9"}]
)
def test_a_search_for_what_there_is_not_is_refused(released: Browser, fields: dict[str, str]) -> None:
    assert send(released, "/search/begin", identity="60", seconds="30", **fields) == 422


def test_a_form_with_a_field_given_twice_takes_one_value_of_it(released: Browser) -> None:
    """No field is read in one way where it is checked and in another where it is used."""
    body = f"table=people.csv&table=../outside.csv&version={version(released)}".encode()
    answer = released.send("POST", "/columns/undo", {**released.let_in, **FORM}, body)
    assert answer.status in (303, 400, 404, 422)
    assert json.dumps("outside") not in answer.text
