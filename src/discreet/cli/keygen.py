"""`discreet keygen`: a pair of keys, one to sign releases with and one for others to check them by."""

from __future__ import annotations

import os
import sys
from getpass import getpass
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.errors import BadParameter
from discreet.signing import SigningKey, is_locked

PASSPHRASE = "DISCREET_PASSPHRASE"
"""The variable of the environment that holds the passphrase of a key, where nobody is there to be asked."""


def keygen(
    file: Annotated[
        Path, typer.Argument(help="The file of the secret key; the public one gets .pub beside it.")
    ],
    passphrase: Annotated[
        bool,
        typer.Option(
            "--passphrase", help=f"Encrypt the secret key by a passphrase, asked for or in {PASSPHRASE}."
        ),
    ] = False,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Make a key that signs releases, and its public half, which others check them by."""
    secret = _new_passphrase() if passphrase else None
    public = SigningKey.new().save(file, passphrase=secret, force=force)
    if json:
        show.as_json({"secret_key": str(file), "public_key": str(public), "encrypted": passphrase})
        return
    show.out.print(f"Keep secret: {file} (it signs releases in your name)")
    show.out.print(f"Give away: {public} (others check by it, and must know that it is yours)")


def signing_key(file: Path) -> SigningKey:
    """The key in a file; where it is encrypted, its passphrase is in the environment or is asked for."""
    if not is_locked(file):
        return SigningKey.load(file)
    return SigningKey.load(file, passphrase=passphrase_of(file.name))


def passphrase_of(what: str) -> str:
    """The passphrase of something, from the environment or asked for."""
    return _given() or _prompted(f"Passphrase of {what}: ")


def _new_passphrase() -> str:
    given = _given()
    if given:
        return given
    first = _prompted("Passphrase of the new key: ")
    if _prompted("The same once more: ") != first:
        raise BadParameter("keygen: the two passphrases differ. Try again.")
    return first


def _given() -> str:
    return os.environ.get(PASSPHRASE, "")


def _prompted(prompt: str) -> str:
    if not sys.stdin.isatty():
        raise BadParameter(f"a passphrase is needed, and nobody is there to be asked. Set {PASSPHRASE}.")
    return getpass(prompt)
