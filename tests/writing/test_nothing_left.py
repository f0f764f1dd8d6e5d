"""What was taken out of a table is nowhere in the file, not even under the mark of a missing cell."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from discreet.table import Column, Role, Scale
from discreet.writing import write_frame
from discreet.writing.arrow import write_arrow, write_parquet

SECRET, AMOUNT = "Perpetua of the long corridor", 123_456.789
TRACES = (
    SECRET.encode(),
    SECRET.encode()[:8],
    np.float64(AMOUNT).tobytes(),
    np.float32(AMOUNT).tobytes(),
    b"123456.7",
)


def masked() -> pl.DataFrame:
    """A table that held a secret twice: in cells that were blanked, and in a record that was dropped."""
    names = [f"somebody with a long name {place % 3}" for place in range(20)]
    amounts = [float(place) for place in range(20)]
    names[5] = names[19] = SECRET
    amounts[5] = amounts[19] = AMOUNT
    frame = pl.DataFrame(
        {"name": names, "amount": amounts, "level": pl.Series(names, dtype=pl.Enum(sorted(set(names))))}
    )
    frame = frame.with_columns(
        frame["name"].set(frame["name"] == SECRET, None),
        frame["amount"].set(frame["amount"] == AMOUNT, None),
        pl.when(pl.col("level") != SECRET).then(pl.col("level")).alias("level"),
    )
    return frame.head(19)


def columns_of(frame: pl.DataFrame) -> list[Column]:
    return [Column(name=name, role=Role.INSENSITIVE, scale=Scale.NOMINAL) for name in frame.columns]


def content(path: Path) -> bytes:
    if path.suffix != ".xlsx":
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return b"".join(archive.read(each) for each in archive.infolist())


@pytest.mark.parametrize("ending", ["csv", "xlsx", "sav", "dta", "xpt", "arrow", "feather"])
def test_what_was_blanked_or_dropped_is_not_in_the_file(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people.{ending}"
    write_frame(masked(), columns_of(masked()), path)
    written = content(path)
    assert not [trace for trace in TRACES if trace in written]


def test_what_was_blanked_or_dropped_is_not_in_an_uncompressed_parquet_file(tmp_path: Path) -> None:
    write_parquet(masked(), tmp_path / "people.parquet", compression="uncompressed")
    written = (tmp_path / "people.parquet").read_bytes()
    assert b"somebody with a long name 1" in written
    assert not [trace for trace in TRACES if trace in written]


def test_a_frame_as_polars_would_write_it_does_hold_the_secret() -> None:
    out = io.BytesIO()
    masked().write_ipc(out, compression="uncompressed")
    assert [trace for trace in TRACES if trace in out.getvalue()]


@pytest.mark.parametrize("write", [write_arrow, write_parquet])
def test_pieces_of_memory_do_not_show_in_the_bytes(
    tmp_path: Path, write: Callable[[pl.DataFrame, Path], None]
) -> None:
    frame = pl.DataFrame({"a": range(1000), "b": [f"text number {place}" for place in range(1000)]})
    pieces = pl.concat([frame[:300], frame[300:310], frame[310:]], rechunk=False)
    assert pieces.n_chunks() == 3
    write(frame, tmp_path / "one")
    write(pieces, tmp_path / "many")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "many").read_bytes()
