"""Reading any file that discreet knows, as values and what its format states about them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name

import polars as pl

from discreet.formats import format_of
from discreet.project import ReadOptions
from discreet.reading.content import take
from discreet.reading.loaded import Loaded

DEFAULTS = ReadOptions()


def read_frame(path: str | Path, options: ReadOptions = DEFAULTS) -> Loaded:
    """The values of a file, with what its format says of each column and the digest of its bytes.

    The format follows from the name, and from the content where that says otherwise: CSV and other delimited text,
    Parquet, Arrow and Feather, Excel, SPSS, Stata and SAS. Missing values are null: empty cells and texts, NaN, the
    marks in `options.missing`, and the codes that a statistical file declares missing. Raises BadFile where the
    file cannot be read, with the line where known.
    """
    place = Path(path)
    content = take(place)
    reader = resolve_name(format_of(place, content.head).read)
    loaded: Loaded = reader(content, options)
    del content
    columns = loaded.frame.get_columns()
    loaded = replace(loaded, frame=loaded.frame.clear())
    # One piece of memory a column: rows of a frame in many pieces are slow to pick. One column after the other, so that
    # the table is not held twice.
    for index in range(len(columns)):
        columns[index] = columns[index].rechunk()
    return replace(loaded, frame=pl.DataFrame(columns))
