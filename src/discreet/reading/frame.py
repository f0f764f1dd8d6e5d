"""Reading any file that discreet knows, as values and what its format states about them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name

import polars as pl

from discreet.errors import BadFile
from discreet.formats import format_of
from discreet.project import ReadOptions
from discreet.reading.content import Content, take
from discreet.reading.layout import laid_out
from discreet.reading.loaded import Loaded
from discreet.reading.told import frame_told

DEFAULTS = ReadOptions()


def read_frame(path: str | Path, options: ReadOptions = DEFAULTS) -> Loaded:
    """The values of a file, with what its format says of each column and the digest of its bytes.

    The format follows from the name, and from the content where that says otherwise: CSV and other delimited text,
    Parquet, Arrow and Feather, Excel, SPSS, Stata and SAS. Missing values are null: empty cells and texts, NaN, the
    marks in `options.missing`, and the codes that a statistical file declares missing. Raises BadFile where the
    file cannot be read, with the line where known.
    """
    return loaded_of(take(Path(path)), options)


def look_at(path: str | Path, options: ReadOptions = DEFAULTS) -> tuple[Loaded, ReadOptions]:
    """The values of a file that nothing is known of, and the options to read it with from now on.

    Besides what every reading finds out, the encoding of a text is guessed, the rows of titles and units around the
    names of the columns are found, and of several sheets the one that holds most is taken.
    """
    content = take(Path(path))
    kind = format_of(content.path, content.head).name
    if options.sheet is not None and kind != "excel":
        raise BadFile(f"{content.path.name} is no workbook and has no sheets: leave the sheet out.")
    found = laid_out(content, kind, options)
    return loaded_of(content, found), replace(found, encoding=options.encoding)


def loaded_of(content: Content, options: ReadOptions) -> Loaded:
    """The values of a file whose content was taken."""
    loaded: Loaded = resolve_name(format_of(content.path, content.head).read)(content, options)
    file = content.path.name
    del content
    if loaded.format != "csv":
        loaded = replace(loaded, frame=frame_told(loaded.frame, options, file))
    columns = loaded.frame.get_columns()
    loaded = replace(loaded, frame=loaded.frame.clear())
    # One piece of memory a column: rows of a frame in many pieces are slow to pick. One column after the other, so that
    # the table is not held twice.
    for index in range(len(columns)):
        columns[index] = columns[index].rechunk()
    return replace(loaded, frame=pl.DataFrame(columns))
