"""Days and times as they are written: 16.10.1967, 10/16/67, 16 Oct 1967 08:30."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from discreet.dialect.months import MONTH_NUMBERS, MONTHS, folded

TOKEN = re.compile(r"YYYY|YY|MONTH|Month|month|(?:MON|Mon|mon)\.?|MM|M|DD|D|hh|h|mm|ss|AM|am|[^YMDhms]")
"""The parts of a form; every other character stands for itself."""
PATTERNS = {
    "YYYY": r"(?P<year>\d{4})",
    "YY": r"(?P<year>\d{2})",
    "MM": r"(?P<month>\d{2})",
    "M": r"(?P<month>\d{1,2})",
    "DD": r"(?P<day>\d{2})",
    "D": r"(?P<day>\d{1,2})",
    "hh": r"(?P<hour>\d{2})",
    "h": r"(?P<hour>\d{1,2})",
    "mm": r"(?P<minute>\d{2})",
    "ss": r"(?P<second>\d{2})",
    "AM": r"(?P<half>[AaPp]\.?[Mm]\.?)",
    "am": r"(?P<half>[AaPp]\.?[Mm]\.?)",
}
POINTED = {"MON.", "Mon.", "mon."}
NAMED = {"MONTH", "Month", "month", "MON", "Mon", "mon"} | POINTED
NAME = r"(?P<month>\p{L}+)"
FIRST_YEAR = 1930
"""Two digits are a year of the hundred from here on, unless the form says from when; spreadsheets take the same."""
OPTION = re.compile(r", (?:from (?P<first>\d{4})|(?P<language>[a-z]{2}))$")


@dataclass(frozen=True)
class DateForm:
    """How the days or times of a column are written, as a project file says it.

    YYYY or YY is the year, MM or M the month (without zeros before it), Month or Mon its whole or short name
    with the language after a comma (Mon. with a point where the name is cut short: janv., mai), DD or D the
    day; hh or h the hour, mm the minute, ss the second, AM the half of the day. A form without a day tells
    months, each of which is its first day.
    """

    text: str

    def __str__(self) -> str:
        return self.text

    @cached_property
    def _parts(self) -> tuple[str, str, int]:
        """The form without its options, the language of its months, and the first of the hundred years."""
        form, language, first = self.text, "en", FIRST_YEAR
        while found := OPTION.search(form):
            form = form[: found.start()]
            language = found["language"] or language
            first = int(found["first"] or first)
        return form, language, first

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The parts of the form in their order."""
        form = self._parts[0]
        found = TOKEN.findall(form)
        if "".join(found) != form or self._parts[1] not in MONTHS:
            return ()
        return tuple(found)

    @property
    def is_sound(self) -> bool:
        """Whether it tells a month once, its day if any, and the time of that, if any, from the hour on."""
        kinds = [_kind(each) for each in self.tokens if _kind(each)]
        if len(set(kinds)) != len(kinds) or not {"year", "month"} <= set(kinds):
            return False
        if "day" not in kinds:
            return len(kinds) == len(("year", "month"))
        return ("minute" in kinds) >= ("second" in kinds) and ("hour" in kinds) == ("minute" in kinds)

    @property
    def has_time(self) -> bool:
        return "hour" in map(_kind, self.tokens)

    @property
    def has_day(self) -> bool:
        return "day" in map(_kind, self.tokens)

    @cached_property
    def pattern(self) -> str:
        """The regular expression that a text written so fits."""
        named = {each: NAME + (r"\.?" if each in POINTED else "") for each in NAMED}
        parts = [{**PATTERNS, **named}.get(each, re.escape(each)) for each in self.tokens]
        return rf"^\s*{''.join(parts)}\s*$"

    def read(self, texts: pl.Series) -> pl.Series:
        """The days or moments that the texts write; missing where one is not written so, or is no day."""
        if texts.null_count() == texts.len():
            return texts.cast(pl.Datetime("us") if self.has_time else pl.Date)
        distinct = texts.drop_nulls().unique()
        parts = distinct.str.extract_groups(self.pattern).struct.unnest()
        year, month = self._years(parts["year"]), self._months(parts["month"])
        day = _whole(parts["day"]) if self.has_day else year * 0 + 1
        frame = pl.DataFrame({"year": year, "month": month, "day": day})
        days = frame.select(_day()).to_series()
        found = self._moments(days, parts) if self.has_time else days
        return texts.replace_strict(distinct, found, default=None, return_dtype=found.dtype).alias(texts.name)

    def write(self, values: pl.Series) -> pl.Series:
        """The texts that write these days or moments."""
        pieces = [self._piece(each, values) for each in self.tokens]
        joined = pl.select(pl.concat_str([pl.lit(each) for each in pieces])).to_series()
        return joined.alias(values.name)

    def _years(self, digits: pl.Series) -> pl.Series:
        years = _whole(digits)
        if "YYYY" in self.tokens:
            return years
        first = self._parts[2]
        return (years - first) % 100 + first

    def _months(self, texts: pl.Series) -> pl.Series:
        if not NAMED & set(self.tokens):
            return _whole(texts)
        numbers = MONTH_NUMBERS[self._parts[1]]
        words = texts.drop_nulls().unique().to_list()
        known = [numbers.get(folded(word)) for word in words]
        return texts.replace_strict(words, known, default=None, return_dtype=pl.Int64)

    def _moments(self, days: pl.Series, parts: pl.DataFrame) -> pl.Series:
        hour, minute = _whole(parts["hour"]), _whole(parts["minute"])
        second = _whole(parts["second"]) if "second" in parts.columns else hour * 0
        if "half" in parts.columns:
            late = parts["half"].str.to_lowercase().str.starts_with("p")
            good = hour.is_between(1, 12)
            hour = (hour % 12 + late.cast(pl.Int64) * 12).set(~good, None)
        sound = (hour < 24) & (minute < 60) & (second < 60)
        micro = ((hour * 60 + minute) * 60 + second) * 1_000_000
        moments = days.cast(pl.Datetime("us")).cast(pl.Int64) + micro
        return moments.set(~sound.fill_null(value=False), None).cast(pl.Datetime("us"))

    def _piece(self, token: str, values: pl.Series) -> pl.Series:
        """What one part of the form writes of every value."""
        kind = _kind(token)
        if not kind:
            return pl.Series([token])
        if kind == "half":
            late = values.dt.hour() >= 12
            am, pm = ("AM", "PM") if token == "AM" else ("am", "pm")
            return pl.select(pl.when(late).then(pl.lit(pm)).otherwise(pl.lit(am))).to_series()
        number: pl.Series = getattr(values.dt, kind)().cast(pl.Int64)
        if token in NAMED:
            names = [_cased(each, token) for each in MONTHS[self._parts[1]]]
            return number.replace_strict(list(range(1, 13)), names, default=None, return_dtype=pl.String)
        if token == "YY":
            number = number % 100
        if kind == "hour" and {"AM", "am"} & set(self.tokens):
            number = (number + 11) % 12 + 1
        return number.cast(pl.String).str.zfill(1 if token in ("M", "D", "h") else len(token))


def date_form(text: str) -> DateForm | None:
    """The form that a text describes; None where it describes none."""
    form = DateForm(text)
    return form if form.is_sound else None


def _kind(token: str) -> str:
    """What a part tells: year, month, day, hour, minute, second, half, or nothing."""
    if token in NAMED:
        return "month"
    found = re.search(r"<(\w+)>", PATTERNS.get(token, ""))
    return found[1] if found else ""


def _whole(texts: pl.Series) -> pl.Series:
    return texts.cast(pl.Int64, strict=False)


def _day() -> pl.Expr:
    """The day of a year, month and day; missing where there is no such day."""
    month, day = pl.col("month"), pl.col("day")
    sound = pl.col("year").is_between(1, 9999) & month.is_between(1, 12) & day.is_between(1, 31)
    start = pl.date(pl.col("year").clip(1, 9999), month.clip(1, 12), 1)
    found = start + pl.duration(days=day - 1)
    return pl.when(sound & (found.dt.month() == month)).then(found).otherwise(None).cast(pl.Date)


def _cased(names: tuple[str, str], token: str) -> str:
    whole, short = names
    name = whole if token.lower() == "month" else short
    if token in POINTED and short != whole:
        name += "."
    if token.isupper():
        return name.upper()
    return name.lower() if token.islower() else name[:1].upper() + name[1:]
