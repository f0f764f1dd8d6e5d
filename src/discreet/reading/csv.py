"""Delimited text: CSV and its relatives, with every record checked before it is believed."""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from discreet._kernels import delimited
from discreet._kernels.delimited import Scan, scan
from discreet.errors import BadFile
from discreet.project import ReadOptions
from discreet.reading.content import Content, take, unpacked
from discreet.reading.dialect import dialect_of, find_decimal, find_delimiter
from discreet.reading.encodings import to_utf8
from discreet.reading.formulas import unquoted
from discreet.reading.header import check_header
from discreet.reading.infer import infer, numbers
from discreet.reading.loaded import Loaded, Written
from discreet.reading.told import values_told

FIRST_RECORDS = 1000
"""How many records decide the types before the others are read; later ones that do not fit are noticed."""

SOMETHING = re.compile(rb"[^\r\n]")
LONGEST_NAME, LONGEST_HEADER = 1000, 10_000_000
NOTES_HELP = "Notes below the last record are left out with note_rows, which discreet inspect proposes."


@dataclass(frozen=True, slots=True)
class Text:
    """A delimited text as UTF-8 with plain line ends, and how it is written; `named` if its first row holds names."""

    name: str
    text: bytes
    delimiter: str
    decimal: str
    encoding: str
    named: bool = True
    above: int = 0
    """How many lines of titles and units were taken out above the first record."""
    names_line: int = 1
    line_end: str = "\n"
    marked: bool = False
    """Whether the text began with the mark of UTF-8."""

    def scanned(self, fields: int, until: int = -1) -> Scan:
        return scan(self.text, ord(self.delimiter), fields, until=until)


def read_csv(content: Content, options: ReadOptions) -> Loaded:
    """The values of a delimited text with a row of column names, or without one where the options say so.

    A column gets the narrowest type that all its values fit: whole numbers, numbers, ISO dates, else text.
    The empty cell, quoted or not, is missing, and so are the marks in `options.missing`. Raises BadFile with the
    line where a record is too long or too short, a quotation mark is not closed, a byte is not of the encoding, or
    the header names a column twice or not at all; NoHeader where the names look like values and nothing is said of it.
    """
    text = prepared(content, options)
    found = sound(text, len(names_of(text)))
    named = columns_of(text)
    at = f"{text.name}, line {text.names_line}"
    first, frame = typed_by_values(text, named, found, options)
    dialect = dialect_of(text.text, text.delimiter, text.decimal, first, frame, options)
    frame = without_blank_columns(at, frame)
    if options.header is None:
        check_header(at, frame)
    return Loaded(
        dialect=replace(
            dialect, encoding="utf-8-sig" if text.marked else text.encoding, line_end=text.line_end
        ),
        frame=frame,
        source=content.source,
        format="csv",
        found={
            "delimiter": text.delimiter,
            "encoding": text.encoding,
            "decimal": text.decimal,
            **({} if text.named else {"header": "none"}),
            **({"header_row": str(options.header_row)} if options.header_row > 1 else {}),
            **({"unit_rows": str(options.unit_rows)} if options.unit_rows else {}),
            **({"note_rows": str(options.note_rows)} if options.note_rows else {}),
        },
    )


def read_written(content: Content, written: Written) -> pl.DataFrame:
    """The values of a CSV file as discreet writes it: numbers where the types say so, all else as text.

    Cells are separated and numbers and days written as the dialect says. The empty cell is missing, the quoted empty
    cell is the empty text. Raises BadFile where the file is not sound
    or a cell is not a number; columns that the types do not name are read as text. The apostrophe before formulas is
    taken away where they were written with one.
    """
    dialect = written.dialect
    text = prepared(
        content,
        ReadOptions(delimiter=dialect.delimiter, encoding=dialect.encoding, decimal=dialect.decimal),
    )
    names = names_of(text)
    if not written.checked:
        sound(text, len(names))
    check_names(f"{text.name}, line 1", names)
    if written.formulas_quoted:
        names = unquoted(pl.Series(names, dtype=pl.String)).to_list()
    apart = text.decimal != text.delimiter
    numeric = {
        name: dtype
        for name, dtype in written.types.items()
        if dtype.is_numeric() and name not in dialect.formats and (apart or not dtype.is_float())
    }
    try:
        frame = parsed(text, {name: numeric.get(name, pl.String()) for name in names}, None)
        frame = frame.with_columns(_of_dialect(frame, written))
    except pl.exceptions.PolarsError:
        # What polars says may hold a cell.
        raise BadFile(f"{text.name}: a column of numbers holds something else.") from None
    if not written.formulas_quoted:
        return frame
    return frame.with_columns(unquoted(each) for each in frame if each.dtype == pl.String)


def _of_dialect(frame: pl.DataFrame, written: Written) -> list[pl.Series]:
    """The days and numbers of the columns that the dialect writes in a form of its own, with their types."""
    changed = []
    for name in frame.columns:
        dtype, form = written.types.get(name), written.dialect.form(name)
        if form is not None and dtype is not None:
            changed.append(form.read(frame[name]).cast(dtype))
        elif dtype is not None and dtype.is_float() and frame[name].dtype == pl.String:
            changed.append(numbers(frame[name], written.dialect.decimal).cast(dtype))
    return changed


def line_of_record(path: Path, found: Mapping[str, str], record: int) -> int:
    """The line on which a record (from 0) of a delimited file begins."""
    named = "header" not in found
    options = ReadOptions(
        delimiter=found["delimiter"],
        encoding=found["encoding"],
        decimal=found["decimal"],
        header=named,
        header_row=int(found.get("header_row", 1)),
        unit_rows=int(found.get("unit_rows", 0)),
        note_rows=int(found.get("note_rows", 0)),
    )
    text = prepared(take(path), options)
    return text.above + text.scanned(len(names_of(text)), until=record + named).line


def prepared(content: Content, options: ReadOptions) -> Text:
    """The text that a file holds, without titles, units and notes, and how it is written."""
    name = content.path.name
    plain = unpacked(content.raw, name)
    text, encoding = to_utf8(plain, options.encoding, name)
    line_end = _line_end(text)
    if b"\n" not in text and b"\r" in text:
        text = text.replace(b"\r", b"\n")
    text = without_notes(_below_titles(text, options.header_row - 1, name), options.note_rows, name)
    if SOMETHING.search(text) is None:
        raise BadFile(f"{name} is empty; expected a row of column names.")
    delimiter = options.delimiter or find_delimiter(text)
    text = _without_units(text, options.unit_rows)
    named = options.header is not False
    decimal = options.decimal or find_decimal(text, delimiter, named=named)
    above = options.header_row - 1 + options.unit_rows
    return Text(
        name,
        _without_blank_end(text, delimiter),
        delimiter,
        decimal,
        encoding,
        named=named,
        above=above,
        names_line=options.header_row,
        line_end=line_end,
        marked=plain.startswith(BOM_UTF8) and encoding == "utf-8",
    )


def _line_end(text: bytes) -> str:
    """What the first line ends in."""
    first = re.search(rb"\r\n|\n|\r", text)
    return first.group().decode() if first else "\n"


def _below_titles(text: bytes, lines: int, name: str) -> bytes:
    """The text from the row of names on, without so many lines of titles above it."""
    start = 0
    for _ in range(lines):
        start = text.find(b"\n", start) + 1
        if start == 0:
            raise BadFile(
                f"{name} has fewer than {lines + 1} lines; header_row says that the names stand there."
            )
    return text[start:]


def without_notes(text: bytes, lines: int, name: str) -> bytes:
    """The text without so many lines of notes at its end, and without the blank lines below them."""
    if not lines:
        return text
    end = len(text.rstrip(b"\r\n"))
    for _ in range(lines):
        end = text.rfind(b"\n", 0, end)
        if end < 0:
            raise BadFile(f"{name} has fewer than {lines + 1} lines; note_rows says that so many are notes.")
    return text[: end + 1]


def _without_units(text: bytes, lines: int) -> bytes:
    """The text without so many lines of units below the row of names."""
    if not lines:
        return text
    names = first_record(text)
    start = len(names) + 1
    for _ in range(lines):
        start = text.find(b"\n", start) + 1 or len(text)
    return names + b"\n" + text[start:]


def _without_blank_end(content: bytes, delimiter: str) -> bytes:
    """The text without blank lines after its last record; in a text of one column they are missing values."""
    if content.endswith((b"\n\n", b"\n\r\n")) and delimiter.encode() in content[: content.find(b"\n")]:
        return content.rstrip(b"\r\n") + b"\n"
    return content


def names_of(text: Text) -> list[str]:
    """The column names, or the cells of the first record, which may span lines inside quotation marks."""
    first = first_record(text.text)
    if len(first) > LONGEST_HEADER:
        raise BadFile(
            f"{text.name}, line {text.names_line}: expected a row of column names; found {len(first)} bytes."
        )
    try:
        with io.StringIO(first.decode("utf-8"), newline="") as lines:
            return next(csv.reader(lines, delimiter=text.delimiter), [""])
    except csv.Error:
        raise BadFile(
            f"{text.name}, line {text.names_line}: expected a row of column names; found a cell too long for a name."
        ) from None


def first_record(text: bytes) -> bytes:
    """The first record, which may span lines inside quotation marks."""
    end = -1
    while True:
        end = text.find(b"\n", end + 1)
        first = text if end < 0 else text[:end]
        if end < 0 or first.count(b'"') % 2 == 0:
            return first


def sound(text: Text, fields: int) -> Scan:
    """What a pass over the text found; BadFile with the line where a record is not of so many fields."""
    found = text.scanned(fields)
    if found.fault != delimited.SOUND:
        raise BadFile(_fault(text, found, fields))
    return found


def _fault(text: Text, found: Scan, fields: int) -> str:
    """What is wrong with the text, where, and what was expected."""
    at = f"{text.name}, line {found.line + text.above}"
    if found.fault == delimited.NUL:
        return f"{at}: a NUL byte, which no text holds. Is it a binary file, or UTF-16 (say the encoding)?"
    if found.fault == delimited.UNCLOSED:
        return f"{at}: a quotation mark is opened and never closed."
    if found.fault == delimited.STRAY_QUOTE:
        return (
            f"{at}: a quotation mark in the middle of a cell. A cell that holds one is quoted as a whole and "
            "has it doubled."
        )
    first = "the header" if text.named else "the first record"
    if found.fields == 0:
        return f"{at}: an empty line; expected {fields} fields, as in {first}. {NOTES_HELP}"
    given = "1 field" if found.fields == 1 else f"{found.fields} fields"
    shown = {"\t": "a tab"}.get(text.delimiter, f"'{text.delimiter}'")
    return f"{at}: {given}; expected {fields}, as in {first}, with {shown} between them."


BLANK = "\0"
"""What the name of a column begins with that has none, where every line may end with what separates cells."""


def columns_of(text: Text) -> list[str]:
    """The names of the columns: those of the header, or numbered ones; blank ones at its end begin with BLANK."""
    names = names_of(text)
    if not text.named:
        return numbered_names(len(names))
    filled = [place for place, name in enumerate(names, start=1) if name.strip()]
    kept = names[: filled[-1]] if filled else names
    check_names(f"{text.name}, line {text.names_line}", kept)
    return [*kept, *(f"{BLANK}{place}" for place in range(len(names) - len(kept)))]


def without_blank_columns(where: str, frame: pl.DataFrame) -> pl.DataFrame:
    """The frame without columns that have no name and hold nothing; BadFile where one of them holds something."""
    blank = [each.name for each in frame if each.name.startswith(BLANK)]
    if any(frame[name].null_count() < frame.height for name in blank):
        check_names(where, ["" if name in blank else name for name in frame.columns])
    return frame.drop(blank)


def check_names(where: str, names: list[str]) -> None:
    """Raises BadFile where a column has no name, one that is no name, or the name of another.

    The message tells places and no name: where the header is missing, a name is a cell.
    """
    for place, name in enumerate(names, start=1):
        if not name.strip():
            raise BadFile(
                f"{where}: column {place} has no name. Give it one, or remove the column; or say --no-header (header = "
                "false) if the first row is a record."
            )
        if len(name) > LONGEST_NAME:
            raise BadFile(f"{where}: the name of column {place} has {len(name)} characters. Is it a header?")
    often = {name for name, count in Counter(names).items() if count > 1}
    places = [place for place, name in enumerate(names, start=1) if name in often]
    if places:
        raise BadFile(
            f"{where}: columns {', '.join(map(str, places))} share their names with others. Rename them; or say "
            "--no-header (header = false) if the first row is a record."
        )


def numbered_names(count: int) -> list[str]:
    """The names of the columns of a file that has none: column_1, column_2 and so on."""
    return [f"column_{place}" for place in range(1, count + 1)]


def typed_by_values(
    text: Text, names: list[str], found: Scan, options: ReadOptions
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The first records as texts, and the columns with types: from the first records where all others fit.

    Where they do not, the types come from every value.
    """
    marks = ["", *options.missing]
    first = _first_texts(text, names, found, marks)
    types = _types_of_first(first, found, text, options)
    try:
        frame = parsed(text, types, marks)
    except pl.exceptions.ComputeError:
        # A later value does not fit. What polars says of it holds the value, and goes no further.
        frame = parsed(text, dict.fromkeys(names, pl.String()), marks)
    strange = [each.name for each in frame if each.dtype.is_float() and not each.is_finite().all()]
    if strange:
        # The words nan and inf are not numbers unless the steward lists them as marks of missing values.
        as_text = parsed(text, {**types, **dict.fromkeys(strange, pl.String())}, marks)
        frame = frame.with_columns(as_text.select(strange))
    records = found.records - text.named
    if frame.height != records:
        raise BadFile(f"{text.name}: {records} records by their line ends but {frame.height} when parsed.")
    return first, frame.with_columns(
        values_told(each, options, text.decimal, text.name) for each in frame if each.dtype == pl.String
    )


def _first_texts(text: Text, names: list[str], found: Scan, marks: list[str]) -> pl.DataFrame:
    """The cells of the first records as texts."""
    if found.records < 1 + text.named:
        return pl.DataFrame(schema=dict.fromkeys(names, pl.String()))
    end = text.scanned(len(names), until=1 + FIRST_RECORDS).end
    return parsed(replace(text, text=text.text[:end]), dict.fromkeys(names, pl.String()), marks)


def _types_of_first(
    first: pl.DataFrame, found: Scan, text: Text, options: ReadOptions
) -> dict[str, pl.DataType]:
    """The types of the first records: numbers, or text where they are anything else or lead with a zero.

    What is told of a column is told of its texts; and numbers whose decimal mark also separates cells stand in
    quotation marks, which the parser takes for texts.
    """
    types: dict[str, pl.DataType] = {}
    zeros = found.zeros if first.height else [False] * first.width
    for values, zero in zip(first, zeros, strict=True):
        dtype = infer(values, text.decimal).dtype
        quick = dtype == pl.Int64 or (dtype == pl.Float64 and text.decimal != text.delimiter)
        plain = not options.is_told_of(values.name) and not zero
        types[values.name] = dtype if quick and plain else pl.String()
    return types


def parsed(
    text: Text,
    types: Mapping[str, pl.DataType],
    marks: list[str] | None,
    columns: Sequence[str] | None = None,
) -> pl.DataFrame:
    """The values of a sound text, its columns with these names and types; some of them or all."""
    return pl.read_csv(
        text.text,
        separator=text.delimiter,
        has_header=False,
        skip_rows=int(text.named),
        schema=dict(types),
        columns=None if columns is None else [list(types).index(name) for name in columns],
        null_values=marks,
        decimal_comma=text.decimal == "," and text.delimiter != ",",
        raise_if_empty=False,
    )
