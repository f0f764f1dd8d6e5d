"""The mentions of an entity in their contexts: what a reviewer reads to decide about it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from discreet.text.entities.register import Register

WORD = re.compile(r"\w+")
NO_NAME = "a rule took it for no name"
AROUND = 60
"""How many characters before and after a mention are shown with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One mention of an entity: where it stands, what stands before and after it, and how it was found."""

    document: str
    start: int
    end: int
    before: str = field(repr=False)
    text: str = field(repr=False)
    after: str = field(repr=False)
    found_by: str
    why: str


def contexts(register: Register, number: int, *, around: int = AROUND) -> Iterator[Context]:
    """Every mention of an entity, document by document, each with the text around it on one line."""
    for place, document in enumerate(register.corpus):
        for each in register.mentions(place):
            if each.entity == number:
                start, end = each.span.start, each.span.end
                yield Context(
                    document=document.name,
                    start=start,
                    end=end,
                    before=_one_line(document.text[max(0, start - around) : start]),
                    text=_one_line(document.text[start:end]),
                    after=_one_line(document.text[end : end + around]),
                    found_by=each.span.found_by,
                    why=each.span.why,
                )


def unmasked(register: Register, number: int, *, around: int = AROUND) -> Iterator[Context]:
    """Where a single word that names an entity stands and is not masked, because a rule took it for no name there."""
    single = {form for form in register.entity(number).variants if WORD.fullmatch(form)}
    ways = {way for form in single for way in (form, form.upper())}
    for place, document in enumerate(register.corpus if ways else ()):
        found = [each for each in WORD.finditer(document.text) if each.group() in ways]
        if not found:
            continue
        covered = [(each.span.start, each.span.end) for each in register.mentions(place)]
        starts = [start for start, _ in covered]
        for each in found:
            before = bisect_right(starts, each.start()) - 1
            if before < 0 or covered[before][1] <= each.start():
                yield Context(
                    document=document.name,
                    start=each.start(),
                    end=each.end(),
                    before=_one_line(document.text[max(0, each.start() - around) : each.start()]),
                    text=each.group(),
                    after=_one_line(document.text[each.end() : each.end() + around]),
                    found_by="",
                    why=NO_NAME,
                )


def _one_line(text: str) -> str:
    """The text with one space for every run of white space, at its ends too."""
    return re.sub(r"\s+", " ", text)
