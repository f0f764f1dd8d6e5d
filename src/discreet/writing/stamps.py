"""The time of writing taken out of files that hold one, so that the same values give the same bytes."""

from __future__ import annotations

import re
from pathlib import Path

from discreet.formats import format_by_content

FIXED = "2000-01-01"
"""The day that every file claims to be from."""

SAV_DATE, SAV = 92, b"01 Jan 0000:00:00"
DTA, XPT, POR = b"01 Jan 2000 00:00", b"01JAN00:00:00:00", (b"20000101", b"000000")
XPT_TIME = re.compile(rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d")
XPT_HEADERS = 560
"""The times stand in the headers of the library and of the data set, before the first name of a variable."""
HEAD = 1024


def without_time(path: Path) -> None:
    """Writes the fixed day over the time in the header of an SPSS, Stata or SAS file."""
    with path.open("r+b") as file:
        head = file.read(HEAD)
        file.seek(0)
        file.write(_fixed(head))


def _fixed(head: bytes) -> bytes:
    known = format_by_content(head)
    kind = "" if known is None else known.name
    if kind == "sav":
        return head[:SAV_DATE] + SAV + head[SAV_DATE + len(SAV) :]
    if kind == "dta":
        start = head.index(b"<timestamp>") + len(b"<timestamp>") + 1
        return head[:start] + DTA + head[start + len(DTA) :]
    if kind == "xpt":
        return XPT_TIME.sub(XPT, head[:XPT_HEADERS]) + head[XPT_HEADERS:]
    return _fixed_por(head)


def _fixed_por(head: bytes) -> bytes:
    """Day and time are texts with their lengths before them, cut by line ends where a line is full."""
    out = bytearray(head)
    at = head.index(b"SPSSPORTA") + len(b"SPSSPORTA")
    for text in POR:
        at += len(b"8/")
        for letter in text:
            while out[at] in b"\r\n":
                at += 1
            out[at] = letter
            at += 1
    return bytes(out)
