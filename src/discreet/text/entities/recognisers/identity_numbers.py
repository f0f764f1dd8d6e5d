"""Identity, tax and insurance numbers of several countries, by their check digits (python-stdnum)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any

from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recogniser
from discreet.text.entities.word_index import found_near, word_index
from discreet.text.entities.words import words
from discreet.text.span import Span

NUMBERS = words(
    """
    at.vnr be.nn bg.egn br.cpf ca.sin ch.ssn cn.ric cz.rc de.idnr dk.cpr ee.ik es.dni es.nie fi.hetu
    fr.nir gb.nhs gr.amka hr.oib ie.pps il.idnr in_.aadhaar is_.kennitala it.codicefiscale kr.rrn
    lt.asmens mx.curp my.nric nl.bsn no.fodselsnummer pl.pesel pt.cc ro.cnp se.personnummer si.emso
    th.pin tr.tckimlik ua.rntrc us.ssn za.idnr
    """
)
"""The numbers that are looked for, by their modules in python-stdnum: the country and what they are called there."""

WRITTEN = {"us.ssn": re.compile(r"\d{3}-\d{2}-\d{4}"), "ca.sin": re.compile(r"\d{3}[ -]\d{3}[ -]\d{3}")}
"""Numbers with a weak check or none: they must be written as they are in their country."""

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


def country_of(number: str) -> str:
    """The country and sort of the first number of NUMBERS that this one is by its check digits, or nothing."""
    for name in NUMBERS:
        if name in WRITTEN and not WRITTEN[name].fullmatch(number):
            continue
        if _module(name).is_valid(number):
            return name.replace("_", "")
    return ""


@lru_cache(maxsize=64)
def _module(name: str) -> Any:
    return import_module(f"stdnum.{name}")
