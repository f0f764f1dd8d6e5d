"""What a page of the desk is: facts for people and for programs, changes that it takes, and parts that move.

A page is one module, one template and at most one small script; `discreet.web.pages` lists them all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO, Literal
from urllib.parse import quote, urlencode

from starlette.datastructures import FormData
from starlette.responses import Response, StreamingResponse

from discreet.web.desk import Desk, Subject
from discreet.web.refused import Refused
from discreet.web.work import Progress, Work

Facts = dict[str, Any]
"""What a page says: plain data, which is also its JSON twin."""
Drawings = Mapping[str, Any]
PIECE = 1 << 18
"""How many bytes of a file are sent at once."""


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One request to a page: the desk, what was asked in the address, and the form where it changes something."""

    desk: Desk
    asked: Mapping[str, str] = field(default_factory=dict)
    form: FormData = field(default_factory=FormData)

    @cached_property
    def subject(self) -> Subject:
        """The table that the page is about."""
        return self.desk.subject(self.given("table"))

    def given(self, name: str, default: str | None = None) -> str:
        """One value of the form or of the address; Refused where it is needed and not there."""
        value = self.form.get(name, self.asked.get(name, default))
        if not isinstance(value, str):
            raise Refused(HTTPStatus.BAD_REQUEST, f"'{name}' is missing in what was asked.")
        return value

    def all_given(self, name: str) -> list[str]:
        """All values of a field of the form."""
        return [each for each in self.form.getlist(name) if isinstance(each, str)]

    @property
    def sent(self) -> dict[str, list[str]]:
        """All fields of the form with their values."""
        return {name: self.all_given(name) for name in self.form}

    def number(self, name: str, default: float | None = None) -> float:
        """A number of the form; Refused where it is none."""
        written = self.given(name, None if default is None else str(default)).strip()
        return as_number(written or str(default), name)

    def version(self) -> str:
        """The version of the project that the form was made from."""
        return self.given("version")

    def start(self, work: Work) -> Progress:
        return self.desk.works.start(work)


def as_number(written: str, name: str) -> float:
    """A number of a form; Refused where it is none."""
    try:
        found = float(written)
    except ValueError:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, f"'{name}' must be a number.") from None
    if found != found or found in (float("inf"), float("-inf")):
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, f"'{name}' must be a finite number.")
    return found


@dataclass(frozen=True, slots=True)
class Go:
    """Where to go on after a change."""

    page: str
    asked: Mapping[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        asked = {name: value for name, value in self.asked.items() if value}
        return f"/{self.page}" + (f"?{urlencode(asked)}" if asked else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the desk.

    `show` tells its facts, `draw` what is drawn from them, `changes` carry out forms that are sent to
    `/name/change`, and `parts` answer `/name/part`: pictures, downloads and pieces that a script replaces. `script`
    says that it has a script of its own, `static/NAME.js`. `about` is what its heading explains.
    """

    name: str
    title: str
    about: str
    show: Callable[[Visit], Facts]
    of: Literal["desk", "table", "documents"] = "table"
    draw: Callable[[Visit, Facts], Drawings] | None = None
    changes: Mapping[str, Callable[[Visit], Go]] = field(default_factory=dict)
    parts: Mapping[str, Callable[[Visit], Response]] = field(default_factory=dict)
    script: bool = False


def download(desk: Desk, place: Path, kept_as: str) -> Response:
    """A file below the folder as it is, to be kept under a name."""
    file = desk.folder.opened(place)
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode):
        file.close()
        raise Refused(HTTPStatus.NOT_FOUND, "There is no such file in the folder of the desk.")
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(kept_as)}",
        "Content-Length": str(found.st_size),
    }
    return StreamingResponse(_pieces(file), media_type="application/octet-stream", headers=headers)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece


def about_work(visit: Visit, work: Work | None, *, begin: bool) -> Facts:
    """How a piece of work stands, and its answer; begun at once where the page cannot do without it."""
    if work is None:
        return {"state": "none", "answer": None}
    found = visit.desk.works.progress(work.key)
    if begin and found.state == "none":
        found = visit.start(work)
    return {**found.to_dict(), "answer": visit.desk.works.answer(work.key)}
