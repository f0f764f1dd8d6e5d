"""Which ontology is meant: an object, "wordnet", or a file named in a project, a plan or a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from discreet.errors import BadFile, NotInstalled
from discreet.ontology.graph import Ontology
from discreet.ontology.readers import read, wordnet
from discreet.ontology.readers.wordnet_home import wordnet_folder
from discreet.parameters import Kind, file_name
from discreet.shown import Shown
from discreet.table import Table

Named = str | Ontology
Given = Named | Mapping[str, Named]
"""One ontology for all columns, or one for each column by its name."""

WORDNET = "wordnet"
KEPT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class OntologyKind(Kind):
    """An ontology by name or file, or the object itself; one for all columns, or a table of columns to ontologies."""

    holds_cells: bool = True

    def wants(self) -> str:
        return 'an ontology: "wordnet", the name of a file, or a table of columns to these'

    def accepts(self, value: object) -> bool:
        if isinstance(value, Mapping):
            return all(isinstance(name, str) and _is_one(each) for name, each in value.items())
        return _is_one(value)

    def plain(self, value: object) -> object:
        """The names: an object that was given in Python is told by its name."""
        if isinstance(value, Mapping):
            return {name: self.plain(each) for name, each in value.items()}
        return value.name if isinstance(value, Ontology) else value

    def files(self, value: object) -> tuple[str, ...]:
        named = list(value.values()) if isinstance(value, Mapping) else [value]
        return tuple(each for each in named if isinstance(each, str))

    def _shown(self, value: Any, shown: Shown) -> object:
        """The names, those of files without their folders, by the names of columns that are published."""
        plain = self.plain(value)
        if isinstance(plain, Mapping):
            return {name: self._shown(each, shown) for name, each in plain.items() if shown.has_column(name)}
        return file_name(plain) if isinstance(plain, str) else plain


def _is_one(value: object) -> bool:
    return isinstance(value, Ontology) or (isinstance(value, str) and value != "")


def ontology_of(table: Table, column: str, given: Given | None) -> Ontology | None:
    """The ontology of a column: the one given, else the column's own; None where it has neither.

    Names of files start from the folder of the table's project. What was read stays in memory while its file is
    unchanged. Raises BadFile, BadOntology, NotInstalled.
    """
    named = given.get(column) if isinstance(given, Mapping) else given
    chosen = named or table[column].ontology
    if isinstance(chosen, Ontology):
        return chosen
    return ontology_named(chosen, table.home) if chosen else None


def ontology_named(name: str, home: str = "") -> Ontology:
    """The ontology of this name: "wordnet", or a file or folder, looked for from `home`."""
    if name == WORDNET:
        folder = wordnet_folder()
        return _wordnet(str(folder), _state(folder) if isinstance(folder, Path) else ())
    place = in_home(name, home)
    if not place.exists():
        raise BadFile(
            f"there is no ontology '{name}': it is neither \"wordnet\" nor a file that can be found from the "
            "folder of the project."
        )
    return _read(str(place), _state(place))


def in_home(name: str, home: str) -> Path:
    """Where a file is that is named in a project: from the folder of the project, unless the name says where."""
    return Path(home) / Path(name).expanduser()


def files_named(name: str, home: str) -> Sequence[Traversable]:
    """The files that the name of an ontology or of a mapping leads to, in the order of their names; none where there
    are none, as whoever reads them will say."""
    try:
        place = wordnet_folder() if name == WORDNET else in_home(name, home)
    except NotInstalled:
        return []
    if isinstance(place, Path) and place.is_dir():
        return sorted(each for each in place.rglob("*") if each.is_file())
    if place.is_dir():
        return sorted((each for each in place.iterdir() if each.is_file()), key=lambda each: each.name)
    return [place] if place.is_file() else []


State = tuple[tuple[str, int, int], ...]


def _state(place: Path) -> State:
    """When the file, or each file in the folder, was changed last, and its size."""
    files = sorted(place.rglob("*")) if place.is_dir() else [place]
    stats = [(str(each), each.stat()) for each in files if each.is_file()]
    return tuple((name, each.st_mtime_ns, each.st_size) for name, each in stats)


@lru_cache(maxsize=1)
def _wordnet(folder: str, state: State) -> Ontology:
    return wordnet()


@lru_cache(maxsize=KEPT)
def _read(place: str, state: State) -> Ontology:
    return read(place)
