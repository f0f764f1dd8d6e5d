"""Pseudonyms: numbered by first mention (Pers1, Org1), or made by a secret key so that they never change."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Literal, NamedTuple

from discreet.errors import BadParameter
from discreet.text.entities.kinds import Kind

Scope = Literal["corpus", "document"]
SHORTEST_KEY = 16
SHORTEST_CODE = 8
NUMBERED = re.compile(r"^([A-Za-z]+)(\d+)$")


class Unnamed(NamedTuple):
    """An entity without a pseudonym: its kind, and what it is called in the one way of writing of its kind."""

    kind: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered:
    """Pers1, Pers2 … by first mention, in one numbering for the corpus or one for each document."""

    scope: Scope = "corpus"

    def __post_init__(self) -> None:
        if self.scope not in ("corpus", "document"):
            raise BadParameter("pseudonyms: scope must be 'corpus' or 'document'.")

    def names(
        self, entities: Sequence[Unnamed], *, taken: Collection[str], avoid: Collection[str] = ()
    ) -> list[str]:
        """A pseudonym for each entity, in order; numbers go on after the highest that is taken."""
        numbers = {start: count(highest + 1) for start, highest in _highest(taken).items()}
        found = []
        for entity in entities:
            start = prefix(entity.kind)
            following = (f"{start}{number}" for number in numbers.setdefault(start, count(1)))
            found.append(next(name for name in following if name not in avoid))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """Pseudonyms that follow from the name and a secret key: the same in every run and corpus that uses the key.

    They are eight letters and digits long, and longer where two would be equal. Whoever has the key can find the
    pseudonym of a name, so it is as secret as the mapping.
    """

    key: bytes = field(repr=False)
    scope: Scope = field(default="corpus", init=False)

    def __post_init__(self) -> None:
        if len(self.key) < SHORTEST_KEY:
            raise BadParameter(
                f"pseudonyms: the key must have at least {SHORTEST_KEY} bytes; got {len(self.key)}. Draw one with "
                "secrets.token_bytes(32) and keep it."
            )

    def names(
        self, entities: Sequence[Unnamed], *, taken: Collection[str], avoid: Collection[str] = ()
    ) -> list[str]:
        """A pseudonym for each entity, whatever their order; entities of equal keys are told apart by their order."""
        seen: dict[Unnamed, int] = defaultdict(int)
        codes: list[str] = []
        for entity in entities:
            codes.append(self._code(entity, seen[entity]))
            seen[entity] += 1
        starts = [prefix(entity.kind) for entity in entities]
        lengths = [SHORTEST_CODE] * len(entities)
        used = {*taken, *avoid}
        while True:
            found = [
                f"{start}-{code[:size]}" for start, code, size in zip(starts, codes, lengths, strict=True)
            ]
            holders: dict[str, list[int]] = defaultdict(list)
            for place, name in enumerate(found):
                holders[name].append(place)
            clashing = [
                place
                for name, places in holders.items()
                if len(places) > 1 or name in used
                for place in places
            ]
            if not clashing:
                return found
            for place in clashing:
                lengths[place] += 1

    def _code(self, entity: Unnamed, copy: int) -> str:
        said = "\0".join((prefix(entity.kind), entity.key, str(copy))).encode("utf-8", "surrogatepass")
        digest = hmac.new(self.key, said, hashlib.sha256).digest()
        return base64.b32encode(digest).decode().rstrip("=").lower()


Pseudonyms = Numbered | Keyed


def prefix(kind: str) -> str:
    """What the pseudonyms of a kind start with; kinds that a user defined share one."""
    return Kind(kind).pseudonym if kind in _KINDS else Kind.OTHER.pseudonym


_KINDS = frozenset(str(kind) for kind in Kind)


def _highest(taken: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in taken:
        parts = NUMBERED.match(name)
        if parts:
            found[parts[1]] = max(found.get(parts[1], 0), int(parts[2]))
    return found


def numbers_in(texts: Iterable[str]) -> set[str]:
    """Words of the texts that look like pseudonyms already, so that none of them is given to an entity."""
    starts = "|".join(sorted({kind.pseudonym for kind in Kind}))
    pattern = re.compile(rf"\b(?:{starts})\d{{1,9}}\b")
    return {found for text in texts for found in pattern.findall(text)}
