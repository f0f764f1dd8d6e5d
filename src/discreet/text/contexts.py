"""The mentions of an entity in their contexts: what a reviewer reads to decide about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from discreet.text.entities.register import Register

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


def _one_line(text: str) -> str:
    """The text with one space for every run of white space, at its ends too."""
    return re.sub(r"\s+", " ", text)
