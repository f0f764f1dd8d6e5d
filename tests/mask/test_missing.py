"""Records with missing values: few others lose cells to keep them company."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.mask.missing import strata
from discreet.requirement import Holdings, Requirement
from discreet.table import BoolArray, Table

CELLS = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=4, max_size=60)


def holdings(records: int, k: int, households: list[int] | None = None) -> Holdings:
    frame = pl.DataFrame({"x": list(range(records)), "home": households or list(range(records))})
    roles = {"x": "quasi-identifier", "home": "household" if households else "insensitive"}
    return Holdings(Table.of(frame, roles=roles), Requirement(k=k))


def present_in(missing: BoolArray, k: int, households: list[int] | None = None) -> BoolArray:
    """Which cells are left, once every part has been checked to hold enough."""
    kept = np.zeros_like(missing)
    seen: list[int] = []
    for stratum in strata(missing, holdings(len(missing), k, households)):
        assert len(stratum.rows) >= k
        kept[np.ix_(stratum.rows, stratum.present)] = True
        seen.extend(stratum.rows.tolist())
    assert sorted(seen) == list(range(len(missing)))
    return kept


@given(CELLS, st.integers(2, 4))
def test_missing_stays_missing_and_every_part_has_enough(cells: list[tuple[bool, ...]], k: int) -> None:
    missing = np.array(cells)
    kept = present_in(missing, k)
    assert not (kept & missing).any()


def test_few_that_miss_a_cell_cost_others_no_more_than_are_wanting() -> None:
    missing = np.zeros((1000, 4), dtype=bool)
    missing[[3, 500, 999], 2] = True
    lost = ~present_in(missing, 10) & ~missing
    assert lost.sum() == 7
    assert lost[:, 2].sum() == 7


def test_households_lose_a_cell_all_together_or_not_at_all() -> None:
    missing = np.zeros((30, 2), dtype=bool)
    missing[0, 1] = True
    homes = [row // 3 for row in range(30)]
    lost = ~present_in(missing, 5, homes) & ~missing
    by_home = lost[:, 1].reshape(10, 3).sum(axis=1)
    # Two members of the first home have the value that the third lacks, so none of it is any company.
    assert by_home[0] == 0
    assert set(by_home[1:].tolist()) == {0, 3}
    assert by_home.sum() == 6


def test_a_file_with_nobody_to_spare_joins_its_patterns() -> None:
    missing = np.array([[True, False]] * 2 + [[False, True]] * 2)
    assert not present_in(missing, 3).any()


@pytest.mark.parametrize("method", ["mondrian", "microaggregate", "fuzzy_microaggregate", "k_resample"])
def test_a_column_outlives_eight_people_who_did_not_answer(method: str) -> None:
    generator = np.random.default_rng(4)
    ages = generator.integers(18, 90, 1000).tolist()
    hours = [
        None if row % 130 == 7 else int(hour) for row, hour in enumerate(generator.integers(0, 60, 1000))
    ]
    table = Table.of(
        pl.DataFrame({"age": ages, "hours": hours}), roles=dict.fromkeys(["age", "hours"], "quasi-identifier")
    )
    options = {} if method in ("mondrian", "microaggregate") else {"seed": 5}
    masked = getattr(dc.mask, method)(table, columns=["age", "hours"], k=10, **options)
    for guarantee in masked.guarantees:
        guarantee.check(masked.table)
    assert masked.table.frame["hours"].null_count() == 10
