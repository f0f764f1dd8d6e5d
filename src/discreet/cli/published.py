"""What was published, as it is named on the command line."""

from __future__ import annotations

from pathlib import Path

from discreet.cli import given
from discreet.errors import BadFile, BadParameter
from discreet.manifest import PRIVATE_NAME, PUBLIC_NAME
from discreet.project import ReadOptions
from discreet.reading.read_like import DEFAULTS, read_like
from discreet.release import Release
from discreet.shapes import read_json
from discreet.table import Table


def published(
    path: Path, original: Table | None, private: Path | None = None, options: ReadOptions = DEFAULTS
) -> Release | Table:
    """The release in a folder, or of a file that its manifest lies beside; else the bare table in the file.

    The columns of a bare file are described as those of the original, which is read with the `options`. Raises Mismatch
    where a file is not the one that its manifest tells of, and BadFile where there is neither a table nor a release.
    """
    if path.is_dir():
        given.release_folder(path, "discreet attack RELEASE --original FILE")
        return Release.load(_whole(path), private=private)
    if path.name in (PUBLIC_NAME, PRIVATE_NAME):
        raise BadFile(
            f"{path} is the manifest of a release and holds no records. Give the folder of the release, or the "
            "published file."
        )
    if _tells_of(path.parent / PUBLIC_NAME, path):
        return Release.load(_whole(path.parent), private=private)
    if private is not None:
        raise BadParameter(
            f"--private tells whose records those of a release are, and no manifest says that {path.name} is one. Give "
            "the folder of the release, or leave --private out."
        )
    return read_like(path, original, options=options)


def _whole(folder: Path) -> Path:
    """The folder of the whole release, where this one is its public half."""
    return folder.parent if folder.name == "public" and not (folder / "public").is_dir() else folder


def _tells_of(manifest: Path, file: Path) -> bool:
    """Whether there is such a manifest, and it is about this file; BadFile where it was damaged."""
    if not manifest.is_file():
        return False
    try:
        manifest_content = read_json(manifest)
    except BadFile:
        raise BadFile(
            f"{manifest} cannot be read as JSON, so it is not known how {file.name} was made or in which order its "
            "records are. Restore the manifest; or move the file elsewhere, to attack it without."
        ) from None
    file_entry = manifest_content.get("file")
    return isinstance(file_entry, dict) and file_entry.get("name") == file.name
