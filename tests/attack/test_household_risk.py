"""The risk of a household: that at least one of its people is found."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attack import household_risk, individual_risk
from discreet.attack.household_risk import at_least_one, somebody_found
from discreet.results import wilson
from discreet.table import Table

ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.sampled_from([0.0, 0.25, 0.5, 1.0])),
    min_size=1,
    max_size=9,
)


@given(ROWS)
def test_somebody_of_a_home_is_found_unless_none_of_its_people_is(rows: list[tuple[int, int, float]]) -> None:
    labels = {home: place for place, home in enumerate(sorted({row[0] for row in rows}))}
    homes = np.array([labels[row[0]] for row in rows])
    chances = np.array([row[2] for row in rows])
    people = np.array([row[1] for row in rows])
    for place, row in enumerate(rows):
        at_home = [other for other in rows if other[0] == row[0]]
        alone = 1 - math.prod(1 - other[2] for other in at_home)
        assert at_least_one(chances, homes)[place] == pytest.approx(alone)
        assert somebody_found(chances, homes, None)[place] == pytest.approx(alone)
        # Of a person with several records that counts which is found most likely.
        best = {person: max(other[2] for other in at_home if other[1] == person) for _, person, _ in at_home}
        expected = 1 - math.prod(1 - each for each in best.values())
        assert somebody_found(chances, homes, people)[place] == pytest.approx(expected)


def test_the_risk_is_the_mean_over_records_and_households_are_counted_once() -> None:
    frame = pl.DataFrame(
        {
            "town": ["a", "a", "b", "c", "c", "c"],
            "home": [1, 1, 1, 2, 3, 3],
            "w": [2.0, 3.0, 4.0, 5.0, 1.0, 1.0],
        }
    )
    table = Table.of(frame, roles={"home": "household", "w": "weight"}, rest="quasi-identifier")
    alone = individual_risk(table, keys=["town"])
    found = household_risk(table, keys=["town"])
    assert alone.records is not None
    assert found.records is not None
    chance = alone.records
    first = 1 - (1 - chance[0]) * (1 - chance[1]) * (1 - chance[2])
    last = 1 - (1 - chance[4]) * (1 - chance[5])
    assert found.records == pytest.approx([first] * 3 + [chance[3]] + [last] * 2)
    assert found.risk == pytest.approx(found.records.mean())
    assert found.details["households"] == 3
    assert found.details["expected_households"] == pytest.approx(first + chance[3] + last)
    assert found.interval == pytest.approx(wilson(3 * found.risk, 3))
    # Sixteen people by the weights: a guess finds one of them, and one of three at home is among the records.
    guess = 1 / 16
    guessed = [1 - (1 - guess) ** 3] * 3 + [guess] + [1 - (1 - guess) ** 2] * 2
    assert found.baseline == pytest.approx(np.mean(guessed))
    assert found.attempts == 6
