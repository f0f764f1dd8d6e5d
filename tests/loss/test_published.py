"""Figures published for the Census file of 1080 records and 13 columns."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from discreet import loss
from discreet.mask import microaggregate
from discreet.table import Table


@pytest.fixture(scope="module")
def census(reference_data: Path) -> pl.DataFrame:
    return pl.read_csv(reference_data / "census.csv")


@pytest.mark.parametrize(("k", "lost"), [(3, 5.6922), (5, 9.0884), (10, 14.1559)])
def test_mdav_loses_the_published_share_of_the_squares(census: pl.DataFrame, k: int, lost: float) -> None:
    table = Table.of(census, roles={}, rest="quasi-identifier")
    assert loss.sse(table, microaggregate(table, k=k).table).loss == pytest.approx(lost, abs=5e-5)


@pytest.mark.parametrize(
    ("sizes", "group_k", "published", "ours"),
    [
        ((2, 2), (3, 3), 23.85, 17.528),
        ((2, 2), (2, 8), 28.40, 22.391),
        ((2, 2), (8, 2), 31.80, 24.375),
        ((3, 2), (3, 8), 31.92, 36.640),
        ((2, 2, 2), (3, 8, 5), 36.91, 30.129),
        ((2, 2, 2), (8, 5, 3), 37.76, 30.430),
    ],
)
def test_the_probabilistic_loss_is_near_the_published_one(
    census: pl.DataFrame, sizes: tuple[int, ...], group_k: tuple[int, ...], published: float, ours: float
) -> None:
    # The 400 records that the figures are of are not known, so means over other 400 can only be near them.
    starts = np.cumsum((0, *sizes))
    groups = [census.columns[low:high] for low, high in pairwise(starts.tolist())]
    columns = census.columns[: int(starts[-1])]
    found = []
    for seed in range(3):
        rows = np.random.default_rng(seed).choice(len(census), 400, replace=False)
        table = Table.of(census[np.sort(rows)], roles={}, rest="quasi-identifier")
        masked = microaggregate(
            table, columns=columns, groups=groups, group_k=list(group_k), standardise=False
        ).table
        found.append(loss.pil(table, masked, columns=columns).loss)
    assert np.mean(found) == pytest.approx(published, rel=0.27)
    assert np.mean(found) == pytest.approx(ours, rel=1e-4)
