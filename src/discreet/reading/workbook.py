"""How much memory a workbook would take, found out before anything is made of it.

A workbook is a zip archive, whose parts can grow a thousandfold. A sheet is held as the whole rectangle from its first
to its last cell, so that a single cell in the last corner takes 550 GB; the binary and the OpenDocument kind likewise.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import IO

from discreet.errors import BadFile
from discreet.reading.limits import check_growth
from discreet.reading.spans import span_of

ZIP = b"PK\x03\x04"
BYTES_A_CELL = 32
CHUNK = 1 << 20


def check_workbook(content: bytes, name: str) -> None:
    """Raises BadFile where the parts of a workbook, or the cells that a sheet spans, would take too much memory."""
    if not content.startswith(ZIP):
        return
    grown = 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for part in archive.infolist():
                with archive.open(part) as packed:
                    grown += _size(part.filename, packed, len(content), name, grown)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError):
        raise BadFile(
            f"{name} is damaged or locked by a password: it cannot be read as a workbook."
        ) from None


def _size(part: str, packed: IO[bytes], stored: int, name: str, before: int) -> int:
    """The bytes of one part; BadFile as soon as they, or the cells that it spans so far, are too many."""
    size, span = 0, span_of(part)
    while piece := packed.read(CHUNK):
        size += len(piece)
        check_growth(name, stored, before + size)
        span.feed(piece)
        check_growth(name, stored, span.cells * BYTES_A_CELL)
    return size
