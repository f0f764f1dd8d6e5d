"""How many cells a sheet spans is known before any of them is read, however its part is cut into pieces."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reading import small_workbooks as small

from discreet.errors import BadFile
from discreet.reading import read_frame
from discreet.reading.spans import Places, Records, Repeated, Span, span_of

PLACES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 300)), min_size=1, max_size=6, unique=True)


def spanned(span: Span, part: bytes, cuts: list[int]) -> int:
    """The cells that a part spans when it comes in pieces."""
    ends = sorted({min(cut, len(part)) for cut in cuts})
    for start, end in zip([0, *ends], [*ends, len(part)], strict=True):
        span.feed(part[start:end])
    return span.cells


@given(PLACES, st.lists(st.integers(0, 400), max_size=5))
def test_a_binary_sheet_spans_what_its_last_row_and_column_span(
    places: list[tuple[int, int]], cuts: list[int]
) -> None:
    part = small.binary_sheet([(row, column, "x" * column) for row, column in sorted(places)])
    rows, columns = max(row for row, _ in places) + 1, max(column for _, column in places) + 1
    assert spanned(Records(), part, cuts) == rows * columns


def test_a_binary_sheet_may_be_cut_anywhere() -> None:
    part = small.binary_sheet([(0, 0, "age"), (70_000, 300, "7" * 200)])
    for cut in range(len(part) + 1):
        assert spanned(Records(), part, [cut]) == 70_001 * 301


@given(
    st.lists(st.tuples(st.integers(1, 5), st.lists(st.tuples(st.booleans(), st.integers(1, 4)))), max_size=5),
    st.lists(st.integers(0, 900), max_size=5),
)
def test_a_repeated_sheet_spans_up_to_the_last_cell_that_holds_something(
    rows: list[tuple[int, list[tuple[bool, int]]]], cuts: list[int]
) -> None:
    written, grid = "", []
    for times, cells in rows:
        written += small.odf_row(
            "".join(small.odf_cell("x" if filled else None, many) for filled, many in cells), times
        )
        grid += [[filled for filled, many in cells for _ in range(many)]] * times
    last = max((place + 1 for place, row in enumerate(grid) if any(row)), default=0)
    widest = max((place + 1 for row in grid for place, filled in enumerate(row) if filled), default=0)
    once = spanned(Repeated(), small.odf_content(written).encode(), cuts)
    assert once == last * widest
    assert spanned(Repeated(), small.odf_content(written, written).encode(), cuts) == 2 * once


def test_text_alone_fills_a_cell() -> None:
    plain = '<table:table-cell table:number-columns-repeated="9"><text:p>x</text:p></table:table-cell>'
    assert spanned(Repeated(), small.odf_content(small.odf_row(plain, 5)).encode(), []) == 45


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ("content.xml", Repeated),
        ("xl/worksheets/sheet1.bin", Records),
        ("xl/printerSettings/printerSettings1.bin", Places),
        ("xl/vbaProject.bin", Places),
        ("xl/worksheets/sheet1.xml", Places),
    ],
)
def test_the_name_of_a_part_tells_how_it_is_read(part: str, kind: type[Span]) -> None:
    assert isinstance(span_of(part), kind)


def test_workbooks_of_both_kinds_are_read_as_they_were_written(tmp_path: Path) -> None:
    cells = [(0, 0, "age"), (0, 1, "town"), (1, 0, "31"), (1, 1, "Reus"), (2, 0, "44"), (2, 1, "Vic")]
    small.write_xlsb(tmp_path / "people.xlsb", cells)
    # As LibreOffice writes it: the rest of the sheet is one empty row, a million times.
    rows = [[text for row, _, text in cells if row == place] for place in range(3)]
    written = "".join(small.odf_row("".join(map(small.odf_cell, row))) for row in rows)
    small.write_ods(tmp_path / "people.ods", written + small.odf_row(small.odf_cell(None, 16_384), 1_048_573))
    for name in ("people.xlsb", "people.ods"):
        frame = read_frame(tmp_path / name).frame
        assert frame.to_dict(as_series=False) == {"age": ["31", "44"], "town": ["Reus", "Vic"]}


def test_a_part_that_is_no_xml_is_a_damaged_workbook(tmp_path: Path) -> None:
    small.write_ods(tmp_path / "people.ods", "<table:table-row>")
    with pytest.raises(BadFile, match=r"people\.ods is damaged or locked"):
        read_frame(tmp_path / "people.ods")
