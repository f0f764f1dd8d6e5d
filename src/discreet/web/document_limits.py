"""The limits that a steward sets for releases of a folder of documents, kept with the desk's own files."""

from __future__ import annotations

import json
from http import HTTPStatus
from pathlib import Path

from discreet.digests import digest_of
from discreet.headline import IDENTITY
from discreet.states import version_of
from discreet.text.document_assessment import METHODS
from discreet.web.page import Visit
from discreet.web.papers import Papers
from discreet.web.refused import Refused, Stale
from discreet.writing.atomic import write_json

LIMITED = {
    IDENTITY: "finding people, the strongest attack",
    **{each.name: each.title for each in METHODS.values() if each.kind == "attack"},
}
"""On what a limit can be set, each with its title."""
CHANGED = "These limits were"


def limits_of(papers: Papers) -> dict[str, float]:
    """The limits, as shares; none where none were set."""
    try:
        told = json.loads(_place(papers).read_text(encoding="utf-8"))
        return {name: float(told[name]) for name in LIMITED if name in told}
    except (OSError, ValueError, TypeError):
        return {}


def limits_version(papers: Papers) -> str:
    """The version that a form is made from."""
    return version_of(json.dumps(limits_of(papers)))


def set_limits(papers: Papers, visit: Visit) -> None:
    """Keeps the limits of a form: shares in percent; an empty field sets none."""
    found: dict[str, float] = {}
    for name in LIMITED:
        if visit.given(name, "").strip():
            share = visit.number(name) / 100
            if not 0 <= share <= 1:
                raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "A limit is from 0 to 100 percent.")
            found[name] = round(share, 10)
    with papers.desk.turn():
        if visit.version() != limits_version(papers):
            raise Stale(limits_version(papers), CHANGED)
        write_json(_place(papers), found, force=True, private=True)


def _place(papers: Papers) -> Path:
    folder = papers.desk.folder.own / "documents"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{digest_of(papers.name)[:16]}.limits.json"
