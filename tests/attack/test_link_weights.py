"""Sampling weights as a key, where few people share one."""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.attack import link, link_weights
from discreet.errors import NotComputable
from discreet.rare_weights import rare_share
from discreet.table import Table

MODULE = sys.modules["discreet.attack.link_weights"]
ROLES = {"age": "quasi-identifier", "sex": "quasi-identifier", "weight": "weight", "home": "household"}
ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from("ab"), st.sampled_from([1.5, 2.5, 4.0])),
    min_size=1,
    max_size=12,
)


def table_of(rows: list[tuple[int, str, float]], homes: list[int] | None = None) -> Table:
    frame = pl.DataFrame(rows, schema={"age": pl.Int64, "sex": pl.String, "weight": pl.Float64}, orient="row")
    return Table.of(frame.with_columns(home=pl.Series(homes or list(range(len(rows))))), roles=ROLES)


def sample(records: int, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    rows = zip(
        rng.integers(20, 25, records), rng.choice(["a", "b"], records), rng.gamma(3, 50, records), strict=True
    )
    return table_of([(int(age), str(sex), float(weight)) for age, sex, weight in rows])


@settings(max_examples=100)
@given(rows=ROWS)
def test_unmasked_records_are_shared_by_those_with_the_same_keys_and_weight(
    rows: list[tuple[int, str, float]],
) -> None:
    table = table_of(rows)
    found = link_weights(table, table, rare=0.0)
    assert found.records == pytest.approx([1 / rows.count(row) for row in rows])
    assert found.details["unchanged"] == 1.0


def test_weights_find_people_whose_keys_were_masked() -> None:
    table = sample(300)
    plan = dc.Plan.of(
        [("microaggregate", {"columns": ["age"], "k": 50}), ("pram", {"columns": ["sex"], "theta": 0.5})]
    )
    release = dc.protect(table, plan, seed=1)
    assert link(table, release.table, truth=release.truth).risk < 0.1
    found = link_weights(table, release.table, truth=release.truth)
    assert found.risk == pytest.approx(1.0)
    assert found.reidentifies


def test_rounded_weights_are_no_key_and_slightly_moved_ones_are() -> None:
    table = sample(300)
    rounded = table.with_values({"weight": (table.frame["weight"] / 100).round(0) * 100})
    with pytest.raises(NotComputable, match="less than the 50% from which on weights say who somebody is"):
        link_weights(table, rounded)
    moved = table.with_values({"weight": table.frame["weight"] + 1e-9})
    found = link_weights(table, moved)
    assert found.risk == pytest.approx(1.0)
    assert found.details["unchanged"] == 0.0


def test_the_people_of_a_household_share_a_weight_and_count_as_one() -> None:
    rows = [(20 + place, "a", 10.0 + place // 12) for place in range(48)]
    homes = [place // 12 for place in range(48)]
    with pytest.raises(NotComputable, match="fewer than 10 people share"):
        link_weights(table_of(rows), table_of(rows))
    found = link_weights(table_of(rows, homes), table_of(rows, homes))
    assert found.risk == 1.0
    assert rare_share(pl.Series([1.0, 1.0, None]), np.array([0, 0, 1])) == pytest.approx(2 / 3)
    assert rare_share(pl.Series([], dtype=pl.Float64)) == 0.0


def test_a_weight_that_many_share_is_picked_from_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(place, "a", 1.0) for place in range(30)] + [(place, "b", 2.0 + place) for place in range(70)]
    table = table_of(rows)
    assert link_weights(table, table).risk == 1.0
    monkeypatch.setattr(MODULE, "MOST_IN_A_GROUP", 10)
    monkeypatch.setattr(MODULE, "PAIRS_AT_ONCE", 20)
    found = link_weights(table, table)
    assert found.records == pytest.approx([1 / 30] * 30 + [1.0] * 70)


def test_people_without_a_weight_are_no_attempt() -> None:
    table = table_of([(1, "a", 1.0), (2, "a", 2.0), (3, "a", 3.0)])
    bare = table.with_values({"weight": pl.Series([None, 2.0, 3.0])})
    assert link_weights(bare, bare).attempts == 2
    with pytest.raises(NotComputable, match="less than"):
        link_weights(table, table.with_values({"weight": pl.Series([None] * 3, dtype=pl.Float64)}))
    with pytest.raises(NotComputable, match="column of sampling weights"):
        link_weights(table, table.without(["weight"]))


def test_any_record_of_the_same_person_is_a_right_one() -> None:
    table = table_of([(1, "a", 1.0), (1, "a", 1.0), (2, "b", 5.0)])
    by_people = table.with_persons(np.array([0, 0, 1]))
    assert link_weights(table, table).records == pytest.approx([0.5, 0.5, 1.0])
    assert link_weights(table, by_people).records == pytest.approx([1.0, 1.0, 1.0])
