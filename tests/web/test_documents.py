"""The pages about documents: reviewed, corrected and released, asked as a program would."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import Browser

from discreet.text.decisions import Decisions
from discreet.text.kept_findings import findings_from_dict, findings_to_dict
from discreet.text.reading import read
from discreet.text.sanitising import sanitise
from discreet.web.desk import Desk
from discreet.web.papers import Papers

POLICY = """
[topics.arms]
about = "weapons"
keywords = ["missile", "gun"]
"""
FIRST = """Dear Ms Clarke,

The missile and the gun were moved by Trillian Astra. The missile is old.

Yours, Arthur <b>Dent</b>
"""
SECOND = """The missile and the gun were moved by Trillian Astra. The missile is old.

Arthur Dent saw a gun, a gun and a gun.
"""


@pytest.fixture
def papers(browser: Browser) -> Browser:
    folder = browser.folder / "letters"
    folder.mkdir()
    (folder / "one.txt").write_text(FIRST)
    (folder / "two.txt").write_text(SECOND)
    (browser.folder / "arms.toml").write_text(POLICY)
    look(browser.folder)
    return browser


def look(folder: Path, policy: str = "arms.toml") -> None:
    """Leaves what the work of looking through the letters leaves; a test of its own does that work."""
    desk = Desk(folder)
    its = Papers(desk=desk, place=folder / "letters", policy=policy, file=folder / "decisions.jsonl")
    place = desk.works.folder / its.looking.key
    place.mkdir()
    found = findings_to_dict(sanitise(read(its.place), policy=its.rules))
    told = {"work": {"says": its.looking.says}, "answer": found, "exit": {"code": 0}}
    for name, content in told.items():
        (place / f"{name}.json").write_text(json.dumps(content))


def asked(page: str = "documents", **more: str) -> str:
    told = "".join(f"&{name}={value}" for name, value in more.items())
    return f"/{page}?docs=letters&policy=arms.toml{told}"


def about(facts: Any, **more: str) -> dict[str, str]:
    """The fields that every form about documents sends."""
    return {**facts["asked"], "version": facts["version"], "reviewer": "Ford", **more}


def decision(facts: Any, action: str, **more: str) -> dict[str, str]:
    block = facts["block"]
    place = {name: str(block[name]) for name in ("document", "start", "end")}
    return about(facts, **{"action": action, "replacement": "", **place, **more})


def each_stretch(papers: Browser) -> Iterator[Any]:
    """The page with each of the stretches that are left."""
    for place in range(papers.twin(asked())["left"]):
        yield papers.twin(asked(place=str(place)))


def held(papers: Browser) -> Decisions:
    return Decisions.load(papers.folder / "letters.decisions.jsonl")


def test_files_lists_folders_of_documents_and_opens_them(papers: Browser) -> None:
    facts = papers.twin("/files")
    assert [(each["name"], each["files"]) for each in facts["documents"]] == [("letters", 2)]
    assert [each["name"] for each in facts["tables"]] == ["people.csv"]
    assert "/documents?docs=letters" in papers.get("/files").text


def test_documents_are_looked_through_by_work_of_its_own_once(browser: Browser) -> None:
    folder = browser.folder / "letters"
    folder.mkdir()
    (folder / "one.txt").write_text(FIRST)
    (folder / "two.txt").write_text(SECOND)
    (browser.folder / "arms.toml").write_text(POLICY)
    first = browser.twin(asked())
    assert first["looking"]["state"] == "running"
    assert "data-work" in browser.get(asked("entities")).text
    sent = {**first["asked"], "version": first["version"], "reviewer": "Ford", "entity": "1"}
    assert browser.post("/entities/lock", sent).status == 409
    for _ in range(600):
        facts = browser.twin(asked())
        if facts["looking"] is None:
            break
        time.sleep(0.2)
    assert facts["blocks"] == 3
    (place,) = (browser.folder / ".discreet" / "work").glob("*/answer.json")
    assert place.stat().st_mode & 0o077 == 0
    told = json.loads(place.read_text())
    found = sanitise(read(folder), policy=str(browser.folder / "arms.toml"))
    assert findings_from_dict(told, found.policy).with_decisions(Decisions()).corpus.documents[0].text == (
        found.corpus.documents[0].text
    )
    (folder / "two.txt").write_text(SECOND + "More.")
    again = browser.twin(asked())["looking"]
    assert again["state"] == "running"
    browser.post("/work/stop", {"work": again["work"], "back": "/"})


def test_looking_through_is_stopped_and_begun_again(browser: Browser) -> None:
    folder = browser.folder / "letters"
    folder.mkdir()
    (folder / "one.txt").write_text(FIRST)
    key = browser.twin("/documents?docs=letters")["looking"]["work"]
    back = "/documents?docs=letters"
    assert browser.post("/work/stop", {"work": key, "back": back}).status == 303
    for _ in range(100):
        facts = browser.twin(back)
        if facts["looking"] is None or facts["looking"]["state"] != "running":
            break
        time.sleep(0.1)
    assert facts["looking"]["state"] == "stopped"
    assert browser.twin(back)["looking"]["state"] == "stopped"
    assert "Try again" in browser.get("/entities?docs=letters").text
    assert browser.post("/work/again", {"work": key, "back": back}).headers["location"] == back
    assert browser.twin(back)["looking"]["state"] == "running"
    assert browser.post("/work/again", {"work": key, "back": back}).status == 303
    assert browser.twin(back)["looking"]["state"] == "running"
    browser.post("/work/stop", {"work": key, "back": back})


def test_limits_are_set_once_and_hold_for_every_release(papers: Browser) -> None:
    facts = papers.twin(asked("sanitised"))
    sent = {**facts["asked"], "version": facts["limits"]["version"], "identity": "12.5", "topics": ""}
    assert papers.post("/sanitised/limits", {**sent, "identity": "120"}).status == 422
    assert papers.post("/sanitised/limits", sent).status == 303
    assert papers.post("/sanitised/limits", {**sent, "identity": "30"}).status == 409
    held = {each["name"]: each["bound"] for each in papers.twin(asked("sanitised"))["limits"]["fields"]}
    assert {name: bound for name, bound in held.items() if bound is not None} == {"identity": 0.125}
    (kept,) = (papers.folder / ".discreet" / "documents").iterdir()
    assert kept.stat().st_mode & 0o077 == 0


def test_stretches_are_shown_with_their_hits_explained_and_escaped(papers: Browser) -> None:
    facts = papers.twin(asked())
    assert facts["left"] == facts["blocks"] == 3
    densities = [each["density"] for each in facts["listed"]]
    assert densities == sorted(densities, reverse=True)
    hits = [each for each in facts["block"]["pieces"] if each["why"]]
    assert hits
    assert all("the keyword" in each["why"] for each in hits)
    pages = [papers.get(asked(place=str(place))).text for place in range(3)]
    assert not any("<b>Dent" in page for page in pages)
    assert any("&lt;b&gt;Dent" in page for page in pages)


@pytest.mark.parametrize("action", ["keep", "cut", "generalise", "shorten"])
def test_a_decision_is_in_the_file_of_the_command_and_can_be_undone(papers: Browser, action: str) -> None:
    facts = next(each for each in each_stretch(papers) if each["block"]["can_shorten"])
    sent = decision(facts, action, note="seen", exemption="1.4(c)", replacement="something")
    assert papers.post("/documents/decide", sent).status == 303
    (made,) = held(papers).in_force().values()
    assert (made.action, made.reviewer, made.note) == (action, "Ford", "seen")
    assert made.exemption == ("1.4(c)" if action == "cut" else "")
    after = papers.twin(asked())
    assert (after["left"], after["reviewer"]) == (facts["left"] - 1, "Ford")
    assert papers.post("/documents/undo", about(after)).status == 303
    assert papers.twin(asked())["left"] == facts["left"]


def test_a_decision_counts_for_all_of_the_same_words(papers: Browser) -> None:
    facts = papers.twin(asked())
    place = next(n for n, each in enumerate(facts["listed"]) if each["document"] == "one.txt")
    facts = papers.twin(asked(place=str(place)))
    papers.post("/documents/decide", decision(facts, "keep", alike="text"))
    assert papers.twin(asked())["left"] == facts["left"] - 2


def test_a_stale_form_changes_nothing_and_says_so(papers: Browser) -> None:
    facts = papers.twin(asked())
    papers.post("/documents/decide", decision(facts, "keep"))
    before = (papers.folder / "letters.decisions.jsonl").read_bytes()
    answer = papers.post("/documents/decide", decision(facts, "cut"))
    assert answer.status == 409
    assert "decisions were changed" in answer.text
    assert (papers.folder / "letters.decisions.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("field", "value", "status"),
    [
        ("docs", "../outside", 400),
        ("docs", "nowhere", 404),
        ("policy", "../arms.toml", 404),
        ("policy", "discreet.toml", 404),
        ("decisions", "../../x.jsonl", 400),
        ("decisions", "people.csv", 404),
        ("action", "publish", 422),
        ("start", "1", 404),
        ("reviewer", " ", 422),
    ],
)
def test_what_leads_elsewhere_is_refused(papers: Browser, field: str, value: str, status: int) -> None:
    sent = {**decision(papers.twin(asked()), "keep"), field: value}
    assert papers.post("/documents/decide", sent).status == status
    assert not (papers.folder / "letters.decisions.jsonl").exists()


def test_the_file_of_decisions_is_private(papers: Browser) -> None:
    papers.post("/documents/decide", decision(papers.twin(asked()), "keep"))
    place: Path = papers.folder / "letters.decisions.jsonl"
    assert place.stat().st_mode & 0o077 == 0


def entity(papers: Browser, name: str, **more: str) -> Any:
    """The page about the entity of this name."""
    facts = papers.twin(asked("entities", **more))
    number = next(each["id"] for each in facts["listed"] if each["name"] == name)
    return papers.twin(asked("entities", entity=str(number), **more))


def about_entity(facts: Any, **more: str) -> dict[str, str]:
    return about(facts, entity=str(facts["entity"]["id"]), **more)


def test_an_entity_is_shown_with_every_mention(papers: Browser) -> None:
    facts = entity(papers, "Trillian Astra")
    found = facts["entity"]["contexts"]
    assert [each["document"] for each in found] == ["one.txt", "two.txt"]
    assert all(each["text"] == "Trillian Astra" for each in found)
    assert "moved by" in found[0]["before"]
    assert "Trillian Astra" in papers.get(asked("entities")).text


def test_entities_are_renamed_locked_kept_and_masked_again(papers: Browser) -> None:
    for change, more in (("rename", {"pseudonym": "Pers77"}), ("keep", {}), ("mask", {})):
        facts = entity(papers, "Trillian Astra")
        assert papers.post(f"/entities/{change}", about_entity(facts, **more)).status == 303
        found = entity(papers, "Trillian Astra")["entity"]
        assert found["pseudonym"] == "Pers77"
        assert found["locked"]
        assert found["kept"] == (change == "keep")
    dent = entity(papers, "Arthur Dent")
    assert not dent["entity"]["locked"]
    assert papers.post("/entities/lock", about_entity(dent)).status == 303
    assert entity(papers, "Arthur Dent")["entity"]["locked"]
    changes = [str(each.change) for each in held(papers).about_entities().values()]
    assert changes == ["rename", "keep", "mask", "lock"]


def test_entities_are_merged_split_and_the_split_is_undone(papers: Browser) -> None:
    facts = entity(papers, "Trillian Astra")
    other = entity(papers, "Arthur Dent")["entity"]["id"]
    answer = papers.post("/entities/merge", about_entity(facts, other=str(other)))
    assert answer.status == 303
    merged = papers.twin(answer.headers["location"])
    assert {"Trillian Astra", "Arthur Dent"} <= set(merged["entity"]["names"])
    assert papers.post("/entities/split", about_entity(merged)).status == 303
    assert len(entity(papers, "Trillian Astra")["entity"]["names"]) == len(facts["entity"]["names"])
    now = papers.twin(asked("entities"))
    assert papers.post("/entities/undo", about(now)).status == 303
    assert papers.twin(asked("entities"))["found"] == facts["found"] - 1


def test_who_was_missed_is_added_and_gets_a_further_name(papers: Browser) -> None:
    facts = papers.twin(asked("entities"))
    answer = papers.post("/entities/add", about(facts, wording="missile", kind="code"))
    added = papers.twin(answer.headers["location"])
    assert (added["entity"]["name"], added["entity"]["kind"]) == ("missile", "code")
    answer = papers.post("/entities/alias", about_entity(added, name="moved"))
    assert "moved" in papers.twin(answer.headers["location"])["entity"]["names"]


def test_a_change_of_an_entity_that_is_not_there_is_refused(papers: Browser) -> None:
    facts = papers.twin(asked("entities"))
    for fields, status in (({"entity": "9999"}, 422), ({"entity": "x"}, 422), ({"version": "old"}, 409)):
        assert papers.post("/entities/lock", {**about_entity(facts), **fields}).status == status
    assert papers.post("/entities/merge", about_entity(facts)).status == 422
    assert not (papers.folder / "letters.decisions.jsonl").exists()


def finished(papers: Browser, target: str, part: str) -> Any:
    """The facts of a page once the work in a part of it is done."""
    for _ in range(600):
        facts = papers.twin(target)
        if facts[part]["state"] not in ("none", "running"):
            assert facts[part]["state"] == "done", facts[part]
            return facts
        time.sleep(0.2)
    raise AssertionError(f"{target}: the work did not end")


def test_a_release_is_made_with_the_decisions_attacked_and_told(papers: Browser) -> None:
    papers.post("/documents/decide", decision(papers.twin(asked()), "cut", exemption="1.4(c)"))
    facts = papers.twin(asked("sanitised"))
    assert (facts["release"], facts["undecided"]) == (None, 2)
    stale = {**about(facts, release="out"), "version": "old"}
    assert papers.post("/sanitised/make", stale).status == 409
    assert papers.post("/sanitised/make", about(facts, release="../out")).status == 422
    limits = {**facts["asked"], "version": facts["limits"]["version"], "identity": "90", "topics": "90"}
    papers.post("/sanitised/limits", limits)
    answer = papers.post("/sanitised/make", about(facts, release="out", keep_names="yes"))
    made = finished(papers, answer.headers["location"], "making")
    assert made["made"]["decisions_reviewed"] == 1
    assert made["made"]["not_looked_at"]
    published = "".join(each.read_text() for each in (papers.folder / "out" / "public").glob("*.txt"))
    assert "[cut: 1.4(c)]" in published
    assert "Trillian" not in published
    told = finished(papers, asked("sanitised", release="out"), "work")["report"]
    assert told["verdict"]["state"] != "met"
    assert told["size"] == "2 documents"
    report = papers.get(asked("sanitised/report", release="out"))
    assert report.headers["content-type"].startswith("text/html")
    assert "sandbox" in report.headers["content-security-policy"]
    assert {each["state"] for each in told["verdict"]["limits"]} == {"not checked"}
    about_release = {**facts["asked"], "release": "out"}
    assert papers.get(asked("sanitised/report", release="out", audience="external")).status == 404
    assert papers.get(asked("sanitised/report", release="out", audience="all")).status == 400
    assert papers.post("/sanitised/tell", about_release).status == 303
    finished(papers, asked("sanitised", release="out"), "external")
    outside = papers.get(asked("sanitised/report", release="out", audience="external")).text
    assert "Trillian" not in outside
    assert "Dent" not in outside
    listed = papers.twin("/files")["releases"]
    assert [(each["name"], each["docs"]) for each in listed] == [("out", "letters")]
    assert listed[0]["verdict"]["state"] == told["verdict"]["state"]
    assert papers.twin("/result?table=people.csv")["releases"] == []
    assert "verdict" in papers.get(asked("sanitised")).text


def test_a_document_is_shown_before_and_after(papers: Browser) -> None:
    facts = papers.twin(asked("sanitised", document="two.txt"))
    before, after = facts["sides"]
    assert "".join(each["text"] for each in before) == SECOND
    assert any(each["differs"] and "Trillian" in each["text"] for each in before)
    assert "Trillian" not in "".join(each["text"] for each in after)
    page = papers.get(asked("sanitised", document="one.txt")).text
    assert "<b>" not in page.partition('id="sides"')[2]
    assert papers.get(asked("sanitised", document="people.csv")).status == 404
    assert papers.get(asked("sanitised", release="nothing")).status == 404


def test_topics_tell_keywords_and_how_names_are_treated(papers: Browser) -> None:
    facts = papers.twin(asked("topics"))
    (topic,) = facts["topics"]
    assert [each["keyword"] for each in topic["keywords"]] == ["missile", "gun"]
    assert facts["terms"] == 2
    assert facts["treatments"]["person"] == "mask"
    assert "it stands for itself" in papers.get(asked("topics")).text
    shipped = papers.twin("/topics?docs=letters&policy=eo13526")
    weapon = next(each for each in shipped["topics"][0]["keywords"] if each["keyword"] == "weapon")
    assert weapon["senses"] == ["weapon.n.01"]
    assert bool(shipped["fault"]) != bool(weapon["found"])


def test_two_reviewers_are_compared(papers: Browser) -> None:
    first = papers.twin(asked())
    papers.post("/documents/decide", decision(first, "keep"))
    mine = papers.folder / "letters.decisions.jsonl"
    mine.rename(papers.folder / "second.jsonl")
    papers.post("/documents/decide", decision(first, "cut", reviewer="Tricia"))
    facts = papers.twin(asked("reviewers", other="second.jsonl"))
    assert facts["who"] == [["Tricia"], ["Ford"]]
    assert (facts["agreement"]["both"], facts["agreement"]["agreed"]) == (1, 0)
    (differs,) = facts["differences"]
    assert (differs["first"], differs["second"]) == ("cut", "keep")
    assert "gun" in differs["text"]
    assert "Where they differ" in papers.get(asked("reviewers", other="second.jsonl")).text
    assert papers.get(asked("reviewers", other="people.csv")).status == 404


def test_a_name_that_is_looked_for_stands_in_no_address(papers: Browser) -> None:
    facts = papers.twin(asked("entities"))
    answer = papers.post("/entities/find", {**facts["asked"], "wording": "Trillian"})
    where = answer.headers["location"]
    assert "Trillian" not in where
    found = papers.twin(where)
    assert [each["name"] for each in found["listed"]] == ["Trillian Astra"]
    page = papers.get(where).text
    assert 'value="Trillian"' in page
    assert not any("Trillian" in each.split('"')[0] for each in page.split('href="')[1:])
    (kept,) = (papers.folder / ".discreet" / "looked-for").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    empty = papers.post("/entities/find", {**facts["asked"], "wording": " "}).headers["location"]
    assert papers.twin(empty)["found"] == facts["found"]
    for key in ("../../people.csv", "0" * 24, "Trillian"):
        assert papers.twin(asked("entities", find=key))["found"] == facts["found"]


def test_a_document_that_is_added_goes_into_a_folder_of_documents(browser: Browser) -> None:
    head = {
        "content-type": "application/octet-stream",
        "x-file-name": "letter.txt",
        "x-file-kind": "document",
    }
    answer = browser.send("POST", "/files/add", {**browser.let_in, **head}, FIRST.encode())
    assert (answer.status, answer.headers["location"]) == (303, "/documents?docs=documents")
    place = browser.folder / "documents" / "letter.txt"
    assert place.read_text() == FIRST
    assert (place.stat().st_mode & 0o077, place.parent.stat().st_mode & 0o077) == (0, 0)
    assert [each["name"] for each in browser.twin("/files")["documents"]] == ["documents"]
    assert browser.send("POST", "/files/add", {**browser.let_in, **head}, b"other").status == 409
    assert place.read_text() == FIRST
    table = {**head, "x-file-kind": "table"}
    answer = browser.send("POST", "/files/add", {**browser.let_in, **table}, b"a,b\n1,2\n")
    assert answer.headers["location"] == "/columns?table=letter.txt"


@pytest.mark.parametrize("taken", ["file", "link", "release"])
def test_documents_go_nowhere_else_than_into_their_folder(browser: Browser, taken: str) -> None:
    place = browser.folder / "documents"
    if taken == "file":
        place.write_text("mine")
    elif taken == "link":
        place.symlink_to(browser.folder.parent)
    else:
        (place / "public").mkdir(parents=True)
        (place / "public" / "manifest.json").write_text("{}")
    head = {
        "content-type": "application/octet-stream",
        "x-file-name": "letter.txt",
        "x-file-kind": "document",
    }
    assert browser.send("POST", "/files/add", {**browser.let_in, **head}, b"Dear").status == 409
    assert not (browser.folder.parent / "letter.txt").exists()
    assert not (place / "letter.txt").exists()


def test_a_second_reviewer_begins_a_file_of_their_own(papers: Browser) -> None:
    facts = papers.twin(asked())
    assert papers.post("/documents/decide", decision(facts, "keep")).status == 303
    sent = papers.post("/reviewers/begin", {**facts["asked"], "name": "Trillian"})
    assert sent.status == 303
    place = papers.folder / "letters.Trillian.decisions.jsonl"
    assert place.stat().st_mode & 0o077 == 0
    second = papers.twin(sent.headers["location"])
    assert (second["reviewer"], second["left"]) == ("Trillian", second["blocks"])
    own = {**second["asked"], "version": second["version"], "reviewer": second["reviewer"]}
    block = {name: str(second["block"][name]) for name in ("document", "start", "end")}
    assert (
        papers.post("/documents/decide", {**own, **block, "action": "cut", "replacement": ""}).status == 303
    )
    compared = papers.twin(asked("reviewers", other=place.name))
    assert compared["who"] == [["Ford"], ["Trillian"]]
    assert len(compared["differences"]) == 1
    assert papers.post("/reviewers/begin", {**facts["asked"], "name": "Trillian"}).status == 409
    for name in ("../x", "a/b", "", ".hidden", "a.b"):
        assert papers.post("/reviewers/begin", {**facts["asked"], "name": name}).status == 422
