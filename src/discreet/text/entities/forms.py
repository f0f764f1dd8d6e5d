"""The ways of writing an entity that follow from one name of it: surname alone, initials, capitals, abbreviations."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from discreet.text.entities.flat_text import flat, fold
from discreet.text.entities.kinds import Kind
from discreet.text.entities.names import person_name
from discreet.text.entities.propagation import Form, OrdinaryWords, written_ways
from discreet.text.entities.words.people import PARTICLES, SUFFIXES
from discreet.text.entities.words.titles import ALWAYS_TITLES, BEFORE_NAMES

NOT_LOOKED_FOR = frozenset((Kind.DATE, Kind.QUANTITY, Kind.DEMOGRAPHIC))
"""Kinds whose words mean something else in the next place: found once says nothing about elsewhere."""

ENOUGH = 0.2
"""The share of its capitalised occurrences in which a lone word must have been found to be looked for everywhere."""

ENOUGH_WITH_FULL_NAME = 0.02
"""The share that is enough for a word that a full name or a title speaks for too, and that occurs OFTEN."""

OFTEN = 100

_POSSESSIVE = re.compile(r"['’]s?$")
_EDGES = ' \t\n,;:!?"“”()[]<>'
_LONGEST_PLURAL_STEM = 4


class Found(NamedTuple):
    """A text that was found to name something of a kind; `titled` if a title stood with it."""

    kind: str
    text: str
    titled: bool = False


def patterns(found: Mapping[Found, int], ordinary: OrdinaryWords) -> dict[str, Form]:
    """What to look for: every way of writing of what was found, each with the form it stands for.

    A way of writing that fits several kinds is taken for the one it was found as most often.
    """
    votes: dict[str, Counter[Form]] = defaultdict(Counter)
    evidence = _Evidence(found, ordinary)
    for each, count in found.items():
        for pattern, form in _ways(each):
            if evidence.speaks_for(pattern, form):
                votes[pattern][form] += count
    chosen: dict[str, Form] = {}
    for pattern, forms in votes.items():
        best = max(forms, key=lambda form: (form.everywhere, forms[form], form))
        for way in written_ways(pattern):
            if way == pattern or way not in votes:
                chosen[way] = best
    return chosen


class _Evidence:
    """What speaks for a single word being a name: how often it was found, and full names and titles with it."""

    def __init__(self, found: Mapping[Found, int], ordinary: OrdinaryWords) -> None:
        self._ordinary = ordinary
        self._last: Counter[tuple[str, str]] = Counter()
        self._full: set[str] = set()
        self._titled: set[str] = set()
        for each, count in found.items():
            words = [word for word in (fold(trimmed(piece)) for piece in each.text.split()) if word]
            self._last.update({(each.kind, word): count for word in words[-1:]})
            name = person_name(each.text) if each.kind == Kind.PERSON else None
            if name is not None and name.full:
                self._full.update({*words[-1:]} - ALWAYS_TITLES)
            elif name is not None and name.words and (each.titled or name.titles):
                self._titled.update({name.words[-1]} - BEFORE_NAMES)

    def speaks_for(self, pattern: str, form: Form) -> bool:
        """Whether a way of writing may be looked for: more than one word, or a word with evidence enough."""
        if " " in pattern or not form.everywhere or not pattern.isalpha():
            return True
        word = fold(pattern)
        if word in BEFORE_NAMES and word not in self._full:
            return False
        large, seen = self._ordinary.counts.get(pattern.capitalize(), 0), self._last[form.kind, word]
        if word in self._full or word in self._titled:
            return large < OFTEN or seen >= ENOUGH_WITH_FULL_NAME * large
        return seen >= ENOUGH * large


def words_wanted(found: Iterable[Found]) -> frozenset[str]:
    """The words whose frequencies decide what is looked for, in small letters."""
    return frozenset(
        piece.lower()
        for each in found
        for word in flat(each.text).split()
        for piece in re.findall(r"[^\W\d_]+", word)
    )


def trimmed(text: str) -> str:
    """A form without what surrounds it: punctuation and the s of a possessive."""
    return _POSSESSIVE.sub("", flat(text).strip(_EDGES)).strip(_EDGES)


def _ways(found: Found) -> Iterator[tuple[str, Form]]:
    whole = trimmed(found.text)
    if not whole or found.kind in NOT_LOOKED_FOR or not any(letter.isalnum() for letter in whole):
        return
    if found.kind == Kind.PERSON:
        yield from _person_ways(whole)
    elif len(whole) > 1:
        yield whole, Form(found.kind, whole, "the same name")
        bare = re.sub(r"^[Tt]he\s+", "", whole)
        if bare != whole and " " in bare:
            yield bare, Form(found.kind, whole, "the same name")


def _person_ways(whole: str) -> Iterator[tuple[str, Form]]:
    words = re.sub(r"^[Tt]he\s+(?=\S)", "", whole).split()
    while len(words) > 1 and fold(words[0]).strip(".") in BEFORE_NAMES:
        words.pop(0)
    while len(words) > 1 and fold(words[-1]).strip(".,") in SUFFIXES:
        words.pop()
    words = [word.strip(",;") for word in words]
    bare = " ".join(words)
    if not _can_be_name(words):
        return
    yield bare, _person(bare, "the same name")
    if bare != re.sub(r"^[Tt]he\s+", "", whole):
        yield whole, _person(whole, "the same name")
    name = person_name(bare)
    if not name.full or len(words) < 2:
        if bare.isalpha() and len(bare) > _LONGEST_PLURAL_STEM:
            yield bare + "s", _person(bare, "the family of that surname")
        return
    yield from _short_ways(words, patronymic=name.patronymic)


def _can_be_name(words: list[str]) -> bool:
    """Whether words can be a person's name: a capital letter, no digit, and more than titles and single letters."""
    joined = "".join(words)
    inner = [fold(word).strip(".,") for word in words]
    return (
        any(word[:1].isupper() for word in words)
        and not any(letter.isdigit() for letter in joined)
        and any(len(word) > 1 for word in inner)
        and (len(inner) == 1 or not BEFORE_NAMES.issuperset(inner))
    )


def _short_ways(words: list[str], *, patronymic: bool) -> Iterator[tuple[str, Form]]:
    full, first, last = " ".join(words), words[0], words[-1]
    plain = re.sub(r"^(?:al|el|Al|El)-", "", last)
    for each in sorted({each for each in (last, plain) if each[:1].isupper()}):
        yield each, _person(each, "the surname of a full name", everywhere=not patronymic)
        if len(each) > _LONGEST_PLURAL_STEM:
            yield each + "s", _person(each, "the family of that surname", everywhere=not patronymic)
    compound = _with_particles(words)
    if compound != last and compound != full:
        yield compound, _person(compound, "the surname of a full name")
    inner = [
        word
        for word in words[1:-1]
        if len(word.strip(".")) > 1 and word[0].isupper() and fold(word) not in PARTICLES
    ]
    if inner:
        yield f"{inner[-1]} {last}", _person(f"{inner[-1]} {last}", "the surname of a full name")
        yield inner[-1], _person(inner[-1], "part of a full name", everywhere=False)
    yield f"{first} {compound}", _person(full, "first name and surname of a full name")
    if len(first.strip(".")) > 2:
        yield first, _person(first, "the first name of a full name", everywhere=patronymic)
    letters = [word[0] for word in words if word[0].isupper()]
    if len(letters) < 2:
        return
    for initials in sorted({f"{each.join(letters[:-1])}." for each in (".", ". ")} | {letters[0] + "."}):
        yield f"{initials} {compound}", _person(full, "initials and surname of a full name")
    if len(letters) > 2:
        yield "".join(letters), _person("".join(letters), "the initials of a full name", everywhere=False)
    yield (
        ".".join(letters) + ".",
        _person(".".join(letters) + ".", "the initials of a full name", everywhere=False),
    )


def _with_particles(words: list[str]) -> str:
    """The last word with the particles before it: de la Hoz, van Gogh."""
    at = len(words) - 1
    while at > 1 and words[at - 1].islower() and fold(words[at - 1]) in PARTICLES:
        at -= 1
    return " ".join(words[at:])


def _person(text: str, relation: str, *, everywhere: bool = True) -> Form:
    return Form(str(Kind.PERSON), text, relation, everywhere)
