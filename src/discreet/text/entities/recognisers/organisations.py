"""Organisations: names with a word for an institution or a legal form, and unknown words in capitals."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.naming import spans_of_names
from discreet.text.entities.recogniser import recogniser
from discreet.text.span import Span


@recogniser(
    kinds=(Kind.ORGANISATION,),
    meaning="Companies by their legal form and institutions by what they are called, where a word of the name is "
    "outside ordinary English, countries and their adjectives; and unknown words in capitals.",
    example="He appealed to the [Kowary District Court] in May.",
)
def organisations(text: str) -> Iterator[Span]:
    """The organisations of a text."""
    return (each for each in spans_of_names(text) if each.kind == Kind.ORGANISATION)
