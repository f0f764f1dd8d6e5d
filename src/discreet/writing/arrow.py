"""Parquet and Arrow files out."""

from __future__ import annotations

from pathlib import Path

import polars as pl

ROWS_A_GROUP = 250_000
"""Fixed, so that the same values give the same bytes whatever the number of threads."""


def write_parquet(frame: pl.DataFrame, path: Path) -> None:
    """Writes the frame as Parquet; the file holds no time of writing."""
    frame.write_parquet(path, row_group_size=ROWS_A_GROUP, compression="zstd", compression_level=3)


def write_arrow(frame: pl.DataFrame, path: Path) -> None:
    """Writes the frame as an Arrow file (Feather version 2); the file holds no time of writing."""
    frame.write_ipc(path, compression="zstd")
