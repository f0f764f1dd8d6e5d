"""A register of any number of invented people in Parquet files, made part by part: the same for the same records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

FILE_RECORDS = 1_000_000
FACTORS = 3
NUMBERS = ("age", "income", "rent", "savings", "hours", "height", "weight")
KEYS = {"band": 18, "sex": 2, "region": 17, "education": 6, "marital": 5, "job": 30}
"""The six categorical keys, and how many categories each has."""
SEED = 1019


def numbers(part: int, records: int) -> pl.DataFrame:
    """Seven numbers that share three hidden factors, two of them skewed as sums of money are."""
    draw = np.random.default_rng([SEED, part])
    loadings = np.random.default_rng(SEED).normal(size=(FACTORS, len(NUMBERS)))
    points = draw.normal(size=(records, FACTORS)) @ loadings + 0.5 * draw.normal(size=(records, len(NUMBERS)))
    points /= np.sqrt((loadings**2).sum(axis=0) + 0.25)
    age, income, rent, savings, hours, height, weight = points.T
    return pl.DataFrame(
        {
            "age": np.clip(np.round(45 + 18 * age), 0, 105).astype(np.int64),
            "income": np.round(np.exp(10 + 0.6 * income), 2),
            "rent": np.round(900 + 250 * rent, 2),
            "savings": np.round(np.exp(9 + savings), 2),
            "hours": np.round(38 + 6 * hours, 1),
            "height": np.round(171 + 9 * height, 1),
            "weight": np.round(76 + 13 * weight, 1),
        }
    )


def categories(part: int, records: int) -> pl.DataFrame:
    """Six keys of 2 to 30 categories, some of them rare, and a number."""
    draw = np.random.default_rng([SEED, part, 1])
    frame = {}
    for name, count in KEYS.items():
        shares = 1.0 / (1.0 + np.arange(count))
        codes = draw.choice(count, records, p=shares / shares.sum())
        frame[name] = pl.Series([f"{name} {code:02}" for code in range(count)]).gather(codes)
    return pl.DataFrame({**frame, "debt": np.round(np.exp(8 + draw.normal(size=records)), 2)})


def written(folder: Path, records: int, make: Callable[[int, int], pl.DataFrame]) -> Path:
    """The folder with so many records in files of a million; what lies there already is taken as it is."""
    if not folder.exists():
        partly = folder.with_name(f"{folder.name}.partly")
        partly.mkdir(parents=True)
        for part, first in enumerate(range(0, records, FILE_RECORDS)):
            make(part, min(FILE_RECORDS, records - first)).write_parquet(partly / f"people-{part:05}.parquet")
        partly.rename(folder)
    return folder
