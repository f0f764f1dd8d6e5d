"""Days are read from, and written in, the form that the column as a whole shows."""

from __future__ import annotations

from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.dialect import DateForm, form_of, found_dates
from discreet.errors import BadParameter

MARKS = frozenset({"k.A.", "-9", "."})
FORMS = [
    "DD.MM.YYYY", "D.M.YYYY", "DD/MM/YYYY", "MM/DD/YYYY", "M/D/YYYY", "DD-MM-YYYY", "YYYY/MM/DD", "DD.MM.YY",
    "MM/DD/YY", "D Mon YYYY, en", "Month D, YYYY, en", "D. Month YYYY, de", "DD mon YYYY, fr", "D de month de YYYY, es",
    "D month YYYY, it", "D month YYYY, ca", "DD-MON-YYYY, en",
]  # fmt: skip
TIMES = ["DD.MM.YYYY hh:mm", "YYYY-MM-DD hh:mm", "MM/DD/YYYY h:mm AM", "DD/MM/YYYY hh:mm:ss"]
DAYS = st.lists(st.dates(date(1930, 1, 1), date(2029, 12, 31)), min_size=1, max_size=20)


def found(texts: list[str | None]) -> list[str]:
    dates = found_dates(pl.Series("day", texts, dtype=pl.String), MARKS)
    return [] if dates is None else [str(form) for form in dates.forms]


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=10)
@given(days=DAYS)
def test_what_is_written_in_a_form_is_read_and_found_again(form: str, days: list[date]) -> None:
    values = pl.Series("day", days, dtype=pl.Date)
    texts = DateForm(form).write(values)
    assert DateForm(form).read(texts).equals(values)
    known = found_dates(texts, MARKS)
    assert known is not None
    # One of the forms found reads the same days; where several are found the column cannot tell them apart.
    read = [each.read(texts) for each in known.forms]
    pointed = "." in form
    assert any(each.equals(values) for each in read)
    assert len(read) == 1 or (not pointed and max(day.day for day in days) <= 12) or "YY" in form


@pytest.mark.parametrize("form", TIMES)
@given(moments=st.lists(st.datetimes(datetime(1930, 1, 1), datetime(2029, 12, 31)), min_size=1, max_size=9))
def test_times_are_kept_as_far_as_the_form_tells_them(form: str, moments: list[datetime]) -> None:
    second = "ss" in form
    told = [each.replace(microsecond=0, second=each.second if second else 0) for each in moments]
    values = pl.Series("day", told, dtype=pl.Datetime("us"))
    assert DateForm(form).read(DateForm(form).write(values)).equals(values)


@pytest.mark.parametrize(
    ("texts", "forms"),
    [
        (["16.10.1967", "01.02.1990", "k.A."], ["DD.MM.YYYY"]),
        (["10/16/1967", "1/2/1990"], ["M/D/YYYY"]),
        (["16/10/67", "01/02/90"], ["DD/MM/YY"]),
        (["01/02/1990", "03/04/1991"], ["DD/MM/YYYY", "MM/DD/YYYY"]),
        (["01.02.1990", "03.04.1991"], ["DD.MM.YYYY"]),
        (["16 Oct 1967", "01 Sep 2000"], ["DD Mon YYYY, en"]),
        (["16 de octubre de 1967", "1 de abril de 1999"], ["D de month de YYYY, es"]),
        (["16.10.1967 8:30", "01.02.1990 12:00"], ["DD.MM.YYYY h:mm"]),
        (["31.02.1990", "01.01.1990"], []),
        (["16/10/1967", "10/16/1967"], []),
        (["192.168.10.1", "10.0.0.1"], []),
        (["16.10.1967", "yesterday"], []),
        (["10/1967", "02/1990", "k.A."], ["MM/YYYY"]),
        (["10.1967", "2.1990"], ["M.YYYY"]),
        ([f"{year}-{1 + year % 12:02}" for year in range(1990, 2010)], ["YYYY-MM"]),
        (["Okt 1967", "Mai 1990"], ["Mon YYYY, de"]),
        (["2010/11", "2011/12"], []),
        (["Model 2010", "May 2011"], []),
        (["13/1967", "02/1990"], []),
        (["12.5", "13.7"], []),
    ],
)
def test_the_column_as_a_whole_decides(texts: list[str | None], forms: list[str]) -> None:
    assert found(texts) == forms


def test_two_digits_are_years_from_1930_unless_the_form_says_from_when() -> None:
    texts = pl.Series("day", ["16/10/67", "16/10/29", "16/10/30"])
    assert [each.year for each in DateForm("DD/MM/YY").read(texts)] == [1967, 2029, 1930]
    assert [each.year for each in DateForm("DD/MM/YY, from 1900").read(texts)] == [1967, 1929, 1930]


@pytest.mark.parametrize("text", ["", "DD.MM", "DD.MM.YYYY DD", "DD.MM.YYYY mm", "D Mon YYYY, xx", "day"])
def test_what_is_no_form_is_refused(text: str) -> None:
    with pytest.raises(BadParameter, match=r"format .* is not known"):
        form_of(text)
