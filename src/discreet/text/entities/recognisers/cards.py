"""Numbers of payment cards."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.identity_numbers import is_card
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.span import Span

_CARD = re.compile(
    r"(?<![\w.,/-])[2-6]\d{3}(?:([ -]?)\d{4}\1\d{4}\1\d{1,7}|([ -])\d{6}\2\d{4,5}|\d{9,15})(?![\w/]|[.,-]\d)"
)


@recogniser(
    kinds=(Kind.CARD,),
    meaning="Numbers of payment cards whose check digit is right.",
    example="Charged to [4111 1111 1111 1111] in May.",
    languages=("any",),
)
def cards(text: str) -> Iterator[Span]:
    """The card numbers of a text."""
    for found in found_near(_CARD, text, word_index(text).figures):
        if is_card(found.group()):
            yield Span(*found.span(), Kind.CARD, "cards", "a card number with a right check digit", 0.95)
