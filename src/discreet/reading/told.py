"""What a steward says of how a column is read: how its days or numbers are written, and what in it is missing."""

from __future__ import annotations

import polars as pl

from discreet.dialect import form_of
from discreet.errors import BadValues
from discreet.project import ReadOptions
from discreet.reading.infer import infer
from discreet.reading.tidy import with_marks_missing


def values_told(texts: pl.Series, options: ReadOptions, decimal: str, file: str) -> pl.Series:
    """The column as its texts and what is told of it say. Raises BadValues where a value is not written as told."""
    name = texts.name
    marks = tuple(options.missing_in.get(name, ()))
    if marks:
        texts = texts.set(texts.is_in(list(marks)), None)
    if name in options.formats:
        return _formed(texts, options.formats[name], file)
    values = infer(texts, decimal)
    return with_marks_missing(values.to_frame(), marks).to_series() if marks else values


def frame_told(frame: pl.DataFrame, options: ReadOptions, file: str) -> pl.DataFrame:
    """The frame of a file with types, as what is told of its columns says."""
    changed = []
    for each in frame:
        marks = tuple(options.missing_in.get(each.name, ()))
        values = with_marks_missing(each.to_frame(), marks).to_series() if marks else each
        if each.name in options.formats:
            if each.dtype.is_integer():
                # Whole numbers can write days: 19671016.
                values = values.cast(pl.String)
            elif each.dtype != pl.String:
                raise BadValues(
                    f"{file}, column '{each.name}': the file tells its type, and it is no text that has a format. "
                    "Leave its format out."
                )
            values = _formed(values, options.formats[each.name], file)
        changed.append(values)
    return pl.DataFrame(changed) if changed else frame


def _formed(texts: pl.Series, text: str, file: str) -> pl.Series:
    """The days or numbers of a column; BadValues with a count and the first record where one is written otherwise."""
    found = form_of(text).read(texts)
    bad = found.is_null() & texts.is_not_null()
    if bad.any():
        raise BadValues(
            f"{file}, column '{texts.name}': {int(bad.sum())} of {texts.len()} values are not written as its format "
            f"'{text}' says, or are no such day; the first is in record {int(bad.arg_true()[0]) + 1}. Correct them, "
            "list marks of missing values under missing of the column, or leave its format out."
        )
    return found
