"""Workbooks of the binary and of the OpenDocument kind, written byte by byte: no library here writes them."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
ODF = "urn:oasis:names:tc:opendocument:xmlns"


def record(kind: int, data: bytes = b"") -> bytes:
    """A record of a binary workbook: its kind in one or two bytes, its length in seven bits a byte, and its bytes."""
    head = bytes([kind]) if kind < 128 else bytes([kind & 127 | 128, kind >> 7])
    length, left = b"", len(data)
    while True:
        length += bytes([left & 127 | (128 if left > 127 else 0)])
        left >>= 7
        if not left:
            return head + length + data


def binary_sheet(cells: Sequence[tuple[int, int, str]]) -> bytes:
    """A sheet with a text in each of these cells, given by row and column from 0 on."""
    rows, columns = [row for row, _, _ in cells], [column for _, column, _ in cells]
    spans = struct.pack("<IIII", min(rows), max(rows), min(columns), max(columns))
    made = record(129) + record(148, spans) + record(145)
    last = -1
    for row, column, text in cells:
        if row != last:
            made += record(0, struct.pack("<III", row, 0, 300) + bytes(13))
        last = row
        made += record(6, struct.pack("<II", column, 0) + _text(text))
    return made + record(146) + record(130)


def _text(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16le")


def _relations(target: str, kind: str) -> str:
    one = f'<Relationship Id="r1" Type="{OFFICE}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{PACKAGE}">{one}</Relationships>'


def write_xlsb(path: Path, cells: Sequence[tuple[int, int, str]]) -> None:
    """A binary workbook of one sheet."""
    sheet = record(156, struct.pack("<II", 0, 1) + _text("r1") + _text("people"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", _relations("xl/workbook.bin", "officeDocument"))
        archive.writestr("xl/_rels/workbook.bin.rels", _relations("worksheets/sheet1.bin", "worksheet"))
        archive.writestr("xl/workbook.bin", record(131) + record(143) + sheet + record(144) + record(132))
        archive.writestr("xl/worksheets/sheet1.bin", binary_sheet(cells))


def odf_cell(text: str | None, times: int = 1) -> str:
    """A cell of an OpenDocument sheet, so many times."""
    if text is None:
        return f'<table:table-cell table:number-columns-repeated="{times}"/>'
    return (
        f'<table:table-cell office:value-type="string" table:number-columns-repeated="{times}">'
        f"<text:p>{text}</text:p></table:table-cell>"
    )


def odf_row(cells: str, times: int = 1) -> str:
    """A row of such cells, so many times."""
    return f'<table:table-row table:number-rows-repeated="{times}">{cells}</table:table-row>'


def odf_content(*sheets: str) -> str:
    """The content of a workbook of sheets with these rows."""
    tables = "".join(
        f'<table:table table:name="sheet {place}">{rows}</table:table>' for place, rows in enumerate(sheets)
    )
    named = " ".join(f'xmlns:{name}="{ODF}:{name}:1.0"' for name in ("office", "table", "text"))
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    return f"<office:document-content {named}>{body}</office:document-content>"


def write_ods(path: Path, *sheets: str) -> None:
    """An OpenDocument workbook of sheets with these rows."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", f'<manifest:manifest xmlns:manifest="{ODF}:manifest:1.0"/>')
        archive.writestr("content.xml", odf_content(*sheets))
