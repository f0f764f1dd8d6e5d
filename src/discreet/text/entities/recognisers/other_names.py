"""Capitalised words outside ordinary English of which the rules cannot tell what they name."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.naming import spans_of_names
from discreet.text.entities.recogniser import recogniser
from discreet.text.span import Span


@recogniser(
    kinds=(Kind.OTHER,),
    meaning="Capitalised words outside ordinary English within a sentence, of which nothing else tells what they name.",
    example="They boarded the [Rosalinde] before dawn.",
)
def other_names(text: str) -> Iterator[Span]:
    """The names of a text that are neither people nor organisations nor places as far as the rules can tell."""
    return (each for each in spans_of_names(text) if each.kind == Kind.OTHER)
