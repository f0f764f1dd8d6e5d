"""Numbers of payment cards."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.span import Span

_CARD = re.compile(
    r"(?<![\w.,/-])[2-6]\d{3}(?:([ -]?)\d{4}\1\d{4}\1\d{1,7}|([ -])\d{6}\2\d{4,5}|\d{9,15})(?![\w/]|[.,-]\d)"
)
_SHORTEST, _LONGEST = 13, 19


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


def is_card(number: str) -> bool:
    """Whether the check digit of a card number is right (Luhn, ISO/IEC 7812).

    >>> is_card("4111 1111 1111 1111"), is_card("4111 1111 1111 1112")
    (True, False)
    """
    digits = [int(each) for each in number if each.isdecimal()]
    if not _SHORTEST <= len(digits) <= _LONGEST:
        return False
    doubled = (2 * each - 9 * (each > 4) for each in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
