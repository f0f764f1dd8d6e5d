"""Reading any file that discreet knows, as values and notes."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from discreet.project import ReadOptions
from discreet.reading.arrow import read_arrow, read_parquet
from discreet.reading.bytes_of import head_of, take
from discreet.reading.csv import read_csv
from discreet.reading.kinds import kind_of
from discreet.reading.loaded import Loaded

DEFAULTS = ReadOptions()


def read_frame(path: str | Path, options: ReadOptions = DEFAULTS) -> Loaded:
    """The values of a file, with what its format says of each column and the digest of its bytes.

    The format follows from the name, and from the content where that says otherwise: CSV and other delimited text,
    Parquet, Arrow and Feather. Missing values are null: empty cells, the marks in `options.missing`, and the
    codes that a statistical file declares missing. Raises BadFile where the file cannot be read, with the line
    where known.
    """
    place = Path(path)
    kind = kind_of(place, head_of(place))
    taken = take(place)
    if kind == "csv":
        return read_csv(taken, options)
    return read_parquet(taken) if kind == "parquet" else read_arrow(taken)


def with_marks_missing(frame: pl.DataFrame, marks: tuple[str, ...]) -> pl.DataFrame:
    """The frame with the marks of missing values turned to null, and the empty text with them."""
    texts = list({"", *marks})
    numbers = [float(mark) for mark in marks if _is_number(mark)]
    changed = []
    for each in frame:
        if each.dtype == pl.String:
            changed.append(each.set(each.is_in(texts), None))
        elif each.dtype.is_numeric() and numbers:
            changed.append(each.set(each.is_in(pl.Series(numbers)), None))
    return frame.with_columns(changed)


def _is_number(mark: str) -> bool:
    try:
        float(mark)
    except ValueError:
        return False
    return True
