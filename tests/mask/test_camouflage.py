from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, WrongScale
from discreet.mask import camouflage
from discreet.table import Scale, Table

amounts = st.none() | st.integers(-500, 500) | st.floats(-1e6, 1e6, allow_nan=False)


def incomes(values: Sequence[float | None]) -> Table:
    frame = pl.DataFrame({"income": pl.Series(list(values), dtype=pl.Float64, strict=False)})
    return Table.of(frame, roles={"income": "quasi-identifier"})


def ends(text: str) -> tuple[float, float]:
    low, high = text.removeprefix("[").removesuffix(")").split(", ")
    return float(low), float(high)


@given(
    st.lists(amounts, max_size=30), st.sampled_from([0.1, 0.7, 1, 10, 2500]), st.sampled_from([1, 3, 7, 10])
)
def test_each_interval_contains_the_value_it_stands_for(
    values: list[float | None], width: float, steps: int
) -> None:
    masked = camouflage(incomes(values), width=width, steps=steps, seed=1)
    for old, new in zip(values, masked.table.frame["income"], strict=True):
        assert (old is None) == (new is None)
        if old is not None:
            low, high = ends(new)
            assert low <= old < high
            assert high - low == pytest.approx(width, rel=1e-6)
    assert [guarantee.fault(masked.table) for guarantee in masked.guarantees] == [""]


@given(st.lists(st.integers(-100, 100), min_size=1, max_size=30))
def test_the_guarantee_notices_a_value_outside_its_interval(values: list[int]) -> None:
    masked = camouflage(incomes(values), width=10, seed=1)
    moved = masked.table.with_values({"income": masked.table.frame["income"].sort(descending=True)})
    (guarantee,) = masked.guarantees
    assert guarantee.fault(moved) == ""
    strange = moved.frame["income"].to_list()
    strange[0] = "[900, 910)"
    assert guarantee.fault(moved.with_values({"income": pl.Series(strange)})) != ""


def test_a_value_is_equally_likely_in_each_part_of_its_interval() -> None:
    masked = camouflage(incomes([32.5] * 20_000), width=10, steps=5, seed=3)
    counts = Counter(masked.table.frame["income"].to_list())
    assert set(counts) == {"[24, 34)", "[26, 36)", "[28, 38)", "[30, 40)", "[32, 42)"}
    assert all(count == pytest.approx(4000, rel=0.1) for count in counts.values())


def test_the_column_becomes_ordinal_from_low_to_high() -> None:
    masked = camouflage(incomes([5, 205, 105]), width=10, steps=1)
    column = masked.table["income"]
    assert column.scale == Scale.ORDINAL
    assert column.order == ("[0, 10)", "[100, 110)", "[200, 210)")
    assert masked.table.codes("income").tolist() == [0, 2, 1]


def test_ends_are_written_as_a_person_would() -> None:
    masked = camouflage(incomes([0.3]), width=0.1, steps=1)
    assert masked.table.frame["income"].to_list() == ["[0.3, 0.4)"]


def test_dates_lie_in_intervals_of_days() -> None:
    days = [date(1980, 2, 28), date(1969, 12, 31), None, date(2020, 6, 1)] * 20
    table = Table.of(pl.DataFrame({"born": days}), roles={"born": "quasi-identifier"})
    masked = camouflage(table, width=30, steps=7, seed=2)
    for old, new in zip(days, masked.table.frame["born"], strict=True):
        if old is not None:
            low, high = (date.fromisoformat(end) for end in new[1:-1].split(", "))
            assert low <= old < high
            assert (high - low).days == 30
    assert [guarantee.fault(masked.table) for guarantee in masked.guarantees] == [""]


def test_what_has_no_intervals_is_a_named_error() -> None:
    dates = Table.of(pl.DataFrame({"born": [date(1980, 2, 28)]}), roles={"born": "quasi-identifier"})
    with pytest.raises(BadParameter, match="need a width of whole days, of at least 10 days"):
        camouflage(dates, width=5)
    times = Table.of(pl.DataFrame({"seen": [datetime(1980, 2, 28)]}), roles={"seen": "quasi-identifier"})
    with pytest.raises(WrongScale, match="column 'seen' holds times"):
        camouflage(times, width=5)
    with pytest.raises(BadParameter, match="too narrow for the size of the values"):
        camouflage(incomes([1e15]), width=0.01)
