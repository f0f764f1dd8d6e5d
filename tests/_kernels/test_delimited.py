"""The pass over a delimited text agrees with a plain reader and names the first fault."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet._kernels import delimited
from discreet._kernels.delimited import scan

COMMA = ord(",")
CELLS = st.text(alphabet='ab0,"\n;- ', max_size=4)


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=8), st.sampled_from(["\n", "\r\n"])
)
def test_a_text_that_the_csv_module_wrote_is_sound(records: list[list[str]], end: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator=end).writerows(records)
    found = scan(out.getvalue().encode(), COMMA, 3)
    assert (found.fault, found.records) == (delimited.SOUND, len(records))


@given(
    st.binary(max_size=40).map(
        lambda text: text.translate(bytes(b'a0,"\n-x\0\r1'[i % 10] for i in range(256)))
    )
)
def test_compiled_and_plain_passes_agree(text: bytes) -> None:
    compiled_zeros, plain_zeros = np.zeros(2, dtype=np.bool_), np.zeros(2, dtype=np.bool_)
    compiled = delimited._scan(np.frombuffer(text, dtype=np.uint8), COMMA, 2, -1, compiled_zeros)
    plain = delimited._scan.plain(text, COMMA, 2, -1, plain_zeros)
    assert tuple(compiled) == tuple(plain)
    assert compiled_zeros.tolist() == plain_zeros.tolist()


@pytest.mark.parametrize(
    ("text", "fault", "line", "fields"),
    [
        (b"a,b\n1,2\n3\n", delimited.WRONG_FIELDS, 3, 1),
        (b"a,b\n1,2,3\n", delimited.WRONG_FIELDS, 2, 3),
        (b'a,b\n"1\n2",2\n3\n', delimited.WRONG_FIELDS, 4, 1),
        (b"a,b\n1,2\n\n3,4\n", delimited.WRONG_FIELDS, 3, 0),
        (b"a,b\r\n1,2\r\n\r\n", delimited.WRONG_FIELDS, 3, 0),
        (b'a,b\n1,"x\n2,y\n', delimited.UNCLOSED, 2, 1),
        (b'a,b\n1,x"y\n', delimited.STRAY_QUOTE, 2, 1),
        (b'a,b\n"x"y,1\n', delimited.STRAY_QUOTE, 2, 0),
        (b"a,b\n1,x\0\n", delimited.NUL, 2, 1),
        (b'a,b\n1,"x\n\0"\n', delimited.NUL, 3, 1),
    ],
)
def test_the_first_fault_is_named_with_its_line(text: bytes, fault: int, line: int, fields: int) -> None:
    found = scan(text, COMMA, 2)
    assert (found.fault, found.line, found.fields) == (fault, line, fields)


def test_leading_zeros_are_seen_in_records_but_not_in_the_header() -> None:
    assert scan(b'01,02,03,04\n0,-07,"08",1.05\n', COMMA, 4).zeros == (False, True, True, False)


def test_the_line_of_a_record_counts_line_ends_inside_quotes() -> None:
    text = b'a,b\n"x\n\ny",1\nz,2\n'
    assert [scan(text, COMMA, 2, until=record).line for record in range(3)] == [1, 2, 5]


def test_one_column_may_have_blank_lines() -> None:
    assert scan(b"a\n\n1\n", COMMA, 1).records == 3
