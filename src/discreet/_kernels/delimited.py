"""One pass over the bytes of a delimited text: does every record have its fields, and where not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.compile import compiled, numba_is_loaded

Bytes = NDArray[np.uint8] | bytes

SOUND, WRONG_FIELDS, NUL, UNCLOSED, STRAY_QUOTE = 0, 1, 2, 3, 4
"""What can be wrong with a delimited text; the first fault ends the pass."""

QUOTE, NEWLINE, RETURN, MINUS, ZERO, NINE = 34, 10, 13, 45, 48, 57
PLAIN_BYTES = 50_000
"""Below this many bytes plain Python is done before numba is imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What a pass found: lines count from 1, and a record of several lines is named by its first.

    `fields` is how many fields the faulty record has, 0 for a blank line. `end` is how many bytes were passed.
    `zeros` tells which fields hold, in some record after the first, a number written with a leading zero.
    """

    fault: int
    line: int
    fields: int
    records: int
    end: int
    zeros: tuple[bool, ...]


def scan(text: bytes, delimiter: int, fields: int, *, until: int = -1) -> Scan:
    """The first fault of the text, or none; the line of record `until` where that is given.

    Fields are separated by the delimiter and records by newlines; a field that begins with a quotation mark
    ends with one, and those inside are doubled.
    """
    zeros = np.zeros(fields, dtype=np.bool_)
    if len(text) > PLAIN_BYTES or numba_is_loaded():
        found = _scan(np.frombuffer(text, dtype=np.uint8), delimiter, fields, until, zeros)
    else:
        found = _scan.plain(text, delimiter, fields, until, zeros)
    fault, line, width, records, end = (int(each) for each in found)
    return Scan(fault=fault, line=line, fields=width, records=records, end=end, zeros=tuple(zeros.tolist()))


@compiled
def _scan(
    text: Bytes, delimiter: int, fields: int, until: int, zeros: NDArray[np.bool_]
) -> tuple[int, int, int, int, int]:
    """The fault, its line, the fields found there, the whole records before it, and the place where the scan stopped.

    Every record must have as many fields as given (RFC 4180). Marks in `zeros` the columns with a leading zero.
    """
    size = len(text)
    at = 0
    line = 1
    records = 0
    while at < size and records != until:
        first_line = line
        width = 0
        blank = text[at] == NEWLINE or (text[at] == RETURN and at + 1 < size and text[at + 1] == NEWLINE)
        ended = False
        while not ended:
            if records > 0 and width < fields and _leads_with_zero(text, at):
                zeros[width] = True
            if at < size and text[at] == QUOTE:
                fault, at, line = _after_quoted(text, at, delimiter, line)
            else:
                fault, at = _after_plain(text, at, delimiter)
            if fault != SOUND:
                return fault, line, width, records, at
            width += 1
            ended = at >= size or text[at] == NEWLINE
            at += 1
        line += 1
        if blank and fields > 1:
            return WRONG_FIELDS, first_line, 0, records, at
        if width != fields:
            return WRONG_FIELDS, first_line, width, records, at
        records += 1
    return SOUND, line, fields, records, min(at, size)


@compiled
def _leads_with_zero(text: Bytes, at: int) -> bool:
    """Whether the field at this place begins with 0 and another digit, after a quote or minus sign or not."""
    size = len(text)
    if at < size and text[at] == QUOTE:
        at += 1
    if at < size and text[at] == MINUS:
        at += 1
    return at + 1 < size and text[at] == ZERO and text[at + 1] >= ZERO and text[at + 1] <= NINE


@compiled
def _after_plain(text: Bytes, at: int, delimiter: int) -> tuple[int, int]:
    """The fault, if any, and the place just after a field without quotes."""
    size = len(text)
    while at < size and text[at] != delimiter and text[at] != NEWLINE:
        if text[at] == QUOTE:
            return STRAY_QUOTE, at
        if text[at] == 0:
            return NUL, at
        at += 1
    return SOUND, at


@compiled
def _after_quoted(text: Bytes, at: int, delimiter: int, line: int) -> tuple[int, int, int]:
    """The fault, if any, the place just after a quoted field, and the line there."""
    size = len(text)
    opened = line
    at += 1
    while True:
        while at < size and text[at] != QUOTE:
            if text[at] == NEWLINE:
                line += 1
            elif text[at] == 0:
                return NUL, at, line
            at += 1
        if at >= size:
            return UNCLOSED, at, opened
        if at + 1 < size and text[at + 1] == QUOTE:
            at += 2
        else:
            break
    at += 1
    if at < size and text[at] == RETURN and (at + 1 >= size or text[at + 1] == NEWLINE):
        at += 1
    if at < size and text[at] != delimiter and text[at] != NEWLINE:
        return STRAY_QUOTE, at, line
    return SOUND, at, line
