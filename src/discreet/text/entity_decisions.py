"""What somebody decided about entities: merged, split, renamed, locked, kept, given further names, or added by hand.

An entity is known again by how it is written, not by a number, so that decisions can be replayed on the same documents
after others were added, or after recognisers found more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from discreet.errors import BadParameter
from discreet.shapes import list_of, maybe, one_of, record, text, whole
from discreet.text.entities.clusters import same_form
from discreet.text.entities.kinds import Kind


class Change(StrEnum):
    """What is done with an entity."""

    ADD = "add"
    ALIAS = "alias"
    MERGE = "merge"
    SPLIT = "split"
    RENAME = "rename"
    LOCK = "lock"
    KEEP = "keep"
    MASK = "mask"


FIRST = (Change.ADD, Change.ALIAS)
"""What says how somebody is written, and so comes before the register is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityName:
    """By what an entity is known again: its kind, how it is written with the fullest form first, and one mention.

    Where several entities have the fullest form and as many of the others, the one with a mention at `start` of
    `document` is meant.
    """

    kind: str
    forms: tuple[str, ...] = field(repr=False)
    document: str = ""
    start: int = 0

    def __post_init__(self) -> None:
        if not self.forms or not all(same_form(each).strip() for each in self.forms):
            raise BadParameter("an entity needs a wording with a letter or a figure.")

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": str(self.kind),
            "forms": list(self.forms),
            "document": self.document,
            "start": self.start,
        }

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any]) -> EntityName:
        return cls(**{**payload, "forms": tuple(payload["forms"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDecision:
    """What a reviewer decided about an entity.

    `other` is the entity that is merged into it. `names` are its further names (alias), or those of its variants that
    become another entity (split; what was merged comes apart where there are none). `pseudonym` is what it is called
    from now on (rename), or was when it was locked.
    """

    change: Change
    entity: EntityName
    other: EntityName | None = None
    names: tuple[str, ...] = field(default=(), repr=False)
    pseudonym: str = ""
    note: str = field(default="", repr=False)
    reviewer: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        if not self.reviewer.strip():
            raise BadParameter("a decision about an entity needs a reviewer.")
        if (self.change is Change.MERGE) != (self.other is not None):
            raise BadParameter("merge needs another entity, and nothing else does.")
        if self.change is Change.ALIAS and not self.names:
            raise BadParameter("alias needs a further name.")
        if self.names and self.change not in (Change.ALIAS, Change.SPLIT):
            raise BadParameter("only alias and split take names.")
        if not all(same_form(each).strip() for each in self.names):
            raise BadParameter("a name needs a letter or a figure.")
        if bool(self.pseudonym) != (self.change in (Change.RENAME, Change.LOCK)):
            raise BadParameter("rename and lock need a pseudonym, and nothing else does.")
        if self.change is Change.ADD and self.entity.kind not in tuple(Kind):
            raise BadParameter(f"there is no kind of entity of this name. Known: {', '.join(Kind)}.")

    def __str__(self) -> str:
        return f"{self.change} a {self.entity.kind}, by {self.reviewer}"

    def to_dict(self) -> dict[str, Any]:
        """All of it, for the private file."""
        return {
            "change": str(self.change),
            "entity": self.entity.to_dict(),
            "other": None if self.other is None else self.other.to_dict(),
            "names": list(self.names),
            "pseudonym": self.pseudonym,
            "note": self.note,
            "reviewer": self.reviewer,
            "date": self.date,
        }

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any]) -> EntityDecision:
        """The decision that `to_dict` wrote and SHAPE has checked."""
        other = payload["other"]
        settled = {
            "change": Change(payload["change"]),
            "entity": EntityName.from_dict(payload["entity"]),
            "other": None if other is None else EntityName.from_dict(other),
            "names": tuple(payload["names"]),
        }
        return cls(**{**payload, **settled})


_NAME = record({"kind": text, "forms": list_of(text), "document": text, "start": whole(0)})
SHAPE = record(
    {
        "change": one_of(*Change),
        "entity": _NAME,
        "other": maybe(_NAME),
        "names": list_of(text),
        "pseudonym": text,
        "note": text,
        "reviewer": text,
        "date": text,
    }
)
