"""Identity, tax and insurance numbers of several countries, by their check digits (python-stdnum)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.identity_numbers import country_of
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.span import Span

_NUMBER = re.compile(
    r"(?<![\w/.,:+-])(?:[A-Z]{1,6}\d[\dA-Z]{5,16}|\d{6}[-+A]\d{3,4}[0-9A-Z]?|\d{6,13}[A-Z]?|\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}"
    r"|\d{3}\.\d{3}\.\d{3}-\d{2}|\d{3}\.\d{4}\.\d{4}\.\d{2}|\d{3}-\d{2}-\d{4}|\d{3}[ -]\d{3}[ -]\d{3,4}"
    r"|\d{4} \d{4} \d{4}|\d{15}"
    r"|\d{17}[\dX])(?![\w/]|[.,:-]\d)"
)
"""How such numbers are written."""

_DIGITS = 6


@recogniser(
    kinds=(Kind.IDENTITY,),
    meaning="National identity, tax, health and insurance numbers of 38 countries whose check digits are right.",
    example="Her number is [44051401359] in the file.",
    languages=("any",),
    needs=(("stdnum",),),
    extra="text",
)
def identity_numbers(text: str) -> Iterator[Span]:
    """The identity numbers of a text."""
    for found in found_near(_NUMBER, text, word_index(text).figures, before=6):
        if sum(each.isdigit() for each in found.group()) >= _DIGITS and (
            country := country_of(found.group())
        ):
            why = f"a number with right check digits ({country})"
            yield Span(*found.span(), Kind.IDENTITY, "identity_numbers", why, 0.9)
