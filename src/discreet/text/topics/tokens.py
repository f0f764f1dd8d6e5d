"""A text as numbers: each word by its number in a vocabulary, with where it stands and what stands after it.

All that depends on the letters of a word is found out once for each distinct word, and all that is done for each word
of a text is one look-up; the rest of matching works on arrays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.text.topics.stems import LONGEST_WORD

GAP = re.compile(r"([\W_]+)")
AT_ONCE = 1 << 20
"""Characters that are split at once, so that memory holds few of the words of a long text at a time."""
MOST_WORDS = 1 << 20
"""Distinct words that a vocabulary holds before it starts anew."""
LONGEST_GAP = 12
SPACE = re.compile(r"[^\S\n]*(?:\n[^\S\n]*)?")
HYPHEN = re.compile(r"[-‐‑‒–­_](?:[^\S\n]*\n[^\S\n]*)?")
OTHER_SEPARATOR = re.compile(r"[^\S\n]*[-‐-―_/'’·&][^\S\n]*(?:\n[^\S\n]*)?")

APART, JOINED_BY_SPACE, JOINED_BY_HYPHEN, JOINED_OTHERWISE = range(4)
"""What stands between two words: the end of a phrase, white space, a hyphen, or another separator inside phrases."""

Ids = NDArray[np.int32]


def gap_class(gap: str) -> int:
    """What a gap between two words is. Neither punctuation nor a blank line is inside a phrase."""
    if len(gap) > LONGEST_GAP:
        return JOINED_BY_SPACE if gap.isspace() and gap.count("\n") < 2 else APART
    if SPACE.fullmatch(gap):
        return JOINED_BY_SPACE
    if HYPHEN.fullmatch(gap):
        return JOINED_BY_HYPHEN
    return JOINED_OTHERWISE if OTHER_SEPARATOR.fullmatch(gap) else APART


class _Gaps(dict[str, int]):
    """The class of every gap that was met, found out once; odd gaps are not kept."""

    def __missing__(self, gap: str) -> int:
        found = gap_class(gap)
        if len(gap) <= LONGEST_GAP and len(self) < MOST_WORDS:
            self[gap] = found
        return found


class Vocabulary(dict[str, int]):
    """Distinct words as they are written, numbered from one as they come; zero is what is too long to be a word."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = [""]

    def __missing__(self, word: str) -> int:
        if len(word) > LONGEST_WORD:
            return 0
        number = self[word] = len(self.words)
        self.words.append(word)
        return number


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tokens:
    """The words of a text: their numbers, where they start and end, and what stands between each and the next."""

    words: Ids
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    after: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.words)


GAPS = _Gaps()


def tokenise(text: str, vocabulary: Vocabulary) -> Tokens:
    """The words of a text (runs of letters and digits), each numbered in the vocabulary, which grows as needed."""
    words, starts, ends, after = [], [], [], []
    for first, last in _pieces(text):
        pieces = GAP.split(text[first:last])
        # Words and gaps take turns; before the first gap and after the last one a word may be empty.
        lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
        stops = np.cumsum(lengths) + first
        held = lengths[::2] > 0
        numbers = np.fromiter(map(vocabulary.__getitem__, pieces[::2]), np.int32, len(held))
        gaps = np.full(len(held), APART, dtype=np.int8)
        gaps[: len(pieces) // 2] = np.fromiter(map(GAPS.__getitem__, pieces[1::2]), np.int8, len(pieces) // 2)
        words.append(numbers[held])
        starts.append((stops - lengths)[::2][held])
        ends.append(stops[::2][held])
        after.append(gaps[held])
    return Tokens(
        words=np.concatenate([*words, np.empty(0, dtype=np.int32)]),
        starts=np.concatenate([*starts, np.empty(0, dtype=np.int64)]),
        ends=np.concatenate([*ends, np.empty(0, dtype=np.int64)]),
        after=np.concatenate([*after, np.empty(0, dtype=np.int8)]),
    )


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where the pieces of a text begin and end, cut right before a word wherever there is one."""
    first = 0
    while first < len(text):
        gap = GAP.search(text, first + AT_ONCE) if first + AT_ONCE < len(text) else None
        last = len(text) if gap is None else gap.end()
        yield first, last
        first = last
