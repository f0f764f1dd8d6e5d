"""Every field of every page with names that lead elsewhere, in HTML and in JSON; and links put into the folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.conftest import FORM, HOST, Browser

from discreet.states import version_of
from discreet.web.pages import PAGES
from discreet.web.work import Works

SECRET = "Zaphod"
FIELDS = (
    *(
        "table",
        "release",
        "docs",
        "policy",
        "decisions",
        "other",
        "document",
        "name",
        "intruder",
        "population",
    ),
    *("column", "match", "releases", "add", "open", "making", "find", "audience", "keep", "file", "work"),
    *("place", "entity", "step", "to", "from", "ontology", "method", "plan", "section", "loss"),
)
NAMES = (
    "release/private/manifest.private.json",
    "../outside.csv",
    "%2e%2e%2foutside.csv",
    "..\\outside.csv",
    "/etc/passwd",
    "file:///etc/passwd",
    "~/.ssh/id_rsa",
    ".discreet/work",
    "link.csv",
    "linked/outside.csv",
    "people.csv\x00",
    "\u202e\uff0e\uff0e\u2215outside.csv",
    "-1",
    "1e999",
    "--help",
    "{{7*7}}",
    "a" * 900,
)
SHARE = 8
"""Into how many tests the sweep is cut, so that none of them takes long."""


@pytest.fixture
def besieged(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Browser:
    """The desk with links, hidden files and secrets in its folder, where no work is begun."""
    folder = browser.folder
    (folder.parent / "outside.csv").write_text(f"name\n{SECRET}\n")
    (folder / "link.csv").symlink_to(folder.parent / "outside.csv")
    (folder / "linked").symlink_to(folder.parent)
    for place in ("public", "private"):
        (folder / "release" / place).mkdir(parents=True)
    (folder / "release" / "public" / "manifest.json").write_text("{}")
    (folder / "release" / "private" / "manifest.private.json").write_text(f'{{"secret": "{SECRET}"}}')
    (folder / "letters").mkdir()
    (folder / "letters" / "one.txt").write_text("Yours, Arthur Dent\n")
    monkeypatch.setattr(Works, "_begin", lambda self, work: None)
    return browser


def swept(part: int) -> list[tuple[str, str]]:
    return [pair for place, pair in enumerate((a, b) for a in FIELDS for b in NAMES) if place % SHARE == part]


def plain(browser: Browser) -> dict[str, str]:
    version = version_of((browser.folder / "discreet.toml").read_text())
    return {"table": "people.csv", "docs": "letters", "release": "release", "version": version}


def query(fields: dict[str, str]) -> str:
    from urllib.parse import urlencode

    return urlencode(fields)


@pytest.mark.parametrize("part", range(SHARE))
def test_no_field_of_any_address_leads_elsewhere_or_breaks_a_page(besieged: Browser, part: int) -> None:
    targets = [page.name for page in PAGES if page.name != "help"]
    targets += [f"{page.name}/{name}" for page in PAGES for name in page.parts]
    for number, (field, name) in enumerate(swept(part)):
        target = targets[number % len(targets)]
        for accept in ("text/html", "application/json"):
            answer = besieged.get(f"/{target}?{query({**plain(besieged), field: name})}", accept=accept)
            assert answer.status < 500, (target, field, name, answer.text[-300:])
            assert SECRET not in answer.text, (target, field, name)
            assert str(besieged.folder.parent) not in answer.text, (target, field, name)


@pytest.mark.parametrize("part", range(SHARE))
def test_no_field_of_any_form_leads_elsewhere_or_breaks_a_change(besieged: Browser, part: int) -> None:
    changes = [f"{page.name}/{name}" for page in PAGES for name in page.changes]
    for number, (field, name) in enumerate(swept(part)):
        target = changes[(number * 7 + part) % len(changes)]
        answer = besieged.post(f"/{target}", {**plain(besieged), field: name})
        assert answer.status < 500, (target, field, name, answer.text[-300:])
        assert SECRET not in answer.text, (target, field, name)
    assert (besieged.folder.parent / "outside.csv").read_text() == f"name\n{SECRET}\n"
    assert sorted(each.name for each in besieged.folder.parent.iterdir()) == ["desk", "outside.csv"]


def test_a_release_whose_public_half_is_a_link_is_none(besieged: Browser, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (away / "manifest.json").write_text("{}")
    (away / "secret.csv").write_text(SECRET)
    (besieged.folder / "trap").mkdir()
    (besieged.folder / "trap" / "public").symlink_to(away)
    for target in ("/files", "/export?table=people.csv&release=trap"):
        assert "secret.csv" not in besieged.get(target).text
    answer = besieged.get("/export/file?table=people.csv&release=trap&name=secret.csv")
    assert answer.status == 404
    assert SECRET not in answer.text


def test_a_project_that_is_a_link_is_neither_shown_nor_followed(besieged: Browser) -> None:
    place = besieged.folder / "discreet.toml"
    place.unlink()
    place.symlink_to(besieged.folder.parent / "outside.csv")
    for target in ("/export/project", "/plan", "/columns", "/export"):
        answer = besieged.get(f"{target}?table=people.csv")
        assert answer.status == 403, target
        assert SECRET not in answer.text


def test_a_file_that_becomes_a_link_after_it_was_looked_at_is_not_sent(
    besieged: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.web.pages import export

    public = besieged.folder / "release" / "public"
    (public / "people.csv").write_text("age\n1\n")
    looked = export._public

    def swapped(release: Path) -> list[Path]:
        found = looked(release)
        (public / "people.csv").unlink()
        (public / "people.csv").symlink_to(besieged.folder.parent / "outside.csv")
        return found

    monkeypatch.setattr(export, "_public", swapped)
    answer = besieged.get("/export/file?table=people.csv&release=release&name=people.csv")
    assert answer.status in (403, 404)
    assert SECRET not in answer.text


def test_the_folder_of_the_desk_itself_is_no_link(besieged: Browser) -> None:
    own = besieged.folder / ".discreet"
    own.rename(besieged.folder.parent / "moved")
    own.symlink_to(besieged.folder.parent / "moved")
    assert besieged.get("/search?table=people.csv").status == 403


OTHER_HOSTS = (
    *("127.0.0.1:8642.evil.example", "localhost.evil.example:8642", "127.0.0.1:8642@evil.example"),
    *("evil.example#127.0.0.1:8642", "[::1]:8642", "127.1:8642", "2130706433:8642", "0x7f000001:8642"),
    *(
        "127.0.0.1:08642",
        "127.0.0.1:8642.",
        "127.0.0.1.:8642",
        "127.0.0.1:8642,evil.example",
        "",
        "*",
        "0:8642",
    ),
)


@pytest.mark.parametrize("host", OTHER_HOSTS)
def test_the_desk_answers_under_no_other_name(browser: Browser, host: str) -> None:
    for more in ({}, {"x-forwarded-host": HOST, "forwarded": f"host={HOST}"}):
        answer = browser.send("GET", "/files", {**browser.let_in, "host": host, **more})
        assert answer.status == 421
        assert "people.csv" not in answer.text


@pytest.mark.parametrize(
    "cookie",
    [
        "discreet-9999={pass_}",
        "discreet={pass_}; discreet={pass_}",
        "discreet={pass_}x",
        "discreet={token}",
        "DISCREET={pass_}",
        "other=1, discreet={pass_}",
        'discreet="{pass_}"',
    ],
)
def test_the_cookie_of_another_desk_or_a_doubtful_one_lets_nobody_in(browser: Browser, cookie: str) -> None:
    shown = cookie.format(pass_=browser.door.pass_, token=browser.door.token)
    assert browser.send("GET", "/files", {"host": HOST, "cookie": shown}).status == 401


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("mode", ["cors", "no-cors", "websocket", ""])
def test_no_other_site_listens_or_begins_work_by_reading(browser: Browser, site: str, mode: str) -> None:
    head = {"sec-fetch-site": site, **({"sec-fetch-mode": mode} if mode else {})}
    for target in (
        f"/work/progress?work={'0' * 32}",
        "/columns?table=people.csv",
        "/export/project?table=people.csv",
    ):
        answer = browser.get(target, accept="text/event-stream", **head)
        assert answer.status == 403
        assert "people" not in answer.text


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://evil.example/files", 400),
        (f"http://{HOST}/files", 400),
        ("*", 404),
        ("/%252e%252e/files", 404),
        ("/%2e/files", 400),
        ("/files/%2e%2e/export", 400),
        ("/files;/../export", 400),
        ("/files%2f..%2fexport", 400),
        ("/%5c%5cevil.example", 400),
        ("/%00", 400),
        ("/files%00", 400),
        ("/FILES", 404),
        ("/columns?table=%25252e%25252e%25252foutside.csv", 404),
        ("/columns?table=people.csv&table=..%2foutside.csv", 400),
        ("/columns?table=people.csv::$DATA", 404),
        ("/columns?table=%5c%5cserver%5cshare.csv", 400),
        ("/columns?table=people.csv%2f.", 400),
        ("/columns?table=%ef%bc%8e%ef%bc%8e%ef%bc%8foutside.csv", 400),
        ("/columns?table=%f0%9f%92%a9.csv", 404),
        ("/columns?table=%ed%a0%80.csv", 400),
    ],
)
def test_an_odd_target_is_refused(besieged: Browser, target: str, status: int) -> None:
    answer = besieged.get(target)
    assert answer.status == status, answer.text[:300]
    assert SECRET not in answer.text


def test_the_way_on_from_an_address_with_a_slash_stays_on_the_desk(browser: Browser) -> None:
    answer = browser.get("/files/")
    assert answer.status in (404, 307)
    assert answer.headers.get("location", f"http://{HOST}/files") == f"http://{HOST}/files"


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("multipart/form-data", b"no boundary", 400),
        ("multipart/form-data; boundary=x", b"--x\r\nno end", 400),
        ("multipart/form-data; boundary=" + "x" * 500, b"--x\r\n\r\n--x--", 400),
        ("application/octet-stream", b"", 400),
        ("text/csv", b"a,b\n1,2\n", 415),
        ("", b"a,b\n1,2\n", 415),
    ],
)
def test_an_upload_that_is_none_leaves_nothing(browser: Browser, kind: str, body: bytes, status: int) -> None:
    before = sorted(each.name for each in browser.folder.iterdir())
    head = {"content-type": kind, "x-file-name": "new.csv"}
    assert browser.send("POST", "/files/add", {**browser.let_in, **head}, body).status == status
    assert sorted(each.name for each in browser.folder.iterdir()) == before


def test_a_huge_name_of_a_field_is_refused(browser: Browser) -> None:
    for body in (b"a" * 1_200_000 + b"=1", b"&".join(b"a%d=1" % number for number in range(3000))):
        answer = browser.send("POST", "/plan/limits", {**browser.let_in, **FORM}, body)
        assert answer.status in (400, 413)
    text = b'--x\r\nContent-Disposition: form-data; name="' + b"a" * 200_000 + b'"\r\n\r\n1\r\n--x--\r\n'
    kind = {"content-type": "multipart/form-data; boundary=x"}
    assert browser.send("POST", "/plan/limits", {**browser.let_in, **kind}, text).status in (400, 413)
