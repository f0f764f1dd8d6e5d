"""Addresses of electronic mail."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.span import Span

_BEFORE_AT = re.compile(r"[\w.+'%’-]{1,64}$")
_AFTER_AT = re.compile(r"[^\W_](?:[\w-]{0,62})(?:\.[^\W_][\w-]{0,62}){1,8}")
_SPELT = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64} ?(?:\[at\]|\(at\)) ?[\w-]{1,63}(?: ?(?:\[dot\]|\(dot\)|\.) ?[\w-]{1,63}){1,4}"
)
_LONGEST = 64


@recogniser(
    kinds=(Kind.EMAIL,),
    meaning="Addresses of electronic mail, also with (at) and (dot).",
    example="Write to [j.novak@example.org] about it.",
    languages=("any",),
)
def emails(text: str) -> Iterator[Span]:
    """The e-mail addresses of a text."""
    at = text.find("@")
    while at >= 0:
        before = _BEFORE_AT.search(text, max(0, at - _LONGEST), at)
        after = _AFTER_AT.match(text, at + 1)
        if before and after:
            yield Span(before.start(), after.end(), Kind.EMAIL, "emails", "an address with an at sign", 0.98)
        at = text.find("@", at + 1)
    if "at)" in text or "at]" in text:
        for found in _SPELT.finditer(text):
            yield Span(*found.span(), Kind.EMAIL, "emails", "an address with its signs spelt out", 0.9)
