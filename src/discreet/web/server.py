"""The server of the desk: where it listens, and the address that opens it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from discreet.errors import BadFile, BadParameter
from discreet.web.guard import Door

LOCAL = ("127.0.0.1", "localhost")
FIRST_PORT, PORTS_TRIED = 8642, 20
WORKERS_WAIT, WAITING = 1, 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a desk listens. Any other host than this machine needs a certificate, its key, and a password."""

    host: str = LOCAL[0]
    port: int | None = None
    certificate: Path | None = None
    key: Path | None = None
    password: str = ""

    def check(self) -> None:
        """Raises BadParameter where others could reach the desk unprotected."""
        if self.host in LOCAL:
            return
        if self.certificate is None or self.key is None or len(self.password) < 12:
            raise BadParameter(
                f"serve: '{self.host}' is not this machine alone, so that others could read the data. That needs a "
                "certificate and its key (--certificate, --key) and a password of at least 12 characters in "
                "DISCREET_PASSWORD. Leave --host out to stay on this machine."
            )


def serve(folder: Path, place: Place, *, opened: Callable[[str], None], most_upload: int) -> None:
    """Serves the desk of a folder until it is stopped; `opened` gets the address with the token, once."""
    import uvicorn

    from discreet.web.app import make_app
    from discreet.web.patience import Line

    place.check()
    if not folder.is_dir():
        raise BadFile(f"there is no folder {folder} to work in.")
    listening = _listening(place)
    port = listening.getsockname()[1]
    door = _door(place, port, most_upload)
    app = make_app(folder, door)
    shown = "127.0.0.1" if place.host in LOCAL else place.host
    opened(f"{door.scheme}://{shown}:{port}/?token={door.token}")
    config = uvicorn.Config(
        app,
        http=Line,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=WORKERS_WAIT,
        timeout_keep_alive=10,
        limit_concurrency=200,
        h11_max_incomplete_event_size=32 << 10,
        ssl_certfile=place.certificate,
        ssl_keyfile=place.key,
    )
    with listening:
        uvicorn.Server(config).run(sockets=[listening])


def _door(place: Place, port: int, most_upload: int) -> Door:
    names = LOCAL if place.host in LOCAL else (place.host,)
    hosts = {f"{name}:{port}" for name in names}
    return Door(
        hosts=frozenset(hosts),
        scheme="http" if place.certificate is None else "https",
        cookie=f"discreet-{port}",
        password="" if place.host in LOCAL else place.password,
        most_upload=most_upload,
    )


def _listening(place: Place) -> socket.socket:
    """A socket on the port asked for, or on the first free one of a few; the same one after a restart where it can."""
    host = LOCAL[0] if place.host in LOCAL else place.host
    wanted = [place.port] if place.port is not None else [*range(FIRST_PORT, FIRST_PORT + PORTS_TRIED), 0]
    for port in wanted:
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            made.bind((host, port))
            # Whoever is told the address can come at once, and waits until the first page is ready.
            made.listen(WAITING)
            return made
        made.close()
    raise BadParameter(f"serve: port {place.port} cannot be used here: another program listens on it.")
