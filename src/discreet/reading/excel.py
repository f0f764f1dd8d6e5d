"""Sheets of Excel and OpenDocument workbooks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import polars as pl

from discreet.errors import BadFile, did_you_mean, listed
from discreet.project import ReadOptions
from discreet.reading.arrow import check_frame
from discreet.reading.content import Content
from discreet.reading.csv import check_names, numbered_names
from discreet.reading.header import check_header
from discreet.reading.loaded import Loaded
from discreet.reading.tidy import whole_where_all_are, with_marks_missing
from discreet.reading.workbook import check_workbook

FIRST = 60
"""How many rows show where the names of the columns stand, and how many the notes below the records."""

if TYPE_CHECKING:
    from fastexcel import ExcelReader


def read_excel(content: Content, options: ReadOptions) -> Loaded:
    """The values of one sheet, whose first row holds the column names unless the options say otherwise.

    A workbook with several sheets that hold something needs `options.sheet`. A column that mixes numbers and
    texts becomes text. Cells that show an error are missing. Raises BadFile where the workbook is damaged or locked.
    """
    import fastexcel

    name = content.path.name
    check_workbook(content.raw, name)
    try:
        book = fastexcel.read_excel(content.raw)
        sheet = _chosen(name, book, options.sheet)
        above = options.header_row - 1
        header = _loaded(book, sheet, skip_rows=above, n_rows=1, dtypes="string")
        names = ["" if each is None else str(each) for each in header.row(0)] if header.height else []
        if not names:
            raise BadFile(f"{name}, sheet '{sheet}' is empty; expected a row of column names.")
        if options.header is False:
            names = numbered_names(len(names))
        skipped = 0 if options.header is False else options.header_row + options.unit_rows
        texts = _loaded(book, sheet, skip_rows=skipped, dtypes="string")
        below = {"n_rows": max(0, texts.height - options.note_rows)} if options.note_rows else {}
        texts = texts.head(below.get("n_rows", texts.height))
        kept = _kept(names, texts)
        check_names(f"{name}, sheet '{sheet}', row {options.header_row}", [names[place] for place in kept])
        empty = {place: "string" for place, each in enumerate(texts) if each.null_count() == each.len()}
        typed = _loaded(
            book, sheet, skip_rows=skipped, schema_sample_rows=None, dtypes=empty or None, **below
        )
    except fastexcel.FastExcelError:
        raise BadFile(
            f"{name} is damaged or locked by a password: it cannot be read as a workbook."
        ) from None
    frame = _settled(names, kept, typed, texts, (*options.missing, *chain(*options.missing_in.values())))
    check_frame(frame, name)
    frame = whole_where_all_are(with_marks_missing(frame, options.missing))
    if options.header is None:
        check_header(f"{name}, sheet '{sheet}', row {options.header_row}", frame)
    return Loaded(
        frame=frame,
        source=content.source,
        format="excel",
        found={"sheet": sheet},
        sheets=tuple(filled_sheets(book)),
    )


def _loaded(book: ExcelReader, sheet: str, **options: Any) -> pl.DataFrame:
    found: pl.DataFrame = book.load_sheet(sheet, header_row=None, **options).to_polars()
    return found


def _kept(names: list[str], texts: pl.DataFrame) -> list[int]:
    """The places of the columns that have a name or a value: what stands beside a table is no column of it."""
    empty = [each.null_count() == each.len() for each in texts] + [True] * (len(names) - texts.width)
    return [place for place, name in enumerate(names) if name.strip() or not empty[place]]


def _chosen(name: str, book: ExcelReader, wanted: str | None) -> str:
    """The sheet that was asked for, or the only one that holds something."""
    names: list[str] = book.sheet_names
    if wanted is not None:
        if wanted not in names:
            raise BadFile(f"{name} has no sheet '{wanted}'.{did_you_mean(wanted, names)}")
        return wanted
    filled = filled_sheets(book)
    if not filled:
        raise BadFile(f"{name} is empty; expected a sheet with a row of column names.")
    if len(filled) > 1:
        raise BadFile(f"{name} has {len(filled)} sheets: {listed(filled)}. Say which with sheet.")
    return filled[0]


def filled_sheets(book: ExcelReader) -> list[str]:
    """The sheets that hold something."""
    return [each for each in book.sheet_names if _loaded(book, each, n_rows=1, dtypes="string").height]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A sheet that holds something: its name, how many cells do, and its first and last rows as texts."""

    name: str
    cells: int
    first: list[list[str]]
    last: list[list[str]]


def sheets_of(raw: bytes, name: str) -> list[Sheet]:
    """Each sheet that holds something."""
    import fastexcel

    check_workbook(raw, name)
    try:
        book = fastexcel.read_excel(raw)
        found = []
        for sheet in filled_sheets(book):
            texts = _loaded(book, sheet, dtypes="string", skip_rows=0)
            cells = sum(each.len() - each.null_count() for each in texts)
            first, last = _rows(texts.head(FIRST)), _rows(texts.tail(FIRST))
            found.append(Sheet(name=sheet, cells=cells, first=first, last=last))
        return found
    except fastexcel.FastExcelError:
        # What cannot be read is told when it is read.
        return []


def _rows(texts: pl.DataFrame) -> list[list[str]]:
    return [["" if cell is None else cell for cell in row] for row in texts.rows()]


def _settled(
    names: list[str], kept: list[int], typed: pl.DataFrame, texts: pl.DataFrame, marks: tuple[str, ...]
) -> pl.DataFrame:
    """Each column with its type, or as text where a type would lose a value that is no mark of missing ones."""
    if texts.width < len(names):
        return pl.DataFrame(schema=dict.fromkeys((names[place] for place in kept), pl.String))
    columns = []
    for place in kept:
        of_type, text = typed.to_series(place), texts.to_series(place)
        lost = text.filter(of_type.is_null() & text.is_not_null())
        fits = bool(lost.is_in(["", *marks]).all())
        columns.append((of_type if fits else text).alias(names[place]))
    return pl.DataFrame(columns)
