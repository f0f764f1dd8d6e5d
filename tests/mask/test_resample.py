from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import WrongScale
from discreet.mask import resample
from discreet.mask.resample import bootstrap
from discreet.table import Table

LEVELS = ("low", "middle", "high")


amounts = st.none() | st.integers(-50, 50)


columns_of_amounts = st.lists(amounts, max_size=40)


def incomes(values: Sequence[float | None]) -> Table:
    frame = pl.DataFrame({"income": pl.Series(list(values), dtype=pl.Float64, strict=False)})
    return Table.of(frame, roles={"income": "quasi-identifier"})


def households(rows: Sequence[tuple[float | None, float | None, str | None]]) -> Table:
    frame = pl.DataFrame(
        {
            "income": pl.Series([row[0] for row in rows], dtype=pl.Float64, strict=False),
            "rent": pl.Series([row[1] for row in rows], dtype=pl.Float64, strict=False),
            "school": pl.Series([row[2] for row in rows], dtype=pl.String),
        }
    )
    return Table.of(frame, roles={}, orders={"school": LEVELS}, rest="quasi-identifier")


@given(columns_of_amounts, st.integers(1, 5))
def test_the_order_of_the_values_of_a_column_is_kept(values: list[float | None], t: int) -> None:
    masked = resample(incomes(values), t=t, seed=1).table.frame["income"].to_list()
    pairs = [(old, new) for old, new in zip(values, masked, strict=True) if old is not None]
    for (old, new), (other, fresh) in product(pairs, pairs):
        assert old >= other or new <= fresh
    assert [value is None for value in values] == [value is None for value in masked]


@given(columns_of_amounts, st.integers(1, 5))
def test_no_value_lies_outside_the_smallest_and_the_largest_of_its_column(
    values: list[float | None], t: int
) -> None:
    masked = resample(incomes(values), t=t, seed=1).table.frame["income"].drop_nulls().to_list()
    present = [value for value in values if value is not None]
    assert all(min(present) <= value <= max(present) for value in masked)


def test_a_single_sample_is_a_bootstrap_sample_put_in_place_by_rank() -> None:
    generator, again = np.random.default_rng(4), np.random.default_rng(4)
    ranked = np.array([1.0, 5.0, 6.0, 9.0, 20.0])
    drawn = np.sort(ranked[again.integers(0, 5, 5)])
    assert bootstrap(ranked, 1, False, generator).tolist() == drawn.tolist()


def test_each_value_is_the_mean_of_the_samples_at_its_rank() -> None:
    generator, again = np.random.default_rng(4), np.random.default_rng(4)
    ranked = np.array([1.0, 5.0, 6.0, 9.0, 20.0])
    drawn = np.array([np.sort(ranked[again.integers(0, 5, 5)]) for _ in range(7)])
    assert bootstrap(ranked, 7, False, generator) == pytest.approx(drawn.mean(axis=0))
    again = np.random.default_rng(4)
    assert bootstrap(ranked, 7, True, again).tolist() == np.median(drawn, axis=0).tolist()


def test_ordinal_columns_stay_among_their_levels() -> None:
    table = households([(1.0, 2.0, level) for level in ("low", "high", "high", "middle", "low")] * 4)
    masked = resample(table, columns=["school"], seed=2)
    assert set(masked.table.frame["school"].to_list()) <= set(LEVELS)
    assert masked.table.frame["income"].equals(table.frame["income"])


def test_nominal_columns_are_refused() -> None:
    table = Table.of(pl.DataFrame({"sex": ["f", "m"]}), roles={"sex": "quasi-identifier"})
    with pytest.raises(WrongScale, match="column 'sex' is nominal"):
        resample(table, columns=["sex"])
