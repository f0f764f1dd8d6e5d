"""What was published, as it is named on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from discreet.manifest import PUBLIC_NAME
from discreet.reading.alike import read_alike
from discreet.release import Release
from discreet.table import Table


def published(path: Path, original: Table | None, private: Path | None = None) -> Release | Table:
    """The release in a folder, or of a file that its manifest lies beside; else the bare table in the file.

    The columns of a bare file are described as those of the original. Raises Mismatch where a file is not the one that
    its manifest tells of.
    """
    if path.is_dir():
        return Release.load(path, private=private)
    folder = path.parent
    if _tells_of(folder / PUBLIC_NAME, path.name):
        return Release.load(folder.parent if folder.name == "public" else folder, private=private)
    return read_alike(path, original)


def _tells_of(manifest: Path, file: str) -> bool:
    """Whether there is such a manifest, and it is about this file."""
    try:
        said = json.loads(manifest.read_text(encoding="utf-8"))
        return bool(said["file"]["name"] == file)
    except (OSError, ValueError, KeyError, TypeError):
        return False
