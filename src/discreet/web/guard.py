"""The door of the desk: who may ask, from where, and how much; and what every answer tells the browser to refuse.

A notebook server is guarded so: it answers on this machine only, under a host name that no other site can take, to a
browser that was given the token that was printed once. Every change must come from a page of the desk itself.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from discreet.web.patience import impatient
from discreet.web.refused import Refused, TooLarge

LONGEST_ADDRESS, MOST_HEADERS = 4096, 64
SMALL_BODY = 1 << 20
"""The most bytes of a form; files that are added have a limit of their own."""
AFTER_A_GUESS = 0.5
"""Seconds that whoever does not know the password waits."""
CHANGES = frozenset({"POST"})
PLAIN_PATH = re.compile(r"/[a-z/]*")
READS = frozenset({"GET", "HEAD"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
    "Server": "discreet",
}
WHO_ARE_YOU = (
    "This is a steward's desk of discreet, and this browser has not been let in. Open the address with the token that "
    "was printed where the desk was started, or start it anew: discreet serve"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """What opens the desk: the hosts it answers to, its token, and what a browser shows that was let in."""

    hosts: frozenset[str]
    scheme: str = "http"
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    pass_: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    cookie: str = "discreet"
    password: str = field(default="", repr=False)
    most_upload: int = 4 << 30


class Guard:
    """The application behind its door."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app, self.door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            opening = self._checked(scope)
        except Refused as refusal:
            asks = refusal.status == HTTPStatus.UNAUTHORIZED and self.door.password
            headers = {"WWW-Authenticate": 'Basic realm="discreet", charset="UTF-8"'} if asks else None
            answer: Response = PlainTextResponse(
                f"{refusal.message}\n", status_code=refusal.status, headers=headers
            )
            if asks:
                await asyncio.sleep(AFTER_A_GUESS)
            await answer(scope, receive, _guarded(send))
            return
        if opening is not None:
            await opening(scope, receive, _guarded(send))
            return
        # The edge: the browser was answered, and what an error of a library says may quote the data.
        with contextlib.suppress(Exception):
            await self.app(scope, _counted(impatient(receive), self._most(scope)), _guarded(send))

    def _checked(self, scope: Scope) -> Response | None:
        """What to answer instead of asking the desk, such as the way on after the token; None where it is asked."""
        headers = Headers(scope=scope)
        _check_shape(scope, headers)
        self._check_host(headers)
        method = scope["method"]
        if method not in READS | CHANGES:
            raise Refused(HTTPStatus.METHOD_NOT_ALLOWED, "The desk answers GET, HEAD and POST.")
        if scope["path"] == "/health":
            return None
        if method in CHANGES:
            self._check_origin(headers)
        elif (
            headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
            and headers.get("sec-fetch-mode") != "navigate"
        ):  # A page on another port of this machine is of the same site, and gets nothing either.
            raise Refused(HTTPStatus.FORBIDDEN, "Other sites get nothing from the desk.")
        opening = self._opening(scope, headers)
        if opening is not None:
            return opening
        if not self._is_let_in(headers):
            raise Refused(HTTPStatus.UNAUTHORIZED, WHO_ARE_YOU)
        self._check_size(scope, headers)
        return None

    def _check_host(self, headers: Headers) -> None:
        """Against names of other sites that are made to lead here (DNS rebinding)."""
        hosts = headers.getlist("host")
        if len(hosts) != 1:
            raise Refused(HTTPStatus.BAD_REQUEST, "A request names one host.")
        if hosts[0].lower() not in self.door.hosts:
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, "The desk does not answer under this name.")

    def _check_origin(self, headers: Headers) -> None:
        """Against forms and scripts of other sites.

        A browser that is told to send no referrer writes the origin of a form as null, and says where it comes from in
        a header that no page can write.
        """
        own = {f"{self.door.scheme}://{host}" for host in self.door.hosts}
        origins, site = headers.getlist("origin"), headers.get("sec-fetch-site")
        if len(origins) != 1 or (origins[0].lower() not in own and origins[0] != "null"):
            raise Refused(HTTPStatus.FORBIDDEN, "A change must come from a page of the desk.")
        if site != "same-origin" and (origins[0] == "null" or site is not None):
            raise Refused(HTTPStatus.FORBIDDEN, "A change must come from a page of the desk.")

    def _opening(self, scope: Scope, headers: Headers) -> Response | None:
        """The way on without the token, with the cookie, for whoever brings the right token."""
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        tokens = [value for name, value in asked if name == "token"]
        if not tokens or scope["method"] not in READS:
            return None
        if len(tokens) != 1 or not hmac.compare_digest(tokens[0].encode(), self.door.token.encode()):
            raise Refused(HTTPStatus.FORBIDDEN, "This is not the token of the desk that runs now.")
        rest = urlencode([(name, value) for name, value in asked if name != "token"])
        path = scope["path"] if PLAIN_PATH.fullmatch(scope["path"]) else "/"
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, status_code=HTTPStatus.SEE_OTHER)
        answer.set_cookie(
            self.door.cookie,
            self.door.pass_,
            httponly=True,
            samesite="strict",
            secure=self.door.scheme == "https",
            path="/",
        )
        return answer

    def _is_let_in(self, headers: Headers) -> bool:
        shown = [
            value
            for line in headers.getlist("cookie")
            for name, _, value in (each.strip().partition("=") for each in line.split(";"))
            if name == self.door.cookie
        ]
        if len(shown) == 1 and hmac.compare_digest(shown[0].encode(), self.door.pass_.encode()):
            return True
        return bool(self.door.password) and _is_password(headers.get("authorization", ""), self.door.password)

    def _most(self, scope: Scope) -> int:
        return self.door.most_upload if scope["path"] == "/files/add" else SMALL_BODY

    def _check_size(self, scope: Scope, headers: Headers) -> None:
        length = headers.get("content-length")
        if length is None:
            return
        if not length.isascii() or not length.isdigit():
            raise Refused(HTTPStatus.BAD_REQUEST, "The length of a request is a number.")
        if int(length) > self._most(scope):
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That is more than the desk takes at once.")


def _is_password(authorization: str, password: str) -> bool:
    """Whether a browser brings the password, under whatever name; only desks for others than this machine have one."""
    kind, _, coded = authorization.partition(" ")
    try:
        given = base64.b64decode(coded, validate=True).decode().partition(":")[2]
    except ValueError:
        return False
    return kind.lower() == "basic" and hmac.compare_digest(given.encode(), password.encode())


def _check_shape(scope: Scope, headers: Headers) -> None:
    """Refuses what no browser sends to the desk, before anything is made of it."""
    raw = scope.get("raw_path") or scope["path"].encode()
    if len(raw) + len(scope["query_string"]) > LONGEST_ADDRESS:
        raise Refused(HTTPStatus.REQUEST_URI_TOO_LONG, "The address is too long.")
    if len(scope["headers"]) > MOST_HEADERS:
        raise Refused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "There are too many headers.")
    path = scope["path"]
    if any(ord(each) < 32 or each in "\\\x7f\ufffd" for each in path) or "//" in path:
        raise Refused(HTTPStatus.BAD_REQUEST, "The address holds what no page of the desk has in its name.")
    if any(part in (".", "..") for part in path.split("/")):
        raise Refused(HTTPStatus.BAD_REQUEST, "The address leads out of the desk.")
    if headers.get("transfer-encoding") and headers.get("content-length"):
        raise Refused(HTTPStatus.BAD_REQUEST, "A request tells its length once.")


def _counted(receive: Receive, most: int) -> Receive:
    """The body of a request, up to so many bytes, whatever its head said."""
    got = 0

    async def counted() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > most:
            raise TooLarge
        return message

    return counted


def _guarded(send: Send) -> Send:
    """Every answer, errors too, with what the browser must refuse."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                if name.lower() != "content-security-policy" or name not in headers:
                    headers[name] = value
        await send(message)

    return guarded
