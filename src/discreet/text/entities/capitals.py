"""Runs of capitalised words in a text, cut into names, each with what its words are.

People, organisations and places are told from the same names, so a text is read once for all three.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from discreet.text.entities.words.calendar import CALENDAR, FIRST_NAMES
from discreet.text.entities.words.countries import NATIONAL_WORDS, PEOPLES
from discreet.text.entities.words.names import ABBREVIATIONS, HEADS, LEGAL_FORMS, PARTICLES
from discreet.text.entities.words.ordinary import SMALL, is_ordinary
from discreet.text.entities.words.titles import OFFICES, TITLES

UPPER = "A-Z" + "".join(chr(code) for code in range(0x80, 0x2000) if chr(code).isupper())
"""All capital letters of the alphabets that have them, as they stand in a class of a pattern."""

_DASH, _APOSTROPHE = r"\-‑", "'’"
_INITIALS = rf"[{UPPER}][a-z]?\.(?:[{_DASH}]?[{UPPER}][a-z]?\.){{0,5}}(?:[{UPPER}](?!\w))?"
_DOTTED = (
    r"(?:Prof|Messrs|Gen|Col|Lt|Sgt|Capt|Cpl|Maj|Adm|Gov|Sen|Rep|Rev|Hon|Amb|Mag|Dipl|Ing|Dott|Mlle"
    r"|Mme|Supt|Insp)\."
)
_WORD = (
    rf"(?:[a-zA-Z]{{1,2}}[{_DASH}{_APOSTROPHE}])?[{UPPER}]\w*(?:[{_DASH}{_APOSTROPHE}/][^\W_]+)*"
    rf"(?:(?<=s)[{_APOSTROPHE}](?=[ \u00a0][{UPPER}]))?"
)
_TOKEN = re.compile(rf"(?<![\w{_DASH}])(?:{_DOTTED}|{_INITIALS}|{_WORD})")
_GAP = re.compile(
    r"[ \u00a0]?(?:\n[ \u00a0]*)?(?:(?P<of>of(?: the)?|for(?: the)?|on the)|(?P<and>and(?: the)?|&|et|und)"
    rf"|(?P<particle>(?:{'|'.join(sorted(PARTICLES))})(?:[ ](?:{'|'.join(sorted(PARTICLES))}))?))?"
    r"[ \u00a0]?(?:\n[ \u00a0]*)?"
)
_LONGEST_GAP = 16
_LONGEST_NAME = 24
_WRAPPED = 40
"""Characters that a line has at least whose break may stand within a name; shorter lines end where they end."""

_LOWER = re.compile(r"(?<![\w’'@])(?<!\w\.)[^\W\d_A-Z]\w++(?!@|\.\w|[+-]\w{0,30}@)")
"""Words in small letters; those within an address tell nothing, as names are in small letters there."""

_ROMAN = re.compile(r"[IVXLC]+\.?")
_POSSESSIVE = re.compile(rf"[{_APOSTROPHE}]s?$")
_BEFORE = re.compile(r"([^\W\d_]+)[ \u00a0\n]+(?:the[ \u00a0\n]+)?$")
_ENDS = ".!?:\n;•"
_OPENERS = " \u00a0“\"„«(’'‘[-–—*"


class Sort(Enum):
    """What a word of a name is."""

    TITLE = auto()
    INITIALS = auto()
    PARTICLE = auto()
    ORDINARY = auto()
    NATIONAL = auto()
    UNKNOWN = auto()


class Word(NamedTuple):
    """One word of a name. `low` is in small letters, without points and possessive endings."""

    start: int
    end: int
    text: str
    low: str
    sort: Sort


class Name(NamedTuple):
    """Capitalised words that belong together, with the word before them and whether they open a sentence."""

    words: tuple[Word, ...]
    before: str
    opens: bool

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def end(self) -> int:
        return self.words[-1].end

    def has(self, *sorts: Sort) -> bool:
        return any(each.sort in sorts for each in self.words)


@lru_cache(maxsize=2)
def names_of(text: str) -> tuple[Name, ...]:
    """The names in a text, in order. Words that are small or that a calendar holds belong to none."""
    low_words = lower_words(text)
    sorts: dict[str, Sort] = {}
    return tuple(_named(text, words) for run in _runs(text) for words in _cut(text, run, low_words, sorts))


@lru_cache(maxsize=2)
def lower_words(text: str) -> frozenset[str]:
    """The words that a text has in small letters, which are ordinary as far as this text is concerned."""
    return frozenset(_LOWER.findall(text))


class _Gap(Enum):
    CUT = auto()
    PLAIN = auto()
    OF = auto()
    AND = auto()
    PARTICLE = auto()


_PLAIN = {" ": _Gap.PLAIN, "\u00a0": _Gap.PLAIN}


@lru_cache(maxsize=4096)
def _gap(between: str) -> _Gap:
    """What the characters between two capitalised words say: whether they can belong to one name."""
    found = _GAP.fullmatch(between)
    if not found or between.count("\n") > 1 or not between:
        return _Gap.CUT
    kinds = {"of": _Gap.OF, "and": _Gap.AND, "particle": _Gap.PARTICLE}
    return kinds[found.lastgroup] if found.lastgroup else _Gap.PLAIN


Run = list[tuple[int, int, str, _Gap]]


def _runs(text: str) -> Iterator[Run]:
    """Capitalised tokens with nothing between them that parts names, each with what stands before it."""
    run: Run = []
    last = -1
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        gap = _Gap.CUT
        if run and start - last <= _LONGEST_GAP:
            between = text[last:start]
            gap = _PLAIN.get(between) or _gap(between)
            if gap is not _Gap.CUT and "\n" in between:
                broken = last + between.index("\n")
                wide = broken - text.rfind("\n", 0, broken) > _WRAPPED
                gap = gap if wide else _Gap.CUT
        if gap is _Gap.CUT and run:
            yield run
            run = []
        run.append((start, end, token.group(), gap))
        last = end
    if run:
        yield run


def _cut(text: str, run: Run, low_words: frozenset[str], sorts: dict[str, Sort]) -> Iterator[list[Word]]:
    """The names in a run: small words, days and months stand between them, and a title starts a new one."""
    words: list[Word] = []
    for place, (start, end, written, gap) in enumerate(run):
        low = written.rstrip(".").lower()
        titled = bool(words) and words[-1].sort is Sort.TITLE
        if (low in SMALL or low in CALENDAR) and low not in TITLES and not titled:
            if low in FIRST_NAMES and _is_first_name(text, run, place, low_words):
                sorts[written] = Sort.UNKNOWN
            else:
                if words:
                    yield words
                words = []
                continue
        if written not in sorts:
            sorts[written] = sort_of(written, low_words)
        word = Word(start, end, written, low, sorts[written])
        if words and not _continues(words, word, gap):
            yield words
            words = []
        words.append(word)
    if words:
        yield words


def _is_first_name(text: str, run: Run, place: int, low_words: frozenset[str]) -> bool:
    """Whether a month is a first name: a name follows right after it, and no day stands before it."""
    if place + 1 == len(run) or run[place + 1][3] is not _Gap.PLAIN:
        return False
    following = sort_of(run[place + 1][2], low_words)
    return (
        following in (Sort.UNKNOWN, Sort.INITIALS)
        and not text[max(0, run[place][0] - 3) : run[place][0]].strip()[-1:].isdigit()
    )


def _continues(words: list[Word], word: Word, gap: _Gap) -> bool:
    """Whether a word belongs to the name before it."""
    if len(words) >= _LONGEST_NAME:
        return False
    if word.sort is Sort.TITLE:
        return words[-1].sort is Sort.TITLE
    if gap is _Gap.AND:
        return all(each.sort is Sort.ORDINARY for each in words) and word.sort is Sort.ORDINARY
    if gap is _Gap.OF:
        return words[0].sort not in (Sort.TITLE, Sort.INITIALS)
    return True


def sort_of(text: str, low_words: frozenset[str]) -> Sort:
    """What a capitalised word is, in a text that has these words in small letters."""
    low = text.rstrip(".").lower()
    if low in TITLES:
        return Sort.TITLE
    if "." in text[:-1] or (text.endswith(".") and len(text) <= 3):
        return Sort.ORDINARY if low.replace(".", "") in ABBREVIATIONS else Sort.INITIALS
    base = _POSSESSIVE.sub("", low)
    if base in NATIONAL_WORDS:
        return Sort.NATIONAL
    if text in LEGAL_FORMS or base in HEADS or base in OFFICES or base in ABBREVIATIONS:
        return Sort.ORDINARY
    if len(base) < 2 or base in low_words or is_ordinary(base) or _ROMAN.fullmatch(text) or text in PEOPLES:
        return Sort.ORDINARY
    return Sort.UNKNOWN


def _named(text: str, words: list[Word]) -> Name:
    start = words[0].start
    before = _BEFORE.search(text, max(0, start - 30), start)
    place = start - 1
    while place >= 0 and text[place] in _OPENERS:
        place -= 1
    return Name(tuple(words), before.group(1).lower() if before else "", _ends_before(text, place))


def _ends_before(text: str, place: int) -> bool:
    """Whether a sentence ends at a place; a line that is merely wrapped there does not end it."""
    if place < 0 or text[place] != "\n":
        return place < 0 or text[place] in _ENDS
    wide = place - text.rfind("\n", 0, place) > _WRAPPED
    return not wide or text[place - 1] in _ENDS
