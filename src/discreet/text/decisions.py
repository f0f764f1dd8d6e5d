"""Decisions: what somebody, or a threshold, decided about stretches of documents, and what somebody decided about
entities; kept in a file that can be replayed.

The file is private: it says where things stood in the original, and replacements and notes may hold its words. What may
be published of it is `Decisions.public`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from discreet.errors import BadFile, BadParameter, Mismatch
from discreet.shapes import digest as a_digest
from discreet.shapes import flag, maybe, one_of, record, text, whole
from discreet.text.document import Document
from discreet.text.entity_decisions import SHAPE, EntityDecision

FORMAT = 1
KIND = "decisions about documents"


class Action(StrEnum):
    """What is done with a stretch of text."""

    KEEP = "keep"
    CUT = "cut"
    GENERALISE = "generalise"
    SHORTEN = "shorten"


class Alike(StrEnum):
    """Which other blocks a decision also counts for.

    TEXT: blocks of the same words, whatever their case and what stands between the words. TERMS: blocks in which the
    same terms were found; nobody has read these, so that it goes with cutting only.
    """

    NONE = "none"
    TEXT = "text"
    TERMS = "terms"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided about the characters from `start` to `end` of a document whose text has this digest.

    `replacement` stands in their place: it must be given to generalise, and can be given to shorten (else the first
    sentence stays) and to cut (else a mark says so). `exemption` is the rule that a cut rests on, such as "1.4(c)".
    An `automatic` decision was made by a threshold: nobody reviewed it. `likeness` is what `alike` blocks share.
    """

    document: str
    digest: str = field(repr=False)
    start: int
    end: int
    action: Action
    replacement: str | None = field(default=None, repr=False)
    note: str = field(default="", repr=False)
    exemption: str = ""
    reviewer: str = ""
    date: str = ""
    automatic: bool = False
    alike: Alike = Alike.NONE
    likeness: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise BadParameter("a decision must be about at least one character.")
        if self.action is Action.GENERALISE and self.replacement is None:
            raise BadParameter("generalise needs the text that stands in the place of the old one.")
        if self.action is Action.KEEP and self.replacement is not None:
            raise BadParameter("keep takes no replacement.")
        if self.alike is Alike.TERMS and self.action is not Action.CUT:
            raise BadParameter(
                "only a cut can count for all blocks with the same terms: nobody has read the others. Decide for "
                "blocks of the same text (alike='text'), or one by one."
            )
        if not self.automatic and not self.reviewer:
            raise BadParameter("a decision that is not automatic needs a reviewer.")
        if self.automatic and self.reviewer:
            raise BadParameter("an automatic decision has no reviewer.")

    @property
    def reviewed(self) -> bool:
        """Whether somebody looked at it."""
        return not self.automatic

    def __str__(self) -> str:
        by = f"by {self.reviewer}" if self.reviewed else "by a threshold, not reviewed"
        why = f" ({self.exemption})" if self.exemption else ""
        return f"{self.document}, {self.start} to {self.end}: {self.action}{why}, {by}"

    def to_dict(self) -> dict[str, Any]:
        """All of it, for the private file."""
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Takes back the entry of this number, counted from one; an undo that is taken back restores what it undid."""

    undoes: int
    reviewer: str
    date: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}


Entry = Decision | EntityDecision | Undo
_SHAPES: Mapping[type[Entry], Any] = {
    Decision: record(
        {
            "document": text,
            "digest": a_digest,
            "start": whole(0),
            "end": whole(1),
            "action": one_of(*Action),
            "replacement": maybe(text),
            "note": text,
            "exemption": text,
            "reviewer": text,
            "date": text,
            "automatic": flag,
            "alike": one_of(*Alike),
            "likeness": text,
        }
    ),
    EntityDecision: SHAPE,
    Undo: record({"undoes": whole(1), "reviewer": text, "date": text}),
}


@dataclass(frozen=True, slots=True)
class Decisions:
    """Entries in the order they were made. Nothing is ever taken out: an undo is an entry too."""

    entries: tuple[Entry, ...] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.entries)

    def __str__(self) -> str:
        counts = self.summary()
        return (
            f"{counts['decisions']} decisions, {counts['not reviewed']} of them not reviewed, "
            f"{counts['undone']} undone; {counts['about entities']} about entities"
        )

    def added(self, *entries: Entry) -> Decisions:
        """These decisions and further ones. Raises BadParameter for an undo of what is not there or undone already."""
        found = list(self.entries)
        for entry in entries:
            if isinstance(entry, Undo) and entry.undoes not in _in_force(found):
                raise BadParameter(f"there is no entry {entry.undoes} that could be undone.")
            found.append(entry)
        return Decisions(tuple(found))

    def undone(self, number: int, *, reviewer: str, date: str = "") -> Decisions:
        """These decisions with the entry of this number taken back."""
        return self.added(Undo(undoes=number, reviewer=reviewer, date=date))

    def in_force(self) -> dict[int, Decision]:
        """The decisions about stretches that nobody took back, by the number of their entry."""
        return {number: each for number, each in self._standing() if isinstance(each, Decision)}

    def about_entities(self) -> dict[int, EntityDecision]:
        """The decisions about entities that nobody took back, by the number of their entry."""
        return {number: each for number, each in self._standing() if isinstance(each, EntityDecision)}

    def _standing(self) -> list[tuple[int, Entry]]:
        return [(number, self.entries[number - 1]) for number in sorted(_in_force(self.entries))]

    def about(self, document: Document) -> dict[int, Decision]:
        """The decisions in force about a document. Raises Mismatch where one was made on another text of that name."""
        found = {number: each for number, each in self.in_force().items() if each.document == document.name}
        own = text_digest(document)
        changed = sum(each.digest != own for each in found.values())
        if changed:
            raise Mismatch(
                f"{changed} of {len(found)} decisions about {document.name} were made on another text than the one "
                "given. Replay them on the document they were made on, or review it anew."
            )
        return found

    def summary(self) -> dict[str, int]:
        """How many decisions are in force, of each action, and not reviewed by anybody; and how many are undone."""
        valid = self.in_force().values()
        actions = Counter(str(each.action) for each in valid)
        made = sum(isinstance(each, Decision) for each in self.entries)
        return {
            "decisions": len(valid),
            **{str(action): actions[action] for action in Action},
            "not reviewed": sum(each.automatic for each in valid),
            "undone": made - len(valid),
            "about entities": len(self.about_entities()),
        }

    def public(self) -> list[dict[str, Any]]:
        """The decisions in force as they may be published: document, action, exemption, date and which reviewer.

        Left out are where and on what text they were made, what stands in its place, notes and names: an offset tells
        how long a cut was, and a digest of a text lets guesses of it be confirmed.
        """
        reviewers: dict[str, int] = {}
        told = []
        for each in self.in_force().values():
            number = reviewers.setdefault(each.reviewer, len(reviewers) + 1) if each.reviewed else None
            told.append(
                {
                    "document": each.document,
                    "action": str(each.action),
                    "exemption": each.exemption,
                    "date": each.date,
                    "reviewed": each.reviewed,
                    "reviewer": None if number is None else f"reviewer {number}",
                }
            )
        return told

    @classmethod
    def load(cls, path: str | Path) -> Decisions:
        """The decisions in a file. Raises BadFile, with the line, for one that is not as it was written."""
        place = Path(path)
        try:
            lines = place.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
        except (OSError, UnicodeDecodeError):
            raise BadFile(f"{place} cannot be read as a file of decisions.") from None
        if _parsed(place, 1, lines[0]) != {"format": FORMAT, "kind": KIND}:
            raise BadFile(f"{place.name} is no file of decisions that this version of discreet reads.")
        entries: list[Entry] = []
        for number, line in enumerate(lines[1:], start=2):
            entry = _entry(_parsed(place, number, line), f"{place.name}, line {number}")
            if isinstance(entry, Undo) and entry.undoes > len(entries):
                raise BadFile(f"{place.name}, line {number}: this undoes an entry that is not before it.")
            entries.append(entry)
        return cls(tuple(entries))

    def to_bytes(self) -> bytes:
        """All entries as a file of decisions holds them."""
        return _lines(self.entries, begin=True)

    def save(self, path: str | Path) -> None:
        """Appends to the file the entries that it does not hold yet; a file that is not there is begun.

        Raises Mismatch where the file holds other entries than these begin with: nothing written is ever changed.
        """
        place = Path(path)
        held = Decisions.load(place).entries if place.exists() else ()
        if self.entries[: len(held)] != held:
            raise Mismatch(f"{place.name} holds {len(held)} entries that are not those of these decisions.")
        content = _lines(self.entries[len(held) :], begin=not place.exists())
        with os.fdopen(os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())


def _lines(entries: Iterable[Entry], *, begin: bool) -> bytes:
    """Entries as lines of a file, after its first line where it begins."""
    lines = [{"format": FORMAT, "kind": KIND}] if begin else []
    lines += [each.to_dict() for each in entries]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def text_digest(document: Document) -> str:
    """The digest of a document's text, by which a decision knows it again."""
    return hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()


def _in_force(entries: Iterable[Entry]) -> set[int]:
    """The numbers of the entries that no entry in force takes back."""
    numbered = list(enumerate(entries, start=1))
    undone: set[int] = set()
    for number, entry in reversed(numbered):
        if isinstance(entry, Undo) and number not in undone:
            undone.add(entry.undoes)
    return {number for number, _ in numbered} - undone


def _parsed(place: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise BadFile(
            f"{place.name}, line {number}: this is no JSON; the line was not written to its end, or was changed."
        ) from None


def _entry(payload: Any, where: str) -> Entry:
    kind = _kind(payload)
    _SHAPES[kind](payload, where)
    if kind is Undo:
        return Undo(**payload)
    try:
        if kind is EntityDecision:
            return EntityDecision.from_dict(payload)
        settled = {"action": Action(payload["action"]), "alike": Alike(payload["alike"])}
        return Decision(**{**payload, **settled})
    except BadParameter as problem:
        raise BadFile(f"{where}: {problem}") from None


def _kind(payload: Any) -> type[Entry]:
    """What an entry is, by the key that no other kind has."""
    marks: dict[str, type[Entry]] = {"undoes": Undo, "change": EntityDecision}
    keys = payload if isinstance(payload, dict) else {}
    return next((kind for mark, kind in marks.items() if mark in keys), Decision)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, StrEnum) else value
