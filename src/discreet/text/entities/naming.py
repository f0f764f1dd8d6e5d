"""What each name in a text is called by: a person, an organisation, a place, or none of them.

A name is told by its words and by what stands beside it. An organisation or a place is told only where it holds a word
outside ordinary English, countries and their adjectives: a Supreme Court or a Ministry of Justice names nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from discreet.text.entities.capitals import Name, Sort, Word, names_of
from discreet.text.entities.kinds import Kind
from discreet.text.entities.words import words
from discreet.text.entities.words.calendar import CURRENCY_CODES
from discreet.text.entities.words.countries import COUNTRIES
from discreet.text.entities.words.names import HEADS, LEGAL_FORMS, PLACE_HEADS, TO_PLACES
from discreet.text.entities.words.titles import OFFICES
from discreet.text.span import Span

_TRANSLATED = re.compile(r" \((?:[“„\"][^\n”“\"]{2,60}[”“\"]|[^\W\d_][^\n()\d;:,“”\"]{1,80})\)")
"""A name in another language, or a short name, that follows in brackets."""

_POSSESSIVE = re.compile(r"['’]s?$")
_ACRONYM = re.compile(r"[^\W\d_a-z]{2,7}(?:[-‑/][^\W\d_a-z]{1,5})?")
_AFTER_PERSON = re.compile(
    r" \(“the (?:\w+ )?applicant|, (?:was |who was )?born |, who (?:was|is|had|has) |, aged "
)
_COUNTRY_AFTER = re.compile(rf", (?:{'|'.join(sorted(COUNTRIES))})\b| \((?:{'|'.join(sorted(COUNTRIES))})\)")
_SECTION = re.compile(r"\d{1,2}(?:st|nd|rd|th) $")
_ACTS = re.compile(
    r"(?:['’]s)? (?:said|says|told|asked|replied|answered|added|noted|stated|commented|remarked|thought"
    r"|believed|felt|wanted|wants"
    r"|agreed|suggested|mentioned|is|was|has|had|will|would|then|also|did|does|may|might)\b|['’]s "
)
"""What is said of a person that a sentence starts with."""

_LAWS = frozenset(
    words(
        """
    act acts law laws code codes convention conventions regulation regulations treaty directive decree
    agreement statute ordinance protocol charter allowance benefit pension case judgment
    """
    )
)
_LONGEST_PERSON = 6
PERSON_CUES = frozenset(
    words(
        """
    applicant applicants named called wife husband son daughter brother sister father mother mrs mr
    lawyer counsel witness colleague client accused defendant claimant against representative
    """
    )
)
NOT_NAMES = frozenset(each.lower() for each in CURRENCY_CODES)


@lru_cache(maxsize=2)
def spans_of_names(text: str) -> tuple[Span, ...]:
    """The people, organisations, places and other names of a text, told by rules."""
    return tuple(_told(text, names_of(text)))


def _told(text: str, names: Sequence[Name]) -> Iterator[Span]:
    inner = _within_sentences(names)
    plain_until = -1
    for name in names:
        if name.start < plain_until:
            continue
        found = (
            _person(text, name)
            or _organisation(text, name)
            or _place(text, name)
            or _other(text, name, inner)
        )
        if found is None:
            continue
        if found.kind == Kind.ORGANISATION and (
            numbered := _SECTION.search(text, max(0, found.start - 6), found.start)
        ):
            found = found._replace(start=numbered.start())
        if found.kind == Kind.ORGANISATION and (after := _TRANSLATED.match(text, found.end)):
            found = found._replace(end=after.end())
            plain_until = after.end()
        yield found


def _within_sentences(names: Sequence[Name]) -> frozenset[str]:
    """The words outside ordinary English that stand within a sentence somewhere, so that a capital is their own."""
    return frozenset(
        word.low for name in names if not name.opens for word in name.words if word.sort is Sort.UNKNOWN
    )


def _span(text: str, words: Sequence[Word], kind: Kind, by: str, why: str, sure: float) -> Span:
    start, end = words[0].start, words[-1].end
    ending = _POSSESSIVE.search(text, start, end)
    return Span(start, ending.start() if ending else end, kind, by, why, sure)


def _person(text: str, name: Name) -> Span | None:
    words = name.words
    titles = 0
    while titles < len(words) and words[titles].sort is Sort.TITLE:
        titles += 1
    if titles:
        rest = _up_to_office(words[titles : titles + _LONGEST_PERSON])
        if not rest:
            return None
        return _span(text, (*words[:titles], *rest), Kind.PERSON, "people", "a name after a title", 0.95)
    return _after_office(text, words) or _initials(text, name) or _by_cue(text, name)


def _after_office(text: str, words: Sequence[Word]) -> Span | None:
    """A name right after an office or rank, together with it."""
    for place, (office, first) in enumerate(pairwise(words)):
        named = first.sort in (Sort.UNKNOWN, Sort.INITIALS) and first.low not in HEADS
        if office.low in OFFICES and named and first.start - office.end == 1:
            start = place
            while start and words[start - 1].low in OFFICES:
                start -= 1
            rest = _up_to_office(words[place + 1 : place + 1 + _LONGEST_PERSON])
            held = (*words[start : place + 1], *rest)
            return _span(text, held, Kind.PERSON, "people", "a name after an office", 0.85)
    return None


def _initials(text: str, name: Name) -> Span | None:
    """A name with initials, such as J. Novak, Jan K. Novak or J.N."""
    words = name.words
    if words[0].sort is Sort.INITIALS and not _numbers_a_heading(text, name):
        rest = _up_to_office(words[:_LONGEST_PERSON])
        if len(rest) > 1 and (rest[-1].sort is not Sort.ORDINARY or rest[-1].low in OFFICES):
            return _span(text, rest, Kind.PERSON, "people", "initials before a name", 0.85)
        if len(words) == 1 and words[0].text.count(".") > 1:
            return _span(text, words, Kind.PERSON, "people", "initials alone", 0.6)
        return None
    middle = any(each.sort is Sort.INITIALS for each in words[1:-1])
    if middle and words[-1].sort is Sort.UNKNOWN and len(words) <= _LONGEST_PERSON:
        return _span(text, words, Kind.PERSON, "people", "initials within a name", 0.8)
    return None


def _by_cue(text: str, name: Name) -> Span | None:
    """Words that are all unknown, where a person is spoken of before or after them."""
    words = name.words
    if len(words) > _LONGEST_PERSON or any(each.sort is not Sort.UNKNOWN for each in words):
        return None
    if any(_ACRONYM.fullmatch(each.text) for each in words) and len(words) == 1:
        return None
    if name.before in PERSON_CUES and name.before != "against":
        return _span(text, words, Kind.PERSON, "people", "a name after a word for a person", 0.75)
    if _AFTER_PERSON.match(text, name.end):
        return _span(text, words, Kind.PERSON, "people", "a name before what is said of a person", 0.8)
    return None


def _numbers_a_heading(text: str, name: Name) -> bool:
    """Whether a single letter at the start of a line numbers what follows."""
    first = name.words[0]
    return len(first.text) == 2 and (first.start == 0 or text[first.start - 1] == "\n")


def _up_to_office(words: Sequence[Word]) -> Sequence[Word]:
    """The words before an office or the word for an institution that follows a name."""
    for place, each in enumerate(words):
        held = place and words[place - 1].sort is not Sort.INITIALS
        if held and (each.low in OFFICES or each.low in HEADS) and each.sort is Sort.ORDINARY:
            return words[:place]
    return words


def _organisation(text: str, name: Name) -> Span | None:
    words = name.words
    form = next(
        (place for place, each in enumerate(words) if place and each.text.strip(".") in LEGAL_FORMS), None
    )
    if form is not None:
        return _span(
            text, words[: form + 1], Kind.ORGANISATION, "organisations", "a legal form after a name", 0.95
        )
    if not name.has(Sort.UNKNOWN):
        return None
    if any(_POSSESSIVE.sub("", each.low) in HEADS for each in words):
        words = _without_opening(name)
        return _span(
            text, words, Kind.ORGANISATION, "organisations", "a name with a word for an institution", 0.9
        )
    if len(words) == 1 and _ACRONYM.fullmatch(words[0].text) and words[0].low not in NOT_NAMES:
        return _span(text, words, Kind.ORGANISATION, "organisations", "an unknown word in capitals", 0.55)
    return None


def _place(text: str, name: Name) -> Span | None:
    found = _place_alone(text, name)
    country = _COUNTRY_AFTER.match(text, found.end) if found else None
    return found._replace(end=country.end()) if found and country else found


def _place_alone(text: str, name: Name) -> Span | None:
    words = _without_opening(name)
    if not words or not any(each.sort is Sort.UNKNOWN for each in words):
        return None
    if words[-1].low in PLACE_HEADS or (words[0].low in PLACE_HEADS and len(words) > 1):
        return _span(text, words, Kind.PLACE, "places", "a name with a word for a place", 0.85)
    if name.before in TO_PLACES and not name.has(Sort.INITIALS):
        return _span(text, words, Kind.PLACE, "places", "a name after a word that leads to a place", 0.7)
    return None


def _other(text: str, name: Name, inner: frozenset[str]) -> Span | None:
    """Words outside ordinary English about which nothing else is known."""
    words = _without_opening(name)
    unknown = [each for each in words if each.sort is Sort.UNKNOWN and each.low not in NOT_NAMES]
    if not unknown or words[-1].low in _LAWS:
        return None
    if name.opens and len(words) == 1 and not (words[0].low in inner or _ACTS.match(text, words[0].end)):
        return None
    if len(words) > 1 and all(each.sort is Sort.UNKNOWN for each in words) and len(words) <= 4:
        return _span(text, words, Kind.PERSON, "people", "several words outside ordinary English", 0.5)
    return _span(text, words, Kind.OTHER, "other_names", "a word outside ordinary English", 0.4)


def _without_opening(name: Name) -> tuple[Word, ...]:
    """The words of a name without an unknown first one that only opens a sentence before an ordinary one."""
    words = name.words
    if name.opens and len(words) > 1 and words[0].sort is Sort.UNKNOWN and words[0].low.endswith("ing"):
        return words[1:]
    return words
