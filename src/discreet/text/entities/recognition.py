"""What all recognisers find in a text, overlaps resolved by one rule.

The rule: of two spans that overlap, the longer one stays; of equally long ones the surer, then the one whose kind
comes first in Kind, then the one that starts first, then that of the recogniser that was run first. What the other one
holds beside it stays as a span of its own, so nothing that was found is lost. A span that goes across the border of two
parts of a document is cut there.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from discreet.text.document import PART_BREAK
from discreet.text.entities.kinds import Kind
from discreet.text.entities.pieces import pieces_of
from discreet.text.entities.recogniser import Recogniser, chosen, recognisers
from discreet.text.entities.words.countries import COUNTRIES, NATIONALITIES, NATIONALS
from discreet.text.span import Span

_WORD = re.compile(r"\w")
_ORDER = {str(kind): place for place, kind in enumerate(Kind)}
_COUNTRY_WORDS = frozenset(each.lower() for each in (*COUNTRIES, *NATIONALITIES, *NATIONALS))


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowList:
    """What is kept as it is: wordings, in capitals or not, and countries with their nationalities if asked."""

    wordings: frozenset[str] = field(default_factory=frozenset, repr=False)
    countries: bool = False

    @classmethod
    def of(cls, wordings: Iterable[str], *, countries: bool = False) -> AllowList:
        """An allow list of wordings, in which spaces and capitals do not matter."""
        return cls(wordings=frozenset(_folded(each) for each in wordings), countries=countries)

    def keeps(self, wording: str) -> bool:
        """Whether a wording, all of it, is to be kept."""
        if not self.wordings and not self.countries:
            return False
        folded = _folded(wording)
        return folded in self.wordings or (
            self.countries and folded.removesuffix(" national").removesuffix(" citizen") in _COUNTRY_WORDS
        )


LONGEST_PIECE = 400_000
"""Characters that recognisers are given at once."""

NOTHING = AllowList()
"""The allow list that keeps nothing."""


def recognise(
    text: str,
    *,
    recognisers: Sequence[str] | None = None,
    own: Sequence[Recogniser] = (),
    allow: AllowList = NOTHING,
) -> tuple[Span, ...]:
    """The spans that recognisers find in a text: sorted, disjoint, and none across parts of the document.

    Texts longer than LONGEST_PIECE are read in pieces that are cut between parts, lines, sentences or words.
    Without names, all recognisers run for which everything is installed; `not_looked_for` tells what is left out.
    `own` are a user's patterns and lists (`pattern`, `word_list`), which need not be registered.
    Raises UnknownMethod for a recogniser that there is not, NotInstalled for one that was named and lacks something.
    """
    run = (*chosen(recognisers), *own)
    found = (
        piece
        for low, high in pieces_of(text, LONGEST_PIECE)
        for each in run
        for span in each.find(text[low:high])
        for piece in _within_parts(text, span._replace(start=span.start + low, end=span.end + low))
    )
    return resolved(text, [each for each in found if not allow.keeps(text[each.start : each.end])])


def not_looked_for(names: Sequence[str] | None = None) -> tuple[str, ...]:
    """What a run leaves out, in sentences: recognisers that lack something, and those that were not named."""
    told = []
    for each in recognisers():
        if names is not None and each.name not in names:
            told.append(f"{each.name} ({', '.join(each.kinds)}) was not run: it was not asked for.")
        elif each.not_looked_for:
            told.append(each.not_looked_for)
    return tuple(told)


def resolved(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans without overlaps, by the rule of this module. Every letter and figure that was covered stays covered."""
    joined: list[Span] = []
    for group in _overlapping(sorted(spans, key=lambda each: (each.start, each.end))):
        joined += group if len(group) == 1 else _settled(text, group)
    return tuple(joined)


def _overlapping(ordered: Sequence[Span]) -> Iterator[list[Span]]:
    """Spans in groups that do not touch each other's characters."""
    group: list[Span] = []
    end = -1
    for each in ordered:
        if group and each.start >= end:
            yield group
            group = []
        group.append(each)
        end = max(end, each.end)
    if group:
        yield group


def _settled(text: str, group: Sequence[Span]) -> list[Span]:
    """The spans of a group by their rank, each without what those before it hold."""
    kept: list[Span] = []
    for each in sorted(group, key=_rank):
        for piece in _beside(each, kept):
            if _WORD.search(text, piece.start, piece.end):
                insort(kept, piece)
    return [_trimmed(text, each) for each in kept]


def _rank(span: Span) -> tuple[int, float, int]:
    return span.start - span.end, -span.sure, _ORDER.get(span.kind, len(_ORDER))


def _beside(span: Span, kept: Sequence[Span]) -> list[Span]:
    """What is left of a span beside others, which are in order and disjoint."""
    pieces = []
    start = span.start
    place = max(0, bisect_left(kept, span.start, key=lambda each: each.end))
    while place < len(kept) and kept[place].start < span.end:
        if start < kept[place].start:
            pieces.append(span._replace(start=start, end=kept[place].start))
        start = max(start, kept[place].end)
        place += 1
    if start < span.end:
        pieces.append(span._replace(start=start))
    return pieces


def _within_parts(text: str, span: Span) -> Iterator[Span]:
    """The pieces of a span between part breaks, without space at their ends, that hold a letter or figure."""
    start, end = max(0, span.start), min(len(text), span.end)
    while (broken := text.find(PART_BREAK, start, end)) >= 0:
        if _WORD.search(text, start, broken):
            yield _trimmed(text, span._replace(start=start, end=broken))
        start = broken + len(PART_BREAK)
    if _WORD.search(text, start, end):
        yield _trimmed(text, span._replace(start=start, end=end))


def _trimmed(text: str, span: Span) -> Span:
    wording = text[span.start : span.end]
    left = len(wording) - len(wording.lstrip())
    right = len(wording) - len(wording.rstrip())
    return span._replace(start=span.start + left, end=span.end - right) if left or right else span


def _folded(wording: str) -> str:
    return " ".join(wording.lower().split())
