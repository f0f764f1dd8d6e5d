"""Queries from a file: what readers look for, and what an intruder looks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from discreet.errors import BadParameter
from discreet.parameters import Kind, Real, Word, Words
from discreet.project.toml_file import TomlFile

Purpose = Literal["utility", "risk"]
PURPOSES: tuple[Purpose, ...] = ("utility", "risk")
QUERY_KEYS: Mapping[str, Kind] = {
    "words": Word(about="what is looked for; a document is found by any of the words"),
    "threshold": Real(
        about="the relevance from which on a document counts as relevant; the largest drop when left out",
        at_least=0,
        at_most=1,
    ),
    "documents": Words(about="the documents that it should find; those it finds before when left out"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Something that readers (`utility`) or intruders (`risk`) look for.

    `threshold` is the relevance from which on a document counts as relevant; None takes the largest drop in the sorted
    relevances of the corpus before. `documents` are the names of those it should find; None takes those it does find
    before.
    """

    name: str
    words: str
    purpose: Purpose = "utility"
    threshold: float | None = None
    documents: tuple[str, ...] | None = field(default=None, repr=False)


def read_queries(path: str | Path) -> tuple[Query, ...]:
    """The queries of a TOML file, which has a table for each, such as [utility.energy] or [risk.weapons].

    Raises BadInput, which names the line, for anything that is not a query.
    """
    file = TomlFile.read(path, "there is no file of queries {path}.")
    payload = file.parsed()
    file.check_names(payload, PURPOSES, ())
    found = [
        _query(file, purpose, name, given)
        for purpose in PURPOSES
        for name, given in _table(file, payload.get(purpose, {}), (purpose,)).items()
    ]
    if not found:
        raise BadParameter(f"{file.path.name} holds no query. Write a table such as [utility.energy].")
    return tuple(found)


def _query(file: TomlFile, purpose: Purpose, name: str, given: Any) -> Query:
    place = (purpose, name)
    table = _table(file, given, place)
    file.check(table, QUERY_KEYS, place)
    if "words" not in table:
        raise BadParameter(f"{file.where(place)}: the query '{name}' has no words to look for.")
    documents = table.get("documents")
    return Query(
        name=name,
        words=table["words"],
        purpose=purpose,
        threshold=table.get("threshold"),
        documents=None if documents is None else tuple(documents),
    )


def _table(file: TomlFile, value: Any, place: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadParameter(f"{file.where(place)}: [{'.'.join(place)}] must be a table.")
    return value
