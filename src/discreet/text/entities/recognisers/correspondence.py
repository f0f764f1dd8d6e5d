"""People in letters, memoranda and e-mail: who is addressed, who signs, who stands in a header or in an address."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.text.entities.capitals import UPPER, lower_words
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.recognisers.emails import emails
from discreet.text.entities.word_index import word_index
from discreet.text.entities.words import words
from discreet.text.entities.words.calendar import CALENDAR
from discreet.text.entities.words.calendar import FIRST_NAMES as MONTH_NAMES
from discreet.text.entities.words.countries import NATIONAL_WORDS
from discreet.text.entities.words.names import HEADS, LEGAL_FORMS, PLACE_HEADS
from discreet.text.entities.words.ordinary import SMALL, is_ordinary
from discreet.text.entities.words.people import FIRST_NAMES, ORDINARY, PARTICLES, SUFFIXES
from discreet.text.entities.words.titles import OFFICES, TITLES
from discreet.text.span import Span

_PARTICLE = "|".join(sorted(PARTICLES, key=len, reverse=True))
_WORD = rf"(?:[{UPPER}][\w’'‑-]{{0,3}}\.|[{UPPER}][\w’'‑-]{{0,30}})"
"""A point belongs to an initial or a short title; behind a longer word a sentence ends, and another name may begin."""
_NAME = rf"{_WORD}(?:[ \u00a0](?:(?:{_PARTICLE})[ \u00a0]){{0,2}}{_WORD}){{0,5}}\.?"
_NAMES = rf"{_NAME}(?:(?:,? (?:and|&) |[,;/] ?){_NAME}){{0,30}}"
_ANY_NAME = re.compile(_NAME)
_ENDS_LINE = r"[ \t]*(?:[,.:;!–—-]|\r?$)"

_SALUTATION = re.compile(
    r"^[ \t>]*(?:(?:My )?(?:[Dd]ear|[Dd]earest)|Hello|Hallo|Hi|Good (?:morning|afternoon|evening)|Greetings)"
    rf",?[ \u00a0](?P<names>{_NAMES}){_ENDS_LINE}",
    re.MULTILINE,
)
_CLOSING = re.compile(
    r"^[ \t>]*(?:Yours(?: (?:very |most |ever )?"
    r"(?:sincerely|faithfully|truly|respectfully|ever|cordially|affectionately))?"
    r"|(?:Very )?(?:[Ss]incerely|[Ff]aithfully|[Rr]espectfully|[Cc]ordially|[Tt]ruly)(?: [Yy]ours)?"
    r"|(?:With )?(?:(?:[Vv]ery|[Mm]any|[Mm]y) )?(?:(?:[Kk]ind|[Bb]est|[Ww]arm)(?:est)? )?"
    r"(?:[Rr]egards|[Ww]ishes|[Tt]hanks)"
    r"|Best|Cheers|Love|Signed|Your (?:friend|servant|obedient servant))"
    rf"[ \t]*[,.:!]?[ \t]*\r?\n(?:[ \t>]*\r?\n){{0,4}}[ \t>]*(?P<names>{_NAME}){_ENDS_LINE}",
    re.MULTILINE,
)
_HEADER = re.compile(
    r"^[ \t>*_]*(?:From|FROM|To|TO|Cc|CC|cc|Bcc|BCC|Author|Authors|AUTHOR|Sender|Reply-To|Attn|Attention|Signed"
    r"|Signed by|Written by|Drafted by|Approved by|Present|Absent)"
    rf"[*_]*[ \t]*:[*_]*[ \t]*(?P<names>{_NAMES})",
    re.MULTILINE,
)
_ABOVE_CONTACT = re.compile(
    rf"^[ \t>]*(?P<names>{_NAME}),?[ \t]*\r?\n[ \t>]*(?:(?:Tel|Phone|Telephone|Mobile|Fax|E-?mail|Mail)\b"
    r"|\+?[(\d][\d ()/.-]{6,24}\r?$|[\w.+-]{1,64}@)",
    re.MULTILINE,
)
_BEFORE_ADDRESS = re.compile(
    rf"(?P<names>{_WORD}, {_NAME}|{_NAME})[\"”']?[ \t]+[<(\[](?:mailto:)?[\w.+'-]{{1,64}}@"
)
_PATTERNS = (
    (_SALUTATION, "who is addressed", 0.9),
    (_CLOSING, "who signs", 0.85),
    (_HEADER, "a name in a header", 0.85),
    (_ABOVE_CONTACT, "a name above a number or an address", 0.8),
    (_BEFORE_ADDRESS, "a name before an e-mail address", 0.95),
)
_NOBODY = frozenset(
    words(
        """
    sir sirs madam madame all everyone everybody colleague colleagues friend friends customer customers
    team staff editor editors member members reader readers applicant parent parents resident residents
    neighbour neighbours sender recipient recipients whom concern ladies gentlemen comrades user users
    subscriber subscribers undisclosed public file files record records distribution everything there
    """
    )
)
"""Who is addressed and is nobody in particular, in small letters."""

_MAILBOXES = frozenset(
    words(
        """
    info office mail contact admin sales support help press news reply noreply webmaster postmaster enquiries
    service team hello jobs accounts billing
    """
    )
)
_DATES = CALENDAR - MONTH_NAMES
_ALSO_NAMES = FIRST_NAMES | ORDINARY | MONTH_NAMES
_PIECE = re.compile(r"[^\W\d_]+")
_SHORTEST = 3
_SHORTEST_AFTER_INITIAL = 5


@recogniser(
    kinds=(Kind.PERSON,),
    meaning="People in letters and e-mail: in salutations, under closings, in header lines, before an e-mail address "
    "or above a number, and names that are part of an e-mail address in the same text.",
    example="Dear [Ada],\n\nthe pier has been repaired.",
)
def correspondence(text: str) -> Iterator[Span]:
    """The people that a letter or a message names by its form."""
    for pattern, why, sure in _PATTERNS:
        if pattern is _BEFORE_ADDRESS and "@" not in text:
            continue
        for found in pattern.finditer(text):
            for start, end in _people(text, *found.span("names")):
                yield Span(start, end, Kind.PERSON, "correspondence", why, sure)
    yield from _in_addresses(text)


def _people(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the people of a list of names stand; what is no person is left out."""
    for found in _ANY_NAME.finditer(text, start, end):
        close = found.end() - (text[found.end() - 1] == "." and not _dotted(found.group()))
        if _is_person(text[found.start() : close]):
            yield found.start(), close


def _dotted(name: str) -> bool:
    """Whether the point at the end of a name belongs to it: an initial, or a suffix such as Jr."""
    last = name.split()[-1].rstrip(".")
    return len(last) == 1 or last.lower() in SUFFIXES


def _is_person(name: str) -> bool:
    """Whether a name by its form is that of a person: no institution, no office alone, nobody in particular."""
    lows = [each.rstrip(".").lower() for each in name.replace("\u00a0", " ").split()]
    plain = [each for each in lows if each not in TITLES and each not in OFFICES]
    if not plain or any(
        each in HEADS or each in _NOBODY or each in _DATES or each in NATIONAL_WORDS for each in plain
    ):
        return False
    if name.split()[-1].rstrip(".") in LEGAL_FORMS or plain[0] in SMALL or plain[-1] in PLACE_HEADS:
        return False
    return any(not is_ordinary(each) or each in _ALSO_NAMES for each in plain)


def _in_addresses(text: str) -> Iterator[Span]:
    """Capitalised words that are part of an e-mail address before its at sign, alone or after an initial."""
    pieces = {
        piece
        for each in emails(text)
        for piece in _PIECE.findall(text[each.start : each.end].split("@")[0].split("(at)")[0].lower())
        if len(piece) >= _SHORTEST
    }
    if not pieces:
        return
    known = lower_words(text)
    wanted = pieces | {each[1:] for each in pieces if len(each) > _SHORTEST_AFTER_INITIAL}
    for word, places in word_index(text).words.items():
        low = word.lower()
        if low not in wanted or not word[0].isupper() or low in _MAILBOXES or low in known:
            continue
        if is_ordinary(low) and low not in _ALSO_NAMES:
            continue
        for place in places:
            yield Span(
                place,
                place + len(word),
                Kind.PERSON,
                "correspondence",
                "a word of an e-mail address here",
                0.8,
            )
