"""Telephone and fax numbers, checked against the plans of the countries (phonenumbers)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.identity_numbers import is_phone
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.span import Span

_NUMBER = re.compile(r"(?<![\w/.,:-])(?:\+|00)?\(?\d(?:[ \u00a0()/.-]{0,3}\d){6,16}(?![\w/]|[.,:-]\d)")
_CUE = re.compile(
    r"\b(?:[Tt]el(?:ephone)?|[Pp]hone|[Ff]ax|[Mm]obile|[Cc]ell(?:phone)?|[Cc]all(?:ed)?|[Rr]ing|[Rr]each|[Dd]ial(?:led)?|TEL|FAX)\b\.?:?"
    r"(?: (?:number|no\.?|at|on|us|me))*[: ]*$"
)
_PLAIN_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}-\d{4}|\d{1,3}(?:[ .]\d{3})+")
_BEFORE = 32


@recogniser(
    kinds=(Kind.PHONE,),
    meaning="Telephone and fax numbers: international ones that a country's plan holds, North American ones as they "
    "are written there, and any after a word for a telephone.",
    example="Call [+44 20 7946 0958] before noon.",
    languages=("any",),
    needs=(("phonenumbers",),),
    extra="text",
)
def phones(text: str) -> Iterator[Span]:
    """The telephone numbers of a text."""
    for found in found_near(_NUMBER, text, word_index(text).figures, before=2, after=80):
        digits = sum(each.isdigit() for each in found.group())
        if _CUE.search(text, max(0, found.start() - _BEFORE), found.start()) and digits <= 16:
            yield Span(*found.span(), Kind.PHONE, "phones", "a number after a word for a telephone", 0.9)
        elif _PLAIN_DATE.fullmatch(found.group()) is None and is_phone(found.group()):
            yield Span(*found.span(), Kind.PHONE, "phones", "a number of a country's plan", 0.85)
