"""Whatever Python's csv module writes is read as it was meant."""

from __future__ import annotations

import csv
import re
import tempfile
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from discreet.reading import ReadOptions, read_frame
from discreet.reading.infer import NUMBER

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6).map("t{}".format)
NUMBERS = st.one_of(
    st.integers(-(10**12), 10**12), st.floats(allow_nan=False, allow_infinity=False, width=32)
)


@given(
    records=st.lists(st.tuples(TEXTS, NUMBERS, TEXTS), min_size=1, max_size=15),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@example(records=[("t", 1, "t\r")], delimiter=",", end="\n", quoting=csv.QUOTE_MINIMAL, encoding="utf-8")
def test_what_the_csv_module_writes_is_read_as_it_was_meant(
    records: list[tuple[str, float, str]], delimiter: str, end: str, quoting: int, encoding: str
) -> None:
    if quoting == csv.QUOTE_MINIMAL and any("\r" in first + last for first, _, last in records):
        # Left to itself the module does not quote a return that is not its line end, so that "t\r" before a newline is
        # also "t" before a return and a newline: only in quotation marks is it plain what was meant.
        quoting = csv.QUOTE_NONNUMERIC
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        with path.open("w", newline="", encoding=encoding) as file:
            writer = csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=quoting)  # type: ignore[arg-type]
            writer.writerow(["first text", "number", "second\ntext"])
            writer.writerows(records)
        frame = read_frame(path, ReadOptions(delimiter=delimiter, decimal=".")).frame
    assert frame.columns == ["first text", "number", "second\ntext"]
    assert frame["number"].dtype.is_numeric()
    assert frame.rows() == records


@given(st.lists(st.text("0123456789.,-+eE \tnaif", min_size=1, max_size=6), min_size=1, max_size=6))
def test_texts_become_numbers_only_where_they_mean_the_same(cells: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(
                [["cell"], *[[cell] for cell in cells]]
            )
        values = read_frame(path, ReadOptions(delimiter=",")).frame["cell"]
    if values.dtype.is_numeric():
        assert values.to_list() == [float(cell) for cell in cells]
        assert not any(re.match(r"\s*-?0\d", cell) for cell in cells)
    else:
        assert values.to_list() == cells
        assert (
            not all(re.fullmatch(NUMBER.strip("^$"), cell) for cell in cells)
            or any(re.match(r"\s*-?0\d", cell) for cell in cells)
            or any(abs(float(cell)) > 1e300 for cell in cells)
        )


def test_a_return_before_a_newline_is_part_of_the_line_end(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_bytes(b'name,town\nx,y\r\nz,"w\r"\n')
    assert read_frame(tmp_path / "people.csv").frame["town"].to_list() == ["y", "w\r"]
