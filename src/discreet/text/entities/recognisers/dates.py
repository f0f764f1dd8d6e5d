"""Dates in all the ways that English writes them, and years."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.entities.words.calendar import DAYS, MONTHS
from discreet.text.span import Span

_MONTH = rf"(?:{'|'.join(MONTHS)})\b\.?"
_DAY = r"[0-3]?\d(?:st|nd|rd|th)?"
_YEAR = r"(?:1[4-9]|20)\d\d"
_SEP = r"(?:,? (?:and|or|to|until|till) (?:the )?|, ?| ?[-–‑/&] ?)"
_WEEKDAY = rf"(?:(?:{'|'.join(DAYS)}),? (?:the )?)?"
_TIME = r"(?:,? (?:at )?[012]?\d[.:][0-5]\d(?:[.:][0-5]\d)?(?: ?[ap]\.?m\b\.?)?)?"
_PART = (
    r"(?:(?:[Ee]arly|[Ll]ate|[Mm]id-?|(?:the )?(?:[Bb]eginning|[Ee]nd|[Mm]iddle|first half|second half) of"
    r"|(?:[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter)(?: and (?:spring|summer|autumn|fall|winter))?(?: of)?) ?)?"
)
_CENTURIES = ("14", "15", "16", "17", "18", "19", "20")
_WRITTEN = re.compile(
    rf"(?<![\w.]){_PART}{_WEEKDAY}(?:"
    rf"{_DAY}(?:{_SEP}{_DAY}){{0,8}} (?:of )?{_MONTH}(?:,? {_YEAR}\b)?{_TIME}"
    rf"|{_MONTH}(?:{_SEP}{_MONTH}){{0,5}}(?: {_DAY}(?:{_SEP}{_DAY}){{0,8}}\b)?(?:,? (?:of )?{_YEAR})\b{_TIME}"
    rf"|{_MONTH} {_DAY}(?:{_SEP}{_DAY}){{0,8}}\b(?![.,]\d)"
    r")"
)
_NUMERIC = re.compile(
    rf"(?<![\w./:-])(?:{_YEAR}-[01]\d-[0-3]\d(?:[T ][012]\d:[0-5]\d(?::[0-5]\d)?Z?)?"
    r"|[0-3]?\d(?:(?P<sep>[./-])[01]?\d(?P=sep))(?:1[4-9]|20)?\d\d)(?![\w/-]|\.\d)"
)
_YEARS = re.compile(
    rf"(?<![\w/.,§:€$£#@+-])(?<!no\. )(?<!nos\. )(?<!§ )(?<!p\. ){_PART}"
    rf"(?P<year>{_YEAR})(?:{_SEP}(?:{_YEAR}|\d\d\b(?! \w))){{0,8}}s?"
    r"(?!\w|/\d|[.,:]\d| ?%|-\w{2}| (?:euros?|dollars?|pounds?|people|persons|metres|km|kg|pages|tonnes))"
)


@recogniser(
    kinds=(Kind.DATE,),
    meaning="Dates written out or in figures, with or without a year, lists and ranges of them, parts of years, years.",
    example="It was lodged on [Monday, 3 May 2001] with the Court.",
)
def dates(text: str) -> Iterator[Span]:
    """The dates of a text."""
    index = word_index(text)
    for found in found_near(_WRITTEN, text, index.places(MONTHS), before=60):
        yield Span(*found.span(), Kind.DATE, "dates", "a day or a month with its name", 0.95)
    for found in found_near(_NUMERIC, text, index.figures):
        yield Span(*found.span(), Kind.DATE, "dates", "a date in figures", 0.85)
    years = (each for each in index.figures if text[each : each + 2] in _CENTURIES)
    for found in found_near(_YEARS, text, years, before=40):
        yield Span(*found.span(), Kind.DATE, "dates", "a year", 0.7)
