"""Attacks that count people: somebody with several records is one person, in the file and in the population."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.attack import (
    household_risk,
    individual_risk,
    k_anonymity,
    k_map,
    population_uniques,
    sample_uniques,
)
from discreet.possible_people import possible_people
from discreet.registry import find
from discreet.results import Risk
from discreet.table import Table

ROLES = {
    "who": "person",
    "sex": "quasi-identifier",
    "town": "quasi-identifier",
    "weight": "weight",
    "home": "household",
}
COUNTING = (
    "k_anonymity",
    "sample_uniques",
    "individual_risk",
    "population_uniques",
    "household_risk",
    "k_map",
)
CELLS = st.sampled_from(["a", "b", None])
PEOPLE = st.lists(
    st.tuples(CELLS, CELLS, st.sampled_from([1.0, 2.0, 7.5]), st.integers(0, 2), st.integers(1, 3)),
    min_size=1,
    max_size=8,
)


def table_of(rows: Sequence[tuple[object, ...]]) -> Table:
    schema = {"who": pl.Int64, "sex": pl.String, "town": pl.String, "weight": pl.Float64, "home": pl.Int64}
    return Table.of(pl.DataFrame(rows, schema=schema, orient="row"), roles=ROLES)


@settings(max_examples=60)
@given(people=PEOPLE)
@pytest.mark.parametrize("name", COUNTING)
def test_further_records_that_say_the_same_change_nobodys_chance(
    name: str, people: list[tuple[str | None, str | None, float, int, int]]
) -> None:
    once = table_of([(who, *each[:4]) for who, each in enumerate(people)])
    # Blanks are filled in from other records of the household, which further records of a person can be too.
    if name == "household_risk":
        once = once.with_values({key: once.frame[key].fill_null("c") for key in ("sex", "town")})
    else:
        once = once.without(["home"])
    again = [who for who, each in enumerate(people) for _ in range(each[4])]
    attack = find("attack", name).function
    single: Risk = attack(once)
    several: Risk = attack(once.take(np.array(again)))
    assert single.records is not None
    assert several.records is not None
    assert several.records == pytest.approx(single.records[again])
    if name != "household_risk":  # its chance by guessing is a mean over records, as its risk is
        assert several.baseline == pytest.approx(single.baseline)
    assert several.level == pytest.approx(single.level)


@settings(max_examples=100)
@given(rows=st.lists(st.tuples(st.integers(0, 3), CELLS, CELLS), min_size=1, max_size=10))
@pytest.mark.parametrize("missing", ["a value", "anything"])
def test_classes_hold_as_many_people_as_counting_them_one_by_one(
    missing: str, rows: list[tuple[int, str | None, str | None]]
) -> None:
    table = table_of([(*row, 1.0, 1) for row in rows])
    found = k_anonymity(table, missing=missing)

    def alike(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
        return all(
            mine == theirs or (missing == "anything" and None in (mine, theirs))
            for mine, theirs in zip(one[1:], other[1:], strict=True)
        )

    expected = [len({other[0] for other in rows if alike(row, other)}) for row in rows]
    assert found.sizes.tolist() == expected
    assert found.k == min(expected)
    assert found.details["people"] == len({row[0] for row in rows})


def test_long_lists_of_people_are_counted_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    codes, persons = rng.integers(0, 4, (60, 3)), rng.integers(0, 25, 60)
    whole = possible_people(codes, persons)
    monkeypatch.setattr("discreet.possible_people.PAIRS_AT_ONCE", 10)
    assert (possible_people(codes, persons) == whole).all()


def test_a_person_with_several_records_is_alone_all_the_same() -> None:
    table = table_of(
        [(1, "a", "b", 4.0, 1), (1, "a", "b", 4.0, 1), (2, "b", "b", 2.0, 1), (3, "b", "b", 2.0, 2)]
    )
    assert k_anonymity(table).k == 1
    assert sample_uniques(table).details["unique"] == 2
    assert k_map(table).people.tolist() == [4.0, 4.0, 4.0, 4.0]
    assert population_uniques(table).records == pytest.approx([0.25, 0.25, 0.0, 0.0])
    assert individual_risk(table).details["population"] == 8.0


def test_a_population_in_which_people_repeat_is_counted_by_people() -> None:
    sample = table_of([(1, "a", "b", 1.0, 1), (2, "b", "b", 1.0, 1)])
    everybody = table_of([(7, "a", "b", 1.0, 1)] * 5 + [(8, "b", "b", 1.0, 1), (9, "b", "b", 1.0, 1)])
    found = k_map(sample, population=everybody)
    assert found.people.tolist() == [1.0, 2.0]
    assert found.baseline == pytest.approx(1 / 3)


def test_somebody_of_a_household_is_found_by_the_record_with_the_highest_chance() -> None:
    table = table_of(
        [(1, "a", "a", 4.0, 1), (1, "b", "b", 4.0, 1), (2, "b", "b", 4.0, 1), (3, "c", "c", 2.0, 2)]
    )
    single = individual_risk(table).records
    assert single is not None
    own = 1 - (1 - max(single[0], single[1])) * (1 - single[2])
    assert household_risk(table).records == pytest.approx([own, own, own, single[3]])
