"""Plain text: one part, written as UTF-8."""

from __future__ import annotations

import re

from discreet.reading.encodings import to_utf8
from discreet.text.document import PartKind
from discreet.text.documents.opened import Keep, Opened, Opening, Saved
from discreet.text.documents.slots import held

CONTROL = re.compile("[\x00-\x06\x0e-\x19\x1c-\x1f]")
MOST_CONTROL = 0.01
"""The share of control characters beyond which bytes are no text."""


def is_encoding(name: str) -> bool:
    """Whether there is an encoding of text with this name."""
    try:
        b"a".decode(name)
    except UnicodeError:
        return True
    except (LookupError, ValueError):
        return False
    return True


def decoded(raw: bytes, opening: Opening) -> str:
    """The text of bytes in UTF-8, with a byte order mark, or in the encoding given; BadFile for anything else."""
    content, _ = to_utf8(raw, opening.encoding, opening.name)
    text = content.decode("utf-8")
    if "\x00" in text or len(CONTROL.findall(text)) > MOST_CONTROL * len(text):
        raise opening.broken(
            "it holds bytes that are no text", "Give it the ending of its format, or leave it out (ignore)."
        )
    if not text.strip():
        raise opening.broken("it is empty", "Leave it out (ignore).")
    return text


def open_plain(raw: bytes, opening: Opening) -> Opened:
    """A text as one part."""
    slot = held(PartKind.BODY, decoded(raw, opening))

    def save(keep: Keep) -> Saved:
        return Saved(slot.text.encode("utf-8", "replace"), ".txt")

    return Opened(slots=[slot], save=save)
