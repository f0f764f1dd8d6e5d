"""Long texts in pieces, so that what is kept in memory does not grow with a document."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.text.document import PART_BREAK


def pieces_of(text: str, longest: int) -> Iterator[tuple[int, int]]:
    """Stretches of a text of bounded length, cut between parts, lines, sentences or words, where there are any."""
    start = 0
    while len(text) - start > longest:
        limit = start + longest
        cuts = (text.rfind(each, start + 1, limit) for each in (PART_BREAK, "\n", ". ", " "))
        end = next((cut for cut in cuts if cut > start), limit)
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)
