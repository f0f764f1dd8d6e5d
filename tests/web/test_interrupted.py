"""What is left when the desk or its work is killed, or the disk is full: nothing half-written, nothing lost."""

from __future__ import annotations

import errno
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.browsing import Served
from tests.web.conftest import FORM, Browser
from tests.web.test_more_pages import SMALL, send, settled, version

from discreet.demo import people
from discreet.project import Project
from discreet.states import version_of
from discreet.web.app import make_app
from discreet.web.desk import Desk


def until(true: object, seconds: float = 60) -> None:
    """Waits until something holds."""
    assert callable(true)
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def served(desk_folder: Path) -> Iterator[Served]:
    made = Served(desk_folder)
    made.start()
    yield made
    made.close()


def cookie(desk: Served) -> str:
    """What a browser shows that came in by the address with the token."""
    path = desk.address.partition(str(desk.port))[2]
    answer = asked(desk, f"GET {path} HTTP/1.1", {}, b"")
    return next(line for line in answer.split("\r\n") if line.lower().startswith("set-cookie")).split(" ")[1]


def asked(desk: Served, line: str, headers: dict[str, str], body: bytes, *, waits: bool = True) -> str:
    """Sends a request over a line of its own; the beginning of the answer, where it is waited for."""
    host = f"127.0.0.1:{desk.port}"
    own = {"Host": host, "Origin": f"http://{host}", "Connection": "close", **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in own.items())
    made = socket.create_connection(("127.0.0.1", desk.port), timeout=60)
    made.sendall(f"{line}\r\n{head}\r\n".encode() + body)
    if not waits:
        LINES.append(made)
        return ""
    with made:
        return made.recv(65536).decode()


LINES: list[socket.socket] = []


def test_an_upload_that_is_cut_off_by_a_kill_is_no_table_and_is_cleared_away(served: Served) -> None:
    sent = {
        "Cookie": cookie(served),
        "Content-Type": "application/octet-stream",
        "X-File-Name": "new.csv",
        "Content-Length": "9000000",
    }
    asked(served, "POST /files/add HTTP/1.1", sent, b"a,b\n" + b"1,2\n" * 1000, waits=False)
    until(lambda: list(served.folder.glob(".new.csv.*.part")))
    served.kill()
    (left,) = served.folder.glob(".new.csv.*.part")
    assert left.stat().st_mode & 0o077 == 0
    assert not (served.folder / "new.csv").exists()
    os.utime(left, (0, 0))
    served.start()
    assert not left.exists()
    assert "/columns?table=new.csv" not in asked(
        served, "GET /files HTTP/1.1", {"Cookie": cookie(served)}, b""
    )
    LINES.pop().close()


@pytest.mark.parametrize("after", [0.0, 0.02])
def test_a_kill_while_the_project_is_saved_leaves_it_as_it_was_or_as_it_is(
    served: Served, after: float
) -> None:
    place = served.folder / "discreet.toml"
    before = place.read_text()
    sent = {"table": "people.csv", "version": version_of(before), "column": "commute", "role": "confidential"}
    body = "&".join(f"{name}={value}" for name, value in {**sent, "scale": "numeric"}.items()).encode()
    head = {"Cookie": cookie(served), "Content-Type": FORM["content-type"], "Content-Length": str(len(body))}
    asked(served, "POST /columns/change HTTP/1.1", head, body, waits=False)
    time.sleep(after)
    served.kill()
    LINES.pop().close()
    made = Project.load(place).columns["commute"].role
    assert made == "confidential" or place.read_text() == before
    served.start()
    if made == "confidential":
        steps = Desk(served.folder).subject("people.csv").history.steps
        assert steps == (1, 0)


def test_work_that_is_killed_leaves_no_half_release_and_is_begun_again(browser: Browser) -> None:
    people(60, seed=5).select("name", "age", "sex").write_csv(browser.folder / "people.csv")
    (browser.folder / "discreet.toml").write_text(f'read.file = "people.csv"\n{SMALL}')
    step = {"method": "round", "parameter.columns": "age", "parameter.base": "5"}
    assert send(browser, "/plan/add", **step) == 303
    made = browser.post("/plan/make", {"table": "people.csv", "version": version(browser), "release": "new"})
    key = made.headers["location"].partition("making=")[2].partition("&")[0]
    place = Desk(browser.folder).works.folder / key
    until(lambda: (place / "pid").exists())
    os.killpg(int((place / "pid").read_text()), signal.SIGKILL)
    facts = settled(browser, made.headers["location"], "making")
    assert facts["making"]["state"] == "died"
    assert not (browser.folder / "new").exists()
    assert browser.twin("/files")["releases"] == []
    again = browser.post("/plan/make", {"table": "people.csv", "version": version(browser), "release": "new"})
    assert settled(browser, again.headers["location"], "making")["making"]["state"] == "done"
    assert (browser.folder / "new" / "public" / "manifest.json").is_file()


def test_a_full_disk_is_told_and_changes_nothing(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (browser.folder / "discreet.toml").read_bytes()

    def full(*given: object, **more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    change = {"column": "commute", "role": "confidential", "scale": "numeric"}
    answer = browser.post("/columns/change", {"table": "people.csv", "version": version(browser), **change})
    assert answer.status == 507
    assert "Make room" in answer.text
    assert str(browser.folder) not in answer.text
    head = {"content-type": "application/octet-stream", "x-file-name": "new.csv"}
    assert browser.send("POST", "/files/add", {**browser.let_in, **head}, b"a,b\n1,2\n").status == 507
    assert (browser.folder / "discreet.toml").read_bytes() == before
    assert not (browser.folder / "new.csv").exists()
    assert not list(browser.folder.glob(".*.part"))


def test_what_others_are_writing_is_left_alone(browser: Browser) -> None:
    fresh, other = browser.folder / f".new.csv.{'a' * 16}.part", browser.folder / ".mine.part"
    for each in (fresh, other):
        each.write_text("x")
    os.utime(other, (0, 0))
    make_app(browser.folder, browser.door)
    assert fresh.exists()
    assert other.exists()
