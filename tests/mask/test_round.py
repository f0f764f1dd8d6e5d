from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter
from discreet.mask import round
from discreet.table import Table

VARIANTS = ("deterministic", "stochastic", "multivariate")

amounts = st.none() | st.integers(-200, 200) | st.floats(-1e4, 1e4, allow_nan=False)
records = st.lists(st.tuples(amounts, amounts, amounts), min_size=1, max_size=12)
bases = st.sampled_from([0.1, 0.25, 1, 5, 1000])


def parts(rows: Sequence[Sequence[float | None]]) -> Table:
    names = ("rent", "food", "travel")
    frame = pl.DataFrame(
        {name: [row[place] for row in rows] for place, name in enumerate(names)}, strict=False
    )
    return Table.of(frame.cast(pl.Float64), roles={}, rest="quasi-identifier")


@given(records, bases, st.sampled_from(VARIANTS))
def test_all_values_are_multiples_of_the_base(
    rows: list[tuple[float | None, ...]], base: float, variant: str
) -> None:
    table = parts(rows)
    masked = round(table, base=base, variant=variant, seed=1)
    steps = masked.table.numbers(table.names) / base
    assert np.nanmax(np.abs(steps - np.round(steps)), initial=0.0) < 1e-6
    assert [guarantee.fault(masked.table) for guarantee in masked.guarantees] == [""]


@given(records, bases, st.sampled_from(VARIANTS))
def test_no_value_moves_by_more_than_half_the_base_or_by_a_base(
    rows: list[tuple[float | None, ...]], base: float, variant: str
) -> None:
    table = parts(rows)
    masked = round(table, base=base, variant=variant, seed=1)
    old, new = table.numbers(table.names), masked.table.numbers(table.names)
    assert (np.isnan(old) == np.isnan(new)).all()
    most = base / 2 if variant == "deterministic" else base
    assert np.nanmax(np.abs(old - new), initial=0.0) <= most * (1 + 1e-9) + 1e-9


@given(st.lists(st.tuples(*[st.none() | st.integers(-300, 300)] * 3), min_size=1, max_size=12))
def test_multivariate_keeps_the_rounded_sum_of_each_record(rows: list[tuple[int | None, ...]]) -> None:
    masked = round(parts(rows), base=10, variant="multivariate")
    for old, new in zip(rows, masked.table.frame.rows(), strict=True):
        total = sum(value for value in old if value is not None)
        assert sum(value for value in new if value is not None) == np.round(total / 10) * 10


@given(st.lists(st.tuples(*[st.integers(-50, 50)] * 3), min_size=1, max_size=4))
def test_multivariate_takes_the_nearest_of_all_ways_up_or_down(rows: list[tuple[int, ...]]) -> None:
    masked = round(parts(rows), base=10, variant="multivariate")
    for old, new in zip(rows, masked.table.frame.rows(), strict=True):
        total = np.round(sum(old) / 10) * 10
        choices = product(*[(value // 10 * 10, -(-value // 10) * 10) for value in old])
        least = min(
            sum((a - b) ** 2 for a, b in zip(old, choice, strict=True))
            for choice in choices
            if sum(choice) == total
        )
        assert sum((a - b) ** 2 for a, b in zip(old, new, strict=True)) == least


def test_deterministic_takes_halves_to_the_even_multiple() -> None:
    table = Table.of(pl.DataFrame({"age": [5, 15, 24, 26]}), roles={"age": "quasi-identifier"})
    assert round(table, base=10).table.frame["age"].to_list() == [0, 20, 20, 30]


def test_stochastic_keeps_every_value_in_expectation() -> None:
    table = Table.of(pl.DataFrame({"age": [32.5] * 40_000}), roles={"age": "quasi-identifier"})
    masked = round(table, base=10, variant="stochastic", seed=3).table.frame["age"]
    assert set(masked.to_list()) == {30.0, 40.0}
    assert masked.mean() == pytest.approx(32.5, abs=0.1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_multiples_stay_as_they_are(variant: str) -> None:
    table = parts([(0.1, 0.7, 0.3), (1.1, None, 0.6)])
    masked = round(table, base=0.1, variant=variant, seed=2)
    assert masked.table.numbers(table.names) == pytest.approx(table.numbers(table.names), nan_ok=True)


def test_the_sign_of_what_rounds_to_zero_is_not_told() -> None:
    masked = round(parts([(-0.4, 0.4, -2.0)]), base=10)
    assert not np.signbit(masked.table.numbers(masked.table.names)).any()


def test_dates_are_rounded_to_days() -> None:
    table = Table.of(
        pl.DataFrame({"born": [date(1970, 1, 4), date(1970, 1, 9)]}), roles={"born": "quasi-identifier"}
    )
    assert round(table, base=7).table.frame["born"].to_list() == [date(1970, 1, 1), date(1970, 1, 8)]
    with pytest.raises(BadParameter, match="base must be whole for the dates"):
        round(table, base=1.5)


@given(
    st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6, allow_nan=False)), min_size=1, max_size=40),
    st.floats(0.1, 1e4),
)
def test_rounding_gives_multiples_of_the_base_at_most_half_of_it_away(
    values: list[float | None], base: float
) -> None:
    frame = pl.DataFrame({"x": pl.Series(values, dtype=pl.Float64)})
    table = Table.of(frame, roles={"x": "quasi-identifier"})
    masked = round(table, base=base, seed=1).table.numbers(["x"])
    original = table.numbers(["x"])
    present = ~np.isnan(original)
    assert (np.isnan(masked) == ~present).all()
    assert np.abs(masked - original)[present] == pytest.approx(0, abs=base / 2 + 1e-6)
