"""Links: addresses of pages, hosts and files on a network, and handles of people on one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.span import Span

_LINK = re.compile(r"(?<!\w)(?:(?:https?|ftp|file|sftp|ssh|smb)://|www\.)[^\s<>\"“”«»]{2,2000}")
_END = ".,;:!?'’)]}…"
_HOST = re.compile(
    r"(?<![\w@.-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,4}(?:com|org|net|edu|gov|int|info|io|eu|uk|de|fr|it|es|nl|pl|se|no|tr|at|ch|us)"
    r"(?:/[^\s<>\"“”«»]{0,500})?(?![\w@-])"
)
_HANDLE = re.compile(r"(?<![\w@./])@[A-Za-z_]\w{2,30}(?![\w@.]\w)")


@recogniser(
    kinds=(Kind.LINK,),
    meaning="Addresses of pages, hosts and files on a network, and handles that start with an at sign.",
    example="It is at [https://example.org/people/novak?id=7] for now.",
    languages=("any",),
)
def links(text: str) -> Iterator[Span]:
    """The links of a text."""
    if "://" in text or "www." in text:
        for found in _LINK.finditer(text):
            end = _end(text, found)
            yield Span(found.start(), end, Kind.LINK, "links", "an address on a network", 0.95)
    for found in _HOST.finditer(text):
        yield Span(found.start(), _end(text, found), Kind.LINK, "links", "the name of a host", 0.8)
    if "@" in text:
        for found in _HANDLE.finditer(text):
            yield Span(*found.span(), Kind.LINK, "links", "a handle", 0.8)


def _end(text: str, found: re.Match[str]) -> int:
    """Where a link ends, without the marks of the sentence it stands in."""
    return found.start() + len(text[found.start() : found.end()].rstrip(_END))
