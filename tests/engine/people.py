"""A register of invented people in several files, for tests of datasets."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

RECORDS = 140_000
PART = 1 << 16
ROLES = {"id": "identifier", "weight": "weight", "illness": "confidential"}
CUTS = (0, 30_000, 31_000, 95_001, RECORDS)
"""Where the files begin and end: nowhere near the parts."""


@cache
def register(records: int = RECORDS) -> pl.DataFrame:
    draw = np.random.default_rng(5)
    income = np.round(draw.lognormal(10, 1, records), 2)
    missing = draw.random(records) < 0.02
    return pl.DataFrame(
        {
            "id": np.arange(records),
            "age": draw.integers(0, 90, records),
            "income": pl.Series(income).set(pl.Series(missing), None),
            "rent": np.round(income * 0.2 + draw.normal(0, 100, records), 1),
            "weight": np.round(draw.random(records) + 0.5, 3),
            "region": draw.choice(list("abcdefghij"), records),
            "sex": draw.choice(["f", "m"], records),
            "illness": draw.choice(["flu", "cold", "none"], records),
        }
    )


def in_files(folder: Path, frame: pl.DataFrame | None = None) -> Path:
    """The folder with the register in Parquet files of uneven sizes."""
    folder.mkdir()
    records = register() if frame is None else frame
    cuts = [min(each, records.height) for each in CUTS]
    for number, (start, stop) in enumerate(pairwise(cuts)):
        if start < stop:
            records[start:stop].write_parquet(folder / f"people-{number}.parquet", row_group_size=20_000)
    return folder
