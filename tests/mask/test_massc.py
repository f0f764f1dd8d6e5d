from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, BadTable, NotComputable
from discreet.mask import massc
from discreet.mask.massc import nearest_donors, risk_strata
from discreet.table import Table

LEVELS = ("low", "middle", "high")
KEYS = ("town", "sex", "school")

people = st.lists(
    st.tuples(
        st.sampled_from(["ash", "birch", "cedar", "dale", None]),
        st.sampled_from(["f", "m"]),
        st.sampled_from([*LEVELS, None]),
        st.integers(1, 9),
    ),
    min_size=3,
    max_size=40,
)
Rows = list[tuple[str | None, str, str | None, int]]


def persons(rows: Rows) -> Table:
    frame = pl.DataFrame(
        {
            **{
                name: pl.Series([row[place] for row in rows], dtype=pl.String)
                for place, name in enumerate(KEYS)
            },
            "weight": [float(row[3]) for row in rows],
            "income": [100 + place for place in range(len(rows))],
        }
    )
    return Table.of(
        frame,
        roles={"weight": "weight", "income": "confidential"},
        orders={"school": LEVELS},
        rest="quasi-identifier",
    )


@given(people)
def test_risk_strata_are_by_how_many_columns_it_takes_to_be_alone(rows: Rows) -> None:
    strata = risk_strata(persons(rows), KEYS)
    for place, row in enumerate(rows):
        alone = [width for width in (1, 2, 3) if sum(row[:width] == other[:width] for other in rows) == 1]
        assert strata[place] == (min(alone) - 1 if alone else 3)


@given(people)
def test_each_risk_stratum_has_its_rate_substituted_and_its_rate_left_out(rows: Rows) -> None:
    table = persons(rows)
    masked = massc(table, columns=KEYS, substitution=[0.5, 0.25], subsampling=[0.4, 0.2, 0.1], seed=1)
    assert masked.origin is not None
    strata = risk_strata(table, KEYS)
    for stratum in range(4):
        there = int((strata == stratum).sum())
        rate = [0.4, 0.2, 0.1, 0.1][stratum]
        assert there - int((strata[masked.origin] == stratum).sum()) == int(rate * there + 0.5)
    changed = sum(
        table.frame.select(KEYS).row(row) != masked.table.frame.select(KEYS).row(place)
        for place, row in enumerate(masked.origin.tolist())
    )
    assert changed == masked.facts["substituted"]
    wanted = [
        int(rate * int((strata == stratum).sum()) + 0.5) for stratum, rate in enumerate([0.5, *[0.25] * 3])
    ]
    assert changed <= sum(wanted)


@given(people)
def test_substituted_records_get_a_combination_that_another_record_held(rows: Rows) -> None:
    table = persons(rows)
    masked = massc(table, columns=KEYS, substitution=[0.9], subsampling=[0], seed=1)
    assert set(masked.table.frame.select(KEYS).rows()) <= set(table.frame.select(KEYS).rows())
    assert masked.table.frame["income"].equals(table.frame["income"])


@given(people)
def test_the_weights_add_up_as_before_in_all_and_in_every_category_of_the_controls(rows: Rows) -> None:
    table = persons(rows)
    left = massc(table, columns=["town", "school"], seed=1).table.frame["sex"]
    if set(left) != {row[1] for row in rows}:
        with pytest.raises(NotComputable, match="no weights give the totals of the controls"):
            massc(table, columns=["town", "school"], controls=["sex"], seed=1)
        return
    masked = massc(table, columns=["town", "school"], controls=["sex"], seed=1)
    for sex in ("f", "m"):
        old, new = (each.frame.filter(pl.col("sex") == sex)["weight"].sum() for each in (table, masked.table))
        assert new == pytest.approx(old)
    assert [guarantee.fault(masked.table) for guarantee in masked.guarantees] == ["", ""]


@given(people, st.integers(0, 99))
def test_weights_without_controls_stand_for_those_left_out_of_their_stratum(rows: Rows, seed: int) -> None:
    table = persons(rows)
    strata = risk_strata(table, KEYS)
    try:
        masked = massc(table, columns=KEYS, subsampling=[0.2, 0.5, 0.6, 0.6], seed=seed)
    except NotComputable:
        return
    assert masked.origin is not None
    here = strata[masked.origin]
    plain = [
        rows[origin][3] * int((strata == stratum).sum()) / int((here == stratum).sum())
        for origin, stratum in zip(masked.origin.tolist(), here, strict=True)
    ]
    # In all they add up as before, also where a whole stratum was left out.
    factor = sum(row[3] for row in rows) / sum(plain)
    assert masked.table.frame["weight"].to_list() == pytest.approx([factor * each for each in plain])


def test_the_guarantee_notices_other_totals() -> None:
    table = persons([("ash", "f", "low", 2), ("ash", "m", "low", 3)] * 10)
    masked = massc(table, columns=["town", "school"], controls=["sex"], seed=1)
    heavier = masked.table.with_values({"weight": masked.table.frame["weight"] * 2})
    assert [guarantee.fault(heavier) for guarantee in masked.guarantees] == ["", "3 other totals"]


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0, np.nan])),
        min_size=2,
        max_size=20,
    )
)
def test_donors_are_the_nearest_with_another_combination(rows: list[tuple[int, int, float]]) -> None:
    named = np.array([row[:2] for row in rows], dtype=np.int64)
    places = np.array([[row[2]] for row in rows])
    chosen = np.arange(len(rows))
    found = nearest_donors((places, named), chosen, len(rows), np.random.default_rng(1))

    def distance(one: int, other: int) -> float:
        first, second = places[one, 0], places[other, 0]
        gap = (
            float(np.isnan(first) != np.isnan(second))
            if np.isnan([first, second]).any()
            else abs(first - second)
        )
        return float((named[one] != named[other]).sum()) + gap

    for row in range(len(rows)):
        others = [distance(row, other) for other in range(len(rows)) if distance(row, other) > 0]
        assert distance(row, int(found[row])) == (min(others) if others else 0)


def test_a_table_without_weights_is_published_without() -> None:
    table = persons([("ash", "f", "low", 2), ("birch", "m", "low", 3)] * 10).without(["weight"])
    masked = massc(table, columns=["town"], seed=1)
    assert masked.facts["weights"] == "no weight column"
    with pytest.raises(BadTable, match="controls need sampling weights"):
        massc(table, columns=["town"], controls=["sex"])


def test_what_cannot_be_done_is_a_named_error() -> None:
    table = persons([("ash", "f", "low", 2), ("birch", "m", "low", 3)])
    with pytest.raises(BadParameter, match="massc: substitution must be shares of at least 0 and below 1"):
        massc(table, columns=["town"], substitution=[1.5])
    with pytest.raises(NotComputable, match="subsampling leaves no record"):
        massc(table, columns=["town"], subsampling=[0.9])
    with pytest.raises(NotComputable, match="the table has 1 records"):
        massc(table.take(np.array([0])), columns=["town"])
