"""The bytes of a file and their digest, taken in one reading."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from dataclasses import dataclass
from pathlib import Path

from discreet.errors import BadFile
from discreet.formats import BY_NAME, GZIP, HEAD, TABLES_IN_PARTS
from discreet.reading.limits import check_growth
from discreet.table import Source

CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a file, and the digest of exactly these bytes."""

    path: Path
    raw: bytes
    digest: str

    @property
    def head(self) -> bytes:
        """The first bytes, from which the format is told. Raises BadFile where there are none."""
        if not self.raw:
            raise BadFile(f"{self.path.name} is empty; expected a table with a row of column names.")
        return self.raw[:HEAD]

    @property
    def source(self) -> Source:
        return Source(path=self.path.name, digest=self.digest)


def take(path: Path) -> Content:
    """The content and the SHA-256 digest of a file; both come from one reading, so they belong together.

    A pipe can be read only once, so whatever else is asked of the file is asked of what was taken.
    """
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise _unreadable(path, problem) from None
    return Content(path, raw, hashlib.sha256(raw).hexdigest())


def file_digest(path: Path) -> str:
    """The SHA-256 digest of a file, read in pieces."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(CHUNK):
                digest.update(piece)
    except OSError as problem:
        raise _unreadable(path, problem) from None
    return digest.hexdigest()


def unpacked(content: bytes, name: str) -> bytes:
    """The content, decompressed where it is gzip. Raises BadFile where it grows beyond what a table would."""
    if not content.startswith(GZIP):
        return content
    plain = io.BytesIO()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            while piece := packed.read(CHUNK):
                plain.write(piece)
                check_growth(name, len(content), plain.tell())
    except (OSError, EOFError, zlib.error):
        raise BadFile(f"{name} is a damaged gzip file: it cannot be decompressed to its end.") from None
    return plain.getvalue()


def is_piped(path: Path) -> bool:
    """Whether the path leads to what can be read only once: a pipe, a socket or a terminal."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _unreadable(path: Path, problem: OSError) -> BadFile:
    if isinstance(problem, FileNotFoundError):
        beside = f" in {path.parent}" if path.parent != Path() else ""
        return BadFile(f"there is no file {path.name}{beside}.")
    if isinstance(problem, IsADirectoryError):
        return BadFile(f"{path} is a folder; expected a data file.")
    return BadFile(f"{path} cannot be read: {problem.strerror}.")


def is_dataset(path: Path) -> bool:
    """Whether a path names a dataset rather than one file to read: a folder with such files, or a pattern."""
    if path.is_dir():
        return any(each.suffix.lower() in TABLES_IN_PARTS for each in path.iterdir())
    return any(each in path.name for each in "*?[") and not path.exists()


def is_text(path: Path) -> bool:
    """Whether a file is a delimited text by its name."""
    return path.suffix.lower() in BY_NAME["csv"].endings
