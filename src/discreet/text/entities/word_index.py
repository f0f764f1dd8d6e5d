"""Where each word and each number of a text stands, so that patterns are tried only near the words that start them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(r"[^\W\d_]+|\d+")


class WordIndex(NamedTuple):
    """The places of the words of a text, as they are written, and of its groups of figures."""

    words: Mapping[str, list[int]]
    figures: list[int]

    def places(self, words: Iterable[str]) -> list[int]:
        """Where any of these words stand, in order."""
        found = [place for each in words for place in self.words.get(each, ())]
        found.sort()
        return found


@lru_cache(maxsize=2)
def word_index(text: str) -> WordIndex:
    """The index of a text; the last ones are kept, as all recognisers ask for the same."""
    words: dict[str, list[int]] = {}
    figures: list[int] = []
    for found in _TOKEN.finditer(text):
        token = found.group()
        if token in words:
            words[token].append(found.start())
        elif token.isdecimal():
            figures.append(found.start())
        else:
            words[token] = [found.start()]
    return WordIndex(words, figures)


def found_near(
    pattern: re.Pattern[str], text: str, places: Iterable[int], *, before: int = 0, after: int = 100
) -> Iterator[re.Match[str]]:
    """What a pattern finds that starts at one of the places or up to `before` characters before it.

    The places are in order. `after` is how far behind a place the pattern may have to look to find something.
    """
    done = low = 0
    high = -1
    for place in places:
        if high >= 0 and place - before > high:
            for found in _starting(pattern, text, max(low, done), high, after):
                done = found.end()
                yield found
            high = -1
        if high < 0:
            low = max(0, place - before)
        high = place
    yield from _starting(pattern, text, max(low, done), high, after)


def _starting(
    pattern: re.Pattern[str], text: str, low: int, high: int, after: int
) -> Iterator[re.Match[str]]:
    """The finds that start between two places."""
    end = min(len(text), high + after)
    while low <= high:
        found = pattern.search(text, low, end)
        if not found or found.start() > high:
            return
        if found.end() == end < len(text):
            found = pattern.match(text, found.start()) or found
        yield found
        low = max(found.end(), found.start() + 1)
