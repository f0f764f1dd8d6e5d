"""`discreet serve`: the steward's desk in the browser, on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import show
from discreet.errors import NotInstalled

PASSWORD = "DISCREET_PASSWORD"
"""The variable of the environment that holds the password, where others than this machine may come."""


def serve(
    folder: Annotated[Path, typer.Argument(help="The folder to work in.")] = Path(),
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="The port; the first free one from 8642 on."),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="Where to listen; any other than this machine needs more.")
    ] = "127.0.0.1",
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="The certificate (PEM), for another host.")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", help="The key of the certificate (PEM).")] = None,
    most_upload: Annotated[
        float,
        typer.Option("--most-upload", min=0.001, help="The largest file that can be added, in gigabytes."),
    ] = 4.0,
) -> None:
    """Open the steward's desk: the whole work on tables in the browser, on this machine."""
    try:
        from discreet.web.server import Place
        from discreet.web.server import serve as serve_desk
    except ImportError:
        raise NotInstalled("the desk needs the extra 'web': pip install 'discreet[web]'.") from None

    def opened(address: str) -> None:
        show.out.print(f"The desk of {folder.resolve()} is open. In a browser on this machine:\n")
        show.out.print(f"  {address}\n", soft_wrap=True)
        show.out.print(
            "The address lets one in: keep it to yourself. Ctrl-C closes the desk; work that runs goes on."
        )

    place = Place(
        host=host, port=port, certificate=certificate, key=key, password=os.environ.get(PASSWORD, "")
    )
    try:
        serve_desk(folder, place, opened=opened, most_upload=round(most_upload * (1 << 30)))
    except KeyboardInterrupt:  # this is how a desk is closed
        show.out.print("The desk is closed.")
