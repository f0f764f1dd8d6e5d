"""Names of people taken apart, and whether two of them can be one person's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from discreet.text.entities.flat_text import fold
from discreet.text.entities.words.people import (
    ENGLISH_FIRST_NAMES,
    PARTICLES,
    PATRONYMIC,
    SHORT_FORMS,
    SUFFIXES,
)
from discreet.text.entities.words.titles import BEFORE_NAMES, FEMALE, MALE

_POSSESSIVE = re.compile(r"['’`´]s?$")
_WORD = re.compile(r"[^\W\d_]+(?:['’`´][^\W\d_]+)*")
_JOINED = re.compile(r"^([A-Z]{1,3})([A-Z][a-z]{2,})$")
_DOTTED = re.compile(r"^(?:[A-Z]\.){2,4}$|^(?:[A-Z]\.){1,3}[A-Z]$")
_CAPITALS = re.compile(r"^[A-Z]{2,4}$")
_NOBODY: frozenset[str] = frozenset()
_FORMAL = {
    short: frozenset(formal for formal, shorts in SHORT_FORMS.items() if short in shorts)
    for short in frozenset().union(*SHORT_FORMS.values())
}
"""For each short form the first names that it is short for."""
_NO_QUOTES = str.maketrans("", "", "'’`´")


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name of a person as it stands somewhere: its words folded, titles, suffixes and particles apart.

    `words` holds initials as single letters. `initials` is set for a name that is, or can be, nothing but initials:
    HAK, H.A.K. `patronymic` is set where the name of a father follows (bin, ibn): such people go by their first names.
    """

    words: tuple[str, ...] = field(repr=False)
    titles: tuple[str, ...] = ()
    initials: str = field(default="", repr=False)
    patronymic: bool = False
    led_by_particle: bool = False

    @property
    def full(self) -> bool:
        """Whether it has a first name or an initial before a longer last word."""
        return len(self.words) > 1 and len(self.words[-1]) > 1

    @property
    def gender(self) -> str:
        """What the titles say: m, f or nothing."""
        if any(title in FEMALE for title in self.titles):
            return "f"
        return "m" if any(title in MALE for title in self.titles) else ""


@lru_cache(maxsize=200_000)
def person_name(text: str) -> PersonName:
    """The name in a stretch of text. Title words are words of the name where nothing else is left: Colonel King."""
    found = [_POSSESSIVE.sub("", each.group()) for each in _WORD.finditer(text)]
    compact = "".join(_POSSESSIVE.sub("", text.strip()).split()).rstrip(",;:")
    if _DOTTED.match(compact) or (len(compact) == 1 and compact.isupper()):
        return PersonName(words=(), initials=fold(compact.replace(".", "")))
    folded = [fold(piece).translate(_NO_QUOTES) for word in found for piece in _pieces(word)]
    titles: list[str] = []
    if len(folded) > 1 and folded[0] == "the":
        folded.pop(0)
    while len(folded) > 1 and folded[0] in BEFORE_NAMES and len(folded[0]) > 1:
        titles.append(folded.pop(0))
    while len(folded) > 1 and folded[-1] in SUFFIXES:
        folded.pop()
    inner = [word for word in folded if word not in PARTICLES or len(word) == 1]
    return PersonName(
        words=tuple(inner) or tuple(folded),
        titles=tuple(titles),
        initials=fold(compact) if _CAPITALS.match(compact) else "",
        patronymic=any(word in PATRONYMIC for word in folded[1:]),
        led_by_particle=bool(folded) and folded[0] in PARTICLES,
    )


def _pieces(word: str) -> list[str]:
    """A word of a name, or the initials and the surname of one that are written together (JCKing)."""
    joined = _JOINED.match(word)
    return [*joined[1], joined[2]] if joined else [word]


@lru_cache(maxsize=100_000)
def same_first_name(one: str, other: str) -> bool:
    """Whether two first names can be one person's: equal, an initial, a short form, or one spelled a little otherwise.

    >>> same_first_name("w", "william"), same_first_name("bill", "william"), same_first_name("anna", "bob")
    (True, True, False)
    """
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) == 1:
        return long.startswith(short) or any(
            formal.startswith(short) for formal in _FORMAL.get(long, _NOBODY)
        )
    if long in SHORT_FORMS.get(short, ()) or short in SHORT_FORMS.get(long, ()):
        return True
    if not _FORMAL.get(short, _NOBODY).isdisjoint(_FORMAL.get(long, _NOBODY)):
        return True
    return (len(short) >= 3 and long.startswith(short)) or (len(short) >= 4 and one_edit(one, other))


@lru_cache(maxsize=100_000)
def one_edit(one: str, other: str) -> bool:
    """Whether a letter added, left out, changed, or two neighbours swapped make one word the other."""
    if abs(len(one) - len(other)) > 1:
        return False
    from rapidfuzz.distance import OSA

    return OSA.distance(one, other, score_cutoff=1) == 1


def embeds(short: Sequence[str], long: Sequence[str]) -> list[int] | None:
    """Where each word of the shorter name stands in the longer one, in order; None where one has no place.

    The last word must be the same word; the others may be initials or short forms.
    """
    places: list[int] = []
    at = len(long) - 1
    for number in range(len(short) - 1, -1, -1):
        last = number == len(short) - 1
        while at >= 0 and not (
            short[number] == long[at] if last else same_first_name(short[number], long[at])
        ):
            at -= 1
        if at < 0:
            return None
        places.append(at)
        at -= 1
    return places[::-1]


def compatible(one: PersonName, other: PersonName, *, first_names: frozenset[str] = frozenset()) -> bool:
    """Whether two full names can be one person's.

    The words of the shorter one stand in the longer one in order, and its last word is a surname there. Where both
    have a first name these agree. A second surname may be left out, but not where the last word is a first name
    elsewhere or the first name is English: John Foster is not John Foster Dulles. With bin or ibn first names decide.
    """
    if one.gender and other.gender and one.gender != other.gender:
        return False
    short, long = sorted(
        (one, other), key=lambda name: (len(name.words), sum(map(len, name.words)), name.words)
    )
    if one.patronymic or other.patronymic:
        return _patronymic_compatible(short, long)
    places = embeds(short.words, long.words)
    if places is None:
        return _same_ends(short.words, long.words)
    if places[-1] == len(long.words) - 1:
        return places[0] == 0 or _is_run(short, places)
    return places[0] == 0 and _has_second_surname(short, long, places, first_names)


def _patronymic_compatible(short: PersonName, long: PersonName) -> bool:
    if short.led_by_particle:
        return embeds(short.words, long.words) is not None
    if short.words[0] != long.words[0]:
        return False
    return embeds(short.words, long.words) is not None


def _is_run(short: PersonName, places: list[int]) -> bool:
    """Whether a name that starts in the middle of a longer one is all of its end: Castillo Armas, Warren Nutter."""
    return places == list(range(places[0], places[0] + len(places))) and len(short.words[0]) > 1


def _has_second_surname(
    short: PersonName, long: PersonName, places: list[int], first_names: frozenset[str]
) -> bool:
    """Whether the longer name is the shorter one with a second surname: Jacobo Arbenz Guzmán, Jacobo Arbenz."""
    return (
        places[-1] == len(long.words) - 2
        and places[-1] >= 1
        and short.words[-1] not in first_names
        and long.words[0] not in ENGLISH_FIRST_NAMES
    )


def _same_ends(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether first and last words agree and middle ones do not speak against it (William P. and W. Patrick Rogers)."""
    if short[-1] != long[-1] or not same_first_name(short[0], long[0]):
        return False
    middle, others = short[1:-1], long[1:-1]
    return not middle or not others or any(same_first_name(a, b) for a in middle for b in others)
