"""Detection scores: how much of what people marked was found, and how much of what was found they had marked.

The definitions are those of the Text Anonymization Benchmark (Pilán and others 2022). Where several annotators marked
a document, each one's entities count, and a token counts as right by the share of annotators who marked it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from discreet.errors import Mismatch, NotComputable
from discreet.text.entities.annotations import AnnotatedDocument, Annotation, Identifies
from discreet.text.entities.kinds import Kind
from discreet.text.span import Span

TOKEN = re.compile(r"\w+")
PASSED_OVER = re.compile(
    r"(?:[,.;:/&()\[\]–'\"’“” -]"
    r"|\b(?:mr|mrs|ms|and|or|from|until|to|about|after|as|at|before|between|by|during|for|in|into|of|on|over|since"
    r"|with|the|a|an|no|nr|s)\b)+",
    re.IGNORECASE,
)
"""What need not be covered in a mention: annotators do not agree on it, and it tells nothing."""


@dataclass(frozen=True, slots=True)
class Found:
    """How many of how many were found."""

    found: float
    of: int

    @property
    def share(self) -> float:
        """The share found. Raises NotComputable where there was nothing to find."""
        if not self.of:
            raise NotComputable("there was nothing of this kind to find, so no share of it was found.")
        return self.found / self.of

    def __str__(self) -> str:
        return f"{self.share:.3f} of {self.of}" if self.of else "none to find"

    def to_dict(self) -> dict[str, Any]:
        return {"found": self.found, "of": self.of}


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionScores:
    """What a detector reached on annotated documents.

    `direct` and `quasi` count entities, each found only when all its mentions are covered; `tokens` counts the words
    to be hidden that are covered; `precision` counts the covered words that somebody marked as to be hidden; `kinds`
    counts entities of both sorts by kind.
    """

    direct: Found
    quasi: Found
    tokens: Found
    precision: Found
    kinds: Mapping[Kind, Found]

    def __str__(self) -> str:
        return f"direct {self.direct}, quasi {self.quasi}, tokens {self.tokens}, precision {self.precision} words"

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": 1,
            "direct": self.direct.to_dict(),
            "quasi": self.quasi.to_dict(),
            "tokens": self.tokens.to_dict(),
            "precision": self.precision.to_dict(),
            "kinds": {str(kind): each.to_dict() for kind, each in self.kinds.items()},
        }


def detection_scores(
    documents: Sequence[AnnotatedDocument], spans: Sequence[Iterable[Span]]
) -> DetectionScores:
    """The scores of what was found, one sequence of spans for each annotated document.

    An entity is direct where one of its mentions is. Mentions that need not be hidden are neither missed nor right.
    """
    if len(documents) != len(spans):
        raise Mismatch(f"{len(documents)} annotated documents cannot be scored with spans of {len(spans)}.")
    entities: dict[Identifies, list[bool]] = {Identifies.DIRECT: [], Identifies.QUASI: []}
    kinds: dict[Kind, list[bool]] = defaultdict(list)
    tokens: list[bool] = []
    right, covered = 0.0, 0
    for document, found in zip(documents, spans, strict=True):
        cover = _Cover((each.start, each.end) for each in found)
        for mentions in _entities(document):
            hidden = all(cover.hides(document.text, each.start, each.end) for each in mentions)
            direct = any(each.identifies is Identifies.DIRECT for each in mentions)
            entities[Identifies.DIRECT if direct else Identifies.QUASI].append(hidden)
            kinds[mentions[0].kind].append(hidden)
            for each in mentions:
                tokens += [
                    cover.hides(document.text, *token)
                    for token in _tokens(document.text, each.start, each.end)
                ]
        good, many = _right_tokens(document, cover)
        right, covered = right + good, covered + many
    return DetectionScores(
        direct=_count(entities[Identifies.DIRECT]),
        quasi=_count(entities[Identifies.QUASI]),
        tokens=_count(tokens),
        precision=Found(right, covered),
        kinds={kind: _count(kinds[kind]) for kind in Kind if kind in kinds},
    )


def missed(document: AnnotatedDocument, spans: Iterable[Span]) -> tuple[Annotation, ...]:
    """The mentions to be hidden that the spans do not cover, for somebody who looks for the reason."""
    cover = _Cover((each.start, each.end) for each in spans)
    return tuple(
        each
        for each in document.annotations
        if each.identifies is not Identifies.NO_MASK and not cover.hides(document.text, each.start, each.end)
    )


class _Cover:
    """Stretches of a text, joined where they touch, that can be asked whether they hide others."""

    def __init__(self, stretches: Iterable[tuple[int, int]]) -> None:
        self.joined: list[tuple[int, int]] = []
        for start, end in sorted(stretches):
            if self.joined and start <= self.joined[-1][1]:
                self.joined[-1] = self.joined[-1][0], max(end, self.joined[-1][1])
            else:
                self.joined.append((start, end))
        self.starts = [start for start, _ in self.joined]

    def holds(self, start: int, end: int) -> bool:
        place = bisect_right(self.starts, start) - 1
        return place >= 0 and self.joined[place][1] >= end

    def hides(self, text: str, start: int, end: int) -> bool:
        """Whether every character is covered or need not be."""
        if self.holds(start, end):
            return True
        free = {
            offset
            for each in PASSED_OVER.finditer(text[start:end])
            for offset in range(start + each.start(), start + each.end())
        }
        return all(offset in free or self.holds(offset, offset + 1) for offset in range(start, end))


def _entities(document: AnnotatedDocument) -> Iterator[list[Annotation]]:
    """The mentions to be hidden of each entity, by annotator."""
    order = attrgetter("annotator", "entity")
    masked = (each for each in document.annotations if each.identifies is not Identifies.NO_MASK)
    for _, mentions in groupby(sorted(masked, key=order), key=order):
        yield list(mentions)


def _right_tokens(document: AnnotatedDocument, cover: _Cover) -> tuple[float, int]:
    """Of the covered words, how many were marked as to be hidden, each by the share of annotators who did."""
    annotators = {each.annotator for each in document.annotations}
    marked: dict[str, list[tuple[int, int]]] = {each: [] for each in annotators}
    for each in document.annotations:
        if each.identifies is not Identifies.NO_MASK:
            marked[each.annotator].append((each.start, each.end))
    gold = [_Cover(each) for each in marked.values()]
    words = [token for start, end in cover.joined for token in _tokens(document.text, start, end)]
    right = sum(sum(each.holds(*token) for each in gold) / len(gold) for token in words) if gold else 0.0
    return right, len(words)


def _tokens(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    return (each.span() for each in TOKEN.finditer(text, start, end))


def _count(found: Sequence[bool]) -> Found:
    return Found(sum(found), len(found))
