"""Countries where somebody was, lived or went, and nationalities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.entities.words.countries import COUNTRIES, NATIONALITIES, NATIONALS
from discreet.text.span import Span


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(each) for each in sorted(words, key=lambda each: (-len(each), each)))


_COUNTRY = re.compile(rf"(?<![\w-])(?:{_either(COUNTRIES)})(?!\w)(?! (?:[A-Z]))")
_LED = re.compile(
    r"\b(?:[Ii]n|[Tt]o|[Ff]rom|[Ii]nto|left|leaving|via|outside|inside|and|or|of|north|south)(?: the)? $"
)
_OF_STATE = re.compile(
    r"\b(?:Republic|Kingdom|Government|State|Federation|President|Ambassador|Embassy|Bank|Court|respect) of(?: the)? $"
)
_NATIONALITY = re.compile(
    rf"(?<![\w-])(?:United Kingdom(?= (?:national|citizen|subject))|{_either((*NATIONALITIES, *NATIONALS))})(?!\w)"
    r"(?: (?:national|citizen|subject)s?\b)?(?! (?:[A-Z]))"
)
_COUNTRY_STARTS = frozenset(re.split(r"[\W\d_]", each)[0] for each in COUNTRIES)
_NATIONALITY_STARTS = frozenset(
    re.split(r"[\W\d_]", each)[0] for each in ("United", *NATIONALITIES, *NATIONALS)
)
_BEFORE = 24


@recogniser(
    kinds=(Kind.PLACE,),
    meaning="Countries where somebody is or goes, by the word before them; the State that is a party is kept.",
    example="He was deported to [Nigeria] in March.",
)
def countries(text: str) -> Iterator[Span]:
    """The countries of a text that are said of somebody's whereabouts."""
    for found in found_near(_COUNTRY, text, word_index(text).places(_COUNTRY_STARTS)):
        start = max(0, found.start() - _BEFORE)
        if _LED.search(text, start, found.start()) and not _OF_STATE.search(text, start, found.start()):
            yield Span(
                *found.span(), Kind.PLACE, "countries", "a country after a word that leads to a place", 0.5
            )


@recogniser(
    kinds=(Kind.DEMOGRAPHIC,),
    meaning="Nationalities, but for those that are part of the name of an institution.",
    example="The case was brought by a [Polish national], Mr Novak.",
)
def nationalities(text: str) -> Iterator[Span]:
    """The nationalities of a text."""
    for found in found_near(_NATIONALITY, text, word_index(text).places(_NATIONALITY_STARTS)):
        yield Span(*found.span(), Kind.DEMOGRAPHIC, "nationalities", "a nationality", 0.5)
