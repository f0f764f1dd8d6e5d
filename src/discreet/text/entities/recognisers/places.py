"""Places: names with a word for a place, or after a word that leads to one."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.naming import spans_of_names
from discreet.text.entities.recogniser import recogniser
from discreet.text.span import Span


@recogniser(
    kinds=(Kind.PLACE,),
    meaning="Towns, regions, streets and other places, told by what they are called or by the word before them. "
    "Countries are kept.",
    example="She lives in [Kowary] with her son.",
)
def places(text: str) -> Iterator[Span]:
    """The places of a text."""
    return (each for each in spans_of_names(text) if each.kind == Kind.PLACE)
