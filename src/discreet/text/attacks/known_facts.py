"""What an intruder knows of each document: names, places, dates and numbers, as they stood in the original.

The masker's own recognisers would not do: what they missed, they would miss here too, and the release would look safe.
So every word that is written like a name, and every number, is a known fact, with whatever was recognised or annotated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from discreet.text.document import Corpus
from discreet.text.entities.words.ordinary import is_ordinary
from discreet.text.span import Span
from discreet.text.words import stop_words

Facts = frozenset[str]

_WORD = re.compile(r"\w+(?:[-'’./]\w+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+|\n\s*|[\"“(\[]\s*)$")
SHORTEST = 2
"""Shorter words and numbers tell nobody from anybody."""
LONG, FEWEST = 4, 3
"""A line is a title by its words of so many letters, where it has so many of them."""


def known_facts(
    original: Corpus,
    spans: Sequence[Iterable[Span]],
    *,
    kept: Collection[str] = (),
) -> tuple[Facts, ...]:
    """For each original document the facts that an intruder may know of it, in lower case.

    `spans` are what was recognised or annotated in each document, and count whole and word by word. A capitalised word
    counts unless it is a stop word, the corpus writes it in lower case more often, or it is ordinary English that is
    only seen where a capital tells nothing: at the start of a sentence, or in a line most of whose words have one, such
    as a title. So does every number of at least two digits.
    `kept` are words that the steward publishes on purpose, such as names of countries.
    """
    lower, upper = _cases(original)
    public = {normalised(each) for each in kept} | stop_words()
    found: list[Facts] = []
    for document, marked in zip(original, spans, strict=True):
        facts = {document.text[each.start : each.end] for each in marked}
        facts |= {word for fact in list(facts) for word in _WORD.findall(fact) if _tells(word)}
        facts |= {
            word
            for word in _WORD.findall(document.text)
            if _tells(word) and _is_name_like(word, lower[word.lower()], upper[word.lower()])
        }
        found.append(frozenset(normalised(each) for each in facts) - public - {""})
    return tuple(found)


def normalised(fact: str) -> str:
    """A fact as it is compared: lower case, one space between words.

    >>> normalised("New\\n York")
    'new york'
    """
    return " ".join(fact.lower().split())


def _tells(word: str) -> bool:
    """Whether a word is written like a name or a number that could tell documents apart."""
    return len(word) >= SHORTEST and (word[0].isupper() or word[0].isdigit())


def _is_name_like(word: str, lower: int, upper: int) -> bool:
    """Whether a word is a name as far as the corpus tells: by its capitals within sentences, or by being no English."""
    if upper:
        return lower <= upper
    return word[0].isdigit() or (not lower and not is_ordinary(word))


def _cases(corpus: Corpus) -> tuple[Counter[str], Counter[str]]:
    """How often each word stands in lower case, and how often with a capital where that tells something."""
    lower: Counter[str] = Counter()
    upper: Counter[str] = Counter()
    for document in corpus:
        for start, end in _lines(document.text):
            found = list(_WORD.finditer(document.text, start, end))
            capitals_tell = not _is_title([each.group() for each in found])
            for each in found:
                word = each.group()
                if word[0].islower():
                    lower[word.lower()] += 1
                elif capitals_tell and not _starts_sentence(document.text, each.start()):
                    upper[word.lower()] += 1
    return lower, upper


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start + len(line)
        start += len(line)


def _is_title(words: Sequence[str]) -> bool:
    """Whether most words of a line that are long enough for it have a capital: names then look like the others."""
    long = [each for each in words if len(each) >= LONG and each[0].isalpha()]
    return len(long) >= FEWEST and 2 * sum(each[0].isupper() for each in long) > len(long)


def _starts_sentence(text: str, place: int) -> bool:
    return _SENTENCE_START.search(text, max(0, place - 4), place) is not None
