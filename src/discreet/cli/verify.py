"""`discreet verify`: what whoever received a release can check of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import given, options, show
from discreet.text.release import is_text_release, verify_text_release
from discreet.verification import BROKEN, HOLDS, NOT_CHECKED, Verification
from discreet.verification import verify as verify_release

STYLES = {HOLDS: "green", BROKEN: "red", NOT_CHECKED: "yellow"}


def _verified(release: Path, key: Path | None, private: Path | None) -> Verification:
    """What was found of a release of a table, of documents or of vectors."""
    if not is_text_release(release):
        return verify_release(release, key=key, private=private)
    from discreet.text.vectors.release import recheck_vectors

    return verify_text_release(release, key=key, private=private, recheck={"vectors": recheck_vectors})


def verify(
    release: Annotated[Path, typer.Argument(help="The folder of a release, or its public part.")],
    key: Annotated[
        Path | None, typer.Option("--key", help="The public key of whoever published it (.pub).")
    ] = None,
    private: options.Private = None,
    json: options.AsJson = False,
) -> None:
    """Check the file of a release against its manifest, the manifest against its signature, and each guarantee.

    Exit code 1 when something does not hold.
    """
    given.release_folder(release, "discreet verify RELEASE")
    found = _verified(release, key, private)
    if json:
        show.as_json(found.to_dict())
    else:
        for each in found.findings:
            show.out.print(str(each), style=STYLES[each.state])
        if found.doubt:
            show.out.print(f"Beware: {found.doubt}.", style="yellow")
    if not found.sound:
        raise typer.Exit(1)
