from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, BadTable
from discreet.mask import record_swap
from discreet.mask.record_swap import pairs_within
from discreet.table import Table

TOWNS = ("ash", "birch", "cedar", None)

people = st.lists(
    st.tuples(st.sampled_from(TOWNS), st.sampled_from(["f", "m", None]), st.integers(1, 4)),
    min_size=1,
    max_size=50,
)
homes = st.lists(
    st.tuples(st.sampled_from(TOWNS), st.integers(1, 3), st.sampled_from(["rent", "own"])),
    min_size=1,
    max_size=25,
)


def persons(rows: list[tuple[str | None, str | None, int]]) -> Table:
    frame = pl.DataFrame(
        {
            "town": pl.Series([row[0] for row in rows], dtype=pl.String),
            "sex": pl.Series([row[1] for row in rows], dtype=pl.String),
            "age": [row[2] for row in rows],
            "income": [100 + place for place in range(len(rows))],
        }
    )
    return Table.of(frame, roles={"sex": "stratum", "income": "confidential"}, rest="quasi-identifier")


def households(rows: list[tuple[str | None, int, str]]) -> Table:
    """One row a member; towns and tenure are shared in a household."""
    members = [
        (place, town, tenure, place * 10 + one)
        for place, (town, size, tenure) in enumerate(rows)
        for one in range(size)
    ]
    frame = pl.DataFrame(
        members,
        schema={"house": pl.Int64, "town": pl.String, "tenure": pl.String, "income": pl.Int64},
        orient="row",
    )
    roles = {"house": "household", "town": "quasi-identifier", "tenure": "stratum", "income": "confidential"}
    return Table.of(frame, roles=roles, scales={"house": "nominal"})


@given(people, st.floats(0.05, 1), st.booleans())
def test_each_combination_of_the_columns_occurs_in_every_stratum_as_often_as_before(
    rows: list[tuple[str | None, str | None, int]], rate: float, targeted: bool
) -> None:
    table = persons(rows)
    masked = record_swap(
        table, columns=["town", "age"], rate=rate, risky=["age"] if targeted else None, seed=1
    )
    before = Counter(table.frame.select("sex", "town", "age").rows())
    assert Counter(masked.table.frame.select("sex", "town", "age").rows()) == before
    assert masked.table.frame["income"].equals(table.frame["income"])
    assert [guarantee.fault(masked.table) for guarantee in masked.guarantees] == [""]


@given(people, st.floats(0.05, 1))
def test_no_more_than_the_rate_of_the_units_of_a_stratum_is_swapped(
    rows: list[tuple[str | None, str | None, int]], rate: float
) -> None:
    table = persons(rows)
    masked = record_swap(table, columns=["town"], rate=rate, seed=1)
    changed = ~table.frame["town"].eq_missing(masked.table.frame["town"])
    for sex in ("f", "m", None):
        inside = table.frame["sex"].eq_missing(pl.Series([sex], dtype=pl.String))
        assert int((changed & inside).sum()) <= rate * int(inside.sum()) + 1e-9
    assert int(changed.sum()) == masked.facts["changed_records"]


@given(homes, st.floats(0.1, 1))
def test_all_members_of_a_household_exchange_with_one_household_of_their_size_and_stratum(
    rows: list[tuple[str | None, int, str]], rate: float
) -> None:
    table = households(rows)
    masked = record_swap(table, columns=["town"], rate=rate, unit="household", seed=1)
    frame = masked.table.frame
    towns = frame.group_by("house", maintain_order=True).agg(pl.col("town").n_unique(), pl.len())
    assert set(towns["town"]) == {1}
    sizes = frame.select("house", "town", "tenure").unique().join(towns.select("house", "len"), on="house")
    fresh = Counter(sizes.select("town", "tenure", "len").rows())
    assert fresh == Counter((town, tenure, size) for town, size, tenure in rows)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=60),
    st.floats(0.05, 1),
    st.integers(0, 99),
)
def test_pairs_are_mutual_inside_a_stratum_and_hold_different_values(
    units: list[tuple[int, int]], rate: float, seed: int
) -> None:
    stratum, held = np.array(units).T
    partner = pairs_within(stratum, held, None, rate, np.random.default_rng(seed))
    moved = partner != np.arange(len(units))
    assert (partner[partner] == np.arange(len(units))).all()
    assert (stratum[partner] == stratum).all()
    assert (held[partner] != held)[moved].all()


def test_everyone_who_can_is_swapped_at_a_rate_of_one() -> None:
    held = np.array([0, 0, 1, 2, 1, 2])
    partner = pairs_within(np.zeros(6, dtype=np.int64), held, None, 1.0, np.random.default_rng(1))
    assert (partner != np.arange(6)).all()


def test_the_rare_are_swapped_first() -> None:
    rows: list[tuple[str | None, str | None, int]] = []
    rows += [("ash", "f", 1)] * 40 + [("birch", "f", 1)] * 38
    rows += [("birch", "f", 2), ("ash", "f", 3)]
    masked = record_swap(persons(rows), columns=["town"], rate=2 / 80, risky=["age"], seed=3)
    assert masked.table.frame["town"].to_list()[-2:] == ["ash", "birch"]
    assert masked.facts["changed_records"] == 2


def test_strata_default_to_the_role_less_what_is_swapped() -> None:
    table = persons([("ash", "f", 1), ("birch", "m", 2)] * 10)
    masked = record_swap(table, columns=["sex"], rate=1.0, seed=1)
    assert masked.table.frame["sex"].to_list() == ["m", "f"] * 10


def test_what_cannot_be_swapped_is_a_named_error() -> None:
    table = households([("ash", 2, "own"), ("birch", 2, "own")])
    with pytest.raises(BadTable, match="2 records differ in the columns from others of their household"):
        record_swap(table, columns=["income"], unit="household")
    with pytest.raises(BadParameter, match="'town' are both swapped and a stratum"):
        record_swap(table, columns=["town"], strata=["town"])
    with pytest.raises(BadTable, match="no column of 'table' has the role 'household'"):
        record_swap(table.without(["house"]), columns=["town"], unit="household")
