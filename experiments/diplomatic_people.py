"""How well people are found and told apart in diplomatic documents whose people are tagged.

    python experiments/diplomatic_people.py [FOLDER]

FOLDER holds the volumes of Foreign Relations of the United States (TEI, frus*.xml.gz). Printed for each volume:

- mentions found: the share of tagged mentions whose every letter and digit is covered, by what the recognisers find, by
  a register for each document and by one register for the volume;
- variants joined: given the tagged mentions in the order of the text, pairwise precision and recall of who is who
  within each document, over all pairs and as the mean over documents.
"""

from __future__ import annotations

import gzip
import os
import re
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from discreet.text import Corpus, Document, Part, PartKind, Span
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recognition import recognise
from discreet.text.entities.register import Register
from discreet.text.entities.words.titles import BEFORE_NAMES

VOLUMES = ("frus1952-54Guat", "frus1969-76v12")
TEI = "{http://www.tei-c.org/ns/1.0}"
BLOCKS = frozenset(
    TEI + name for name in ("p", "head", "item", "note", "cell", "signed", "dateline", "byline", "label")
)


class Tagged(NamedTuple):
    """A stretch of a document that the editors tagged as a person; `person` is empty where they did not say who."""

    start: int
    end: int
    person: str


class Volume(NamedTuple):
    """The documents of a volume, and for each the people tagged in it."""

    corpus: Corpus
    tagged: list[list[Tagged]]


def read_volume(path: Path) -> Volume:
    """The documents of a volume; notes stand where their marks are, each paragraph on lines of its own."""
    with gzip.open(path) as file:
        root = ElementTree.parse(file).getroot()
    documents, tagged = [], []
    for division in root.iter(TEI + "div"):
        if division.get("type") == "document":
            writer = _Writer()
            writer.add(division)
            text = "".join(writer.pieces)
            name = division.get("{http://www.w3.org/XML/1998/namespace}id", "") + ".txt"
            documents.append(Document(name=name, parts=(Part(kind=PartKind.BODY, text=text),)))
            tagged.append(writer.tagged)
    return Volume(Corpus(documents=tuple(documents), name=path.name), tagged)


class _Writer:
    """The text of an element and where its people stand."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.tagged: list[Tagged] = []
        self._length = 0
        self._last = "\n"

    def add(self, element: ElementTree.Element) -> None:
        block = element.tag in BLOCKS
        if block:
            self._break()
        start, first = self._length, len(self.pieces)
        self._text(element.text or "")
        for child in element:
            self.add(child)
            self._text(child.tail or "")
        if element.tag == TEI + "persName" and self._length > start:
            self._tag(start, "".join(self.pieces[first:]), element.get("corresp", ""))
        if block:
            self._break()

    def _text(self, text: str) -> None:
        plain = re.sub(r"\s+", " ", text)
        if self._last in " \n":
            plain = plain.lstrip()
        self._put(plain)

    def _break(self) -> None:
        if self._last != "\n":
            self._put("\n\n")

    def _put(self, text: str) -> None:
        if text:
            self.pieces.append(text)
            self._length += len(text)
            self._last = text[-1]

    def _tag(self, start: int, text: str, person: str) -> None:
        low = start + len(text) - len(text.lstrip())
        high = self._length - (len(text) - len(text.rstrip()))
        if low < high:
            self.tagged.append(Tagged(low, high, person))


def gold_spans(tagged: Sequence[Tagged]) -> list[Span]:
    """The tagged mentions as spans; of two that overlap, the first."""
    found: list[Span] = []
    for each in sorted(tagged):
        if not found or found[-1].end <= each.start:
            found.append(Span(each.start, each.end, str(Kind.PERSON), "editors"))
    return found


class Joined(NamedTuple):
    """Pairs of mentions of one document: over all pairs, and as the mean over documents."""

    precision: float
    recall: float
    mean_precision: float
    mean_recall: float


def joined(volume: Volume) -> Joined:
    """Precision and recall of the pairs that one register for the volume joins, given the tagged mentions."""
    register = Register.of(volume.corpus, [gold_spans(each) for each in volume.tagged])
    both = ours = theirs = 0
    precisions, recalls = [], []
    for number, tagged in enumerate(volume.tagged):
        whose = {each.start: each.person for each in tagged if each.person}
        pairs = [
            (whose[each.span.start], each.entity)
            for each in register.mentions(number)
            if each.span.start in whose
        ]
        same = _pairs(pairs)
        mine, gold = _pairs(entity for _, entity in pairs), _pairs(person for person, _ in pairs)
        both, ours, theirs = both + same, ours + mine, theirs + gold
        precisions += [same / mine] if mine else []
        recalls += [same / gold] if gold else []
    return Joined(both / ours, both / theirs, sum(precisions) / len(precisions), sum(recalls) / len(recalls))


def _pairs(labels: Iterable[Hashable]) -> int:
    return sum(count * (count - 1) // 2 for count in Counter(labels).values())


def covered(document: Document, tagged: Sequence[Tagged], spans: Iterable[Span]) -> int:
    """How many of the mentions whose person is known are covered, in every letter but those of titles."""
    held = {place for each in spans for place in range(each.start, each.end)}
    return sum(
        all(
            place in held or not document.text[place].isalnum()
            for place in range(_after_titles(document, each), each.end)
        )
        for each in tagged
        if each.person
    )


def _after_titles(document: Document, tagged: Tagged) -> int:
    start = tagged.start
    while True:
        word = re.compile(r"(\w+)\.?\s+(?=\S)").match(document.text, start, tagged.end)
        if word is None or word[1].lower() not in BEFORE_NAMES:
            return start
        start = word.end()


class Found(NamedTuple):
    """Shares of the tagged mentions that are covered: by recognisers, by registers of documents, by one of the volume.

    `as_people` counts only what the register of the volume takes for people.
    """

    recognised: float
    documents: float
    volume: float
    as_people: float


def found(volume: Volume, spans: Sequence[Sequence[Span]]) -> Found:
    """What is covered of the tagged mentions, from the spans that recognisers found in each document."""
    total = sum(bool(each.person) for its in volume.tagged for each in its)
    whole = Register.of(volume.corpus, spans)
    covers: list[list[Sequence[Span]]] = [[], [], [], []]
    for number, (document, its) in enumerate(zip(volume.corpus, spans, strict=True)):
        alone = Register.of(Corpus(documents=(document,)), [its])
        all_of_it = [each.span for each in whole.mentions(number)]
        covers[0].append(its)
        covers[1].append([each.span for each in alone.mentions(0)])
        covers[2].append(all_of_it)
        covers[3].append([each for each in all_of_it if each.kind == Kind.PERSON])
    counts = [sum(map(covered, volume.corpus, volume.tagged, each)) / total for each in covers]
    return Found(*counts)


def main() -> None:
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("DISCREET_DATA", beside))
    for name in VOLUMES:
        volume = read_volume(folder / f"{name}.xml.gz")
        who = joined(volume)
        print(f"{name}: {len(volume.corpus)} documents, {sum(map(len, volume.tagged))} tagged mentions")
        print(f"  variants joined, over all pairs: precision {who.precision:.4f}, recall {who.recall:.4f}")
        print(
            f"  as the mean over documents:      precision {who.mean_precision:.4f}, recall {who.mean_recall:.4f}"
        )
        spans = [recognise(document.text) for document in volume.corpus]
        share = found(volume, spans)
        print(f"  mentions found by recognisers:   {share.recognised:.4f}")
        print(f"  with a register per document:    {share.documents:.4f}")
        print(f"  with one register:               {share.volume:.4f} ({share.as_people:.4f} as people)")


if __name__ == "__main__":
    main()
