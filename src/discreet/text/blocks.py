"""Blocks: stretches of a document in which the hits of topics stand close together, for somebody to review.

A block is an order for review and never a promise: what an archive really withheld is told only a little better than by
chance from the density of hits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from discreet.text.document import Document
from discreet.text.policy_sections import BlockOptions
from discreet.text.sentences import paragraphs, pieces
from discreet.text.topics.matching import Hit

MOST_REASONS = 6
SHORT = 10
"""A sentence of fewer words, such as a heading, counts as one of so many: a single hit does not make it dense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The characters from `start` to `end` of a document, in which hits weigh `density` for each of `words`.

    A sentence of fewer than SHORT words counts as one of SHORT.
    `reasons` say which keywords of which topics were told and how often; they repeat nothing of the text.
    """

    document: str
    start: int
    end: int
    words: int
    density: float
    hits: tuple[Hit, ...] = field(repr=False)
    reasons: tuple[str, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that it tells of, each once."""
        return tuple(dict.fromkeys(topic for hit in self.hits for topic in hit.term.topics))

    def text_of(self, document: Document) -> str:
        """What stands in the block."""
        return document.text[self.start : self.end]

    def __str__(self) -> str:
        return f"{self.document}, {self.words} words, density {self.density:.3f}: {'; '.join(self.reasons)}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "document": self.document,
            "start": self.start,
            "end": self.end,
            "words": self.words,
            "density": self.density,
            "hits": len(self.hits),
            "reasons": list(self.reasons),
        }


class _Piece(NamedTuple):
    """A sentence, or a piece of a long one, with its words and its hits."""

    start: int
    end: int
    words: int
    hits: list[Hit]


def blocks_of(
    document: Document, hits: Sequence[Hit], *, options: BlockOptions | None = None
) -> tuple[Block, ...]:
    """The blocks of a document, those of the greatest density first.

    A sentence scores the weight of its hits less `density` for each of its words, which are at least SHORT. Blocks are
    the maximal scoring runs of sentences of a paragraph (Ruzzo and Tompa 1999): runs whose score is above zero and that
    no longer or shorter run beats. A sentence of more than `longest` words is taken in pieces.

    Guarantees: blocks are disjoint, each lies within one part and one paragraph, and its hits weigh more than `density`
    for each word; every sentence of which that is true lies in a block. Time grows as the length of the document.
    """
    rule = options or BlockOptions()
    found = []
    ordered = sorted(hits, key=lambda hit: hit.start)
    place = 0
    for start, end in paragraphs(document):
        first = place
        while place < len(ordered) and ordered[place].start < end:
            place += 1
        if first < place:
            parts = _with_hits(list(pieces(document.text, start, end, rule.longest)), ordered[first:place])
            scores = [sum(hit.weight for hit in each.hits) - rule.density * each.words for each in parts]
            found += [_block(document.name, parts[low:high]) for low, high in maximal_runs(scores)]
    return tuple(sorted(found, key=lambda each: (-each.density, each.start)))


def maximal_runs(scores: Sequence[float]) -> list[tuple[int, int]]:
    """All maximal scoring runs of a sequence, as (first, one after the last), in order.

    Each has a score above zero, no run inside it that ends where it does or begins where it does is worth as much, and
    it lies in no other such run. Ruzzo and Tompa (1999), in linear time.

    >>> maximal_runs([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5])
    [(0, 1), (2, 3), (4, 11)]
    """
    runs: list[_Run] = []
    total = 0.0
    for place, score in enumerate(scores):
        before, total = total, total + score
        if score <= 0:
            continue
        start, left = place, before
        while True:
            near = len(runs) - 1
            while near >= 0 and runs[near].left >= left:
                near = runs[near].lower
            if near < 0 or runs[near].right >= total:
                runs.append(_Run(start, place + 1, left, total, near))
                break
            start, left = runs[near].start, runs[near].left
            del runs[near:]
    return [(each.start, each.end) for each in runs]


class _Run(NamedTuple):
    """A run with the sums of scores before and after it, and the nearest run before it that has less before it."""

    start: int
    end: int
    left: float
    right: float
    lower: int


def _with_hits(given: Sequence[tuple[int, int, int]], hits: Sequence[Hit]) -> list[_Piece]:
    """The pieces of a paragraph with their hits; a hit that goes on into the next piece takes the border with it."""
    found: list[_Piece] = []
    place, reached = 0, 0
    for start, end, words in given:
        own = []
        while place < len(hits) and hits[place].start < end:
            own.append(hits[place])
            place += 1
        low, high = max(start, reached), max(end, own[-1].end if own else 0, reached)
        reached = high
        found.append(_Piece(low, high, max(words, SHORT), own))
    return found


def _block(document: str, parts: Sequence[_Piece]) -> Block:
    hits = tuple(hit for each in parts for hit in each.hits)
    words = sum(each.words for each in parts)
    return Block(
        document=document,
        start=parts[0].start,
        end=parts[-1].end,
        words=words,
        density=sum(hit.weight for hit in hits) / words,
        hits=hits,
        reasons=tuple(_reasons(hits)),
    )


def _reasons(hits: Sequence[Hit]) -> Iterator[str]:
    """Which keywords the hits tell, those that weigh most first."""
    weight: Counter[tuple[str, str]] = Counter()
    times: Counter[tuple[str, str]] = Counter()
    for hit in hits:
        origin = hit.term.origins[0]
        weight[origin.topic, origin.keyword] += hit.weight  # type: ignore[assignment]
        times[origin.topic, origin.keyword] += 1
    ordered = sorted(weight, key=lambda each: (-weight[each], each))
    for topic, keyword in ordered[:MOST_REASONS]:
        count = times[topic, keyword]
        yield f"{topic}: '{keyword}' {count} time{'s' if count > 1 else ''}"
    if len(ordered) > MOST_REASONS:
        yield f"{len(ordered) - MOST_REASONS} more keywords"
