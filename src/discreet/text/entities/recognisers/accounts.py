"""Account numbers: IBANs whose check digits are right, and numbers after a word for an account."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.identity_numbers import is_iban
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.span import Span

_IBAN = re.compile(r"(?<![\w-])[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]{1,4}){3,8}(?!\w)")
_CALLED = re.compile(
    r"\b(?:[Aa]ccount|[Aa]cct|IBAN|[Ss]ort code|[Rr]outing|BIC|SWIFT)\.?(?: (?:number|no\.?"
    r"|code))?:? (?:is |was )?(?P<number>[A-Z]{0,6}\d[\d -]{3,30}\d)"
)
_CALLS = ("account", "Account", "acct", "Acct", "IBAN", "sort", "Sort", "routing", "Routing", "BIC", "SWIFT")


@recogniser(
    kinds=(Kind.ACCOUNT,),
    meaning="International bank account numbers whose check digits are right, and numbers after a word for an account.",
    example="Transfer it to [GB82 WEST 1234 5698 7654 32] today.",
    languages=("any",),
)
def accounts(text: str) -> Iterator[Span]:
    """The account numbers of a text."""
    for found in found_near(_IBAN, text, word_index(text).figures, before=2):
        end = _valid_end(text, found.start(), found.end())
        if end:
            yield Span(found.start(), end, Kind.ACCOUNT, "accounts", "an IBAN with right check digits", 0.99)
    for found in found_near(_CALLED, text, word_index(text).places(_CALLS)):
        yield Span(
            *found.span("number"), Kind.ACCOUNT, "accounts", "a number after a word for an account", 0.9
        )


def _valid_end(text: str, start: int, end: int) -> int:
    """Where the longest valid IBAN from here ends, as a word in capitals may follow it; 0 where there is none."""
    while end > start:
        if is_iban(text[start:end]):
            return end
        end = max(text.rfind(" ", start, end), text.rfind("\u00a0", start, end))
    return 0
