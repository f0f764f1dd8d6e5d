"""Where wordings stand in a text, in every way of writing in which the scan would find them."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from discreet.text.scanning.matching import WITHOUT_SPACES, Matcher, automaton
from discreet.text.words import WORD


class Place(NamedTuple):
    """A wording that stands in a text from `start` to `end`."""

    start: int
    end: int
    wording: str


class Places:
    """Finds wordings in texts as `Matcher` counts them, and says where: `ordinary` means what it means there.

    The letters and digits of a text are looked through without what stands between them; what is found is one where
    whole words begin and end it and the matcher finds something in that stretch too.
    """

    def __init__(self, wordings: Iterable[str], ordinary: Collection[str] = ()) -> None:
        given = sorted(wordings)
        self._matcher = Matcher(given, ordinary)
        self._by_letters: dict[str, str] = {}
        for each in given:
            self._by_letters.setdefault(_Letters.of(each).text, each)
        self._by_letters.pop("", None)
        self._search = automaton([*self._by_letters])
        self._wordings = [*self._by_letters.values()]

    def find(self, text: str) -> list[Place]:
        """The places in order and disjoint, of those that overlap the first and of these the longest."""
        if not self._wordings or not self._matcher.count(text):
            return []
        letters = _Letters.of(text)
        found: list[Place] = []
        done = 0
        matches = self._search.find_matches_as_indexes(letters.text, overlapping=True)
        for first, last, which in sorted((first, -last, which) for which, first, last in matches):
            start, end = letters.origin(first), _end(text, letters.origin(-last - 1) + 1)
            wording = self._wordings[which]
            if (
                start >= done
                and _is_whole(text, start, end, wording)
                and self._matcher.count(text[start:end])
            ):
                found.append(Place(start, end, wording))
                done = end
        return found


@dataclass(frozen=True, slots=True)
class _Letters:
    """The letters and digits of a text in one way of writing, and where each of them stands in it.

    `starts` are where stretches begin in `text`, `origins` where they begin in the text it was made of; of a stretch of
    one character that is written as several, each stands where that character does.
    """

    text: str
    starts: list[int] = field(repr=False)
    origins: list[int] = field(repr=False)
    plain: list[bool] = field(repr=False)

    @classmethod
    def of(cls, text: str) -> _Letters:
        pieces: list[str] = []
        found = cls("", [], [], [])
        length = 0
        for run in WORD.finditer(text):
            for piece, start, plain in _folded(run.group(), run.start()):
                found.starts.append(length)
                found.origins.append(start)
                found.plain.append(plain)
                pieces.append(piece)
                length += len(piece)
        return cls("".join(pieces), found.starts, found.origins, found.plain)

    def origin(self, place: int) -> int:
        """Where a letter stands in the text."""
        which = bisect_right(self.starts, place) - 1
        return self.origins[which] + (place - self.starts[which] if self.plain[which] else 0)


def _folded(run: str, start: int) -> Iterable[tuple[str, int, bool]]:
    """The letters of a run of them without capitals and accents, in stretches, and where each begins."""
    if run.isascii():
        yield run.lower(), start, True
        return
    for place, letter in enumerate(run, start):
        plain = unicodedata.normalize("NFKD", letter).casefold()
        kept = "".join(each for each in plain if each.isalnum())
        if kept:
            yield kept, place, False


def _end(text: str, end: int) -> int:
    """The end of a stretch with the accents that follow it."""
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return end


def _is_whole(text: str, start: int, end: int, wording: str) -> bool:
    """Whether no letter or digit stands right before or after, where the script has spaces between words."""
    if WITHOUT_SPACES.search(wording):
        return True
    return not (start and text[start - 1].isalnum()) and not (end < len(text) and text[end].isalnum())
