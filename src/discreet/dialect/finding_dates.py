"""Which form the days of a column are written in, decided by the column as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import polars as pl

from discreet.dialect.dates import DateForm
from discreet.dialect.months import is_month, languages_of

PIECES = re.compile(r"\d+|[^\W\d_]+|[\W_]")
MOST_PIECES, LONGEST = 24, 40
"""What is longer is no date."""
LOOKS = (
    r"^\s*(?:\d{1,4}[-./ ]{1,2}\d{1,2}[-./ ]{1,2}\d{1,4}"
    r"|\d{1,4}[-. /]*(?:de |d')?\p{L}{3,10}\.?[-. ,/]*(?:de |del )?\d{2,4}"
    r"|\p{L}{3,10}\.? \d{1,2},? \d{4})(?:\D.*)?$"
)
"""What looks like a date, whether it is one or not."""
_YEAR, _MONTH = r"(?:1[89]|20|21)\d\d", r"(?:0?[1-9]|1[0-2])"
MONTHLY = rf"^\s*(?:{_MONTH}[-/.]{_YEAR}|{_YEAR}[-/.]{_MONTH}|\p{{L}}{{3,10}}\.?[-. /]{_YEAR})\s*$"
"""What looks like a month of a year."""
COMPACT = r"^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$"
FEWEST_COMPACT = 5
"""So few values without a sign between day, month and year, or with the year before the month, may be anything."""
MOST_STRANGE = 0.5
SAMPLE = 500
MONTH_TOKENS = ("Month", "Mon", "month", "mon", "MONTH", "MON")
POINTED_TOKENS = ("Mon.", "mon.", "MON.")
CUT_SHORT = r"\p{L}\.\s"
"""A point behind the name of a month, which stands where the name is cut short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDates:
    """The forms that all values fit but the `strange` ones; several where day and month cannot be told apart."""

    forms: tuple[DateForm, ...]
    strange: tuple[str, ...] = ()

    @property
    def is_ambiguous(self) -> bool:
        return len(self.forms) > 1


def found_dates(texts: pl.Series, marks: frozenset[str]) -> FoundDates | None:
    """The form in which the texts write days or times, apart from marks of missing values; None where they do not.

    Where a day above 12 shows which number is the day, there is one form. Points stand between days, months and years
    in countries that write the day first. All else is ambiguous, and both forms are given.
    """
    distinct = texts.drop_nulls().unique().sort()
    looks = distinct.str.contains(f"{LOOKS}|{COMPACT}|{MONTHLY}")
    dates = distinct.filter(looks)
    strange = tuple(distinct.filter(~looks))
    if dates.is_empty() or len(strange) > MOST_STRANGE * len(distinct) or not set(strange) <= marks:
        return None
    if dates.str.len_chars().max() > LONGEST:  # type: ignore[operator]
        return None
    fitting = _fitting(dates)
    return FoundDates(forms=fitting, strange=strange) if fitting else None


def looks_like_dates(texts: pl.Series) -> bool:
    """Whether nearly all texts look like dates, valid or not."""
    share = texts.drop_nulls().unique().str.contains(f"{LOOKS}|{MONTHLY}").mean()
    return isinstance(share, float) and share > 0.9


def _fitting(dates: pl.Series) -> tuple[DateForm, ...]:
    """The forms that all texts fit, one for each way to tell day from month that gives other days.

    Of forms that read the same days, the one that writes most of the texts as they are.
    """
    found: list[tuple[pl.Series, DateForm, int]] = []
    sample = dates.sample(min(len(dates), SAMPLE), seed=0) if len(dates) > SAMPLE else dates
    for form in _forms(sample):
        read = form.read(sample)
        if read.null_count():
            continue
        alike = int((form.write(read) == sample).sum())
        place = next((each for each, known in enumerate(found) if known[0].equals(read)), None)
        if place is None:
            found.append((read, form, alike))
        elif alike > found[place][2]:
            found[place] = (read, form, alike)
    forms = tuple(form for _, form, _ in found if form.read(dates).null_count() == 0)
    pointed = len(forms) > 1 and all("." in form.text for form in forms)
    return forms[:1] if pointed else forms


def _forms(dates: pl.Series) -> Iterator[DateForm]:
    """The forms that the first text suggests, the likelier first."""
    pieces, names = _without_point(PIECES.findall(dates[0].strip()), dates)
    places = [place for place, piece in enumerate(pieces) if piece.isdigit() or is_month(piece)]
    if len(pieces) == 1 and dates.str.contains(COMPACT).all() and len(dates) >= FEWEST_COMPACT:
        yield DateForm("YYYYMMDD")
    if len(places) == len("my") and dates.str.contains(MONTHLY).all():
        yield from _monthly(dates, pieces, places, names)
    if len(places) < len("dmy") or len(pieces) > MOST_PIECES:
        return
    three, rest = places[:3], places[3:]
    word = next((place for place in three if not pieces[place].isdigit()), None)
    languages = [""] if word is None else languages_of(_words(dates, str(three.index(word))))
    days, months = ("DD", "D"), names if word is not None else ("MM", "M")
    for order in _orders([pieces[place] for place in three]):
        for day, month, language, hour in product(days, months, languages, ("hh", "h")):
            written = {"D": day, "M": month, "YYYY": "YYYY", "YY": "YY"}
            tokens = [written[each] for each in order] + [hour, "mm", "ss"][: len(rest)]
            yield DateForm(_joined(pieces, dict(zip(places, tokens, strict=False)), language))


def _without_point(pieces: list[str], dates: pl.Series) -> tuple[list[str], tuple[str, ...]]:
    """The pieces without the point of a month that is cut short, and how the names of months may be written."""
    if not dates.str.contains(CUT_SHORT).any():
        return pieces, MONTH_TOKENS
    kept = [
        piece
        for before, piece in zip(["", *pieces], pieces, strict=False)
        if not (piece == "." and is_month(before))
    ]
    return kept, POINTED_TOKENS


def _monthly(
    dates: pl.Series, pieces: list[str], places: list[int], names: tuple[str, ...]
) -> Iterator[DateForm]:
    """The forms of months that the first text suggests."""
    first, last = (pieces[place] for place in places)
    if not first.isdigit():
        for language, month in product(languages_of(_words(dates, "0")), names):
            yield DateForm(_joined(pieces, dict(zip(places, (month, "YYYY"), strict=True)), language))
    elif len(last) == len("YYYY") or len(dates) >= FEWEST_COMPACT:
        for month in ("MM", "M"):
            tokens = (month, "YYYY") if len(last) == len("YYYY") else ("YYYY", month)
            yield DateForm(_joined(pieces, dict(zip(places, tokens, strict=True)), ""))


def _joined(pieces: list[str], tokens: dict[int, str], language: str) -> str:
    """The form in which tokens stand for numbers and months, and for the half of the day at the end."""
    parts = [tokens.get(place, piece) for place, piece in enumerate(pieces)]
    if parts[-1].lower() in ("am", "pm"):
        parts[-1] = "AM" if parts[-1].isupper() else "am"
    return "".join(parts) + (f", {language}" if language else "")


def _orders(three: list[str]) -> list[tuple[str, str, str]]:
    """What the three parts of a date may be, the likelier first."""
    if not three[0].isdigit():
        return [("M", "D", _year(three[2]))]
    if len(three[0]) == 4:
        return [("YYYY", "M", "D")]
    if not three[1].isdigit() or len(three[2]) == 4:
        named = [] if not three[1].isdigit() else [("M", "D", _year(three[2]))]
        return [("D", "M", _year(three[2])), *named]
    return [("D", "M", "YY"), ("M", "D", "YY"), ("YY", "M", "D")]


def _year(piece: str) -> str:
    return "YYYY" if len(piece) == 4 else "YY"


def _words(dates: pl.Series, place: str) -> set[str]:
    """The words that stand where the first text has the name of a month."""
    group = {"0": r"^\s*(\p{L}+)", "1": r"^\s*\d+[^\p{L}]*(?:de |d')?(\p{L}+)", "2": r"(\p{L}+)"}[place]
    return set(dates.str.extract(group).drop_nulls())
