"""Requests that a page of another site, a script or a curious neighbour might send: each refused as it should be."""

from __future__ import annotations

import asyncio
import socket
import stat
from pathlib import Path

import pytest
import uvicorn
from tests.web.conftest import FORM, HOST, OWN, Browser

from discreet.errors import BadParameter
from discreet.states import version_of
from discreet.web import patience
from discreet.web.server import Place, serve

GET_HEADERS = [("host", HOST)]
OTHER = "http://evil.example"
ADDRESSES = [
    ("/../outside.csv", 400),
    ("/%2e%2e/outside.csv", 400),
    ("/static/..%2fdesk.css", 400),
    ("/static/../../app.py", 400),
    ("/static/..%5c..%5capp.py", 400),
    ("/static/%252e%252e%252fapp.py", 404),
    ("/static/app.py", 404),
    ("/static/desk.css%00.js", 400),
    ("//evil.example/files", 400),
    ("/files%0d%0aSet-Cookie:%20a=b", 400),
    ("/columns?table=../outside.csv", 400),
    ("/columns?table=..%2foutside.csv", 400),
    ("/columns?table=%2e%2e%2foutside.csv", 400),
    ("/columns?table=%252e%252e%252foutside.csv", 404),
    ("/columns?table=..%5coutside.csv", 400),
    ("/columns?table=/etc/passwd", 400),
    ("/columns?table=C:%5cpeople.csv", 400),
    ("/columns?table=C:people.csv", 400),
    ("/columns?table=people.csv%00.txt", 400),
    ("/columns?table=people.csv%0a", 400),
    ("/columns?table=%c0%ae%c0%ae/outside.csv", 400),
    ("/columns?table=%ef%bc%8e%ef%bc%8e/outside.csv", 400),
    ("/columns?table=%e2%80%a5/outside.csv", 400),
    ("/columns?table=./people.csv", 400),
    ("/columns?table=people.csv/", 400),
    ("/columns?table=people.csv/../people.csv", 400),
    ("/columns?table=.discreet/work", 403),
    ("/columns?table=.hidden.csv", 403),
    ("/columns?table=link.csv", 403),
    ("/columns?table=linked/outside.csv", 403),
    ("/columns?table=release/private/manifest.private.json", 404),
    ("/columns?table=release/public/people.csv", 404),
    ("/columns?table=discreet.toml", 404),
    ("/columns?table=nobody.csv", 404),
    ("/columns?table=", 400),
    ("/columns", 400),
    ("/columns?table=" + "a" * 3000, 400),
    ("/columns?table=" + "a" * 5000, 414),
    ("/nothing", 404),
    ("/work/progress?work=../../outside", 400),
    ("/work/progress?work=" + "g" * 32, 400),
    ("/columns/undo", 405),
]


@pytest.fixture
def besieged(browser: Browser) -> Browser:
    """The desk with links, hidden files and secrets in its folder."""
    folder = browser.folder
    (folder / "link.csv").symlink_to(folder.parent / "outside.csv")
    (folder / "linked").symlink_to(folder.parent)
    (folder / ".hidden.csv").write_text("name\nZaphod\n")
    for place in ("public", "private"):
        (folder / "release" / place).mkdir(parents=True)
    (folder / "release" / "public" / "manifest.json").write_text("{}")
    (folder / "release" / "public" / "people.csv").write_text("name\nZaphod\n")
    (folder / "release" / "private" / "manifest.private.json").write_text('{"secret": "Zaphod"}')
    return browser


@pytest.mark.parametrize(("address", "status"), ADDRESSES)
def test_an_address_that_leads_elsewhere_is_refused(besieged: Browser, address: str, status: int) -> None:
    answer = besieged.get(address)
    assert answer.status == status, answer.text[:300]
    assert "Zaphod" not in answer.text
    assert str(besieged.folder) not in answer.text


HEADS = [
    ([], 400),
    ([("host", HOST), ("host", "evil.example")], 400),
    ([("host", "evil.example")], 421),
    ([("host", "127.0.0.1.evil.example:8642")], 421),
    ([("host", "127.0.0.1:80")], 421),
    ([("host", "127.0.0.1")], 421),
    ([("host", "0.0.0.0:8642")], 421),
    ([("host", HOST)], 401),
    ([("host", HOST), ("cookie", "discreet=wrong")], 401),
    ([("host", HOST), ("cookie", "discreet=")], 401),
    ([("host", HOST), ("authorization", "Basic OnNlY3JldA==")], 401),
    ([("host", HOST), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")], 403),
    ([("host", HOST), *((f"x-{each}", "a") for each in range(80))], 431),
]


@pytest.mark.parametrize(("headers", "status"), HEADS)
def test_who_does_not_belong_here_gets_nothing(
    browser: Browser, headers: list[tuple[str, str]], status: int
) -> None:
    answer = browser.send("GET", "/files", headers)
    assert answer.status == status
    assert "people.csv" not in answer.text


CHANGES = [
    ({"host": HOST}, 403),
    ({"host": HOST, "origin": OTHER}, 403),
    ({"host": HOST, "origin": "null"}, 403),
    ({"host": HOST, "origin": "null", "sec-fetch-site": "cross-site"}, 403),
    ({"host": HOST, "origin": f"http://{HOST}", "sec-fetch-site": "cross-site"}, 403),
    ({"host": HOST, "origin": f"http://{HOST}", "sec-fetch-site": "same-site"}, 403),
    ({"host": HOST, "origin": f"https://{HOST}"}, 403),
    ({"host": HOST, "origin": f"http://{HOST}.evil.example"}, 403),
    ({"host": HOST, "origin": "http://127.0.0.1:9999"}, 403),
]


@pytest.mark.parametrize(("headers", "status"), CHANGES)
def test_a_change_that_no_page_of_the_desk_sent_is_refused(
    browser: Browser, headers: dict[str, str], status: int
) -> None:
    cookie = {"cookie": browser.let_in["cookie"]}
    answer = browser.send(
        "POST", "/columns/undo", {**headers, **cookie, **FORM}, b"table=people.csv&version=1"
    )
    assert answer.status == status


def test_a_form_of_the_desk_itself_comes_through(browser: Browser) -> None:
    """Told to send no referrer, a browser writes the origin of a form as null and says that it is its own."""
    version = version_of((browser.folder / "discreet.toml").read_text())
    own = {"origin": "null", "sec-fetch-site": "same-origin"}
    assert browser.post("/columns/undo", {"table": "people.csv", "version": version}, **own).status == 303


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
def test_other_methods_are_refused(browser: Browser, method: str) -> None:
    assert browser.send(method, "/files", browser.let_in).status == 405


def test_a_reading_address_takes_no_change(browser: Browser) -> None:
    assert browser.post("/files", {"a": "b"}).status == 405
    assert browser.post("/help", {"a": "b"}).status == 405


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"content-length": "2000000"}, b"", 413),
        ({"content-length": "-1"}, b"", 400),
        ({"content-length": "12abc"}, b"", 400),
        ({"content-length": "5", "transfer-encoding": "chunked"}, b"a=b&c", 400),
        ({}, b"table=" + b"a" * 1_200_000, 413),
        ({"content-type": "application/json"}, b'{"table": "people.csv"}', 415),
        ({"content-type": "text/plain"}, b"table=people.csv", 415),
        ({}, b"table=people.csv", 400),
        ({}, b"table=..%2foutside.csv&version=1", 400),
        ({}, b"&".join(b"a=b" for _ in range(3000)), 400),
    ],
)
def test_a_body_that_is_no_form_of_the_desk_is_refused(
    browser: Browser, headers: dict[str, str], body: bytes, status: int
) -> None:
    answer = browser.send("POST", "/columns/change", {**browser.let_in, **FORM, **headers}, body)
    assert answer.status == status, answer.text[:400]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("../outside.csv", 400),
        ("..%2Foutside.csv", 400),
        ("%2e%2e%2foutside.csv", 400),
        ("/etc/people.csv", 400),
        ("a%00.csv", 400),
        ("a%0d%0a.csv", 400),
        ("C:%5Ca.csv", 400),
        ("a%3Ab.csv", 400),
        (".hidden.csv", 403),
        ("sub/new.csv", 400),
        ("%ff%fe.csv", 400),
        ("con.csv", 400),
        ("a%25b.csv", 400),
        ("x" * 300 + ".csv", 400),
        ("", 400),
        ("people.csv", 409),
        ("discreet.toml", 409),
        ("page.exe", 415),
        ("../page.html", 400),
        (".page.html", 403),
        ("run.sh", 415),
    ],
)
def test_a_file_is_added_by_a_plain_new_name_only(browser: Browser, name: str, status: int) -> None:
    before = (browser.folder / "people.csv").read_bytes()
    head = {"content-type": "application/octet-stream", "x-file-name": name}
    answer = browser.send("POST", "/files/add", {**browser.let_in, **head}, b"a,b\n1,2\n")
    assert answer.status == status, answer.text[:300]
    assert (browser.folder / "people.csv").read_bytes() == before
    assert (browser.folder.parent / "outside.csv").read_text() == "name\nZaphod\n"


def test_a_file_over_the_limit_leaves_nothing(browser: Browser) -> None:
    head = {"content-type": "application/octet-stream", "x-file-name": "new.csv"}
    told = browser.send("POST", "/files/add", {**browser.let_in, **head, "content-length": "200000"}, b"")
    untold = browser.send("POST", "/files/add", {**browser.let_in, **head}, b"a" * 200_000)
    assert (told.status, untold.status) == (413, 413)
    assert sorted(each.name for each in browser.folder.iterdir()) == [
        ".discreet",
        "discreet.toml",
        "people.csv",
    ]


def test_a_file_that_is_added_is_for_its_owner_only(browser: Browser) -> None:
    head = {"content-type": "application/octet-stream", "x-file-name": "new.csv"}
    assert browser.send("POST", "/files/add", {**browser.let_in, **head}, b"a,b\n1,2\n").status == 303
    assert stat.S_IMODE((browser.folder / "new.csv").stat().st_mode) == 0o600
    assert stat.S_IMODE((browser.folder / ".discreet").stat().st_mode) == 0o700


def test_the_token_becomes_a_cookie_and_leaves_the_address(browser: Browser) -> None:
    answer = browser.send("GET", f"/files?token={browser.door.token}", GET_HEADERS)
    assert answer.status == 303
    assert answer.headers["location"] == "/files"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert browser.door.token not in cookie


@pytest.mark.parametrize("token", ["", "wrong", "a" * 43])
def test_a_wrong_token_lets_nobody_in(browser: Browser, token: str) -> None:
    assert browser.send("GET", f"/?token={token}", GET_HEADERS).status == 403


def test_a_token_given_twice_lets_nobody_in(browser: Browser) -> None:
    token = browser.door.token
    assert browser.send("GET", f"/?token={token}&token={token}", GET_HEADERS).status == 403


def test_the_way_on_after_the_token_leads_nowhere_else(browser: Browser) -> None:
    for path in ("/%2f%2fevil.example", "/a%5cevil", "/@evil.example", "/Files:80"):
        answer = browser.send("GET", f"{path}?token={browser.door.token}", GET_HEADERS)
        assert answer.status == 400 or answer.headers["location"] == "/", path


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_stopping_work_leads_back_to_the_desk_only(browser: Browser, back: str) -> None:
    answer = browser.post("/work/stop", {"work": "0" * 32, "back": back})
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize("target", ["/files", "/nothing", "/static/desk.css", "/columns?table=../a.csv"])
def test_every_answer_tells_the_browser_what_to_refuse(browser: Browser, target: str) -> None:
    for answer in (browser.get(target), browser.send("GET", target, GET_HEADERS)):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-frame-options"] == "DENY"


def test_no_page_holds_script_or_style_of_its_own(browser: Browser) -> None:
    for target in ("/files", "/help", "/plan?table=people.csv", "/nothing"):
        text = browser.get(target).text
        assert "<style" not in text
        assert " style=" not in text
        assert " onclick=" not in text
        assert all("src=" in each[:40] for each in text.split("<script")[1:])


def test_what_went_wrong_inside_tells_no_cell(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.web.folder import Folder

    def broken(self: Folder) -> list[Path]:
        raise RuntimeError("Zaphod")

    monkeypatch.setattr(Folder, "tables", broken)
    answer = browser.get("/files")
    assert answer.status == 500
    assert "Zaphod" not in answer.text
    assert "fault of discreet" in answer.text


def test_names_of_files_and_columns_are_shown_as_text(browser: Browser) -> None:
    (browser.folder / "<img src=x onerror=alert(1)>.csv").write_text("a\n1\n")
    text = browser.get("/files").text
    assert "<img src=x" not in text
    assert "&lt;img src=x" in text


@pytest.mark.parametrize(
    "place",
    [
        Place(host="0.0.0.0"),
        Place(host="192.168.1.5", certificate=Path("c.pem"), key=Path("k.pem")),
        Place(host="192.168.1.5", password="a long enough password"),
        Place(host="::"),
        Place(host="0.0.0.0", certificate=Path("c.pem"), key=Path("k.pem"), password="short"),
    ],
)
def test_another_host_needs_a_certificate_and_a_password(place: Place, tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="certificate and its key"):
        serve(tmp_path, place, opened=lambda address: None, most_upload=1)


def test_with_a_password_nobody_comes_in_without_it(browser: Browser) -> None:
    from discreet.web.app import make_app
    from discreet.web.guard import Door

    door = Door(hosts=frozenset({HOST}), scheme="https", password="correct horse")
    guarded = Browser(make_app(browser.folder, door), door, browser.folder)
    wrong = guarded.send("GET", "/files", {"host": HOST, "authorization": "Basic Ondyb25n"})
    right = guarded.send("GET", "/files", {"host": HOST, "authorization": "Basic OmNvcnJlY3QgaG9yc2U="})
    assert (wrong.status, right.status) == (401, 200)
    assert wrong.headers["www-authenticate"].startswith("Basic")


def test_the_list_of_hostile_requests_is_long() -> None:
    assert len(ADDRESSES) + len(HEADS) + len(CHANGES) >= 60


def test_a_private_file_is_served_under_no_address(besieged: Browser) -> None:
    for address in (
        "/release/private/manifest.private.json",
        "/files?file=release/private/manifest.private.json",
        "/export/file?table=people.csv&release=release&name=../private/manifest.private.json",
        "/export/file?table=people.csv&release=release/private&name=manifest.private.json",
    ):
        assert "Zaphod" not in besieged.get(address).text


def test_the_address_of_a_listening_desk_is_this_machine() -> None:
    from discreet.web.server import _listening

    with _listening(Place(port=0)) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        with socket.socket() as other:
            other.settimeout(1)
            assert other.connect_ex(("127.0.0.2", listening.getsockname()[1])) != 0


def test_own_headers_are_those_of_a_page() -> None:
    assert OWN["origin"] == f"http://{HOST}"


def test_a_body_that_stops_coming_is_refused_and_leaves_nothing(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "FOR_A_PIECE", 0.05)
    head = {"content-type": "application/octet-stream", "x-file-name": "new.csv", "content-length": "100"}
    answer = browser.send("POST", "/files/add", {**browser.let_in, **head}, b"a,b\n", more_body=True)
    assert answer.status == 408
    assert sorted(each.name for each in browser.folder.iterdir()) == [
        ".discreet",
        "discreet.toml",
        "people.csv",
    ]


def test_a_line_over_which_no_request_comes_is_let_go(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "FOR_A_REQUEST", 0.05)
    config = uvicorn.Config(browser.app, http=patience.Line, log_level="critical", ws="none")

    async def silent(port: int, said: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        try:
            return await asyncio.wait_for(reader.read(), 20)
        finally:
            writer.close()

    async def asked() -> list[bytes]:
        server = uvicorn.Server(config)
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            port = listening.getsockname()[1]
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started:
                await asyncio.sleep(0.01)
            whole = f"GET /health HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()
            answers = [await silent(port, each) for each in (b"", whole[:-4], whole)]
            server.should_exit = True
            await serving
        return answers

    nothing, half, whole = asyncio.run(asked())
    assert (nothing, half) == (b"", b"")
    assert whole.startswith(b"HTTP/1.1 204")
