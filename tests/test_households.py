"""Values of households: what one member tells counts as told of all."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from discreet.classes import classes_of
from discreet.guarantees import KAnonymous
from discreet.households import filled_from_household, household_columns
from discreet.table import Table

ROWS = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(0, 4)), st.booleans(), st.sampled_from(["x", "y", None])),
    min_size=1,
    max_size=20,
)


def table_of(homes: list[int | None], towns: list[str | None], sexes: list[str | None]) -> Table:
    frame = pl.DataFrame(
        {
            "home": pl.Series(homes, dtype=pl.Int64),
            "town": pl.Series(towns, dtype=pl.String),
            "sex": pl.Series(sexes, dtype=pl.String),
        }
    )
    return Table.of(frame, roles={"home": "household"}, rest="quasi-identifier")


@given(ROWS)
def test_blanks_are_filled_from_other_members_where_all_members_agree(rows: list[Any]) -> None:
    homes = [home for home, _, _ in rows]
    towns = [None if home is None or blank else "abcde"[home] for home, blank, _ in rows]
    table = table_of(homes, towns, [sex for _, _, sex in rows])
    full = filled_from_household(table, ["town", "sex"]).frame
    told = household_columns(table, ["town", "sex"])
    for name in ("town", "sex"):
        known = {
            home: value
            for home, value in table.frame.select("home", name).rows()
            if home is not None and value is not None
        }
        for before, after, home in zip(table.frame[name], full[name], homes, strict=True):
            expected = known.get(home) if name in told and before is None and home is not None else before
            assert after == expected
    for names in (["town"], ["sex"], ["town", "sex"]):
        found = classes_of(table, names).label.tolist()
        rows_filled = full.select(names).rows()
        same = [[one == other for other in rows_filled] for one in rows_filled]
        assert [[one == other for other in found] for one in found] == same


def test_a_column_in_which_members_differ_is_not_the_households() -> None:
    table = table_of([1, 1, 2, 2, 2], ["a", "a", "b", "b", None], ["f", "m", "f", "f", None])
    assert household_columns(table, ["town", "sex"]) == ("town",)
    assert household_columns(table.without(["home"]), ["town", "sex"]) == ()


def test_a_constant_column_says_nothing_of_households() -> None:
    table = table_of([1, 1, 2, 2], ["a"] * 4, ["f", "m", "f", "m"])
    assert household_columns(table, ["town"]) == ()


def test_the_guarantee_of_k_is_checked_after_filling() -> None:
    towns = [town for town in "ab" for _ in range(2)] + ["c", None, "d", None]
    table = table_of([1, 1, 2, 2, 3, 3, 4, 4], towns, ["f", "m"] * 4)
    assert KAnonymous(columns=("town",), k=2).fault(table) == ""
    assert KAnonymous(columns=("town",), k=2, told=()).fault(table) == "2 records in 2 smaller groups"
    assert KAnonymous(columns=("town",), k=2, told=("town",)).fault(table) == ""


def test_one_value_in_each_household_does_not_say_that_it_is_the_households() -> None:
    table = table_of([1, 1, 2, 2], ["a", None, "b", None], ["f", "m", "f", "m"])
    assert household_columns(table, ["town"]) == ()
