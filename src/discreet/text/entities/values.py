"""Dates, numbers, addresses and places in one way of writing, so that equal ones are found to be equal."""

from __future__ import annotations

import re
from datetime import date

from discreet.text.entities.flat_text import fold
from discreet.text.entities.kinds import Kind
from discreet.text.entities.words.calendar import DAYS, MONTH_NUMBERS

_MONTH = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_WEEKDAY = rf"(?:(?:{'|'.join(DAYS).lower()}),?\s+)?(?:the\s+)?"
_WRITTEN = tuple(
    re.compile(rf"^{_WEEKDAY}{pattern}$")
    for pattern in (
        rf"{_DAY}\s*(?:of\s+)?(?P<month>{_MONTH})\.?(?:,?\s*{_YEAR})?",
        rf"(?P<month>{_MONTH})\.?\s+(?:the\s+)?{_DAY}(?:,?\s*{_YEAR})?",
        rf"(?P<month>{_MONTH})\.?,?\s+(?:of\s+)?{_YEAR}",
        rf"{_YEAR}[-/.](?P<number>\d{{1,2}})[-/.]{_DAY}",
        rf"{_YEAR},?\s+(?P<month>{_MONTH})\.?\s+{_DAY}",
    )
)
_NUMERIC = re.compile(r"^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})$")
_NOT_A_CODE = re.compile(r"[\W_]+")
_NUMBER_WORD = re.compile(r"^\s*(?:nos?|nr|number|ref)\b[.:]?\s*", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?")
_CODES = (Kind.ACCOUNT, Kind.CARD, Kind.IDENTITY, Kind.CODE)


def value_key(kind: str, text: str) -> str:
    """The text in the one way of writing of its kind.

    >>> value_key("date", "12 March 1999") == value_key("date", "March 12th, 1999") == value_key("date", "1999-03-12")
    True
    >>> value_key("phone", "+44 20 7946 0958") == value_key("phone", "0044 (0)20 7946-0958")
    True
    """
    plain = " ".join(fold(text).split())
    if kind == Kind.DATE:
        return _date_key(plain)
    if kind == Kind.PHONE:
        return _phone_key(plain)
    if kind in _CODES:
        return _NOT_A_CODE.sub("", _NUMBER_WORD.sub("", plain)) or plain
    if kind == Kind.LINK:
        return _SCHEME.sub("", plain).rstrip("/")
    if kind == Kind.EMAIL:
        return plain.removeprefix("mailto:")
    if kind == Kind.QUANTITY:
        return re.sub(r"(?<=\d),(?=\d{3})", "", plain)
    words = re.findall(r"\w+(?:['’]\w+)?", re.sub(r"\b(\w)\.(?=\w\b|\s|$)", r"\1", plain))
    kept = words[1:] if len(words) > 1 and words[0] == "the" else words
    return " ".join(re.sub(r"['’]s$", "", word) for word in kept) or plain


def _phone_key(plain: str) -> str:
    """The digits, with the country in one way of writing and without the zero in brackets."""
    shown = plain.replace("(0)", "") if plain.startswith(("+", "00")) else plain
    digits = re.sub(r"\D", "", shown)
    return "+" + digits.removeprefix("00") if plain.startswith(("+", "00")) else digits or plain


def _date_key(plain: str) -> str:
    """Year, month and day as far as they are said; the text itself where it cannot be told which number is the day."""
    for pattern in _WRITTEN:
        found = pattern.match(plain)
        if found:
            said = found.groupdict()
            month = MONTH_NUMBERS.get(said.get("month") or "") or int(said.get("number") or 0)
            return _iso(int(said.get("year") or 0), month, int(said.get("day") or 0)) or plain
    numeric = _NUMERIC.match(plain)
    if numeric:
        first, second, year = int(numeric[1]), int(numeric[3]), int(numeric[4])
        if numeric[2] == "." or first == second or first > 12:
            return _iso(year, second, first) or plain
        if second > 12:
            return _iso(year, first, second) or plain
    return plain


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        date(year or 2000, month, day or 1)
    except ValueError:
        return None
    return f"{year or '----'}-{month:02}" + (f"-{day:02}" if day else "")
