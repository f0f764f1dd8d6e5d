"""An entity of a corpus, the forms that were joined to it, and its mentions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from discreet.text.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A stretch of a document that names an entity, and the pseudonym that stands for it there."""

    span: Span
    entity: int
    pseudonym: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Forms that the rules, or somebody, took for one entity. Merging joins clusters; splitting gives them back.

    `forms` are the ways it is written, in the order of the corpus. `by_hand` is set where somebody chose the forms, so
    that they mean this cluster wherever they stand.
    """

    id: int
    kind: str
    pseudonym: str
    forms: tuple[str, ...] = field(repr=False)
    by_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One person, organisation, place, number … with its pseudonym and how often it is mentioned.

    `name` is its longest form and `variants` all of them; neither is shown. `parts` are the clusters it was merged
    from, the first one giving the pseudonym. `kept` entities are known and not masked.
    """

    id: int
    kind: str
    pseudonym: str
    name: str = field(repr=False)
    variants: tuple[str, ...] = field(repr=False)
    mentions: int
    documents: int
    locked: bool = False
    kept: bool = False
    parts: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The entity without its names."""
        return {
            "pseudonym": self.pseudonym,
            "kind": str(self.kind),
            "variants": len(self.variants),
            "mentions": self.mentions,
            "documents": self.documents,
            "locked": self.locked,
            "kept": self.kept,
        }

    def __str__(self) -> str:
        marks = "".join(
            f", {word}" for word, is_so in (("locked", self.locked), ("kept", self.kept)) if is_so
        )
        return (
            f"{self.pseudonym}: {self.kind} of {len(self.variants)} forms, {self.mentions} mentions in "
            f"{self.documents} documents{marks}"
        )
