"""People by name: after a title or an office, with initials, or where a person is spoken of."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.naming import spans_of_names
from discreet.text.entities.recogniser import recogniser
from discreet.text.span import Span


@recogniser(
    kinds=(Kind.PERSON,),
    meaning="People by name: after a title or an office, with initials, or where the words beside tell of a person.",
    example="The applicant was represented by [Mr K.H. Novak], a lawyer.",
)
def people(text: str) -> Iterator[Span]:
    """The people of a text."""
    return (each for each in spans_of_names(text) if each.kind == Kind.PERSON)
