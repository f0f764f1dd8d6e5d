"""Numbers that single people out, by their check digits and by the plans of the countries: in texts and in tables.

The numbers of countries need python-stdnum, and numbers of telephones phonenumbers, which are installed with the
`text` extra; who asks without them is told so by `NEEDS`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

NUMBERS = (
    "at.vnr", "be.nn", "bg.egn", "br.cpf", "ca.sin", "ch.ssn", "cn.ric", "cz.rc",
    "de.idnr", "dk.cpr", "ee.ik", "es.dni", "es.nie", "fi.hetu", "fr.nir", "gb.nhs",
    "gr.amka", "hr.oib", "ie.pps", "il.idnr", "in_.aadhaar", "is_.kennitala", "it.codicefiscale", "kr.rrn",
    "lt.asmens", "mx.curp", "my.nric", "nl.bsn", "no.fodselsnummer", "pl.pesel", "pt.cc", "ro.cnp",
    "se.personnummer", "si.emso", "th.pin", "tr.tckimlik", "ua.rntrc", "us.ssn", "za.idnr",
)  # fmt: skip
"""The numbers that are looked for, by their modules in python-stdnum: the country and what they are called there."""

WRITTEN = {
    "us.ssn": re.compile(r"\d{3}-\d{2}-\d{4}"),
    "ca.sin": re.compile(r"\d{3}[ -]\d{3}[ -]\d{3}"),
    "pt.cc": re.compile(r"\d{8}[ -]?\d[ -]?[A-Za-z\d]{2}[ -]?\d"),
}
"""Numbers with a weak check or none: they must be written as they are in their country."""

NEEDS = {"stdnum": "identity and insurance numbers of countries", "phonenumbers": "numbers of telephones"}
"""What cannot be checked without each library."""

_SHORTEST_IBAN, _LONGEST_IBAN = 15, 34
_SHORTEST_CARD, _LONGEST_CARD = 13, 19
_NORTH_AMERICAN = re.compile(r"(?:1[-. ])?(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}")


def not_checked() -> tuple[str, ...]:
    """What cannot be checked here, because a library is not installed."""
    return tuple(what for library, what in NEEDS.items() if find_spec(library) is None)


def country_of(number: str) -> str:
    """The country and sort of the first number of NUMBERS that this one is by its check digits, or nothing."""
    return next((name.replace("_", "") for name in NUMBERS if is_number_of(name, number)), "")


def is_number_of(name: str, number: str) -> bool:
    """Whether a number is one of this sort, by its check digits."""
    if name in WRITTEN and not WRITTEN[name].fullmatch(number):
        return False
    return bool(_module(name).is_valid(number))


@lru_cache(maxsize=64)
def _module(name: str) -> Any:
    return import_module(f"stdnum.{name}")


def is_iban(number: str) -> bool:
    """Whether the check digits of an IBAN are right (ISO 7064, modulo 97).

    >>> is_iban("GB82 WEST 1234 5698 7654 32"), is_iban("GB83 WEST 1234 5698 7654 32")
    (True, False)
    """
    compact = number.replace(" ", "").replace("\u00a0", "")
    if not _SHORTEST_IBAN <= len(compact) <= _LONGEST_IBAN or not compact.isascii() or not compact.isalnum():
        return False
    if not (compact[:2].isalpha() and compact[2:4].isdigit()):
        return False
    return int("".join(str(int(each, 36)) for each in compact[4:] + compact[:4])) % 97 == 1


def is_card(number: str) -> bool:
    """Whether the check digit of a card number is right (Luhn, ISO/IEC 7812).

    >>> is_card("4111 1111 1111 1111"), is_card("4111 1111 1111 1112")
    (True, False)
    """
    digits = [int(each) for each in number if each.isdecimal()]
    if not _SHORTEST_CARD <= len(digits) <= _LONGEST_CARD:
        return False
    doubled = (2 * each - 9 * (each > 4) for each in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def is_phone(number: str) -> bool:
    """Whether a number is an international one of some country's plan, or a North American one in its usual form."""
    import phonenumbers

    abroad = number.startswith(("+", "00"))
    if not abroad and not _NORTH_AMERICAN.fullmatch(number):
        return False
    try:
        parsed = phonenumbers.parse(
            "+" + number[2:] if number.startswith("00") else number, None if abroad else "US"
        )
    except phonenumbers.NumberParseException:
        return False
    return bool(phonenumbers.is_possible_number(parsed))
