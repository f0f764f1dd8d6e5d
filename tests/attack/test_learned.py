"""Learned linkage on tables: what the steward sees."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import discreet as dc
from discreet import registry
from discreet.errors import BadParameter, NotComputable

SECONDS = 600
"""Far more than a proof takes on a slow and busy machine."""


@pytest.fixture(scope="module")
def tables() -> tuple[dc.Table, dc.Table]:
    random = np.random.default_rng(3)
    values = random.normal(size=(50, 3)) * [10.0, 1.0, 200.0]
    noise = values.std(axis=0) * [0.02, 0.4, 0.8] * random.normal(size=values.shape)
    roles = {"age": "quasi-identifier", "income": "quasi-identifier", "tax": "quasi-identifier"}
    names = tuple(roles)
    original = dc.Table.of(pl.DataFrame(values, schema=names), roles=roles)
    return original, dc.Table.of(pl.DataFrame(values + noise, schema=names), roles=roles)


def test_the_best_weights_re_identify_at_least_what_equal_ones_do(tables: tuple[dc.Table, dc.Table]) -> None:
    worst = dc.attack.learned(*tables, seconds=SECONDS)
    plain = dc.attack.link(*tables, direction="original to masked")
    assert worst.optimal
    assert worst.found == worst.bound >= plain.certain
    assert worst.risk == worst.expected / 50 >= worst.found / 50
    assert worst.records is not None
    assert worst.records.sum() == pytest.approx(worst.expected)
    assert worst.most == worst.expected
    assert max(worst.columns, key=lambda name: worst.columns[name]) == "age"
    assert worst.interval == (worst.risk, worst.risk)
    assert "proven to be the most" in str(worst)


def test_the_result_is_safe_for_json(tables: tuple[dc.Table, dc.Table]) -> None:
    said = json.loads(json.dumps(dc.attack.learned(*tables, distance="choquet", seconds=SECONDS).to_dict()))
    assert said["details"]["optimal"] is True
    assert len(said["details"]["parameters"]) == 8
    assert said["details"]["keys"] == ["age", "income", "tax"]


def test_a_result_out_of_time_says_what_is_not_excluded(tables: tuple[dc.Table, dc.Table]) -> None:
    original, masked = tables
    shuffled = masked.with_numbers(["age"], np.random.default_rng(0).permutation(masked.numbers(["age"])))
    worst = dc.attack.learned(original, shuffled, distance="bilinear", seconds=1e-6)
    assert worst.found < worst.bound
    assert not worst.optimal
    assert worst.expected < worst.most
    assert worst.interval == (worst.expected / 50, worst.most / 50)
    assert "at most" in str(worst)


def test_records_follow_the_truth_given(tables: tuple[dc.Table, dc.Table]) -> None:
    original, masked = tables
    random = np.random.default_rng(5)
    order = random.permutation(50)
    here = dc.attack.learned(original, masked, seconds=SECONDS)
    there = dc.attack.learned(original, masked.take(order), truth=order, seconds=SECONDS)
    assert here.records is not None
    assert there.records is not None
    assert there.found == here.found
    assert there.records.tolist() == here.records[order].tolist()


def test_masked_records_of_nobody_are_rivals_and_never_re_identified(
    tables: tuple[dc.Table, dc.Table],
) -> None:
    original, masked = tables
    truth = np.arange(50)
    truth[:10] = -1
    worst = dc.attack.learned(original, masked, truth=truth, seconds=SECONDS)
    assert worst.records is not None
    assert worst.records[:10].sum() == 0
    assert worst.attempts == 40
    assert worst.bound <= 40
    assert worst.risk == worst.expected / 40


def test_two_masked_records_of_one_original_are_refused(tables: tuple[dc.Table, dc.Table]) -> None:
    truth = np.arange(50)
    truth[1] = 0
    with pytest.raises(NotComputable, match="come from one original"):
        dc.attack.learned(*tables, truth=truth)


def test_pairs_known_to_the_intruder_are_left_out_of_the_test(tables: tuple[dc.Table, dc.Table]) -> None:
    risk = dc.attack.learned_from_pairs(*tables, share=0.4, seconds=SECONDS)
    assert risk.attempts == 30
    assert risk.details["known_pairs"] == 20
    assert risk.records is not None
    assert risk.records.sum() == pytest.approx(risk.risk * 30)


def test_an_intruder_with_training_pairs_learns_from_those(tables: tuple[dc.Table, dc.Table]) -> None:
    known = np.arange(0, 50, 2)
    risk = dc.attack.learned_from_pairs(*tables, training=known, seconds=SECONDS)
    assert risk.attempts == 25
    assert risk.records is not None
    assert risk.records[known].sum() == 0


def test_the_worst_case_is_registered_as_dear_and_refuses_other_distances(
    tables: tuple[dc.Table, dc.Table],
) -> None:
    assert registry.find("attack", "learned").cost == "expensive"
    with pytest.raises(BadParameter, match="one of weighted, owa"):
        dc.attack.learned(*tables, distance="euclidean")
    with pytest.raises(BadParameter, match="seconds"):
        dc.attack.learned(*tables, seconds=0)


def table_of(columns: dict[str, list[float | None]]) -> dc.Table:
    return dc.Table.of(pl.DataFrame(columns), roles=dict.fromkeys(columns, "quasi-identifier"))


def test_one_record_is_refused_and_two_are_not() -> None:
    one, two = table_of({"age": [30.0]}), table_of({"age": [30.0, 40.0]})
    with pytest.raises(NotComputable, match="at least two masked records"):
        dc.attack.learned(one, one, seconds=SECONDS)
    assert dc.attack.learned(two, two, seconds=SECONDS).found == 2


def test_columns_that_are_constant_leave_an_intruder_to_guess() -> None:
    flat = table_of({"age": [30.0] * 6, "income": [1.0] * 6})
    worst = dc.attack.learned(flat, flat, seconds=SECONDS)
    assert (worst.found, worst.bound) == (0, 0)
    # Whoever guesses is right one time in six about each of the six.
    assert worst.expected == worst.most == pytest.approx(1.0)


def test_missing_values_count_as_the_mean_of_their_column(tables: tuple[dc.Table, dc.Table]) -> None:
    original, masked = tables
    holes = pl.Series("tax", [None] * 5 + masked.numbers(["tax"])[5:, 0].tolist())
    worst = dc.attack.learned(original, masked.with_values({"tax": holes}), seconds=SECONDS)
    assert worst.optimal
    assert np.isfinite(worst.parameters).all()
    assert worst.attempts == 50


def test_a_full_measure_over_many_columns_is_refused_and_one_of_pairs_is_not() -> None:
    random = np.random.default_rng(0)
    many = table_of({f"c{k}": random.normal(size=12).tolist() for k in range(11)})
    with pytest.raises(BadParameter, match="additivity=2"):
        dc.attack.learned(many, many, distance="choquet", seconds=SECONDS)
    worst = dc.attack.learned(many, many, distance="choquet", additivity=2, seconds=SECONDS)
    assert worst.found == worst.bound == 12


@pytest.mark.parametrize("distance", ["weighted", "owa", "choquet", "bilinear"])
@pytest.mark.parametrize("step", [4, 10, 13])
def test_a_column_far_from_zero_has_the_same_worst_case(distance: str, step: int) -> None:
    # The first two people stand at the mean and their rows on either side of it, as far: a tie, wherever zero is.
    known, published = np.array([0, 0, -9, 9, -20, 20.0]), np.array([2, -2, -11, 11, -22, 22.0])
    fine = 2.0**-22

    def linked(shift: float) -> list[bool]:
        tables = (
            dc.Table.of(pl.DataFrame({"a": values + shift}), roles={}, rest="quasi-identifier")
            for values in (known + step * fine, published + step // 2 * fine)
        )
        worst = dc.attack.learned(*tables, distance=distance, seconds=SECONDS)
        return [bool(each) for each in worst.learned.records]

    assert linked(0.0) == linked(2.0**30) == [False, False, True, True, True, True]
