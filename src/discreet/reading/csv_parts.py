"""Delimited text larger than memory: gone through once in pieces of whole records, which are read again when needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple

import polars as pl

from discreet.dataset import DataFile, stamp_of
from discreet.errors import BadFile
from discreet.formats import GZIP
from discreet.project import ReadOptions
from discreet.reading.content import Content
from discreet.reading.csv import (
    BLANK,
    Text,
    columns_of,
    first_record,
    parsed,
    prepared,
    sound,
    typed_by_values,
    without_blank_columns,
    without_notes,
)
from discreet.reading.encodings import BYTE_ORDER_MARKS, to_utf8
from discreet.reading.fits import ANY, Fits, as_type, fits_of
from discreet.reading.header import check_header
from discreet.reading.told import values_told

PIECE = 1 << 23
"""Bytes of a piece: some hundred thousand records."""
FIRST_BYTES = 1 << 20
"""From so many bytes it is told how a file is written."""
LONGEST_RECORD = 1 << 28
QUOTE = b'"'


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvFile:
    """How a delimited file is written: what it takes to read any piece of it. `text` is without records."""

    text: Text
    names: tuple[str, ...]
    newline: bytes
    options: ReadOptions

    @property
    def at(self) -> str:
        """Where the names of the columns stand."""
        return f"{self.text.name}, line {self.text.names_line}"

    def piece(self, raw: bytes, line: int) -> Text:
        """The text of some whole records, the first of which begins on this line."""
        # What is found to be UTF-8 is checked again, so that a later byte that is not is told with what it may be.
        told = self.text.encoding if self.options.encoding or self.text.encoding != "utf-8" else None
        plain, _ = to_utf8(raw, told, self.text.name, above=line - 1)
        if self.newline == b"\r":
            plain = plain.replace(b"\r", b"\n")
        return replace(self.text, text=plain, named=False, above=line - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvPiece:
    """Reads some neighbouring records of a delimited file, with the types that all records of the dataset fit."""

    file: CsvFile = field(hash=False)
    start: int
    stop: int
    line: int
    types: Mapping[str, pl.DataType] = field(hash=False)

    @property
    def found(self) -> Mapping[str, str]:
        """What was given or found out about how the file is written."""
        text = self.file.text
        return {"delimiter": text.delimiter, "encoding": text.encoding, "decimal": text.decimal}

    def __call__(self, path: Path, start: int, stop: int, columns: Sequence[str]) -> pl.DataFrame:
        with path.open("rb") as file:
            file.seek(self.start)
            text = self.file.piece(file.read(self.stop - self.start), self.line)
        texts = self._parsed(text, columns)[start:stop]
        return pl.DataFrame([self._typed(texts[name]) for name in columns])

    def _parsed(self, text: Text, columns: Sequence[str]) -> pl.DataFrame:
        options = self.file.options
        marks = ["", *options.missing]
        apart = text.decimal != text.delimiter
        quick = {
            name: self.types[name]
            for name in columns
            if (self.types[name] == pl.Int64 or (self.types[name] == pl.Float64 and apart))
            and not options.is_told_of(name)
        }
        texts: dict[str, pl.DataType] = dict.fromkeys(self.file.names, pl.String())
        try:
            return parsed(text, {**texts, **quick}, marks, columns)
        except pl.exceptions.ComputeError:
            # Numbers with blanks or in digits of other scripts.
            return parsed(text, texts, marks, columns)

    def _typed(self, values: pl.Series) -> pl.Series:
        dtype, options = self.types[values.name], self.file.options
        if values.dtype == dtype and not options.is_told_of(values.name):
            return values
        if values.name in options.formats:
            return values_told(values, options, self.file.text.decimal, self.file.text.name).cast(dtype)
        marks = options.missing_in.get(values.name, ())
        present = values.set(values.is_in(list(marks)), None) if marks else values
        return as_type(present, dtype, self.file.text.decimal)


class Piece(NamedTuple):
    """Where some whole records of a file begin and end, on which line, and what they are."""

    start: int
    stop: int
    line: int
    text: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvContent:
    """What going through a delimited file tells: its columns, the types that they fit, and where its pieces are."""

    path: Path
    file: CsvFile
    fits: Mapping[str, Fits]
    pieces: tuple[tuple[Piece, int], ...]
    stamp: tuple[int, int]

    def files(self, types: Mapping[str, pl.DataType]) -> Iterator[DataFile]:
        """The pieces, read with these types."""
        for piece, records in self.pieces:
            reader = CsvPiece(
                file=self.file, start=piece.start, stop=piece.stop, line=piece.line, types=types
            )
            yield DataFile(str(self.path), records, self.stamp, reader)


def gone_through(path: Path, options: ReadOptions) -> CsvContent:
    """What a delimited file holds, every record checked. Raises BadFile and NoHeader as `read_csv` does."""
    stamp = stamp_of(path)
    try:
        with path.open("rb") as stream:
            file, start, line = _begin(stream, path, options)
            end = _end(stream, stamp[0], options.note_rows, path.name)
            found = _looked_through(stream, file, Piece(start, end, line, file.text))
    except OSError as problem:
        raise BadFile(f"{path} cannot be read: {problem.strerror}.") from None
    return CsvContent(path=path, file=file, fits=found[0], pieces=found[1], stamp=stamp)


def _looked_through(
    stream: BufferedReader, file: CsvFile, records: Piece
) -> tuple[dict[str, Fits], tuple[tuple[Piece, int], ...]]:
    """What the columns fit, and the pieces with how many records each has."""
    names = [name for name in file.names if not name.startswith(BLANK)]
    fits = dict.fromkeys(names, ANY)
    pieces: list[tuple[Piece, int]] = []
    for piece in _pieces(stream, file, records):
        scanned = sound(piece.text, len(file.names))
        _, frame = typed_by_values(piece.text, list(file.names), scanned, file.options)
        frame = without_blank_columns(file.at, frame)
        if not pieces and file.options.header is None:
            check_header(file.at, frame)
        for each in frame:
            fits[each.name] = fits[each.name].also(fits_of(each, file.text.decimal))
        pieces.append((piece._replace(text=file.text), frame.height))
    if not pieces:
        if file.options.header is None:
            check_header(file.at, pl.DataFrame(schema=dict.fromkeys(names, pl.String())))
        pieces.append((records._replace(stop=records.start), 0))
    return fits, tuple(pieces)


def _begin(stream: BufferedReader, path: Path, options: ReadOptions) -> tuple[CsvFile, int, int]:
    """How the file is written, where its first record begins, and on which line."""
    head = stream.read(FIRST_BYTES)
    if not head:
        raise BadFile(f"{path.name} is empty; expected a table with a row of column names.")
    _refuse_other_bytes(head, path, options)
    mark = next((len(each) for each, _ in BYTE_ORDER_MARKS if head.startswith(each)), 0)
    newline = b"\r" if b"\n" not in head and b"\r" in head else b"\n"
    all_of_it = len(head) < FIRST_BYTES
    whole = head if all_of_it else head[: head.rfind(newline) + 1] or head
    text = prepared(Content(path, whole, ""), options if all_of_it else replace(options, note_rows=0))
    lines = options.header_row - 1 + options.unit_rows
    if text.named:
        lines += 1 + first_record(text.text).count(b"\n")
    start = mark
    for _ in range(lines):
        start = head.find(newline, start) + 1 or len(head)
    file = CsvFile(
        text=replace(text, text=b""), names=tuple(columns_of(text)), newline=newline, options=options
    )
    return file, start, lines + 1


def _refuse_other_bytes(head: bytes, path: Path, options: ReadOptions) -> None:
    """Raises BadFile where a line end is more than one byte, or the file is compressed."""
    if head.startswith(GZIP):
        raise BadFile(
            f"{path.name} is compressed, and a compressed text is not read in parts. Unpack it first (gunzip), or "
            "write it as Parquet."
        )
    marked = next((of for mark, of in BYTE_ORDER_MARKS if head.startswith(mark)), options.encoding or "")
    wide = b"\x00" in head or marked.lower().replace("_", "-").startswith(("utf-16", "utf-32"))
    if wide or "2022" in marked or marked.lower() in ("hz", "utf-7"):
        raise BadFile(
            f"{path.name} is not read in parts: it holds NUL bytes or is of an encoding in which line ends cannot be "
            "told by themselves. Write it as UTF-8 first, or as Parquet."
        )


def _end(stream: BufferedReader, size: int, notes: int, name: str) -> int:
    """Where the last record ends."""
    if not notes:
        return size
    tail = min(size, FIRST_BYTES)
    stream.seek(size - tail)
    return size - tail + len(without_notes(stream.read(tail), notes, name))


def _pieces(stream: BufferedReader, file: CsvFile, records: Piece) -> Iterator[Piece]:
    """The records in pieces that end with a record."""
    start, line, want = records.start, records.line, PIECE
    while start < records.stop:
        stream.seek(start)
        raw = stream.read(min(want, records.stop - start))
        last = start + len(raw) >= records.stop
        size = len(raw) if last else whole_records(raw, file.newline)
        if size == 0 and want < LONGEST_RECORD:
            want *= 2
            continue
        raw = raw[: size or len(raw)]
        if last:
            raw = _without_blank_lines(raw, file)
        text = file.piece(raw, line)
        if size == 0:
            sound(text, len(file.names))
            raise BadFile(f"{file.text.name}, line {line}: a record of more than {LONGEST_RECORD} bytes.")
        if raw:
            yield Piece(start, start + len(raw), line, text)
        line += text.text.count(b"\n")
        start, want = start + size, PIECE


def _without_blank_lines(raw: bytes, file: CsvFile) -> bytes:
    """The last records without the blank lines below them; in a text of one column they are missing values."""
    kept = raw.rstrip(b"\r\n")
    if len(file.names) == 1 or (kept and not raw.endswith((b"\n\n", b"\n\r\n", b"\r\r"))):
        return raw
    return kept + raw[len(kept) :].partition(file.newline)[0] + file.newline if kept else b""


def whole_records(raw: bytes, newline: bytes) -> int:
    """How many bytes are whole records: up to the last line end that stands outside quotation marks."""
    end = raw.rfind(newline)
    marks = raw.count(QUOTE, 0, max(0, end))
    while end >= 0 and marks % 2:
        before = raw.rfind(newline, 0, end)
        marks -= raw.count(QUOTE, max(0, before), end)
        end = before
    return end + 1
