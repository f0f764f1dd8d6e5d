"""Postal addresses: house numbers with streets, post codes and boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.text.entities.capitals import UPPER
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.span import Span

_NAME = rf"[{UPPER}](?:[^\W\d_]|[’'‑-]){{0,40}}(?!\d)"
_KINDS = (
    r"(?:Street|St\.?|Road|Rd\.?|Avenue|Ave\.?|Boulevard|Blvd\.?|Lane|Ln\.?|Drive|Dr\.?|Square|Sq\.?|Place|Pl\.?|Court|Terrace|Crescent"
    r"|Gardens?|Close|Grove|Hill|Row|Walk|Way|Mews|Parade|Highway|Embankment|Quay|Caddesi|Cad\.|Sokak|Sok\.|Mahallesi)"
)
_HOUSE = r"\d{1,5}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?"
_TOWN = rf"(?:,? (?:{_NAME} ?){{1,3}})?"
_POSTCODE = r"(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]{2} \d{5}(?:-\d{4})?|(?:[A-Z]{1,2}-)?\d{4,5}(?= [A-Z]))"
_ENGLISH = re.compile(
    rf"(?<![\w./-]){_HOUSE},? (?:{_NAME} ){{1,4}}{_KINDS}(?!\w)"
    rf"(?:,(?: {_NAME}(?!\w)){{1,3}})?(?:,? {_POSTCODE}(?: {_NAME})?)?"
)
_STREET_FIRST = re.compile(
    rf"(?<!\w)(?:{_NAME}(?:straße|strasse|str\.|gasse|weg|platz|allee|gade|gata|gatan|vägen|veien|straat|laan|plein|utca|katu)"
    rf"|(?:[Rr]ue|[Vv]ia|[Cc]alle|[Uu]l\.|[Uu]lica|[Rr]ua|[Pp]iazza|[Pp]laza|[Aa]l\.)(?: (?:de|del|della"
    rf"|des|du|la|le|les|von|św\.))?(?: {_NAME}){{1,3}})"
    rf",? {_HOUSE}(?!\w)(?:,? {_POSTCODE} {_NAME})?"
)
_FRENCH = re.compile(
    rf"(?<![\w./-]){_HOUSE},? (?:bis )?(?:rue|avenue|boulevard|place|quai|chemin|allée|impasse"
    rf"|cours)(?: (?:de|du|des|la|le|les|d’|l’)){{0,3}}(?: ?{_NAME}){{1,4}}"
)
_BRITISH = re.compile(r"(?<![\w-])[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}(?![\w-])")
_BOX = re.compile(r"(?<!\w)(?:P\.? ?O\.? ?Box|Postfach|B\.?P\.?|Apartado) \d{1,6}(?!\w)")
_PATTERNS = (
    (_ENGLISH, "a house number and a street", 0.9),
    (_STREET_FIRST, "a street and a house number", 0.85),
    (_FRENCH, "a house number and a street", 0.85),
    (_BRITISH, "a post code", 0.8),
    (_BOX, "a box at a post office", 0.9),
)


@recogniser(
    kinds=(Kind.ADDRESS,),
    meaning="Postal addresses of several countries: a house number with a street, post codes, boxes at a post office.",
    example="He moved to [14 Fairfield Road] last year.",
    languages=("en", "de", "fr", "it", "es", "pl", "sv", "nl", "tr"),
)
def addresses(text: str) -> Iterator[Span]:
    """The postal addresses of a text."""
    figures = word_index(text).figures
    for pattern, why, sure in _PATTERNS:
        for found in found_near(pattern, text, figures, before=60, after=160):
            yield Span(*found.span(), Kind.ADDRESS, "addresses", why, sure)
