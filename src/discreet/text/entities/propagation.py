"""Where the forms of known entities occur: one automaton over all forms, then care for words that are ordinary too."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from discreet.errors import NotInstalled
from discreet.text.entities.flat_text import flatten
from discreet.text.entities.words.people import ORDINARY
from discreet.text.entities.words.titles import BEFORE_NAMES

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

OFTEN_SMALL = 0.05
"""The share of small letters from which on a word counts as ordinary."""

MOSTLY_SMALL = 0.5
"""The share from which on it is taken for a name after a title only."""

SEEN_ENOUGH = 20
"""How often a word must occur before the corpus itself tells whether it is ordinary."""

_WORD = re.compile(r"[^\W\d_]+")
_COUNTED = re.compile(r"(?<!@)(?<!\w\.)[^\W\d_]++(?!@|\.\w|[+-]\w{0,30}@)")
"""Words, but for those within an address, where names are in small letters."""
_SENTENCE_END = re.compile(r"""(?:^|[.!?:;•]["'”’)\]]*\s|\n)["'“‘(\[\s]*$""")
_BEFORE = re.compile(r"([^\W\d_]+)\.?[ ]$")
_LABEL = re.compile(r"(?m)^[ \t]*([A-Z]{1,3}):(?=\s)")
_CHUNK = 1_000_000
_LOOK_BACK = 24


class Form(NamedTuple):
    """A way of writing an entity that is looked for.

    `text` is how the entity is named by it, `relation` says how it came about. `everywhere` is not set for what means
    the entity only in a document that names it otherwise too.
    """

    kind: str
    text: str
    relation: str
    everywhere: bool = True


class Occurrence(NamedTuple):
    """A form found in a document, from `start` to `end` of its text."""

    start: int
    end: int
    form: Form


def words_of(texts: Iterable[str], wanted: frozenset[str]) -> Counter[str]:
    """How often each wanted word, in small letters, and each way it is capitalised occur in the texts."""
    counts: Counter[str] = Counter()
    for text in texts:
        for low in range(0, len(text), _CHUNK):
            found = Counter(_COUNTED.findall(text, low, low + _CHUNK))
            counts.update({word: count for word, count in found.items() if word.lower() in wanted})
    return counts


@dataclass(frozen=True, slots=True)
class OrdinaryWords:
    """Which words of names are ordinary words as well, by how the corpus writes them."""

    counts: Mapping[str, int] = field(repr=False)

    def small_share(self, word: str) -> float:
        small = self.counts.get(word.lower(), 0)
        large = self.counts.get(word.capitalize(), 0) + self.counts.get(word.upper(), 0)
        return small / (small + large) if small else 0.0

    def ordinary(self, word: str) -> bool:
        """Whether a capital letter at the start of a sentence says nothing about this word."""
        share = self.small_share(word)
        if word.lower() in ORDINARY:
            seen = sum(self.counts.get(each, 0) for each in (word.lower(), word.capitalize()))
            return share > OFTEN_SMALL or seen < SEEN_ENOUGH
        return share > OFTEN_SMALL

    def common(self, word: str) -> bool:
        """Whether a word is in most places no name at all."""
        return self.small_share(word) > MOSTLY_SMALL


class Automaton:
    """Finds every whole-word occurrence of many forms in one pass over a text."""

    def __init__(self, forms: Mapping[str, Form], ordinary: OrdinaryWords) -> None:
        self._patterns = list(forms)
        self._forms = list(forms.values())
        self._ordinary = ordinary
        self._single = [_single_word(pattern) for pattern in self._patterns]
        self._search = _automaton(self._patterns) if self._patterns else None

    def occurrences(self, text: str) -> Iterator[Occurrence]:
        """Every occurrence that counts, leftmost first and of those the longest; none overlaps another."""
        if self._search is None:
            return
        flattened = flatten(text)
        found = self._search.find_matches_as_indexes(flattened.text, overlapping=True)
        done = 0
        for start, back, number in sorted((start, -end, number) for number, start, end in found):
            if -back <= done or not self._counts(flattened.text, number, start, -back):
                continue
            # Of a form that begins within another one, what is not covered yet is covered now.
            after = _skip_gap(flattened.text, max(start, done))
            if after > start and not _tells(flattened.text[after:-back]):
                continue
            done = -back
            low, high = flattened.original(after, done)
            while high < len(text) and unicodedata.combining(text[high]):
                high += 1
            yield Occurrence(low, high, self._forms[number])

    def _counts(self, text: str, number: int, start: int, end: int) -> bool:
        """Whether a match is a whole word, and a name rather than an ordinary word."""
        if start and _within_word(text[start - 1], text[start]):
            return False
        if end < len(text) and _within_word(text[end - 1], text[end]):
            return False
        word = self._single[number]
        if not word or not self._ordinary.ordinary(word):
            return True
        if _after_title(text, start):
            return True
        if self._ordinary.common(word) or text[start:end].isupper():
            return False
        return _SENTENCE_END.search(text, max(0, start - _LOOK_BACK), start) is None and start > 0


def _skip_gap(text: str, start: int) -> int:
    while text[start].isspace():
        start += 1
    return start


def _tells(piece: str) -> bool:
    return any(letter.isupper() or letter.isdigit() for letter in piece)


def _within_word(one: str, other: str) -> bool:
    return (one.isalnum() or one == "_") and (other.isalnum() or other == "_")


def _single_word(pattern: str) -> str:
    """The pattern where it is one word of letters that starts with a capital one."""
    return pattern if _WORD.fullmatch(pattern) else ""


def _after_title(text: str, start: int) -> bool:
    before = _BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    return before is not None and before[1][0].isupper() and before[1].lower() in BEFORE_NAMES


def _automaton(patterns: Sequence[str]) -> AhoCorasick:
    try:
        from ahocorasick_rs import AhoCorasick, MatchKind
    except ModuleNotFoundError:
        raise NotInstalled(
            "looking for known names needs the library ahocorasick-rs. Install it: pip install 'discreet[text]'."
        ) from None
    return AhoCorasick(list(patterns), matchkind=MatchKind.Standard, store_patterns=False)


def speaker_labels(text: str) -> Iterator[tuple[int, int]]:
    """Where letters and a colon at the start of a line tell who speaks, if that happens more than once."""
    found = [each.span(1) for each in _LABEL.finditer(text)]
    if len(found) > 1:
        yield from found


def written_ways(pattern: str) -> Iterator[str]:
    """The ways a form is written: as it is, in capitals, and with capital first letters if it was in capitals."""
    yield pattern
    if pattern.upper() != pattern:
        yield pattern.upper()
    elif any(letter.isalpha() for letter in pattern):
        yield re.sub(r"[^\W\d_]+", lambda word: word.group().capitalize(), pattern)
