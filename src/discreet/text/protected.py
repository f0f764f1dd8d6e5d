"""The wordings that must not stand in a published document: how those who are masked are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from discreet.text.attacks.known_facts import normalised
from discreet.text.attacks.visible_facts import visible_facts
from discreet.text.document import Corpus, Document, PartKind, Replacement
from discreet.text.entities.forms import NOT_LOOKED_FOR
from discreet.text.entities.register import Register
from discreet.text.entities.words.people import TITLES

WORD = re.compile(r"\w+")
SHORTEST = 3
"""Shorter wordings, such as initials, are masked where they were found and not looked for elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protected:
    """Wordings that are looked for in what was written.

    `words` are single words, looked for as they are written or in capitals; `phrases` in any case. `left` are words
    that were masked as a name and also stand where a rule took them for none, such as May or Bush, with how often that
    is in each document: there they stay, and in no other document may they stand.
    """

    words: frozenset[str] = field(repr=False)
    phrases: frozenset[str] = field(repr=False)
    left: Mapping[str, Mapping[str, int]] = field(repr=False)

    @property
    def strings(self) -> frozenset[str]:
        return self.words | self.phrases

    @property
    def places_left(self) -> int:
        """In how many places words stay that were masked as names elsewhere."""
        return sum(many for places in self.left.values() for many in places.values())

    @property
    def as_written(self) -> frozenset[str]:
        """The single words in lower case, which are no find when they are written so."""
        return frozenset(each.lower() for each in self.words)


def wordings(register: Register) -> dict[str, str]:
    """How those whom a register masks are written, each with the pseudonym that stands for it.

    A name with a title is also looked for without it. Dates, quantities and demographics are masked where they were
    found: the same words mean something else elsewhere.
    """
    kept = {each.id for each in register.entities if each.kept}
    found: dict[str, str] = {}
    for place, document in enumerate(register.corpus):
        for each in register.mentions(place):
            if each.entity in kept or each.span.kind in NOT_LOOKED_FOR:
                continue
            wording = document.text[each.span.start : each.span.end]
            for way in (wording, without_title(wording)):
                if len(way) >= SHORTEST:
                    found.setdefault(way, each.pseudonym)
    return found


def without_title(name: str) -> str:
    """A name without the titles before it, where two words and more are left then; else as it is.

    >>> without_title("Mr John Kelbeck"), without_title("Mr Kelbeck")
    ('John Kelbeck', 'Mr Kelbeck')
    """
    words = name.split()
    while len(words) > 2 and words[0].lower().strip(".") in TITLES:
        words.pop(0)
    return " ".join(words) if len(words) < len(name.split()) else name


def protected(register: Register, sanitised: Corpus, *, left_out: Collection[PartKind] = ()) -> Protected:
    """The wordings to look for in the files of sanitised documents; `left_out` are kinds of parts not written."""
    found = wordings(register)
    words = frozenset(each for each in found if WORD.fullmatch(each))
    meant = {way: each for each in sorted(words) for way in (each.upper(), each)}
    left: dict[str, dict[str, int]] = {}
    for document in sanitised:
        shown = (part.text for part in document.parts if part.kind not in left_out)
        counts = Counter(word for text in shown for word in WORD.findall(text) if word in meant)
        for word, many in counts.items():
            places = left.setdefault(meant[word], {})
            places[document.name] = places.get(document.name, 0) + many
    return Protected(words=words - left.keys(), phrases=frozenset(found) - words, left=left)


def swept(sanitised: Corpus, register: Register) -> dict[int, Document]:
    """The documents in which a masked phrase still stands in whatever case, without it, by their places.

    Names are found as they are usually written; "NEW york" or a phrase that somebody typed into a decision is not.
    """
    phrases = {
        normalised(wording): pseudonym
        for wording, pseudonym in wordings(register).items()
        if not WORD.fullmatch(wording)
    }
    left = visible_facts(sanitised, [frozenset(phrases)])
    return {
        place: _without(document, {each: phrases[each] for each in left[place]})
        for place, document in enumerate(sanitised)
        if left[place]
    }


def _without(document: Document, phrases: Mapping[str, str]) -> Document:
    longest = sorted(phrases, key=len, reverse=True)
    ways = [r"\s+".join(re.escape(word) for word in each.split(" ")) for each in longest]
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(ways)})(?!\w)", re.IGNORECASE)
    found = pattern.finditer(document.text)
    return document.replaced(
        Replacement(piece_start, piece_end, phrases[normalised(each.group())] if first == piece_start else "")
        for each in found
        for first in (each.start(),)
        for piece_start, piece_end in document.within_parts(*each.span())
    )
