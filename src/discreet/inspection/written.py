"""How the values of a column are written, and which of them stand for a missing one, for a steward to confirm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from discreet.dialect import (
    FIRST_YEAR,
    DateForm,
    FoundDates,
    NumberForm,
    form_of,
    found_amounts,
    found_dates,
    is_either_way,
    looks_like_dates,
)
from discreet.inspection import names
from discreet.inspection.codes import labelled_codes, missing_codes
from discreet.inspection.looks import like_phones
from discreet.inspection.marks import KNOWN_MARKS, marks_among_words, no_days, spoiling_marks
from discreet.inspection.names import fits, words_of
from discreet.project import ReadOptions
from discreet.reading.infer import infer
from discreet.reading.told import values_told
from discreet.table import ColumnSpec

EITHER = (
    "its values are numbers with three digits behind the only sign, which groups thousands or begins decimals: say "
    'format = "9,999" or "9.999" for groups, or decimal under [read]'
)


NOTHING_SAID: Mapping[str, ColumnSpec] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A column as it would be read: its values, how they are written, its marks of missing values, and why.

    `unclear` says why nobody could tell what the values are; empty where that is clear. `dates` are the forms between
    which the column does not decide.
    """

    values: pl.Series
    format: str = ""
    marks: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    unclear: str = ""
    dates: FoundDates | None = None


def written(
    frame: pl.DataFrame, options: ReadOptions, decimal: str, specs: Mapping[str, ColumnSpec] = NOTHING_SAID
) -> dict[str, Written]:
    """Every column of a frame as it would be read. What the options say of a column stands.

    `specs` is what its file says of its columns: a label such as "refused" says that its code is a missing value.
    """
    found = {each.name: _column(each, options, decimal, specs.get(each.name)) for each in frame}
    found = {name: _grouped(each, _decimal_signs(found, decimal)) for name, each in found.items()}
    orders = {_is_day_first(form_of(each.format)) for each in found.values() if each.format} - {None}
    if len(orders) == 1:
        found = {name: _decided(each, orders == {True}) for name, each in found.items()}
    return {name: _undecided(each) for name, each in found.items()}


def _column(values: pl.Series, options: ReadOptions, decimal: str, spec: ColumnSpec | None) -> Written:
    if options.is_told_of(values.name):
        return Written(
            values=values,
            format=options.formats.get(values.name, ""),
            marks=tuple(options.missing_in.get(values.name, ())),
        )
    if values.dtype == pl.String:
        return _texts(values, decimal)
    labelled = () if spec is None else labelled_codes(values, spec.value_labels)
    if labelled:
        why = f"the labels of {quoted(labelled)} say that the value is missing: take out what is a value"
        return replace(_without_codes(values, labelled), reasons=(why,))
    codes = missing_codes(values, is_amount=_is_amount(values.name))
    return _compact_days(values) or _without_codes(values, codes)


def _is_amount(name: str) -> bool:
    """Whether a name speaks of money or of years, which grow to 999 and 9999 without being codes."""
    words = words_of(name)
    return bool(fits(names.MONEY, words) or set(words) & {"gain", "loss", "amount", "year"})


def _texts(texts: pl.Series, decimal: str) -> Written:
    """A column of texts: numbers spoilt by marks, days, amounts with their signs, or words."""
    marks = spoiling_marks(texts, decimal)
    if marks:
        cleared = texts.set(texts.is_in(list(marks)), None)
        numbers = infer(cleared, decimal)
        coded = _without_codes(numbers, missing_codes(numbers, is_amount=_is_amount(texts.name)))
        said = f"numbers apart from {quoted(marks)}, which would be read as missing"
        return replace(coded, marks=(*marks, *coded.marks), reasons=(said, *coded.reasons))
    dates = found_dates(texts, KNOWN_MARKS | no_days(texts))
    if dates is not None:
        return _days(texts, dates)
    if looks_like_dates(texts) and not like_phones(texts):
        why = (
            "its values look like dates, but not all are days that exist, or they are written in several ways"
        )
        return Written(values=texts, unclear=why)
    amounts = found_amounts(texts, decimal, KNOWN_MARKS)
    if amounts is not None:
        form, strange = amounts
        cleared = texts.set(texts.is_in(list(strange)), None)
        said = f"numbers written as {form}"
        return Written(
            values=form.read(cleared), format=str(form), marks=strange, reasons=(said, *_apart(strange))
        )
    if is_either_way(texts):
        return Written(values=texts, unclear=EITHER)
    marks = marks_among_words(texts)
    if not marks:
        return Written(values=texts)
    return Written(values=texts.set(texts.is_in(list(marks)), None), marks=marks, reasons=_apart(marks))


def _days(texts: pl.Series, dates: FoundDates) -> Written:
    cleared = texts.set(texts.is_in(list(dates.strange)), None)
    found = Written(values=cleared, marks=dates.strange, reasons=_apart(dates.strange), dates=dates)
    return found if dates.is_ambiguous else _of_form(found, dates.forms[0], "")


def _of_form(column: Written, form: DateForm, why: str) -> Written:
    said = f"{'days' if form.has_day else 'months'} written as {form}{why}"
    if "YY" in form.tokens:
        last = FIRST_YEAR + 99
        said += f' (two digits are years from {FIRST_YEAR} to {last}: for others write "{form}, from 1900")'
    return replace(
        column,
        values=form.read(column.values),
        format=str(form),
        reasons=(said, *column.reasons),
        dates=None,
    )


def _decided(column: Written, day_first: bool) -> Written:
    """A column that does not tell days from months, read as the other columns of its file are."""
    if column.dates is None:
        return column
    fitting = [form for form in column.dates.forms if _is_day_first(form) == day_first]
    return _of_form(column, fitting[0], ", as other columns of the file are") if len(fitting) == 1 else column


def _undecided(column: Written) -> Written:
    if column.dates is None:
        return column
    ways = " or ".join(f'"{form}"' for form in column.dates.forms)
    why = f"its values are dates, but no day above 12 tells days from months: say which, format = {ways}"
    return replace(column, unclear=why)


def _is_day_first(form: object) -> bool | None:
    """Whether a form writes the day before the month, both as numbers between the same signs; None for others."""
    tokens = form.tokens if isinstance(form, DateForm) else ()
    days = [place for place, each in enumerate(tokens) if each in ("D", "DD")]
    months = [place for place, each in enumerate(tokens) if each in ("M", "MM")]
    if not days or not months or tokens[0].startswith("Y"):
        return None
    return days[0] < months[0]


def _compact_days(values: pl.Series) -> Written | None:
    """Whole numbers that write days, such as 19671016."""
    if not values.dtype.is_integer():
        return None
    texts = values.cast(pl.String)
    found = found_dates(texts, frozenset())
    if found is None or found.is_ambiguous:
        return None
    return _of_form(Written(values=texts), found.forms[0], "")


def _decimal_signs(columns: Mapping[str, Written], decimal: str) -> set[str]:
    """The signs that begin decimals in those columns of a file that show it."""
    forms = [form_of(each.format) if each.format else None for each in columns.values()]
    signs = {form.decimal for form in forms if isinstance(form, NumberForm) and form.decimal}
    plain = any(
        each.values.dtype.is_float() and form is None
        for each, form in zip(columns.values(), forms, strict=True)
    )
    return signs | ({decimal} if plain else set())


def _grouped(column: Written, signs: set[str]) -> Written:
    """Numbers with three digits behind the only sign, where other columns show that another sign begins decimals."""
    if column.unclear != EITHER or len(signs) != 1:
        return column
    group = column.values.str.extract("([.,])").drop_nulls()[0]
    if group in signs:
        return column
    form = NumberForm(f"9{group}999")
    said = f"numbers written as {form}, as decimals of the file begin with another sign"
    return Written(values=form.read(column.values), format=str(form), reasons=(said,))


def _without_codes(values: pl.Series, codes: tuple[str, ...]) -> Written:
    if not codes:
        return Written(values=values)
    cleared = values_told(
        values.cast(pl.String), ReadOptions(missing_in={values.name: codes}), ".", values.name
    )
    return Written(values=cleared.cast(values.dtype, strict=False), marks=codes, reasons=_standing_out(codes))


def _standing_out(codes: tuple[str, ...]) -> tuple[str, ...]:
    stand, are = ("stand", "codes") if len(codes) > 1 else ("stands", "a code")
    return (f"{quoted(codes)} {stand} out as {are} for missing values: take out what is a value",)


def _apart(marks: tuple[str, ...]) -> tuple[str, ...]:
    return (f"{quoted(marks)} would be read as missing: take out what is a value",) if marks else ()


def quoted(marks: tuple[str, ...]) -> str:
    return ", ".join(f'"{mark}"' for mark in marks)
