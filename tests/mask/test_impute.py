from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import BadParameter, BadTable, NotComputable
from discreet.mask import impute
from discreet.mask.decimals import decimals_of
from discreet.table import Table

SCHOOLS = ("none", "school", "college")


def people(count: int, seed: int = 1, gaps: float = 0.1) -> Table:
    generator = np.random.default_rng(seed)
    age = generator.integers(18, 80, count)
    income = np.round(500 + 30 * age + generator.normal(0, 200, count), 2)
    school = np.array(SCHOOLS)[np.clip((income > 1500).astype(int) + (income > 2200), 0, 2)]
    frame = pl.DataFrame(
        {
            "age": age,
            "income": income,
            "school": school,
            "region": generator.choice(["north", "south"], count),
            "health": generator.integers(1, 6, count),
        }
    )
    holes = [
        pl.when(pl.Series(generator.random(count) >= gaps)).then(pl.col(name)).alias(name)
        for name in ("income", "school", "health")
    ]
    return Table.of(
        frame.with_columns(holes),
        roles={"age": "insensitive", "health": "confidential"},
        orders={"school": SCHOOLS},
        rest="quasi-identifier",
    )


@given(st.integers(20, 80), st.integers(0, 50), st.integers(1, 3))
@settings(max_examples=25)
def test_values_stay_in_the_range_the_decimals_and_the_categories_of_their_column(
    count: int, seed: int, implicates: int
) -> None:
    table = people(count, seed)
    masked = impute(table, implicates=implicates, seed=seed).table
    for name in ("income", "school", "region"):
        before = pl.concat([table.frame[name]] * implicates)
        assert masked.frame[name].dtype == before.dtype
        assert masked.frame[name].is_null().equals(before.is_null())
    old, new = table.numbers(["income"])[:, 0], masked.numbers(["income"])[:, 0]
    assert np.nanmin(old) <= np.nanmin(new) <= np.nanmax(new) <= np.nanmax(old)
    assert decimals_of(new) in (0, 1, 2)
    for name in ("school", "region"):
        assert set(masked.frame[name]) <= set(table.frame[name])


def test_every_record_is_there_m_times_and_nothing_but_the_masked_columns_differs() -> None:
    table = people(60)
    masked = impute(table, columns=["income", "region"], implicates=3, seed=1)
    assert masked.origin is not None
    assert masked.origin.tolist() == list(range(60)) * 3
    assert masked.table.frame["implicate"].to_list() == [1] * 60 + [2] * 60 + [3] * 60
    again = table.take(masked.origin).frame
    for name in ("age", "school", "health"):
        assert masked.table.frame[name].equals(again[name])
    parts = [masked.table.frame.filter(pl.col("implicate") == each)["income"].to_list() for each in (1, 2, 3)]
    assert parts[0] != parts[1] != parts[2]


def test_one_implicate_keeps_the_rows_and_adds_no_column() -> None:
    table = people(60)
    masked = impute(table, seed=1)
    assert masked.origin is None
    assert masked.table.names == table.names


def test_relations_between_columns_are_kept() -> None:
    table = people(4000, gaps=0.0)
    masked = impute(table, columns=["income", "school"], seed=2)
    old, new = table.frame, masked.table.frame
    assert new["income"].mean() == pytest.approx(old["income"].mean(), rel=0.02)
    assert new["income"].std() == pytest.approx(old["income"].std(), rel=0.05)

    def correlation(frame: pl.DataFrame) -> float:
        return float(np.corrcoef(frame["age"], frame["income"])[0, 1])

    assert correlation(new) == pytest.approx(correlation(old), abs=0.02)
    assert masked.facts["explained"]["income"] == pytest.approx(correlation(old) ** 2, abs=0.02)
    means = [
        [frame.filter(pl.col("school") == level)["income"].mean() for level in SCHOOLS]
        for frame in (old, new)
    ]
    assert means[1] == pytest.approx(means[0], rel=0.15)
    assert means[1][0] < means[1][1] < means[1][2]  # type: ignore[operator]


def test_only_the_predictors_named_are_used() -> None:
    table = people(3000, gaps=0.0)
    masked = impute(table, columns=["income"], predictors=["region"], seed=2)
    correlation = np.corrcoef(table.frame["age"], masked.table.frame["income"])[0, 1]
    assert abs(correlation) < 0.06
    assert masked.facts["predictors"] == ["region"]


def test_unbounded_numbers_can_leave_the_range() -> None:
    table = people(400, gaps=0.0)
    drawn: list[Any] = [
        impute(table, columns=["income"], predictors=["region"], bounded=bounded, seed=5).table.frame[
            "income"
        ]
        for bounded in (True, False)
    ]
    assert drawn[0].max() <= table.frame["income"].max()
    assert drawn[1].max() > table.frame["income"].max()


def test_a_table_of_masked_columns_alone_is_drawn_one_from_the_other() -> None:
    generator = np.random.default_rng(3)
    first = generator.normal(size=3000)
    frame = pl.DataFrame({"a": first, "b": first + 0.3 * generator.normal(size=3000)})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    masked = impute(table, seed=1).table.frame
    assert np.corrcoef(masked["a"], masked["b"])[0, 1] == pytest.approx(0.958, abs=0.01)
    assert abs(np.corrcoef(masked["a"], frame["a"])[0, 1]) < 0.06


def test_what_cannot_be_drawn_is_a_named_error() -> None:
    table = people(30)
    with pytest.raises(
        BadParameter, match="predictors must not be among the columns to mask, and 'income' are"
    ):
        impute(table, columns=["income"], predictors=["income", "age"])
    with pytest.raises(NotComputable, match="column 'income' has 3 values for"):
        impute(table.take(np.array([0, 1, 2])), columns=["income"], seed=1)
    stacked = impute(table, implicates=2, seed=1).table
    with pytest.raises(BadTable, match="has a column 'implicate' already"):
        impute(stacked, columns=["income"], implicates=2)


def survey(count: int) -> Table:
    """People of whom the rich were sampled ten times as often, which the weights make good and nothing else tells."""
    generator = np.random.default_rng(8)
    age = generator.normal(50, 10, count)
    income = 1000 + 10 * age + generator.normal(0, 300, count)
    rich = income > 1500
    frame = pl.DataFrame(
        {"age": age, "income": income, "rich": np.where(rich, "yes", "no"), "w": np.where(rich, 1.0, 10.0)}
    )
    return Table.of(frame, roles={"w": "weight", "age": "insensitive"}, rest="quasi-identifier")


def test_weighted_regressions_keep_estimates_by_weights() -> None:
    table = survey(4000)
    weights = table.frame["w"].to_numpy()

    def estimates(of: Table) -> tuple[float, float]:
        rich = (of.frame["rich"] == "yes").to_numpy()
        return float(np.average(of.frame["income"], weights=weights)), float(
            np.average(rich, weights=weights)
        )

    mean, share = estimates(table)
    weighted_mean, weighted_share = estimates(impute(table, weighted=True, bounded=False, seed=1).table)
    plain_mean, plain_share = estimates(impute(table, bounded=False, seed=1).table)
    assert weighted_mean == pytest.approx(mean, abs=25)
    assert weighted_share == pytest.approx(share, abs=0.02)
    assert plain_mean > mean + 100
    assert plain_share > share + 0.1


def test_weighted_regressions_need_weights_that_count() -> None:
    with pytest.raises(BadTable, match="weighted needs sampling weights"):
        impute(people(30), weighted=True)
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"], "w": [1.0, 1.0, 0.0, 0.0]})
    table = Table.of(frame, roles={"w": "weight", "x": "insensitive"}, rest="quasi-identifier")
    with pytest.raises(NotComputable, match="a category of column 'y' has a total weight of zero"):
        impute(table, weighted=True)
    nothing = table.with_values({"w": pl.Series([0.0] * 4)})
    with pytest.raises(NotComputable, match="the values of column 'y' have a total weight of zero"):
        impute(nothing, weighted=True)
