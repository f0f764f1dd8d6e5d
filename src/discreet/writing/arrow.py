"""Parquet and Arrow files out, with nothing in them but the values.

An Arrow file holds the memory of a frame as it is. A cell that was blanked is marked missing there, and its old value
stays beneath the mark; the texts of dropped records stay in the buffer that the kept ones share; and an
enumeration lists the categories that no record has any more. A frame is therefore rebuilt from its values before it
is written. Parquet writes the values that are there, and needs only the categories as texts.
"""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Literal

import polars as pl

from discreet.from_values_alone import from_values_alone
from discreet.writing.options import WriteOptions
from discreet.writing.plain import texts_of_categories

REFUSAL = re.compile(r"\(os error (\d+)\)")
"""How polars tells what the system refused, as where the disk is full."""
IN_THE_FOOTER = "transport error"
"""What it says instead where the last bytes of a Parquet file were refused."""
ROWS_A_GROUP = 250_000
"""Fixed, so that the same values give the same bytes whatever the number of threads."""


def write_parquet(
    frame: pl.DataFrame,
    path: Path,
    _: WriteOptions | None = None,
    *,
    compression: Literal["zstd", "uncompressed"] = "zstd",
) -> None:
    """Writes the frame as Parquet, categories as texts; the file holds no time of writing."""
    plain = texts_of_categories(frame).rechunk()
    try:
        plain.write_parquet(path, row_group_size=ROWS_A_GROUP, compression=compression)
    except pl.exceptions.ComputeError as problem:
        number = REFUSAL.search(str(problem))
        if number is None and IN_THE_FOOTER not in str(problem):
            raise
        cause = errno.ENOSPC if number is None else int(number[1])
        raise OSError(cause, os.strerror(cause)) from None


def write_arrow(frame: pl.DataFrame, path: Path, _: WriteOptions | None = None) -> None:
    """Writes the frame as an Arrow file (Feather version 2), categories as texts, without compression.

    The file holds no time of writing, and no value that is not in a cell.
    """
    from_values_alone(texts_of_categories(frame)).write_ipc(path, compression="uncompressed")
