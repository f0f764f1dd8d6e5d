"""Linkage by all members of a household at once, where the number of the household is published."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.attack import link, link_household
from discreet.errors import NotComputable
from discreet.table import Table

ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 2), st.sampled_from("ab")), min_size=1, max_size=12
)


def table_of(rows: list[tuple[int, int, str]]) -> Table:
    frame = pl.DataFrame(rows, schema={"home": pl.Int64, "age": pl.Int64, "sex": pl.String}, orient="row")
    return Table.of(frame, roles={"home": "household"}, rest="quasi-identifier")


def renumbered(table: Table) -> Table:
    return table.with_values({"home": 100 - table.frame["home"]})


def by_counting(rows: list[tuple[int, int, str]]) -> list[float]:
    """One over the households with the same members, shared by the members of a household that are alike."""
    homes = {row[0] for row in rows}
    members = {home: sorted(row[1:] for row in rows if row[0] == home) for home in homes}
    rivals = {home: sum(members[other] == members[home] for other in homes) for home in homes}
    return [1 / rivals[row[0]] / members[row[0]].count(row[1:]) for row in rows]


@settings(max_examples=150)
@given(rows=ROWS)
def test_unmasked_members_are_shared_by_households_of_the_same_members(
    rows: list[tuple[int, int, str]],
) -> None:
    table = table_of(rows)
    if len({row[0] for row in rows}) == len(rows):
        with pytest.raises(NotComputable, match="link_household: no value of 'home'"):
            link_household(table, renumbered(table))
        return
    found = link_household(table, renumbered(table))
    assert found.records == pytest.approx(by_counting(rows))
    assert found.risk == pytest.approx(np.mean(by_counting(rows)))
    assert found.reidentifies


def families(homes: int, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    return table_of(
        [
            (home, int(rng.integers(0, 90)), str(rng.choice(["f", "m"])))
            for home in range(homes)
            for _ in range(int(rng.integers(1, 6)))
        ]
    )


def test_a_household_is_found_where_none_of_its_members_is() -> None:
    table = families(120, seed=3)
    release = dc.protect(table, dc.Plan.of([("recode_numbers", {"columns": ["age"], "bins": 6})]), seed=1)
    single = link(table, release.table, truth=release.truth).risk
    together = link_household(table, release.table, truth=release.truth).risk
    assert single < 0.05
    assert together > 0.5


def test_two_records_of_one_member_are_no_two_members() -> None:
    frame = pl.DataFrame(
        {"home": [1, 1, 2, 2], "who": [1, 1, 2, 3], "age": [5, 5, 9, 9], "sex": ["f", "f", "m", "m"]}
    )
    table = Table.of(frame, roles={"home": "household", "who": "person"}, rest="quasi-identifier")
    assert link_household(table, table).records == pytest.approx([1.0, 1.0, 0.5, 0.5])
