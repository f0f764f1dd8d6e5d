from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import Unreachable
from discreet.mask import rank_swap
from discreet.table import Table

VARIANTS = ("window", "buckets", "distribution")


def column(values: list[float | None]) -> Table:
    return Table.of(pl.DataFrame({"x": pl.Series(values, dtype=pl.Float64)}), roles={"x": "quasi-identifier"})


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 30).map(float)), min_size=1, max_size=60),
    st.floats(5, 100),
    st.sampled_from(VARIANTS),
    st.integers(0, 99),
)
def test_each_column_keeps_its_values(values: list[float | None], p: float, variant: str, seed: int) -> None:
    table = column(values)
    present = sum(value is not None for value in values)
    if int(p * present / 100) < 1:
        with pytest.raises(Unreachable, match="less than one rank"):
            rank_swap(table, p=p, variant=variant, seed=seed)
        return
    masked = rank_swap(table, p=p, variant=variant, seed=seed).table.frame["x"]
    assert masked.sort().to_list() == table.frame["x"].sort().to_list()
    assert masked.is_null().to_list() == table.frame["x"].is_null().to_list()


@given(st.integers(10, 200), st.floats(1, 50), st.integers(0, 99))
def test_no_value_moves_by_more_than_p_percent_of_the_ranks(n: int, p: float, seed: int) -> None:
    ranks = np.random.default_rng(seed).permutation(n).astype(float)
    if int(p * n / 100) < 1:
        return
    masked = rank_swap(column(ranks.tolist()), p=p, seed=seed).table.frame["x"].to_numpy()
    assert np.abs(masked - ranks).max() <= p * n / 100


@pytest.mark.parametrize("variant", ["buckets", "distribution"])
def test_the_defences_move_some_values_further_than_p(variant: str) -> None:
    ranks = np.arange(1000.0)
    masked = rank_swap(column(ranks.tolist()), p=2, variant=variant, seed=1).table.frame["x"].to_numpy()
    assert np.abs(masked - ranks).max() > 20


def test_ordinal_values_are_swapped_by_their_order() -> None:
    frame = pl.DataFrame({"size": ["low", "mid", "high"] * 40})
    table = Table.of(frame, roles={"size": "quasi-identifier"}, orders={"size": ["low", "mid", "high"]})
    masked = rank_swap(table, p=10, seed=3).table.frame["size"]
    pairs = set(zip(frame["size"].to_list(), masked.to_list(), strict=True))
    assert masked.sort().to_list() == frame["size"].sort().to_list()
    assert ("low", "high") not in pairs
    assert any(old != new for old, new in pairs)


def test_numbers_of_many_digits_keep_every_digit() -> None:
    values = [2**62 + number for number in range(40)]
    table = Table.of(pl.DataFrame({"x": values}), roles={"x": "quasi-identifier"})
    masked = rank_swap(table, p=20, seed=1)
    assert masked.table.frame["x"].dtype == pl.Int64
    assert sorted(masked.table.frame["x"].to_list()) == values
    assert masked.table.frame["x"].to_list() != values


@pytest.mark.parametrize(
    "dtype", [pl.Float32, pl.UInt64, pl.Datetime("ns", "UTC"), pl.Duration("us"), pl.Time]
)
def test_columns_keep_their_type(dtype: pl.DataType) -> None:
    values = pl.Series("x", range(40), dtype=pl.Int64).cast(dtype)
    table = Table.of(values.to_frame(), roles={"x": "quasi-identifier"})
    masked = rank_swap(table, p=20, seed=1)
    assert masked.table.frame["x"].dtype == values.dtype
    assert masked.guarantees[0].fault(masked.table) == ""
