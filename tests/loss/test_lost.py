"""The headline loss on tables where the answer is known: by hand, and where other measures see nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet import loss
from discreet.errors import NotComputable, WrongScale
from discreet.results import Loss
from discreet.table import Table

BIRTHS = [dt.date(1940, 1, 1) + dt.timedelta(days=19 * each) for each in range(1000)]


def table(values: dict[str, Any], **more: Any) -> Table:
    return Table.of(pl.DataFrame(values), **{"roles": {}, "rest": "quasi-identifier", **more})


def cells(original: Table, masked: Table, **more: Any) -> float:
    found: float = loss.lost(original, masked, **more).details["cells"]
    return found


def blanked(values: Sequence[Any], kept: int) -> list[Any]:
    return [each if place < kept else None for place, each in enumerate(values)]


@pytest.fixture(scope="module")
def people() -> Table:
    rng = np.random.default_rng(7)
    ages = rng.integers(18, 90, 1000)
    return table(
        {
            "born": BIRTHS,
            "age": ages,
            "sex": rng.choice(["m", "f"], 1000),
            "income": ages * 400 + rng.normal(0, 3000, 1000),
            "illness": rng.choice(["none", "asthma", "cancer"], 1000),
        },
        roles={"income": "confidential", "illness": "confidential"},
    )


def with_values(people: Table, **fresh: pl.Series) -> Table:
    return people.with_values(fresh)


def test_days_that_are_blank_in_99_of_100_records_are_lost(people: Table) -> None:
    masked = with_values(people, born=pl.Series(blanked(BIRTHS, 10), dtype=pl.Date))
    found = loss.lost(people, masked)
    assert found.columns["born"] == pytest.approx(99)
    assert found.details["statistics_by_column"]["born"] >= 99
    assert found.details["associations"] >= 99 * 4 / 10
    assert found.loss > 99 / 5


def test_an_age_that_is_blank_in_97_of_100_records_is_lost(people: Table) -> None:
    masked = with_values(people, age=pl.Series(blanked(people.frame["age"].to_list(), 30)))
    assert loss.sse(people, masked).columns["age"] == 0
    found = loss.lost(people, masked)
    assert found.columns["age"] == pytest.approx(97)
    assert found.details["statistics_by_column"]["age"] >= 97


def test_days_in_bands_of_eleven_years_have_lost_something(people: Table) -> None:
    years = people.frame["born"].dt.year() // 11 * 11
    bands = pl.Series([f"[{year}-01-01, {year + 11}-01-01)" for year in years])
    masked = with_values(people.without([]), born=bands)
    masked = Table.of(
        masked.frame, roles={"income": "confidential", "illness": "confidential"}, rest="quasi-identifier"
    )
    assert loss.il(people, masked).loss == 0
    assert loss.sse(people, masked).loss == 0
    found = loss.lost(people, masked)
    # The farther end of a band is on average three quarters of it away, and counts by half.
    assert found.columns["born"] == pytest.approx(100 * 0.375 * 11 / (0.9 * 19 * 1000 / 365.25), rel=0.1)
    assert found.details["statistics_by_column"]["born"] > 20


def test_confidential_columns_are_measured(people: Table) -> None:
    shuffled = pl.Series(np.random.default_rng(1).permutation(people.frame["income"].to_numpy()))
    masked = with_values(people, income=shuffled, illness=pl.Series(["none"] * 1000))
    assert loss.il(people, masked).loss == 0
    found = loss.lost(people, masked)
    assert found.columns["income"] > 20
    assert found.columns["illness"] > 50
    # Swapped values keep all that concerns their column alone.
    assert found.details["statistics_by_column"]["income"] == pytest.approx(0, abs=1e-6)
    assert found.details["associations"] > 10


def test_numbers_move_in_spans_of_the_middle_nine_tenths() -> None:
    original = table({"x": np.arange(101.0)})
    assert cells(original, table({"x": np.arange(101.0) + 9})) == pytest.approx(10)
    assert cells(original, table({"x": np.arange(101.0) + 900})) == 100


def test_a_band_counts_by_half_the_way_to_its_farther_end() -> None:
    original = table({"x": np.arange(101.0)})
    masked = table({"x": ["[0, 45]"] * 46 + [str(each) for each in range(46, 101)]})
    farther = [max(each, 45 - each) for each in range(46)]
    assert cells(original, masked) == pytest.approx(100 * sum(farther) / 2 / 90 / 101)


def test_a_band_that_holds_one_true_value_is_that_value() -> None:
    original = table({"x": [1.0, 2.0, 3.0, 10.0]})
    masked = table({"x": ["[0.5, 1.5)", "[1.5, 2.5)", "[2.5, 3.5)", ">= 3.5"]})
    assert loss.lost(original, masked).loss == 0


@pytest.mark.parametrize("label", ["*", "[0, 10]", ">= 1"])
def test_a_band_that_holds_every_value_is_blank(label: str) -> None:
    original = table({"x": [1.0, 2.0, 3.0, 10.0]})
    assert loss.lost(original, table({"x": [label] * 4})).loss == 100


def test_ordered_categories_count_by_steps() -> None:
    order = {"x": ["low", "middle", "high", "top"]}
    original = table({"x": ["low", "middle", "high", "top"]}, orders=order)
    moved = table({"x": ["middle", "middle", "high", "low"]}, orders=order)
    assert cells(original, moved) == pytest.approx(100 * (1 + 3) / 3 / 4)
    runs = table({"x": ["low to high", "low to high", "low to high", "top"]})
    assert cells(original, runs) == pytest.approx(100 * (2 + 1 + 2) / 2 / 3 / 4)


def test_categories_count_whole_and_groups_by_what_else_they_hold() -> None:
    original = table({"x": ["a", "b", "c", "d", "e"]})
    assert cells(original, table({"x": ["a", "b", "c", "d", "a"]})) == pytest.approx(20)
    assert cells(original, table({"x": ["{a, b}", "{a, b}", "c", "d", "e"]})) == pytest.approx(
        100 * 2 / 4 / 5
    )
    assert cells(original, table({"x": ["*", "b", "c", "d", "e"]})) == pytest.approx(20)


def test_categories_near_in_meaning_lose_less(tmp_path: Any) -> None:
    edges = tmp_path / "jobs.csv"
    edges.write_text(
        "child,parent\nnurse,health\ndoctor,health\nbaker,food\ncook,food\nhealth,job\nfood,job\n"
    )
    jobs = ["nurse", "doctor", "baker", "cook"]
    original = table({"x": jobs}, ontologies={"x": str(edges)})
    near = cells(original, table({"x": ["doctor", "nurse", "cook", "baker"]}))
    far = cells(original, table({"x": ["baker", "cook", "nurse", "doctor"]}))
    assert 0 < near < far <= 100


def test_an_ontology_that_cannot_be_read_is_named_and_not_used() -> None:
    original = table({"x": ["a", "b"]}, ontologies={"x": "nowhere.csv"})
    found = loss.lost(original, table({"x": ["b", "b"]}))
    assert found.details["ontologies_not_read"] == ["x"]
    assert found.details["cells"] == 50


def test_a_value_made_up_is_lost_and_a_blank_that_stays_does_not_count() -> None:
    original = table({"x": [1.0, 2.0, None, None]})
    assert cells(original, table({"x": [1.0, 2.0, 5.0, None]})) == pytest.approx(100 / 3)


def test_a_record_left_out_counts_for_all_its_cells() -> None:
    original = table({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "b", None, "c"]})
    found = loss.lost(original, original.take(np.array([0, 1, 3])), truth=np.array([0, 1, 3]))
    assert found.columns == {"x": pytest.approx(25), "y": pytest.approx(0)}
    assert found.details["records_left_out"] == 1


def test_records_from_nobody_are_made_up() -> None:
    original = table({"x": [1.0, 2.0, 3.0]})
    masked = table({"x": [1.0, 2.0, 3.0, 2.0]})
    found = loss.lost(original, masked, truth=np.array([0, 1, 2, -1]))
    assert found.details["cells"] == pytest.approx(25)
    assert found.details["records_from_nobody"] == 1


def test_copies_of_a_record_count_by_their_mean() -> None:
    original = table({"x": ["a", "b"]})
    masked = table({"x": ["a", "b", "a", "a"]})
    assert cells(original, masked, truth=np.array([0, 1, 0, 1])) == pytest.approx(25)


def test_a_constant_column_is_kept_or_lost() -> None:
    original = table({"x": [3.0, 3.0], "y": [1.0, 2.0]})
    assert loss.lost(original, table({"x": [3.0, 4.0], "y": [1.0, 2.0]})).columns["x"] == 50


def test_sampling_weights_weigh_the_statistics() -> None:
    values = {"x": [1.0, 2.0, 3.0, 4.0], "w": [1.0, 1.0, 1.0, 5.0]}
    original = table(values, roles={"w": "weight"})
    heavy = table({**values, "x": [1.0, 2.0, 3.0, None]}, roles={"w": "weight"})
    light = table({**values, "x": [None, 2.0, 3.0, 4.0]}, roles={"w": "weight"})
    assert loss.lost(original, heavy).details["cells"] == loss.lost(original, light).details["cells"]
    assert loss.lost(original, heavy).details["means"] >= 100 * 5 / 8
    assert loss.lost(original, heavy).details["means"] > loss.lost(original, light).details["means"]


def test_statistics_suffer_where_the_weights_are_gone() -> None:
    original = table({"x": [1.0, 2.0, 3.0, 4.0], "w": [1.0, 1.0, 1.0, 5.0]}, roles={"w": "weight"})
    found = loss.lost(original, original.without(["w"]))
    assert found.details["cells"] == 0
    assert found.details["statistics"] > 0


def test_roles_that_nobody_analyses_and_free_text_are_not_measured() -> None:
    values = {
        "name": ["p", "q"],
        "person": [1, 2],
        "home": [1, 1],
        "w": [1.0, 2.0],
        "x": [1.0, 2.0],
        "notes": ["s", "t"],
    }
    roles = {"name": "identifier", "person": "person", "home": "household", "w": "weight"}
    original = table(values, roles=roles, scales={"notes": "text"})
    found = loss.lost(original, original.without(["name", "person", "home", "notes"]))
    assert found.loss == 0
    assert set(found.columns) == {"x"}
    assert found.details["free_text_not_measured"] == ["notes"]
    with pytest.raises(WrongScale):
        loss.lost(original, original, columns=["notes"])


def test_columns_can_be_named_though_they_are_gone() -> None:
    original = table({"x": [1.0, 2.0], "y": [1.0, 2.0]})
    assert loss.lost(original, original.without(["y"]), columns=["y"]).loss == 100
    assert loss.lost(original, original.without(["y"]), columns=["x"]).loss == 0


def test_a_table_without_values_has_nothing_to_lose() -> None:
    empty = table({"x": pl.Series([None, None], dtype=pl.Float64)})
    with pytest.raises(NotComputable, match="nothing to lose"):
        loss.lost(empty, empty)


def test_infinite_values_are_refused() -> None:
    original = table({"x": [1.0, np.inf]})
    with pytest.raises(NotComputable, match="infinite"):
        loss.lost(original, original)


def test_the_number_of_records_does_not_change_what_noise_loses() -> None:
    def noisy(count: int) -> Loss:
        rng = np.random.default_rng(3)
        values = rng.normal(size=(count, 2)) @ np.array([[1.0, 0.6], [0.0, 0.8]])
        masked = values + rng.normal(scale=0.3, size=values.shape)
        return loss.lost(*(table({"x": each[:, 0], "y": each[:, 1]}) for each in (values, masked)))

    small, large = noisy(2000), noisy(50_000)
    assert large.loss == pytest.approx(small.loss, rel=0.2)
    assert large.details["statistics"] < 90
