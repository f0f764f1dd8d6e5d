"""Classes of equal keys, risk from sampling weights, and k-map, against counting by hand and published figures."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attack import (
    household_risk,
    individual_risk,
    k_anonymity,
    k_map,
    population_uniques,
    sample_uniques,
)
from discreet.attack.population import expected_inverse
from discreet.errors import BadParameter, BadTable, BadValues, NotComputable, UnknownColumn
from discreet.table import Table

CELLS = st.sampled_from(["x", "y", "z", None])
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=12)

# The example of Capobianchi, Polettini and Lucarelli: eight records of a survey, four keys, the weight.
SURVEY = pl.DataFrame(
    {
        "one": ["1", "1", "1", "3", "4", "4", "6", "1"],
        "two": ["2", "2", "2", "3", "3", "3", "2", "2"],
        "three": ["5", "1", "1", "1", "1", "1", "1", "5"],
        "four": ["1", "1", "1", "5", "4", "1", "5", "1"],
        "weight": [18.0, 45.5, 39.0, 17.0, 541.0, 8.0, 5.0, 92.0],
    }
)
PUBLISHED = [0.01714426, 0.02204233, 0.02204233, 0.17707583, 0.01165448, 0.29706308, 0.40235948, 0.01714426]


def keyed(rows: list[tuple[str | None, ...]], **more: list[object]) -> Table:
    frame = pl.DataFrame(
        {f"key{place}": pl.Series([row[place] for row in rows], dtype=pl.String) for place in range(3)} | more
    )
    roles = dict.fromkeys(frame.columns, "quasi-identifier") | {
        name: name for name in more if name in ("weight", "household")
    }
    return Table.of(frame, roles=roles)


@pytest.fixture
def survey() -> Table:
    return Table.of(SURVEY, roles={"weight": "weight"}, rest="quasi-identifier")


@given(ROWS)
def test_k_is_the_size_of_the_smallest_class(rows: list[tuple[str | None, ...]]) -> None:
    found = k_anonymity(keyed(rows))
    expected = [rows.count(row) for row in rows]
    assert found.sizes.tolist() == expected
    assert found.level == found.k == min(expected)
    assert found.details["classes"] == len(set(rows))
    assert found.below(2) == sum(size < 2 for size in expected)


@given(ROWS)
def test_missing_that_can_be_anything_matches_whatever_it_could_be(
    rows: list[tuple[str | None, ...]],
) -> None:
    def alike(one: tuple[str | None, ...], other: tuple[str | None, ...]) -> bool:
        return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))

    found = k_anonymity(keyed(rows), missing="anything")
    assert found.sizes.tolist() == [sum(alike(row, other) for other in rows) for row in rows]
    assert found.k >= k_anonymity(keyed(rows)).k


@given(ROWS)
def test_sample_uniques_are_the_records_alone(rows: list[tuple[str | None, ...]]) -> None:
    found = sample_uniques(keyed(rows))
    assert found.records is not None
    assert found.records.tolist() == [float(rows.count(row) == 1) for row in rows]
    assert found.risk == pytest.approx(sum(rows.count(row) == 1 for row in rows) / len(rows))


def test_individual_risk_gives_the_published_figures(survey: Table) -> None:
    found = individual_risk(survey)
    assert found.records == pytest.approx(PUBLISHED, abs=1e-7)
    assert found.details["expected"] == pytest.approx(sum(PUBLISHED), abs=1e-6)
    assert found.baseline == pytest.approx(1 / 765.5)


def test_individual_risk_is_the_expected_value_of_one_over_the_people() -> None:
    """Summed over the negative binomial distribution, people by people."""
    for sample, share in product((1, 2, 7, 39, 40, 90), (0.05, 0.3, 0.499, 0.5, 0.8)):
        chance, expected = share**sample, 0.0
        for people in range(sample, sample + 6000):
            expected += chance / people
            chance *= (1 - share) * people / (people - sample + 1)
        found = expected_inverse(np.array([sample]), np.array([share]))[0]
        assert found == pytest.approx(expected, rel=1e-9)


@given(st.integers(1, 500), st.floats(1e-9, 1.0))
def test_individual_risk_lies_between_one_over_the_people_and_one_over_the_records(
    sample: int, share: float
) -> None:
    found = expected_inverse(np.array([sample]), np.array([share]))[0]
    assert share / sample * (1 - 1e-12) <= found <= 1 / sample


def test_who_was_all_sampled_has_the_risk_of_the_class() -> None:
    rows: list[tuple[str | None, ...]] = [*[("x", "x", "x")] * 4, ("y", "x", "x")]
    table = keyed(rows, weight=[1.0] * 5)
    assert individual_risk(table).records == pytest.approx([0.25] * 4 + [1.0])
    assert population_uniques(table).records == pytest.approx([0.0] * 4 + [1.0])


def test_weights_below_one_count_the_records_seen() -> None:
    table = keyed([("x", "x", "x")] * 2, weight=[0.0, 0.1])
    assert individual_risk(table).records == pytest.approx([0.5, 0.5])
    assert k_map(table).k == 2


def test_population_uniques_are_those_alone_by_one_over_their_weight(survey: Table) -> None:
    found = population_uniques(survey)
    assert found.records == pytest.approx([0, 0, 0, 1 / 17, 1 / 541, 1 / 8, 1 / 5, 0])
    assert found.details["alone_in_the_file"] == 4


def test_one_found_member_gives_the_household_away(survey: Table) -> None:
    homes = pl.Series([7, 7, 7, 9, 9, None, None, 3])
    table = Table.of(
        SURVEY.with_columns(home=homes),
        roles={"weight": "weight", "home": "household"},
        rest="quasi-identifier",
    )
    single = np.array(PUBLISHED)
    first = 1 - (1 - single[0]) * (1 - single[1]) * (1 - single[2])
    second = 1 - (1 - single[3]) * (1 - single[4])
    found = household_risk(table)
    assert found.records == pytest.approx(
        [first] * 3 + [second] * 2 + [single[5], single[6], single[7]], abs=1e-7
    )
    assert found.details["households"] == 5
    assert found.details["expected_households"] == pytest.approx(first + second + single[5:].sum(), abs=1e-6)


def test_a_household_with_somebody_certain_is_certain() -> None:
    table = keyed(
        [("x", "x", "x"), ("y", "y", "y"), ("y", "y", "y")], weight=[1.0, 9.0, 9.0], household=[1, 1, 2]
    )
    records = household_risk(table).records
    assert records is not None
    assert records[:2].tolist() == [1.0, 1.0]
    assert records[2] < 1


@given(ROWS, ROWS)
def test_k_map_counts_the_people_who_fit(
    rows: list[tuple[str | None, ...]], people: list[tuple[str | None, ...]]
) -> None:
    fits = [people.count(row) for row in rows]
    if not any(fits):
        with pytest.raises(NotComputable, match="fits anybody"):
            k_map(keyed(rows), population=keyed(people))
        return
    found = k_map(keyed(rows), population=keyed(people))
    assert found.people.tolist() == fits
    assert found.level == min(fit for fit in fits if fit)
    assert found.details["fits_nobody"] == fits.count(0)
    assert found.records is not None
    assert found.records.tolist() == [1 / fit if fit else 0.0 for fit in fits]


def test_k_map_compares_numbers_of_different_types() -> None:
    published = Table.of(pl.DataFrame({"age": [30, 40]}), roles={"age": "quasi-identifier"})
    everybody = Table.of(pl.DataFrame({"age": [30.0, 30.0, 40.0]}), roles={"age": "quasi-identifier"})
    assert k_map(published, population=everybody).people.tolist() == [2, 1]


def test_k_map_is_estimated_by_the_sum_of_the_weights(survey: Table) -> None:
    found = k_map(survey)
    assert found.people == pytest.approx([110, 84.5, 84.5, 17, 541, 8, 5, 110])
    assert found.level == 5
    assert found.risk == pytest.approx(0.2)
    assert found.baseline == pytest.approx(1 / 765.5)


def test_what_is_needed_is_named(survey: Table) -> None:
    unweighted = survey.without(["weight"])
    with pytest.raises(BadTable, match="no column of sampling weights"):
        individual_risk(unweighted)
    with pytest.raises(BadTable, match="no column of households"):
        household_risk(survey)
    with pytest.raises(BadTable, match="give the population"):
        k_map(unweighted)
    with pytest.raises(UnknownColumn, match="four"):
        k_map(survey, population=survey.without(["four"]))
    with pytest.raises(BadParameter, match="weight must be one column"):
        individual_risk(survey, weight=["weight", "one"])
    with pytest.raises(BadParameter, match="missing must be one of"):
        k_anonymity(survey, missing="maybe")
    negative = survey.with_values({"weight": SURVEY["weight"] - 10})
    with pytest.raises(BadValues, match="2 missing or negative"):
        individual_risk(negative)


def test_people_estimated_from_weights_are_told_within_an_interval() -> None:
    """One record of weight 50 stands for a number of people that is geometric with mean 50."""
    frame = pl.DataFrame({"town": ["a", "b", "b"], "weight": [50.0, 400.0, 400.0]})
    table = Table.of(frame, roles={"town": "quasi-identifier", "weight": "weight"})
    found = k_map(table)
    assert found.interval is not None
    reached = [1 - (1 - 1 / 50) ** round(1 / end) for end in found.interval]
    assert reached[0] == pytest.approx(0.975, abs=0.01)
    assert reached[1] == pytest.approx(0.025, abs=0.02)
    everybody = k_map(table, population=table)
    assert everybody.interval == (everybody.risk, everybody.risk)
    assert "exact" in str(everybody)


def test_a_household_is_guessed_through_each_of_its_members() -> None:
    frame = pl.DataFrame({"town": ["a", "b", "c"], "weight": [10.0, 10.0, 20.0], "home": [1, 1, 2]})
    roles = {"town": "quasi-identifier", "weight": "weight", "home": "household"}
    found = household_risk(Table.of(frame, roles=roles))
    assert found.baseline == pytest.approx((2 * (1 - (39 / 40) ** 2) + 1 / 40) / 3)
    assert found.interval is not None
    assert found.interval[0] < found.risk < found.interval[1]
