"""Terms: the words and phrases that tell a topic, each with where it comes from and what a hit counts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Relation(StrEnum):
    """How a term came from a keyword."""

    KEYWORD = "keyword"
    SYNONYM = "synonym"
    HYPONYM = "hyponym"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Origin:
    """Where a term comes from: a keyword of a topic, and the sense of it and is-a links down that lead to the term.

    The sense of a keyword itself is the first that was chosen for it, or empty.
    """

    topic: str
    keyword: str
    relation: Relation = Relation.KEYWORD
    sense: str = ""
    depth: int = 0

    def __str__(self) -> str:
        if self.relation is Relation.KEYWORD:
            return f"{self.topic}: the keyword '{self.keyword}'"
        if self.relation is Relation.SYNONYM:
            return f"{self.topic}: a synonym of '{self.keyword}' ({self.sense})"
        return f"{self.topic}: a hyponym of '{self.keyword}' ({self.sense}), {self.depth} below it"

    def to_dict(self) -> dict[str, Any]:
        facts = {"topic": self.topic, "keyword": self.keyword, "relation": str(self.relation)}
        if self.relation is Relation.KEYWORD:
            return facts
        return {**facts, "sense": self.sense, "depth": self.depth}


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A word or phrase in lower case with all its origins, the nearest first. A hit of it counts `weight`."""

    text: str
    origins: tuple[Origin, ...]
    weight: float = 1.0

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that it tells, each once."""
        return tuple(dict.fromkeys(each.topic for each in self.origins))

    @property
    def keywords(self) -> tuple[str, ...]:
        """The keywords that it comes from, each once."""
        return tuple(dict.fromkeys(each.keyword for each in self.origins))

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "weight": self.weight,
            "origins": [each.to_dict() for each in self.origins],
        }
