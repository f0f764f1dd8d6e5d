"""Files of SPSS, Stata and SAS, with their labels and missing codes."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import polars as pl

from discreet.errors import BadFile
from discreet.formats import BY_NAME
from discreet.project import ReadOptions
from discreet.reading.arrow import check_frame
from discreet.reading.content import Content
from discreet.reading.limits import check_growth
from discreet.reading.loaded import Loaded
from discreet.reading.tidy import whole_where_all_are, with_marks_missing
from discreet.table import ColumnSpec, Scale

BYTES_A_CELL = 8
EXACT_TO = 2**53
"""Up to here a float holds every whole number."""
SCALE_OF_MEASURE = {"nominal": Scale.NOMINAL, "ordinal": Scale.ORDINAL, "scale": Scale.NUMERIC}
"""What SPSS calls the measure of a variable."""


def _read(kind: str, content: Content, options: ReadOptions) -> Loaded:
    """The values of an SPSS, Stata or SAS file, with labels, value labels and missing codes in the specs.

    Values that the file declares missing, and system-missing ones, are null; texts lose no letter, but the
    formats do not keep blanks at their end. Floats that are all whole numbers become whole numbers. Raises BadFile
    where the file is damaged or its text is not of the encoding that it claims.
    """
    _check_growth(kind, content, options)
    frame, facts = _parsed(kind, content, options, keep_codes=kind in ("dta", "sas7bdat"))
    codes = _missing_codes(kind, content, options, facts)
    if facts.missing_user_values:
        # The codes came as letters among the numbers; the values are read again without them.
        frame, _ = _parsed(kind, content, options, keep_codes=False)
    check_frame(frame, content.path.name)
    return Loaded(
        frame=whole_where_all_are(with_marks_missing(frame, options.missing)),
        source=content.source,
        format=kind,
        specs={name: _spec(name, facts, codes.get(name, ())) for name in frame.columns},
    )


read_sav, read_por, read_dta = partial(_read, "sav"), partial(_read, "por"), partial(_read, "dta")
read_sas7bdat, read_xpt = partial(_read, "sas7bdat"), partial(_read, "xpt")


def _check_growth(kind: str, content: Content, options: ReadOptions) -> None:
    """Raises BadFile where a compressed file claims to hold more records than fit; the others cannot grow much."""
    if kind in ("sav", "sas7bdat"):
        _, facts = _parsed(kind, content, options, keep_codes=False, only_facts=True)
        cells = (facts.number_rows or 0) * (facts.number_columns or 0)
        check_growth(content.path.name, len(content.raw), cells * BYTES_A_CELL)


def _parsed(
    kind: str, content: Content, options: ReadOptions, *, keep_codes: bool, only_facts: bool = False
) -> tuple[pl.DataFrame, Any]:
    import pyreadstat

    readers: dict[str, Callable[..., tuple[pl.DataFrame, Any]]] = {
        "sav": pyreadstat.read_sav,
        "por": pyreadstat.read_por,
        "dta": pyreadstat.read_dta,
        "sas7bdat": pyreadstat.read_sas7bdat,
        "xpt": pyreadstat.read_xport,
    }
    arguments: dict[str, Any] = {"output_format": "polars", "metadataonly": only_facts}
    if kind in ("sav", "dta", "sas7bdat"):
        arguments["user_missing"] = keep_codes
    if kind != "por" and options.encoding not in (None, "guess"):
        arguments["encoding"] = options.encoding
    name, program = content.path.name, BY_NAME[kind].title
    try:
        return readers[kind](io.BytesIO(content.raw), **arguments)
    except UnicodeDecodeError:
        raise BadFile(f"{name}: its text is not of the encoding it claims. Say its encoding.") from None
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OverflowError, ValueError):
        raise BadFile(f"{name} is damaged or cut short: it cannot be read as a {program} file.") from None


def _missing_codes(
    kind: str, content: Content, options: ReadOptions, facts: Any
) -> dict[str, tuple[str, ...]]:
    """The codes that each column declares missing: single values, or ranges such as "97 to 99"."""
    if kind == "sav":
        _, facts = _parsed(kind, content, options, keep_codes=True, only_facts=True)
        return {
            name: tuple(_range_words(each["lo"], each["hi"]) for each in ranges)
            for name, ranges in facts.missing_ranges.items()
        }
    found: Mapping[str, list[str]] = facts.missing_user_values
    return {name: tuple(f".{each}" for each in letters) for name, letters in found.items()}


def _range_words(low: Any, high: Any) -> str:
    first, last = code_words(low), code_words(high)
    return first if first == last else f"{first} to {last}"


def code_words(value: Any) -> str:
    """A code as text: whole numbers without a decimal point."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= EXACT_TO:
        return str(int(value))
    return str(value)


def _spec(name: str, facts: Any, codes: tuple[str, ...]) -> ColumnSpec:
    labels = facts.variable_value_labels.get(name, {})
    return ColumnSpec(
        scale=SCALE_OF_MEASURE.get(facts.variable_measure.get(name)),
        label=facts.column_names_to_labels.get(name) or "",
        value_labels={code_words(value): str(label) for value, label in labels.items()},
        missing_codes=codes,
    )
