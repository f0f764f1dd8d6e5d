"""Reading any file that discreet knows, as values and notes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from discreet.project import ReadOptions
from discreet.reading.arrow import read_arrow
from discreet.reading.content import Content, take
from discreet.reading.csv import read_csv
from discreet.reading.excel import read_excel
from discreet.reading.kinds import kind_of
from discreet.reading.loaded import Loaded
from discreet.reading.statistical import read_statistical

DEFAULTS = ReadOptions()


def read_frame(path: str | Path, options: ReadOptions = DEFAULTS) -> Loaded:
    """The values of a file, with what its format says of each column and the digest of its bytes.

    The format follows from the name, and from the content where that says otherwise: CSV and other delimited text,
    Parquet, Arrow and Feather, Excel, SPSS, Stata and SAS. Missing values are null: empty cells and texts, NaN, the
    marks in `options.missing`, and the codes that a statistical file declares missing. Raises BadFile where the
    file cannot be read, with the line where known.
    """
    place = Path(path)
    taken = take(place)
    loaded = _loaded(kind_of(place, taken.head), taken, options)
    del taken
    columns = loaded.frame.get_columns()
    loaded = replace(loaded, frame=loaded.frame.clear())
    # One piece of memory a column: rows of a frame in many pieces are slow to pick. One column after the other, so that
    # the table is not held twice.
    for index in range(len(columns)):
        columns[index] = columns[index].rechunk()
    return replace(loaded, frame=pl.DataFrame(columns))


def _loaded(kind: str, taken: Content, options: ReadOptions) -> Loaded:
    if kind == "csv":
        return read_csv(taken, options)
    if kind == "excel":
        return read_excel(taken, options)
    if kind in ("parquet", "arrow"):
        return read_arrow(kind, taken, options)
    return read_statistical(kind, taken, options)
