"""Where the paragraphs and sentences of a document stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.text.document import Document
from discreet.text.words import WORD

BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
SENTENCE_END = re.compile(r"(\w*)([.!?…]+)[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])")
ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof sir st jr sr lt col gen maj capt sgt adm gov sen rep hon messrs no nos vol vols art arts sec "  # noqa: SIM905
    "para paras fig figs cf vs etc al pp ed eds dept inc ltd co corp jan feb mar apr jun jul aug sep sept oct nov "
    "dec".split()
)
"""Words that a full stop follows inside a sentence."""


def paragraphs(document: Document) -> Iterator[tuple[int, int]]:
    """Where each paragraph of each part starts and ends; what is empty is none."""
    for part in range(len(document.parts)):
        low, high = document.span_of(part)
        start = low
        for blank in BLANK_LINE.finditer(document.text, low, high):
            yield from _filled(document.text, start, blank.start())
            start = blank.end()
        yield from _filled(document.text, start, high)


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the sentences of a paragraph start and end, without the white space between them.

    A full stop after an abbreviation, an initial or a single letter ends none.

    >>> text = "Dr. J. Smith came. He left."
    >>> [text[low:high] for low, high in sentences(text, 0, len(text))]
    ['Dr. J. Smith came.', 'He left.']
    """
    first = start
    for stop in SENTENCE_END.finditer(text, start, end):
        word = stop[1]
        if stop[2] == "." and (word.lower() in ABBREVIATIONS or (len(word) == 1 and word.isalpha())):
            continue
        yield from _filled(text, first, stop.end())
        first = stop.end()
    yield from _filled(text, first, end)


def pieces(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int, int]]:
    """The sentences of a paragraph with the number of their words; those of more than `longest` words in pieces."""
    for low, high in sentences(text, start, end):
        words = [(each.start(), each.end()) for each in WORD.finditer(text, low, high)]
        first = low
        for place in range(longest, len(words), longest):
            yield first, words[place - 1][1], longest
            first = words[place][0]
        yield first, high, len(words) - (len(words) - 1) // longest * longest if words else 0


def first_sentence(text: str) -> str:
    """The first sentence of a text, or the whole of it where it has one only."""
    low, high = next(sentences(text, 0, len(text)), (0, 0))
    return text[low:high]


def _filled(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretch without the white space around it, unless nothing is left."""
    piece = text[start:end]
    low = start + len(piece) - len(piece.lstrip())
    high = end - (len(piece) - len(piece.rstrip()))
    if low < high:
        yield low, high
