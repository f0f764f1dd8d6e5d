"""Text files as text, with one error for all that can go wrong."""

from __future__ import annotations

import codecs
from pathlib import Path

from discreet.errors import BadFile


def text_of(path: Path) -> str:
    """The text of a file in UTF-8 (with or without its mark), else in Windows-1252, as older code tables have it.

    UTF-16 is told by its mark. Raises BadFile for what is none of these, and for zero bytes, which no text has.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadFile(f"'{path}' cannot be read: {type(error).__name__}.") from error
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise BadFile(f"'{path}' is not a text file in UTF-8, UTF-16 with its mark, or Windows-1252.")
