"""Codes: numbers of cases, files, plots, passports and documents, plates, report citations and machine addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.entities.words import words
from discreet.text.span import Span

_CODE = r"(?:[A-Z]{1,4}[-. ]?)?[A-Za-z]{0,3}\d[\w]{0,20}(?:[-/.:‑–][A-Za-z]{0,3}\d[\w]{0,20}){0,6}"
_LIST = rf"{_CODE}(?:(?:, | and |; |, and | or |-){_CODE}){{0,60}}"
_CALLED = re.compile(
    rf"(?<!\w)(?:[Nn]os?\.|[Nn]umbers?|[Nn]r\.?|№|[Nn]°|[Rr]ef(?:erence)?\.?:?|[Ff]ile|[Dd]ocket|[Pp]lots?|[Bb]lock|(?:[Ss]heet/)?[Pp]lan|[Pp]arcels?|[Ii]nvoice"
    rf"|[Pp]assport|[Ll]icen[cs]e|[Pp]ermit|[Pp]olicy|[Ss]erial|[Pp]lates?|[Rr]egistration|[Bb]adge"
    rf"|[Cc]ell|[Tt]icket|[Pp]rotocol no\.)"
    rf"[ \u00a0](?:(?:[Nn]os?\.|[Nn]umbers?):?[ \u00a0])?(?P<codes>{_LIST})"
)
_CALLED_BY = words(
    """
    no nos number numbers nr ref reference file docket plot plots parcel parcels invoice passport
    license licence permit policy serial plate plates registration badge cell ticket protocol block plan
    sheet n
    """
)
_CALLS = (*_CALLED_BY, *(each.capitalize() for each in _CALLED_BY), "№")
_LAW = re.compile(
    r"(?:\b(?:[Ll]aws?|[Aa]cts?|[Pp]rotocols?|[Dd]ecrees?|[Dd]irectives?|[Rr]egulations?|[Rr]esolutions?|[Ss]eries|[Aa]rticles?|[Rr]ules?"
    r"|[Cc]onvention|[Oo]rdinance|[Cc]ode|[Ss]ections?|[Cc]hapters?|[Aa]nnex|[Ss]tatute|[Rr]eports?|[Vv]olume|[Pp]art|ETS|[Dd]ecision|R|[Cc]ircular)"
    r"(?:[ \u00a0]\([A-Z]+\))?[ \u00a0](?:[A-Z] ?)?)$"
)
_SLASHED = re.compile(
    r"(?<![\w/.:-])(?:[A-Z]{1,6}[ -]?)?(?:\d{3,7}/(?:\d{2}|\d{4})|\d{1,4}/\d{3,6}|(?:19|20)\d\d/\d{1,6}"
    r"|\d{1,5}/\d{1,5}/\d{1,6})(?![\w/]|\.\d)"
)
_MIXED = re.compile(
    r"(?<![\w/.:@#-])(?:[A-Z]{1,5}[-/]\d[\w]{1,12}(?:[-/.]\w{1,12}){0,6}|[A-Z]{1,3}\d[A-Z0-9]{4,16}|\d{2,9}[A-Z]{1,3}\d{1,9}"
    r"|\d{1,2}[ -][A-Z]{1,3}[ -]\d{2,5}|[A-Z]{2}\d{2} [A-Z]{3})(?!\w|[@/]|\.\d)"
)
_REPORTED = re.compile(
    r"(?<![\w/.:-])(?:\[?(?:19|20)\d\d\]? ?(?:\d{1,2} )?[A-Z][A-Za-z]{1,5} \d{1,4}|\d{1,3} [A-Z]{2,6} \d{1,4}"
    r"|[A-Z]{2,5} (?:19|20)\d\d p\. ?\d{1,4}|(?:1[6-9]|20)\d\d:\d{1,5})(?![\w/]|\.\d)"
)
_MACHINE = re.compile(
    r"(?<![\w.:-])(?:(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}|(?:\d{1,3}\.){3}\d{1,3}"
    r"|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?![\w:-]|\.\d)"
)
_LONG = re.compile(r"(?<![\w/.,:€$£+-])\d{6,20}(?![\w/%]|[.,]\d| (?:euros|dollars|pounds|liras))")
_MONTH = re.compile(
    r"(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|EUR|USD|GBP|DEM|TRL|TRY|PLN|ATS|SEK|FRF|CHF)"
)
_PATTERNS = (
    (_SLASHED, "a number with slashes", 0.85),
    (_MIXED, "letters and figures", 0.75),
    (_REPORTED, "a citation of a report", 0.6),
    (_MACHINE, "an address of a machine", 0.9),
    (_LONG, "a long number", 0.6),
)
_BEFORE = 24


@recogniser(
    kinds=(Kind.CODE,),
    meaning="Numbers of applications, cases, files, plots, passports, licences and documents, plates, citations of law "
    "reports, and addresses of machines. Numbers of laws and articles are kept.",
    example="The case originated in an application (no. [18403/91]) of 1991.",
    languages=("any",),
)
def codes(text: str) -> Iterator[Span]:
    """The codes of a text."""
    index = word_index(text)
    for found in found_near(_CALLED, text, index.places(_CALLS)):
        if not _LAW.search(text, max(0, found.start() - _BEFORE), found.start()):
            yield Span(*found.span("codes"), Kind.CODE, "codes", "after a word for a number", 0.85)
    for pattern, why, sure in _PATTERNS:
        for found in found_near(pattern, text, index.figures, before=8):
            if not _MONTH.search(found.group()):
                yield Span(*found.span(), Kind.CODE, "codes", why, sure)
