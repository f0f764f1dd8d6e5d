"""Interval disclosure, against trying every value."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from discreet.attack import interval_disclosure
from discreet.errors import NotComputable
from discreet.table import Table


def tables(seed: int, records: int = 60) -> tuple[Table, Table]:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 40, records).astype(np.float64)
    frames = pl.DataFrame({"v": values}), pl.DataFrame({"v": values + rng.normal(0, 3, records).round()})
    known, masked = (Table.of(each, roles={}, rest="quasi-identifier") for each in frames)
    return known, masked


@pytest.mark.parametrize("seed", range(5))
def test_rank_intervals_hold_what_trying_each_of_them_says(seed: int) -> None:
    known, masked = tables(seed)
    x, y = (table.frame["v"].to_list() for table in (known, masked))
    ordered = sorted(y)
    expected = []
    for own, published in zip(x, y, strict=True):
        at = [place for place, value in enumerate(ordered) if value == published]
        held = 0
        for percent in range(1, 11):
            reach = percent * len(y) // 100
            floor = ordered[max(0, at[0] - reach)]
            ceiling = ordered[min(len(y) - 1, at[-1] + reach)]
            held += floor <= own <= ceiling
        expected.append(held / 10)
    found = interval_disclosure(known, masked)
    assert found.records == pytest.approx(np.array(expected))
    assert found.risk == pytest.approx(np.mean(expected))
    assert found.columns["v"] == pytest.approx(found.risk)


@pytest.mark.parametrize("seed", range(5))
def test_deviation_intervals_are_percents_of_the_original_standard_deviation(seed: int) -> None:
    known, masked = tables(seed)
    x, y = (table.numbers(["v"])[:, 0] for table in (known, masked))
    within = [np.abs(x - y) <= percent / 100 * x.std() for percent in range(1, 11)]
    anybody = [np.abs(x[:, None] - y) <= percent / 100 * x.std() for percent in range(1, 11)]
    found = interval_disclosure(known, masked, variant="deviation")
    assert found.records == pytest.approx(np.mean(within, axis=0))
    assert found.baseline == pytest.approx(np.mean(anybody))


def test_a_column_without_spread_has_intervals_of_one_value() -> None:
    frames = pl.DataFrame({"v": [3.0, 3.0]}), pl.DataFrame({"v": [3.0, 3.5]})
    known, masked = (Table.of(each, roles={}, rest="quasi-identifier") for each in frames)
    assert interval_disclosure(known, masked, variant="deviation").risk == 0.5


def test_values_missing_on_either_side_are_no_attempts() -> None:
    known = Table.of(pl.DataFrame({"v": [1.0, None, 3.0, 4.0]}), roles={}, rest="quasi-identifier")
    masked = Table.of(pl.DataFrame({"v": [1.0, 2.0, None, 4.0]}), roles={}, rest="quasi-identifier")
    for variant in ("rank", "deviation"):
        assert interval_disclosure(known, masked, variant=variant).attempts == 2
    nothing = masked.with_values({"v": pl.Series([None] * 4, dtype=pl.Float64)})
    with pytest.raises(NotComputable, match="no value is present in both"):
        interval_disclosure(known, nothing)


@pytest.mark.parametrize("variant", ["rank", "deviation"])
def test_a_band_stands_for_the_middle_of_the_known_values_in_it(variant: str) -> None:
    known, _ = tables(7)
    values = known.frame["v"].to_list()
    bands = [f"[{10 * (each // 10)}, {10 * (each // 10 + 1)})" for each in values]
    inside = [[each for each in values if each // 10 == own // 10] for own in values]
    middle = [(min(each) + max(each)) / 2 for each in inside]
    banded, plain = (
        Table.of(pl.DataFrame({"v": each}), roles={}, rest="quasi-identifier") for each in (bands, middle)
    )
    found, expected = (interval_disclosure(known, each, variant=variant) for each in (banded, plain))
    assert found.records == pytest.approx(expected.records)
    assert found.baseline == pytest.approx(expected.baseline)
