"""A slot: where one part of a document stands in its file, in one run of text or several.

A reader opens a file into slots, and a writer opens the same file again, fills the slots that changed, and saves what
was opened. So a part is found again without any description of its place but its number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, Protocol

from discreet.text.document import PartKind

TOKEN = re.compile(r"\w+|\W")
MOST_PAIRS = 4_000_000
"""Beyond this many pairs of tokens, what lies between the first and the last change counts as one change."""
LETTER = re.compile(r"\w")
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Run(Protocol):
    """A piece of text that can be read and set."""

    @property
    def text(self) -> str: ...

    def put(self, text: str) -> None: ...


@dataclass(slots=True)
class Held:
    """Text that is held here alone, for formats that are written anew."""

    text: str

    def put(self, text: str) -> None:
        self.text = text


@dataclass(slots=True)
class ElementText:
    """The text at the start of an element."""

    element: Any

    @property
    def text(self) -> str:
        return self.element.text or ""

    def put(self, text: str) -> None:
        self.element.text = for_xml(text)


@dataclass(slots=True)
class Tail:
    """The text after an element."""

    element: Any

    @property
    def text(self) -> str:
        return self.element.tail or ""

    def put(self, text: str) -> None:
        self.element.tail = for_xml(text)


@dataclass(slots=True)
class Attribute:
    """The value of an attribute."""

    element: Any
    name: str

    @property
    def text(self) -> str:
        return self.element.get(self.name) or ""

    def put(self, text: str) -> None:
        self.element.set(self.name, for_xml(text))


@dataclass(slots=True)
class Slot:
    """One part in its file: its kind, and the runs whose texts follow each other in it."""

    kind: PartKind
    runs: list[Run] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(each.text for each in self.runs)

    def put(self, text: str) -> None:
        """Sets the runs so that they join to `text`; runs that hold nothing of a change stay as they are."""
        old = [each.text for each in self.runs]
        for run, before, after in zip(self.runs, old, aligned(old, text), strict=True):
            if before != after:
                run.put(after)


def held(kind: PartKind, text: str) -> Slot:
    """A slot that holds its own text."""
    return Slot(kind, [Held(text)])


def for_xml(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return NOT_IN_XML.sub(" ", text)


def aligned(old: Sequence[str], new: str) -> list[str]:
    """The texts of the runs, given what they were and what they should join to.

    What is new stands in the run where the change begins; the rest of what it replaces is gone from the other runs.

    >>> aligned(["Dear ", "Jo", "hn", ", hello"], "Dear Pers1, hello")
    ['Dear ', 'Pers1', '', ', hello']
    """
    if len(old) == 1:
        return [new]
    whole = "".join(old)
    if whole == new:
        return list(old)
    starts = list(accumulate((len(each) for each in old), initial=0))[: len(old)]
    pieces: list[list[str]] = [[] for _ in old]
    for kind, low, high, text in _changes(whole, new):
        if kind == "equal":
            _spread(whole, low, high, starts, pieces)
        elif text:
            at = low if high > low else max(low - 1, 0)
            pieces[bisect_right(starts, at) - 1].append(text)
    return ["".join(each) for each in pieces]


def _spread(whole: str, low: int, high: int, starts: list[int], pieces: list[list[str]]) -> None:
    """Puts a stretch that stays into the runs that it stood in."""
    while low < high:
        run = bisect_right(starts, low) - 1
        end = min(high, starts[run + 1]) if run + 1 < len(starts) else high
        pieces[run].append(whole[low:end])
        low = end


def _changes(old: str, new: str) -> list[tuple[str, int, int, str]]:
    """What makes one text of the other, by words: its kind, where in the old text, and the new text."""
    before, after = TOKEN.findall(old), TOKEN.findall(new)
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    middle, into = before[first : len(before) - last], after[first : len(after) - last]
    if len(middle) * len(into) > MOST_PAIRS:
        steps = [("replace", 0, len(middle), 0, len(into))]
    else:
        steps = SequenceMatcher(None, middle, into, autojunk=False).get_opcodes()  # type: ignore[assignment]
    places = list(accumulate((len(each) for each in before), initial=0))
    changes = [("equal", 0, places[first], "")]
    changes += [
        (kind, places[first + i], places[first + j], "".join(into[m:n])) for kind, i, j, m, n in steps
    ]
    return [*changes, ("equal", places[len(before) - last], len(old), "")]
