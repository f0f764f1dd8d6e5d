"""What a steward looked for, kept apart from addresses: a name in an address stays in the history of the browser."""

from __future__ import annotations

import re
import secrets

from discreet.web.desk import Desk
from discreet.writing.atomic import write_text

KEY = re.compile(r"[0-9a-f]{24}")
MOST_KEPT = 50
"""Wordings that are kept; the oldest go first."""


def keep_wording(desk: Desk, wording: str) -> str:
    """What stands for a wording in addresses; empty where nothing is looked for."""
    if not wording.strip():
        return ""
    folder = desk.folder.own / "looked-for"
    folder.mkdir(mode=0o700, exist_ok=True)
    key = secrets.token_hex(12)
    write_text(folder / key, wording.strip(), private=True)
    kept = sorted(folder.iterdir(), key=lambda each: -each.stat().st_mtime)
    for old in kept[MOST_KEPT:]:
        old.unlink(missing_ok=True)
    return key


def wording_of(desk: Desk, key: str) -> str:
    """The wording that stands for a key; empty where none is kept."""
    if not KEY.fullmatch(key):
        return ""
    try:
        return (desk.folder.own / "looked-for" / key).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
