"""What the tests of the desk share: a folder with a small table, its application, and a browser that sends anything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

import pytest
from starlette.types import ASGIApp, Message

from discreet.demo import people, project
from discreet.web.app import make_app
from discreet.web.guard import Door

HOST = "127.0.0.1:8642"
OWN = {"host": HOST, "origin": f"http://{HOST}"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Browser:
    """Sends requests as they are, byte for byte: no library corrects what is wrong with them."""

    app: ASGIApp
    door: Door
    folder: Path

    def send(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str] | list[tuple[str, str]] | None = None,
        body: bytes = b"",
        *,
        more_body: bool = False,
    ) -> Answer:
        """The answer to a request with these headers and no others."""
        raw, _, query = target.partition("?")
        given = headers.items() if isinstance(headers, Mapping) else headers or ()
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(raw),
            "raw_path": raw.encode(),
            "query_string": query.encode("latin-1"),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in given],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 8642),
            "state": {},
        }
        return asyncio.run(_answered(self.app, scope, body, more_body))

    @property
    def let_in(self) -> dict[str, str]:
        return {**OWN, "cookie": f"{self.door.cookie}={self.door.pass_}"}

    def get(self, target: str, **headers: str) -> Answer:
        """A page, to a browser that was let in."""
        return self.send("GET", target, {**self.let_in, **headers})

    def twin(self, target: str) -> Any:
        """The facts of a page, which a browser is shown too, whatever state they tell of."""
        answer = self.get(target, accept="application/json")
        assert answer.status == 200, answer.text
        shown = self.get(target, accept="text/html")
        assert shown.status == 200, shown.text
        return answer.json()

    def post(self, target: str, fields: Mapping[str, str] | list[tuple[str, str]], **headers: str) -> Answer:
        """A form, from a page of the desk."""
        body = urlencode(fields if isinstance(fields, list) else list(fields.items())).encode()
        length = {"content-length": str(len(body))}
        return self.send("POST", target, {**self.let_in, **FORM, **length, **headers}, body)


async def _answered(app: ASGIApp, scope: dict[str, Any], body: bytes, more_body: bool) -> Answer:
    told: list[Message] = []
    parts = [{"type": "http.request", "body": body, "more_body": more_body}]

    async def receive() -> Message:
        if not parts:
            await asyncio.Event().wait()
        return parts.pop(0)

    async def send(message: Message) -> None:
        told.append(message)

    await app(scope, receive, send)
    head = next(each for each in told if each["type"] == "http.response.start")
    content = b"".join(each.get("body", b"") for each in told if each["type"] == "http.response.body")
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in head["headers"]}
    return Answer(head["status"], headers, content)


@pytest.fixture
def desk_folder(tmp_path: Path) -> Path:
    """A folder with the invented census and its project, and beside it what no page may reach."""
    folder = tmp_path / "desk"
    folder.mkdir()
    people(300, seed=4).write_csv(folder / "people.csv")
    (folder / "discreet.toml").write_text(project())
    (tmp_path / "outside.csv").write_text("name\nZaphod\n")
    return folder


@pytest.fixture
def browser(desk_folder: Path) -> Browser:
    door = Door(hosts=frozenset({HOST, "localhost:8642"}), most_upload=100_000)
    return Browser(make_app(desk_folder, door), door, desk_folder)


Make = Callable[..., Browser]
