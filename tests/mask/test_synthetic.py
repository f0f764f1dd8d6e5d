"""What both ways to make synthetic records guarantee, and what each does by itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import BadParameter, NotComputable
from discreet.mask import synthesise_copula, synthesise_trees
from discreet.mask.decimals import decimals_of
from discreet.mask.leaves import Predictor, leaves_of, rare
from discreet.mask.synthesise_copula import correlation_of, normal_scores
from discreet.results import Masked
from discreet.table import Table

SCHOOLS = ("none", "school", "college")
BOTH = [synthesise_copula, synthesise_trees]
both = pytest.mark.parametrize("synthesise", BOTH)
ways = st.sampled_from(BOTH)
Way = Callable[..., Masked]


def people(count: int, seed: int = 1, gaps: float = 0.2) -> Table:
    generator = np.random.default_rng(seed)
    age = generator.integers(18, 80, count)
    income = np.round(np.exp(6 + age / 60 + generator.normal(0, 0.3, count)), 1)
    school = np.array(SCHOOLS)[np.searchsorted([900, 1600], income)]
    region = np.where(age + generator.normal(0, 10, count) > 50, "north", "south")
    frame = pl.DataFrame(
        {
            "person": np.arange(count),
            "house": generator.integers(0, max(1, count // 3), count),
            "age": age,
            "income": income,
            "school": school,
            "region": region,
            "remark": [f"remark {row}" for row in range(count)],
            "weight": np.round(generator.uniform(1, 9, count), 1),
        }
    )
    holes = [
        pl.when(pl.Series((generator.random(count) >= gaps) | (age < 30))).then(pl.col(name)).alias(name)
        for name in ("income", "school", "region")
    ]
    return Table.of(
        frame.with_columns(holes),
        roles={"person": "identifier", "house": "household", "weight": "weight", "remark": "confidential"},
        scales={"house": "nominal", "remark": "text", "person": "nominal"},
        orders={"school": SCHOOLS},
        rest="quasi-identifier",
    )


@given(ways, st.integers(1, 60), st.integers(0, 30), st.integers(1, 80))
@settings(max_examples=40)
def test_values_stay_in_the_range_the_decimals_and_the_categories_of_their_column(
    synthesise: Way, count: int, seed: int, records: int
) -> None:
    table = people(count, seed)
    masked = synthesise(table, records=records, seed=seed)
    assert len(masked.table) == records
    for name in ("age", "income"):
        old, new = table.frame[name].drop_nulls().to_list(), masked.table.frame[name].drop_nulls().to_list()
        assert all(min(old) <= value <= max(old) for value in new)
    assert decimals_of(masked.table.numbers(["income"])[:, 0]) in (0, 1)
    for name in ("school", "region"):
        assert set(masked.table.frame[name]) <= {*table.frame[name], None}
    assert {name: kind for name, kind in masked.table.frame.schema.items() if name != "weight"} == {
        name: kind for name, kind in table.frame.schema.items() if name != "weight"
    }
    assert [
        guarantee.fault(masked.table) for guarantee in masked.guarantees if guarantee.fault(masked.table)
    ] == []


@both
def test_every_record_comes_from_nobody(synthesise: Way) -> None:
    masked = synthesise(people(50), seed=1)
    assert masked.origin is not None
    assert masked.origin.tolist() == [-1] * 50


@both
def test_identifiers_household_numbers_and_texts_are_left_empty(synthesise: Way) -> None:
    masked = synthesise(people(50), seed=1).table.frame
    assert [masked[name].null_count() for name in ("person", "house", "remark")] == [50, 50, 50]


@both
def test_weights_add_up_as_before_but_for_the_draw(synthesise: Way) -> None:
    table = people(2000)
    masked = synthesise(table, records=500, seed=1).table
    assert masked.frame["weight"].sum() == pytest.approx(table.frame["weight"].sum(), rel=0.05)


@both
def test_relations_and_gaps_are_kept(synthesise: Way) -> None:
    table = people(4000)
    masked = synthesise(table, seed=1).table.frame
    old = table.frame

    def rank_correlation(frame: pl.DataFrame) -> float:
        pair = frame.select("age", "income").drop_nulls()
        return float(np.corrcoef(pair["age"].rank(), pair["income"].rank())[0, 1])

    assert rank_correlation(masked) == pytest.approx(rank_correlation(old), abs=0.06)
    for name in ("income", "school", "region"):
        assert masked[name].null_count() == pytest.approx(old[name].null_count(), rel=0.12)
    assert masked["income"].mean() == pytest.approx(old["income"].mean(), rel=0.05)

    def northerners(frame: pl.DataFrame) -> list[float]:
        halves = (frame.filter(pl.col("age") > 60), frame.filter(pl.col("age") < 40))
        return [float((half["region"].drop_nulls() == "north").mean()) for half in halves]  # type: ignore[arg-type]

    assert northerners(masked) == pytest.approx(northerners(old), abs=0.12)


def test_trees_know_when_a_value_is_missing() -> None:
    masked = synthesise_trees(people(4000), seed=1).table.frame
    young = masked.filter(pl.col("age") < 30)
    assert young["income"].null_count() < 0.02 * len(young)


@both
def test_a_table_without_records_is_a_named_error(synthesise: Way) -> None:
    with pytest.raises(NotComputable, match="no records to learn from"):
        synthesise(people(5).take(np.array([], dtype=np.int64)))


def test_trees_follow_the_order_given() -> None:
    table = people(300)
    names = ["weight", "region", "age", "school", "income"]
    assert synthesise_trees(table, order=names, seed=1).facts["order"] == names
    with pytest.raises(BadParameter, match="order must name each of the 5 columns that are drawn once"):
        synthesise_trees(table, order=["age"])


def test_numbers_that_few_records_hold_are_blurred_only_when_asked() -> None:
    table = people(1000)
    known = set(table.frame["income"].drop_nulls())
    plain = synthesise_trees(table, smooth=False, seed=1).table.frame["income"].drop_nulls()
    blurred = synthesise_trees(table, seed=1).table.frame["income"].drop_nulls()
    assert set(plain) <= known
    assert sum(value in known for value in blurred) < 0.6 * len(blurred)


@given(st.integers(1, 20), st.integers(0, 50), st.booleans(), st.integers(2, 30))
def test_values_are_drawn_from_leaves_of_at_least_so_many_records(
    least: int, seed: int, ordered: bool, classes: int
) -> None:
    generator = np.random.default_rng(seed)
    target = generator.integers(0, classes, 60).astype(np.float64)
    known = [
        Predictor(original=generator.normal(size=60), synthetic=generator.normal(size=25), ordered=True),
        Predictor(
            original=generator.integers(0, 3, 60).astype(np.float64),
            synthetic=generator.integers(0, 5, 25).astype(np.float64),
            ordered=False,
        ),
    ]
    leaves = leaves_of(target, ordered, known, least, generator)
    assert np.bincount(leaves.original).min() >= min(least, 60)
    donors = leaves.donors(generator)
    assert (leaves.original[donors] == leaves.synthetic).all()


def test_rare_values_are_those_of_few_records() -> None:
    assert rare(np.array([1.0, 1.0, 2.0, 1.0]), 2).tolist() == [False, False, True, False]


@given(st.lists(st.integers(0, 9) | st.none(), max_size=30))
def test_normal_scores_rise_with_the_values(values: list[int | None]) -> None:
    scores = normal_scores(
        np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    )
    for value, score in zip(values, scores, strict=True):
        assert (value is None) == bool(np.isnan(score))
        for other, further in zip(values, scores, strict=True):
            if value is not None and other is not None and value < other:
                assert score < further


@given(st.integers(1, 12), st.integers(1, 6), st.floats(0, 0.9), st.integers(0, 99))
def test_correlations_can_always_be_drawn_from(count: int, width: int, gaps: float, seed: int) -> None:
    generator = np.random.default_rng(seed)
    scores = np.where(generator.random((count, width)) < gaps, np.nan, generator.normal(size=(count, width)))
    correlation = correlation_of(scores)
    assert np.diag(correlation) == pytest.approx(np.ones(width))
    assert np.linalg.eigvalsh(correlation).min() > -1e-9
