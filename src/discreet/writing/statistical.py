"""Files of SPSS, Stata and SAS out, with labels, value labels and missing codes."""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from discreet.errors import BadTable, listed
from discreet.table import Column, Scale
from discreet.writing.options import WriteOptions
from discreet.writing.plain import texts_of_categories
from discreet.writing.stamps import without_time

NAME_RULES = {
    ".sav": (r"[^\W\d_][\w.$#@]*", 64),
    ".zsav": (r"[^\W\d_][\w.$#@]*", 64),
    ".por": (r"[A-Z][A-Z0-9_]*", 8),
    ".dta": (r"[A-Za-z_][A-Za-z0-9_]*", 32),
    ".xpt": (r"[A-Za-z_][A-Za-z0-9_]*", 32),
}
"""What a column may be called in each format, and how many letters its name may have."""

STATA_WORDS = frozenset(
    {"byte", "double", "float", "if", "in", "int", "long", "strL", "using", "with"}
    | {"_all", "_b", "_coef", "_cons", "_n", "_N", "_pi", "_pred", "_rc", "_skip"}
)
MEASURES = {Scale.NUMERIC: "scale", Scale.ORDINAL: "ordinal", Scale.NOMINAL: "nominal", Scale.TEXT: "nominal"}
REFUSED = "unable to write data"
"""What the writer says where it could not write to the disk, whatever the table."""
SHORT_TEXT = 8
"""How many bytes a text may have to be a missing code or to bear a value label in every version of SPSS."""


def write_statistical(frame: pl.DataFrame, path: Path, options: WriteOptions) -> None:
    """Writes the frame as an SPSS, Stata or SAS file whose time of writing is always the same.

    Labels go into every format, value labels into SPSS and Stata, missing codes and scales into SPSS. Missing
    values are system-missing. A missing code that a masked value happens to equal is left out, because the value
    would be read as missing.
    """
    import pyreadstat

    columns, ending = options.columns, options.ending
    _check_names(frame.columns, ending)
    plain = texts_of_categories(frame)
    labels = {each.name: each.label for each in columns if each.label}
    arguments: dict[str, Any] = {"column_labels": labels or None}
    if ending in (".sav", ".zsav"):
        arguments |= _spss(plain, columns)
        arguments["row_compress" if ending == ".sav" else "compress"] = True
    elif ending == ".dta":
        arguments["variable_value_labels"] = _value_labels(plain, columns, texts=False)
    writers = {".por": pyreadstat.write_por, ".dta": pyreadstat.write_dta, ".xpt": pyreadstat.write_xport}
    try:
        writers.get(ending, pyreadstat.write_sav)(plain, path, **arguments)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as problem:
        if REFUSED in str(problem).lower():
            raise OSError(errno.ENOSPC, "the system refused, as where there is no room on the disk") from None
        raise BadTable(
            f"a {ending} file cannot hold this table: {_reason(problem)}. Choose another format."
        ) from None
    without_time(path)


def _spss(frame: pl.DataFrame, columns: Sequence[Column]) -> dict[str, Any]:
    whole = [each.name for each in frame if each.dtype.is_integer()]
    return {
        "variable_value_labels": _value_labels(frame, columns, texts=True),
        "missing_ranges": _missing_ranges(frame, columns),
        "variable_measure": {each.name: MEASURES[each.scale] for each in columns},
        "variable_format": dict.fromkeys(whole, "F12.0"),
    }


def _value_labels(frame: pl.DataFrame, columns: Sequence[Column], *, texts: bool) -> dict[str, Any]:
    found = {}
    for each in columns:
        dtype = frame[each.name].dtype
        if dtype.is_numeric():
            labels: dict[Any, str] = {
                _number(code): label for code, label in each.value_labels.items() if _number(code) is not None
            }
        elif dtype == pl.String and texts:
            labels = {code: label for code, label in each.value_labels.items() if _is_short(code)}
        else:
            labels = {}
        if not texts:
            # Stata labels whole numbers only.
            labels = {int(code): label for code, label in labels.items() if float(code).is_integer()}
        if labels:
            found[each.name] = labels
    return found


def _missing_ranges(frame: pl.DataFrame, columns: Sequence[Column]) -> dict[str, list[Any]]:
    """The missing codes of each column that no value of it equals."""
    found: dict[str, list[Any]] = {}
    for each in columns:
        values = frame[each.name].drop_nulls()
        ranges: list[Any] = []
        for code in each.missing_codes:
            low, _, high = code.partition(" to ")
            if values.dtype.is_numeric():
                first, last = _number(low), _number(high or low)
                if first is not None and last is not None and not values.is_between(first, last).any():
                    ranges.append({"lo": first, "hi": last} if high else first)
            elif values.dtype == pl.String and _is_short(code) and not (values == code).any():
                ranges.append(code)
        if ranges:
            found[each.name] = ranges
    return found


def _check_names(names: Sequence[str], ending: str) -> None:
    pattern, longest = NAME_RULES[ending]
    bad = [
        name
        for name in names
        if not re.fullmatch(pattern, name)
        or len(name.encode()) > longest
        or (ending == ".dta" and (name in STATA_WORDS or re.fullmatch(r"str\d+", name)))
    ]
    if bad:
        raise BadTable(
            f"a {ending} file cannot have columns called {listed(bad)}: names there have at most {longest} letters, "
            "digits and _, begin with a letter" + (", and are capitals" if ending == ".por" else "") + ". "
            "Rename them, or choose another format."
        )
    folded = [name.lower() for name in names]
    twice = [name for name in names if folded.count(name.lower()) > 1]
    if twice and ending != ".dta":
        raise BadTable(f"a {ending} file does not tell {listed(twice)} apart. Rename them.")


def _number(code: str) -> float | int | None:
    try:
        number = float(code)
    except ValueError:
        return None
    return int(number) if number.is_integer() else number


def _is_short(code: str) -> bool:
    return 0 < len(code.encode()) <= SHORT_TEXT


def _reason(problem: Exception) -> str:
    """What the writer says, which is about names and lengths and never holds a value."""
    return str(problem).rstrip(".").lower()
