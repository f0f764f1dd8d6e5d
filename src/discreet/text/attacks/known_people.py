"""Whom an intruder looks for in documents, and what the public knows of them: from a file, or what is left of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from discreet.errors import BadParameter, Mismatch
from discreet.parameters import Kind as ParameterKind
from discreet.parameters import Words
from discreet.project.toml_file import TomlFile
from discreet.text.attacks.known_facts import Facts, normalised
from discreet.text.attacks.visible_facts import visible_facts
from discreet.text.document import Corpus
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recognition import resolved
from discreet.text.entities.register import Register
from discreet.text.span import Span
from discreet.text.words import stop_words

PEOPLE = "people"
PEOPLE_KEYS: Mapping[str, ParameterKind] = {
    "facts": Words(about="what the public knows of somebody: names, places, dates, words"),
    "documents": Words(about="the original documents that are about this person, by their names"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPerson:
    """Somebody who is looked for: the places of their documents in the corpus, and the facts that are known."""

    documents: frozenset[int]
    facts: Facts = field(repr=False)


def people_left(
    original: Corpus,
    sanitised: Corpus,
    spans: Sequence[Iterable[Span]],
    *,
    kept: Collection[str] = (),
) -> tuple[KnownPerson, ...]:
    """Everybody whom the original documents name, each with those facts of their documents that can still be read.

    `spans` are what was recognised or annotated in each document. A person is an entity of the register, whatever the
    ways they are written; their documents are those that name them, and the facts are all entities of these documents
    (names, places, dates, numbers) whose wording is left there. `kept` are words that are published on purpose.
    """
    marked = [resolved(each.text, its) for each, its in zip(original, spans, strict=True)]
    register = Register.of(original, marked)
    public = {normalised(each) for each in kept} | stop_words()
    facts: list[Facts] = []
    documents_of: dict[int, set[int]] = {}
    for place, document in enumerate(original):
        mentions = register.mentions(place)
        wordings = {normalised(document.text[each.span.start : each.span.end]) for each in mentions}
        facts.append(frozenset(wordings) - public - {""})
        for each in mentions:
            if each.span.kind == Kind.PERSON:
                documents_of.setdefault(each.entity, set()).add(place)
    left = [own & shown for own, shown in zip(facts, visible_facts(sanitised, facts), strict=True)]
    return tuple(
        KnownPerson(
            documents=frozenset(places), facts=frozenset().union(*(left[place] for place in sorted(places)))
        )
        for places in documents_of.values()
    )


def read_people(path: str | Path, original: Corpus) -> tuple[KnownPerson, ...]:
    """The people of a TOML file, which has a table for each, such as [people.one] with `facts` and `documents`.

    Raises BadInput, which names the line, for what is no person; Mismatch where documents are none of the originals.
    """
    file = TomlFile.read(path, "there is no file of people {path}.")
    payload = file.parsed()
    file.check_names(payload, (PEOPLE,), ())
    tables = payload.get(PEOPLE, {})
    if not isinstance(tables, dict) or not tables:
        raise BadParameter(f"{file.path.name} holds nobody. Write a table such as [people.one].")
    places = {each.name: place for place, each in enumerate(original)}
    return tuple(_person(file, name, table, places) for name, table in tables.items())


def _person(file: TomlFile, name: str, table: Any, places: Mapping[str, int]) -> KnownPerson:
    keys = (PEOPLE, name)
    if not isinstance(table, dict):
        raise BadParameter(f"{file.where(keys)}: [{'.'.join(keys)}] must be a table.")
    file.check(table, PEOPLE_KEYS, keys)
    for key in PEOPLE_KEYS:
        if not table.get(key):
            raise BadParameter(f"{file.where(keys)}: {key} is missing or empty.")
    unknown = sum(each not in places for each in table["documents"])
    if unknown:
        raise Mismatch(
            f"{file.where(keys)}: {unknown} of {len(table['documents'])} documents are not among the originals. "
            "Name them as they lie below the folder that was sanitised."
        )
    return KnownPerson(
        documents=frozenset(places[each] for each in table["documents"]),
        facts=frozenset(map(normalised, table["facts"])),
    )
