"""A document: stretches of text with where they stand in its file; a corpus: documents together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import NamedTuple

from discreet.errors import BadParameter
from discreet.table import Source

PART_BREAK = "\n\n"
"""What stands between two parts in the text of a document, so that no sentence and no name goes across."""


class PartKind(StrEnum):
    """What a part is in its document. Readers of all formats use these words."""

    BODY = "body"
    HEADING = "heading"
    CELL = "table cell"
    HEADER = "header"
    FOOTER = "footer"
    FOOTNOTE = "footnote"
    ENDNOTE = "endnote"
    COMMENT = "comment"
    INSERTED = "tracked insertion"
    DELETED = "tracked deletion"
    TEXT_BOX = "text box"
    ALT_TEXT = "description of a picture"
    PROPERTY = "property"
    FIELD = "field of a message"
    LINK = "link"
    HIDDEN = "hidden text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One stretch of text. `place` is how the writer of its format finds it again, and means nothing to others."""

    kind: PartKind
    text: str = field(repr=False)
    place: str = ""


class Replacement(NamedTuple):
    """What stands in a new document instead of the characters from `start` to `end` of the old text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The text of one file. `name` is its path in the corpus, with slashes; `format` is the ending it is read by.

    Everything that looks for something looks in `text`, which joins the parts; `replaced` brings changes back into the
    parts. `not_looked_into` names what the reader saw and could not read as text, such as pictures, by kind and count.
    """

    name: str
    parts: tuple[Part, ...] = field(repr=False)
    format: str = "txt"
    source: Source | None = field(default=None, repr=False)
    not_looked_into: tuple[str, ...] = ()
    text: str = field(init=False, repr=False, compare=False)
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lengths = (len(each.text) + len(PART_BREAK) for each in self.parts)
        object.__setattr__(self, "text", PART_BREAK.join(each.text for each in self.parts))
        object.__setattr__(self, "_starts", tuple(accumulate(lengths, initial=0))[: len(self.parts)])

    @classmethod
    def of(cls, text: str, *, name: str = "document.txt") -> Document:
        """A document of one part."""
        return cls(name=name, parts=(Part(kind=PartKind.BODY, text=text),))

    def part_at(self, offset: int) -> int:
        """The number of the part that holds a place in `text`, or that stands before it where it is between two."""
        return bisect_right(self._starts, offset) - 1

    def span_of(self, part: int) -> tuple[int, int]:
        """Where a part starts and ends in `text`."""
        start = self._starts[part]
        return start, start + len(self.parts[part].text)

    def within_parts(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The pieces of a stretch of `text` that lie in one part each; what stands between parts belongs to none."""
        first, last = self.part_at(start), self.part_at(max(start, end - 1))
        for part in range(max(first, 0), last + 1):
            low, high = self.span_of(part)
            if max(start, low) < min(end, high):
                yield max(start, low), min(end, high)

    def replaced(self, replacements: Iterable[Replacement]) -> Document:
        """The document with each replacement in its part, and everything else as it is.

        Raises BadParameter where two of them overlap, or where one goes across parts or beyond the text.
        """
        ordered = sorted(replacements)
        if any(later.start < earlier.end for earlier, later in pairwise(ordered)):
            raise BadParameter("replacements in a document must not overlap.")
        by_part: dict[int, list[Replacement]] = {}
        for each in ordered:
            part = self.part_at(each.start)
            low, high = self.span_of(part) if part >= 0 else (0, -1)
            if not low <= each.start <= each.end <= high:
                raise BadParameter("a replacement must lie within one part of a document.")
            by_part.setdefault(part, []).append(Replacement(each.start - low, each.end - low, each.text))
        parts = [
            replace(each, text=_with(each.text, by_part[place])) if place in by_part else each
            for place, each in enumerate(self.parts)
        ]
        return replace(self, parts=tuple(parts))


def _with(text: str, replacements: Sequence[Replacement]) -> str:
    """The text with replacements that are in order and do not overlap."""
    pieces: list[str] = []
    done = 0
    for each in replacements:
        pieces += [text[done : each.start], each.text]
        done = each.end
    return "".join([*pieces, text[done:]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Documents together. `name` is that of the folder or file they came from."""

    documents: tuple[Document, ...] = field(repr=False)
    name: str = "corpus"

    @classmethod
    def of(cls, texts: Iterable[str], *, name: str = "corpus") -> Corpus:
        """A corpus of one document for each text, named by their numbers."""
        given = list(texts)
        width = len(str(len(given)))
        return cls(
            documents=tuple(
                Document.of(text, name=f"{place:0{width}}.txt") for place, text in enumerate(given, start=1)
            ),
            name=name,
        )

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __repr__(self) -> str:
        return f"<corpus of {len(self)} documents, {sum(len(each.text) for each in self):,} characters>"
