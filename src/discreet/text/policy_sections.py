"""The sections of a policy file, each key declared once: its name, its default, what it must be and what it is for.

The check, the records and the table of keys on the how-to page all follow from here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from discreet.errors import BadParameter, BadProject
from discreet.parameters import Choice, Flag, Kind, Real, Whole, Word, Words
from discreet.project.sections import keys_given, keys_of
from discreet.text.entities.kinds import Kind as EntityKind

SENSE = re.compile(r"\S+\.[nv]\.\d\d+")
DEPTH = 2
"""How many is-a links down a keyword is widened where a policy does not say it."""


class Treatment(StrEnum):
    """What is done with the entities of a kind."""

    MASK = "mask"
    GENERALISE = "generalise"
    KEEP = "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityPattern:
    """A pattern of the steward's own: what it matches is an entity of the kind."""

    name: str
    kind: Annotated[str, Choice(about="the kind of entity it finds", among=tuple(EntityKind))]
    pattern: Annotated[str, Word(about="a regular expression, as Python reads it")]
    ignore_case: Annotated[bool, Flag(about="whether capital and small letters match each other")] = False

    def __post_init__(self) -> None:
        try:
            found = re.compile(self.pattern)
        except re.error as problem:
            raise BadParameter(f"pattern is no regular expression: {problem.msg}.") from None
        if found.match(""):
            raise BadParameter("pattern matches the empty text, which is found everywhere.")

    def to_dict(self) -> dict[str, Any]:
        return {"kind": str(self.kind), "pattern": self.pattern, **_others(self, "name", "kind", "pattern")}


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityList:
    """A list of the steward's own: each of its entries is an entity of the kind wherever it stands."""

    name: str
    kind: Annotated[str, Choice(about="the kind of entity it lists", among=tuple(EntityKind))]
    words: Annotated[tuple[str, ...], Words(about="the entries of the list")] = ()
    file: Annotated[str | None, Word(about="a text file beside the policy, one entry on each line")] = None
    ignore_case: Annotated[bool, Flag(about="whether capital and small letters match each other")] = False

    def __post_init__(self) -> None:
        if any(not each.strip() for each in self.words):
            raise BadParameter("words holds an entry that is empty.")
        if not self.words:
            raise BadProject("the list has no entry. Give words, or a file that holds some.")

    def to_dict(self) -> dict[str, Any]:
        return {"kind": str(self.kind), **_others(self, "name", "kind")}


LIBRARY_NAMES = ("gliner", "presidio")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityModel:
    """A model of another library that is asked too: what it finds is an entity of the kind of its label."""

    name: str
    library: Annotated[str, Choice(about="the library that reads the model", among=LIBRARY_NAMES)]
    model: Annotated[
        str, Word(about="where the model lies beside the policy or, for presidio, an installed spaCy model")
    ]
    threshold: Annotated[
        float, Real(about="from which score on what it finds counts", at_least=0, at_most=1)
    ] = 0.5

    def to_dict(self) -> dict[str, Any]:
        return {"library": self.library, "model": self.model, **_others(self, "name", "library", "model")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A sensitive topic. Its keywords are widened with the synonyms and hyponyms of their senses down to `depth`.

    A keyword without senses, here or in [senses], stands for itself alone. With `every`, the topic is the keywords of
    all others together: a question that is asked of a collection, and nothing more to be matched.
    """

    name: str
    about: Annotated[str, Word(about="the topic in words")] = ""
    keywords: Annotated[tuple[str, ...], Words(about="words and phrases that tell the topic")] = ()
    senses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    without: Annotated[
        tuple[str, ...], Words(about="synonyms and hyponyms that would come in and are left out")
    ] = ()
    depth: Annotated[
        int, Whole(about="how many is-a links down keywords are widened", at_least=0, at_most=20)
    ] = DEPTH
    weight: Annotated[float, Real(about="what a hit counts beside hits of other topics", above=0)] = 1.0
    every: Annotated[bool, Flag(about="whether it stands for the keywords of all other topics")] = False

    def __post_init__(self) -> None:
        if any(not re.search(r"[^\W_]", each) for each in self.keywords):
            raise BadParameter("keywords holds an entry without a letter or digit.")
        if self.every == bool(self.keywords):
            raise BadProject(
                f"topic '{self.name}' needs keywords, or every = true for those of all other topics, not both."
            )

    def to_dict(self) -> dict[str, Any]:
        senses = {"senses": {name: list(each) for name, each in self.senses.items()}} if self.senses else {}
        return {**_others(self, "name", "senses"), **senses}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingOptions:
    """How the words of a topic are found in a text."""

    misspellings: Annotated[bool, Flag(about="whether misspelt words are found too")] = True
    shortest: Annotated[
        int, Whole(about="the fewest letters of a word that may be misspelt", at_least=3, at_most=20)
    ] = 5
    rare: Annotated[
        int, Whole(about="how often a word may stand in a text and still be a misspelling", at_least=1)
    ] = 3

    def to_dict(self) -> dict[str, Any]:
        return keys_given(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockOptions:
    """Which stretches of text become blocks for review."""

    density: Annotated[
        float, Real(about="the weight of hits for each word from which a stretch is a block", above=0)
    ] = 0.03
    longest: Annotated[
        int, Whole(about="a sentence of more words than this is taken in pieces", at_least=10)
    ] = 100
    automatic: Annotated[
        float, Real(about="the density from which a run that nobody reviews cuts a block", above=0)
    ] = 0.05

    def to_dict(self) -> dict[str, Any]:
        return keys_given(self)


ENTITY_KEYS: Mapping[str, Kind] = {
    each: Choice(about=f"what is done with every {each}", among=tuple(Treatment)) for each in EntityKind
}
ANY_KIND = "any"
ALLOW_KEYS: Mapping[str, Kind] = {
    ANY_KIND: Words(about="texts that stay as they are, whatever they were taken for"),
    **{each: Words(about=f"texts that stay as they are when taken for a {each}") for each in EntityKind},
}
SENSES_OF_A_KEYWORD = Words(about="the senses of a keyword, by the names that WordNet's synsets have here")
SECTIONS: Mapping[str, Mapping[str, Kind]] = {
    "entities": ENTITY_KEYS,
    "allow": ALLOW_KEYS,
    "patterns": keys_of(EntityPattern),
    "lists": keys_of(EntityList),
    "models": keys_of(EntityModel),
    "topics": keys_of(Topic),
    "senses": {},
    "matching": keys_of(MatchingOptions),
    "blocks": keys_of(BlockOptions),
}
"""All that a policy file can hold besides `about`; [senses] has keywords, others with own names have tables."""


def _others(section: Any, *apart: str) -> dict[str, Any]:
    return {key: value for key, value in keys_given(section).items() if key not in apart}
