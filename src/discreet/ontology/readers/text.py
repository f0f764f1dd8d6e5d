"""Text files as text, with one error for all that can go wrong."""

from __future__ import annotations

from pathlib import Path

from discreet.errors import BadFile


def text_of(path: Path) -> str:
    """The text of a file in UTF-8 (with or without its mark), else in Windows-1252, as older code tables have it."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadFile(f"'{path}' cannot be read: {type(error).__name__}.") from error
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise BadFile(f"'{path}' is not a text file in UTF-8 or Windows-1252.")
