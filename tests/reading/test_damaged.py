"""A damaged file of any format gives a table or a named error, whatever becomes of the library that reads it."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import BadFile
from discreet.formats import WRITTEN
from discreet.reading import read_frame
from discreet.table import Table
from discreet.writing import write_frame

SECRET = "Perpetua"
FRAME = pl.DataFrame(
    {"AGE": [31, None, 33, 34] * 3, "TOWN": [SECRET, "Ulm", None, f"{SECRET} the second of that name"] * 3}
)
TABLE = Table.of(FRAME, roles=dict.fromkeys(FRAME.columns, "insensitive"))
DEADLY = {
    "parquet": [(54, 0x7F), (96, 0)],
    "arrow": [(357, 0x7F), (231, 0xFF)],
}
"""A byte by which reading ends the whole process, and one by which it ends with a panic."""
SLOW = (".parquet", ".pq", ".arrow", ".feather", ".ipc")
"""Each of these is tried in a process apart, which takes its time to start."""


def content(kind: str) -> bytes:
    made = io.BytesIO()
    if kind == "parquet":
        FRAME.write_parquet(made)
    else:
        FRAME.write_ipc(made)
    return made.getvalue()


def answer(place: Path) -> str:
    """What is said of the file where it cannot be read."""
    try:
        read_frame(place)
    except BadFile as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("kind", "at", "byte"), [(kind, *each) for kind in DEADLY for each in DEADLY[kind]])
def test_what_kills_or_panics_the_library_is_an_error_by_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], kind: str, at: int, byte: int
) -> None:
    damaged = bytearray(content(kind))
    damaged[at] = byte
    place = tmp_path / f"people.{kind}"
    place.write_bytes(damaged)
    with pytest.raises(BadFile, match=rf"people\.{kind} is damaged or cut short") as caught:
        read_frame(place)
    assert SECRET not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", DEADLY)
def test_the_byte_that_kills_would_end_this_process(kind: str) -> None:
    """Where a newer library no longer dies of it, another byte must be looked for, or the process apart can go."""
    at, byte = DEADLY[kind][0]
    damaged = bytearray(content(kind))
    damaged[at] = byte
    parse = "read_parquet" if kind == "parquet" else "read_ipc"
    script = f"import io, sys, polars; polars.{parse}(io.BytesIO(sys.stdin.buffer.read()))"
    done = subprocess.run([sys.executable, "-c", script], input=damaged, capture_output=True, check=False)
    assert done.returncode < 0


@pytest.mark.parametrize("ending", WRITTEN)
def test_a_damaged_file_gives_a_table_or_an_error_by_name(ending: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"people{ending}"
        write_frame(TABLE.frame, TABLE.columns, place)
        whole = place.read_bytes()

        @settings(max_examples=6 if ending in SLOW else 60)
        @given(st.data())
        def damage(data: st.DataObject) -> None:
            changed = bytearray(whole)
            for _ in range(data.draw(st.integers(1, 3))):
                at = data.draw(st.integers(0, len(changed)))
                kind = data.draw(st.sampled_from(["put in", "taken out", "replaced", "cut off"]))
                some = data.draw(st.binary(min_size=1, max_size=8))
                if kind == "put in":
                    changed[at:at] = some
                elif kind == "taken out":
                    del changed[at : at + len(some)]
                elif kind == "replaced":
                    changed[at : at + len(some)] = some
                else:
                    del changed[at:]
            place.write_bytes(changed)
            assert SECRET not in answer(place)

        damage()
