from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, BadTable, NotComputable
from discreet.mask import sample
from discreet.mask.sample import draw
from discreet.results import Masked
from discreet.table import Table

people = st.lists(
    st.tuples(st.sampled_from(["north", "south", None]), st.integers(1, 9), st.integers(1, 6)),
    min_size=1,
    max_size=50,
)
fractions = st.floats(0.01, 0.99)


def survey(rows: list[tuple[str | None, int, int]], *, weights: bool = True) -> Table:
    frame = pl.DataFrame(
        {
            "region": pl.Series([row[0] for row in rows], dtype=pl.String),
            "weight": [float(row[1]) for row in rows],
            "house": [row[2] for row in rows],
            "age": [20 + place for place in range(len(rows))],
        }
    )
    roles = {"region": "stratum", "weight": "weight", "house": "household", "age": "quasi-identifier"}
    table = Table.of(frame, roles=roles, scales={"house": "nominal"})
    return table if weights else table.without(["weight"])


def origin_of(masked: Masked) -> list[int]:
    assert masked.origin is not None
    return [int(row) for row in masked.origin]


@given(people, fractions, st.sampled_from(["simple", "stratified"]))
def test_every_published_record_is_an_original_one_at_most_once_and_but_for_its_weight_unchanged(
    rows: list[tuple[str | None, int, int]], fraction: float, variant: str
) -> None:
    table = survey(rows)
    masked = sample(table, fraction=fraction, variant=variant, seed=1)
    origin = origin_of(masked)
    assert origin == sorted(set(origin))
    kept = table.take(np.array(origin)).without(["weight"])
    assert masked.table.without(["weight"]).frame.equals(kept.frame, null_equal=True)
    assert {guarantee.fault(masked.table) for guarantee in masked.guarantees} == {""}


@given(people, fractions)
def test_each_stratum_has_its_fraction_and_at_least_one(
    rows: list[tuple[str | None, int, int]], fraction: float
) -> None:
    masked = sample(survey(rows), fraction=fraction, variant="stratified", seed=1)
    regions = [row[0] for row in rows]
    published = masked.table.frame["region"].to_list()
    for region in set(regions):
        wanted = fraction * regions.count(region)
        assert published.count(region) == max(1, int(wanted + 0.5))


@given(people, fractions)
def test_each_weight_is_multiplied_by_all_over_sampled_of_its_stratum(
    rows: list[tuple[str | None, int, int]], fraction: float
) -> None:
    masked = sample(survey(rows), fraction=fraction, variant="stratified", seed=1)
    regions = [row[0] for row in rows]
    published = masked.table.frame["region"].to_list()
    for row, weight in zip(origin_of(masked), masked.table.frame["weight"], strict=True):
        factor = regions.count(regions[row]) / published.count(regions[row])
        assert weight == pytest.approx(rows[row][1] * factor)


@given(people, fractions)
def test_households_stay_whole(rows: list[tuple[str | None, int, int]], fraction: float) -> None:
    masked = sample(survey(rows), fraction=fraction, unit="household", seed=1)
    houses = {row[2] for row in rows}
    drawn = set(masked.table.frame["house"].to_list())
    assert len(drawn) == max(1, int(fraction * len(houses) + 0.5))
    assert origin_of(masked) == [place for place, row in enumerate(rows) if row[2] in drawn]
    for row, weight in zip(origin_of(masked), masked.table.frame["weight"], strict=True):
        assert weight == pytest.approx(rows[row][1] * len(houses) / len(drawn))


def test_a_record_without_a_household_number_is_a_household_of_its_own() -> None:
    frame = pl.DataFrame({"house": [1, 1, None, None], "age": [30, 31, 32, 33]})
    table = Table.of(
        frame, roles={"house": "household", "age": "quasi-identifier"}, scales={"house": "nominal"}
    )
    sizes = {len(sample(table, fraction=0.34, unit="household", seed=seed).table) for seed in range(30)}
    assert sizes == {1, 2}


def test_every_unit_has_the_same_chance_inside_a_stratum() -> None:
    stratum = np.array([0] * 4 + [1] * 6)
    hits = np.zeros(10)
    generator = np.random.default_rng(1)
    for _ in range(4000):
        hits[draw(stratum, 0.5, generator).units] += 1
    assert hits / 4000 == pytest.approx(np.full(10, 0.5), abs=0.04)


def test_the_facts_say_that_there_are_no_weights() -> None:
    table = survey([("north", 1, 1)] * 40, weights=False)
    masked = sample(table, fraction=0.25, seed=1)
    assert masked.facts["weights"] == "no weight column: each record stands for 4 of the table"
    assert "weight" not in masked.table.names


def test_strata_can_be_named() -> None:
    table = survey([("north", 1, house) for house in (1, 1, 1, 1, 2, 2)])
    masked = sample(table, fraction=0.5, variant="stratified", strata=["house"], seed=1)
    assert sorted(masked.table.frame["house"].to_list()) == [1, 1, 2]


def test_what_cannot_be_sampled_is_a_named_error() -> None:
    table = survey([("north", 1, 1), ("south", 1, 1)])
    with pytest.raises(BadTable, match="sample: 1 records are in another stratum"):
        sample(table, variant="stratified", unit="household")
    with pytest.raises(BadParameter, match="strata have no meaning with variant 'simple'"):
        sample(table, strata=["region"])
    with pytest.raises(BadTable, match="no column of 'table' has the role 'stratum'"):
        sample(table.without(["region"]), variant="stratified")
    with pytest.raises(BadTable, match="no column of 'table' has the role 'household'"):
        sample(table.without(["house"]), unit="household")
    with pytest.raises(NotComputable, match="no records to draw from"):
        sample(table.take(np.array([], dtype=np.int64)))
