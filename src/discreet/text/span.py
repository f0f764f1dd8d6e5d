"""A span: a stretch of a text that something was found in, with who found it, why, and how sure."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """The characters from `start` to `end` of a document's text, and what they are.

    `kind` is a kind of entity or the name of a topic. `found_by` is the recogniser or rule, `why` says what made it so
    without repeating the text, and `sure` is how sure it is, from 0 to 1.
    """

    start: int
    end: int
    kind: str
    found_by: str
    why: str = ""
    sure: float = 1.0

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end
