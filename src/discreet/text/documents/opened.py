"""What every format has in common: a file is opened into slots, and saved with what the steward keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from discreet.errors import BadFile, BadParameter
from discreet.text.document import PartKind
from discreet.text.documents.slots import Slot

LEFT_OUT = frozenset({PartKind.COMMENT, PartKind.DELETED, PartKind.HIDDEN, PartKind.PROPERTY})
"""Kinds of parts that are read, so that whom they name is known, and are not written."""
CAN_BE_KEPT = frozenset({PartKind.COMMENT, PartKind.HIDDEN, PartKind.PROPERTY})
"""Those of them that a steward can keep, where the format allows."""
MOST_DEPTH = 24
"""How deep parts may lie in each other: a message that is forwarded in another one takes up to three."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """What the steward keeps in the output beyond the text that everybody sees."""

    kinds: frozenset[PartKind] = frozenset()
    pictures: bool = False

    @classmethod
    def of(cls, kinds: Collection[PartKind | str] = (), *, pictures: bool = False) -> Keep:
        """The choice, checked. Raises BadParameter for a kind of parts that is always or never written."""
        try:
            chosen = frozenset(PartKind(each) for each in kinds)
        except ValueError:
            chosen = frozenset(PartKind) - CAN_BE_KEPT
        if not chosen <= CAN_BE_KEPT:
            can = ", ".join(sorted(f"'{each}'" for each in CAN_BE_KEPT))
            raise BadParameter(f"keep takes kinds of parts that are otherwise left out: {can}.")
        return cls(kinds=chosen, pictures=pictures)

    def leaves_out(self, kind: PartKind) -> bool:
        """Whether parts of this kind are not written."""
        return kind in LEFT_OUT and kind not in self.kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a format is told of a file beside its bytes: its name for messages, its encoding, how deep it lies."""

    name: str
    encoding: str | None = None
    depth: int = 0

    def inside(self, what: str) -> Opening:
        """The same for something that lies in the file. Raises BadFile where that is too deep."""
        if self.depth >= MOST_DEPTH:
            raise BadFile(
                f"{self.name}: messages and attachments lie in each other more than {MOST_DEPTH} deep. Take the inner "
                "ones out and read them by themselves."
            )
        return replace(self, name=f"{self.name}, {what}", depth=self.depth + 1)

    def broken(self, what: str, do: str = "") -> BadFile:
        """The error for a file or a part that cannot be read."""
        return BadFile(f"{self.name}: {what}.{' ' + do if do else ''}")


class Saved(NamedTuple):
    """What a document is written as: its bytes, the ending of its name, and why that is another one than it had."""

    content: bytes
    ending: str
    note: str = ""


@dataclass(slots=True, kw_only=True)
class Opened:
    """A file as its format sees it. `save` makes the new file out of the slots as they are then."""

    slots: list[Slot]
    save: Callable[[Keep], Saved]
    not_looked_into: Mapping[str, int] = field(default_factory=Counter)


def counted(what: Mapping[str, int]) -> tuple[str, ...]:
    """Kinds of things with how many there are, in words.

    >>> counted({"pictures": 3})
    ('pictures: 3',)
    """
    return tuple(f"{name}: {count}" for name, count in sorted(what.items()) if count)
