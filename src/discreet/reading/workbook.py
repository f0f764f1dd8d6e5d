"""How much memory a workbook would take, found out before anything is made of it.

A workbook is a zip archive, whose parts can grow a thousandfold. A sheet is held as the whole rectangle from its first
to its last cell, so that a single cell in the last corner takes 550 GB.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from typing import IO

from discreet.errors import BadFile
from discreet.reading.limits import check_growth

ZIP = b"PK\x03\x04"
CELL = re.compile(rb"""\br=["']([A-Z]{1,3})([0-9]{1,7})["']""")
BYTES_A_CELL = 32
CHUNK = 1 << 20
OVERLAP = 32
"""More bytes than the place of a cell takes: what the end of a piece may cut."""


def check_workbook(content: bytes, name: str) -> None:
    """Raises BadFile where the parts of a workbook, or the cells that a sheet spans, would take too much memory."""
    if not content.startswith(ZIP):
        return
    grown = 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for part in archive.infolist():
                with archive.open(part) as packed:
                    grown += _size(packed, len(content), name, grown)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError):
        raise BadFile(
            f"{name} is damaged or locked by a password: it cannot be read as a workbook."
        ) from None


def _size(packed: IO[bytes], stored: int, name: str, before: int) -> int:
    """The bytes of one part; BadFile as soon as they, or the cells named so far, are too many."""
    size, last_row, last_column, tail = 0, 0, 0, b""
    while piece := packed.read(CHUNK):
        size += len(piece)
        check_growth(name, stored, before + size)
        places = CELL.findall(tail + piece)
        tail = piece[-OVERLAP:]
        if places:
            last_row = max(last_row, max(int(row) for _, row in places))
            last_column = max(last_column, max(_column(letters) for letters in {each for each, _ in places}))
            check_growth(name, stored, last_row * last_column * BYTES_A_CELL)
    return size


def _column(letters: bytes) -> int:
    """The number of a column: 1 for A, 27 for AA.

    >>> _column(b"XFD")
    16384
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number
