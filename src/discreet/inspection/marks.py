"""Words that stand for missing values and spoil columns of numbers."""

from __future__ import annotations

import polars as pl

from discreet.reading.infer import infer, is_number

KNOWN_MARKS = frozenset(
    {
        "NA",
        "N/A",
        "n/a",
        "na",
        "#N/A",
        "NaN",
        "nan",
        "NAN",
        "NULL",
        "null",
        "Null",
        "(null)",
        "None",
        "none",
        "NONE",
    }
    | {
        ".",
        "..",
        "...",
        "?",
        "-",
        "--",
        "*",
        "x",
        ":",
        "\\N",
        "missing",
        "Missing",
        "MISSING",
        "unknown",
        "Unknown",
    }
    | {"s/d", "S/D", "n.d.", "N.D.", "nd", "ND", "k.A.", "k. A.", "N/D", "n/d", "ns/nc", "NS/NC", "NC"}
)


def spoiling_marks(texts: pl.Series, decimal: str) -> tuple[str, ...]:
    """The known marks that alone keep a column of texts from being numbers; none where something else does too."""
    present = texts.drop_nulls()
    strange = present.filter(~is_number(present, decimal))
    if strange.is_empty() or strange.len() > present.len() / 2:
        return ()
    distinct = strange.unique().to_list()
    if not set(distinct) <= KNOWN_MARKS:
        return ()
    cleared = texts.set(texts.is_in(distinct), None)
    return tuple(sorted(distinct)) if infer(cleared, decimal).dtype != pl.String else ()


def cleared(frame: pl.DataFrame, marks: tuple[str, ...], decimal: str) -> pl.DataFrame:
    """The frame as it would be read with these marks listed as missing."""
    if not marks:
        return frame
    return frame.with_columns(
        infer(each.set(each.is_in(list(marks)), None), decimal) for each in frame if each.dtype == pl.String
    )
