"""Quantities: sums of money, shares, measures, and terms of imprisonment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto

from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.entities.words.calendar import CURRENCY_CODES, CURRENCY_NAMES, MONTHS, NUMBERS
from discreet.text.span import Span

_NUMBER = r"\d{1,3}(?:[., \u00a0’']\d{3}){1,6}(?:[.,]\d{1,4})?|\d{1,15}(?:[.,]\d{1,4})?"
_WORDS = rf"(?:{'|'.join(NUMBERS)})(?:(?:[- ]| and (?:a )?)(?:{'|'.join(NUMBERS)}|half|quarter)){{0,6}}"
_SCALE = r"(?: (?:thousand|million|billion|trillion|bn|m))?"
_CODES = "|".join(CURRENCY_CODES)
_NAMES = "|".join(f"[{each[0].upper()}{each[0]}]{each[1:]}" for each in CURRENCY_NAMES)
_ABOUT = r"(?:(?:approximately|approx\.|about) )?"
_IN_BRACKETS = rf"(?: ?\((?:{_CODES}|{_NAMES})\))?"
_MONEY = re.compile(
    rf"(?<![\w.,]){_ABOUT}(?:(?:{_CODES}|[A-Z]{{0,3}}[€$£¥])[ \u00a0]?(?:{_NUMBER})(?!\w){_SCALE}{_IN_BRACKETS}"
    rf"|(?:{_NUMBER}){_SCALE}[ \u00a0](?:[A-Z][a-z]{{2,14}} |[A-Z]{{2,4}} |old |new ){{0,2}}(?:{_NAMES}"
    rf"|{_CODES})\b(?: sterling)?{_IN_BRACKETS}"
    rf"|(?:{_NUMBER}) ?[€$£¥])"
)
_SPELT_MONEY = re.compile(rf"\b{_WORDS} (?:{_NAMES})\b")
_SHARE = re.compile(
    rf"(?<![\w.,])(?:{_NUMBER})(?: (?:to|and|or) (?:{_NUMBER}))?(?:[ \u00a0]?%|[ \u00a0]per ?cent\b)"
)
_MEASURE = re.compile(
    rf"(?<![\w.,])(?:{_NUMBER})(?: x (?:{_NUMBER}))?[ \u00a0-](?:square |cubic )?(?:km/h|kph|mph|km"
    rf"|kilomet(?:re|er)s?|met(?:re|er)s?|cm|mm"
    r"|centimet(?:re|er)s?|millimet(?:re|er)s?|miles?|feet|inches|hectares?|ha|acres?|sq\.? ?m|m²|m2|kg"
    r"|kilos?|kilograms?|grams?|tonnes?|tons"
    r"|lit(?:re|er)s?|barrels|gallons)\b"
)
_SPAN = rf"(?:\d{{1,3}}|{_WORDS})[ -](?:years?|months?|weeks?|days?|hours?)(?:['’]s?)?"
_TERM = re.compile(
    rf"\b{_SPAN}(?:,? (?:and )?{_SPAN}){{0,2}}(?= (?:of )?(?:imprisonment|sentence|detention|probation"
    rf"|custody|in prison|penal|suspended|aggravated|heavy|hard))"
    rf"|(?<=sentenced to ){_SPAN}|(?<=sentence of ){_SPAN}|(?<=imprisonment of ){_SPAN}|(?<=imprisonment for ){_SPAN}"
)
_DURATION = re.compile(
    rf"\b(?:\d{{1,3}}|{_WORDS})(?: and a half)?[- ](?:years?|months?|weeks?|days?)(?:['’]s?)?(?!\w)",
    re.IGNORECASE,
)
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ][a-z]+)?"
_COUNT = re.compile(
    rf"(?<![\w.,§/-])(?:(?:\d{{2,6}}|\d{{1,3}}(?:,\d{{3}}){{1,3}}|{_TENS}) (?:other |different |separate )?"
    r"(?!years|months|days|weeks|hours|minutes|percent|pounds|euros|plus|across|as |is |was |this |its )[a-z]{2,}s\b"
    rf"|(?:\d{{1,6}}|{_WORDS}) (?:other|different|separate) [a-z]+s?\b)"
)
_MONTH_BEFORE = re.compile(rf"\b(?:{'|'.join(MONTHS)})\.?,? $")


class Near(Enum):
    """Where a pattern is tried."""

    FIGURES = auto()
    WORDS = auto()
    BOTH = auto()


_PATTERNS = (
    (_MONEY, Near.FIGURES, "a sum of money", 0.9),
    (_SPELT_MONEY, Near.WORDS, "a sum of money in words", 0.8),
    (_SHARE, Near.FIGURES, "a share in percent", 0.5),
    (_MEASURE, Near.FIGURES, "a measure", 0.5),
    (_TERM, Near.BOTH, "a term of imprisonment", 0.6),
    (_DURATION, Near.BOTH, "a duration", 0.4),
    (_COUNT, Near.BOTH, "a count", 0.4),
)
_NUMBER_WORDS = (*NUMBERS, *(each.capitalize() for each in NUMBERS))
_SYMBOL = re.compile("[€$£¥]")


def _symbols(text: str) -> Iterator[int]:
    return (each.start() for each in _SYMBOL.finditer(text))


@recogniser(
    kinds=(Kind.QUANTITY,),
    meaning="Sums of money in figures and words, shares in percent, measures with a unit, durations, "
    "and counts from twenty on.",
    example="The court awarded [54,525,000 Turkish liras (TRL)] in damages.",
)
def quantities(text: str) -> Iterator[Span]:
    """The quantities of a text."""
    index = word_index(text)
    places = {Near.FIGURES: sorted({*index.figures, *index.places(CURRENCY_CODES), *_symbols(text)})}
    places[Near.WORDS] = index.places(_NUMBER_WORDS)
    places[Near.BOTH] = sorted({*index.figures, *places[Near.WORDS]})
    for pattern, near, why, sure in _PATTERNS:
        for found in found_near(pattern, text, places[near], before=16):
            if pattern is _COUNT and _MONTH_BEFORE.search(text, max(0, found.start() - 12), found.start()):
                continue  # the year of a date, and a verb after it
            yield Span(*found.span(), Kind.QUANTITY, "quantities", why, sure)
