from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadTable, Unreachable
from discreet.mask import k_resample
from discreet.mask.k_resample import sets_of_samples
from discreet.table import Table

LEVELS = ("low", "middle", "high")


amounts = st.none() | st.integers(-50, 50)


columns_of_amounts = st.lists(amounts, max_size=40)


def incomes(values: Sequence[float | None]) -> Table:
    frame = pl.DataFrame({"income": pl.Series(list(values), dtype=pl.Float64, strict=False)})
    return Table.of(frame, roles={"income": "quasi-identifier"})


def households(rows: Sequence[tuple[float | None, float | None, str | None]]) -> Table:
    frame = pl.DataFrame(
        {
            "income": pl.Series([row[0] for row in rows], dtype=pl.Float64, strict=False),
            "rent": pl.Series([row[1] for row in rows], dtype=pl.Float64, strict=False),
            "school": pl.Series([row[2] for row in rows], dtype=pl.String),
        }
    )
    return Table.of(frame, roles={}, orders={"school": LEVELS}, rest="quasi-identifier")


tables = st.lists(st.tuples(amounts, amounts, st.sampled_from([*LEVELS, None])), min_size=3, max_size=30).map(
    households
)


@given(tables, st.integers(2, 3), st.booleans())
def test_every_combination_masked_together_is_shared_by_at_least_k_records(
    table: Table, k: int, together: bool
) -> None:
    masked = k_resample(table, k=k, together=together, seed=1)
    parts = [table.names] if together else [(name,) for name in table.names]
    for names in parts:
        counts = Counter(masked.table.frame.select(names).rows())
        assert min(counts.values()) >= k
    assert [
        guarantee.fault(masked.table) for guarantee in masked.guarantees if guarantee.fault(masked.table)
    ] == []


@given(st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=40), st.integers(2, 4))
def test_the_means_of_numeric_columns_are_kept(values: list[float], k: int) -> None:
    masked = k_resample(incomes(values), k=k, seed=1)
    scale = 1 + max(abs(value) for value in values)
    assert masked.table.frame["income"].mean() == pytest.approx(np.mean(values), abs=1e-9 * scale)


@given(st.integers(2, 5), st.integers(5, 40), st.integers(1, 3), st.integers(0, 1000))
def test_sets_hold_the_records_at_one_place_of_every_sample_and_those_left_over(
    k: int, count: int, width: int, seed: int
) -> None:
    points = np.random.default_rng(seed).standard_normal((count, width))
    labels = sets_of_samples(points, k, np.random.default_rng(seed))
    drawn = np.random.default_rng(seed).permutation(count)
    size = count // k
    for start in range(k):
        sample = drawn[start * size : (start + 1) * size]
        assert sorted(labels[sample].tolist()) == list(range(size))
        if width == 1:
            assert labels[sample[np.argsort(points[sample, 0])]].tolist() == list(range(size))
    full = drawn[: k * size]
    middles = np.array([points[full][labels[full] == each].mean(axis=0) for each in range(size)])
    for row in drawn[k * size :]:
        away = np.linalg.norm(middles - points[row], axis=1)
        assert away[labels[row]] == pytest.approx(away.min())


def test_similar_records_come_together() -> None:
    values = np.random.default_rng(1).normal(size=3000)
    masked = k_resample(incomes(values.tolist()), k=3, seed=1).table.numbers(["income"])[:, 0]
    assert np.corrcoef(values, masked)[0, 1] > 0.99


def test_too_few_records_are_a_named_error() -> None:
    with pytest.raises(Unreachable, match="k_resample: k=3 needs at least 3 records"):
        k_resample(incomes([1.0, 2.0]), k=3)


weighted_rows = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 5)), min_size=4, max_size=30)


@given(weighted_rows, st.integers(0, 20))
def test_k_resampling_keeps_weighted_means_when_weighted(rows: list[tuple[int, int]], seed: int) -> None:
    frame = pl.DataFrame(rows, schema={"income": pl.Float64, "w": pl.Float64}, orient="row")
    table = Table.of(frame, roles={"w": "weight"}, rest="quasi-identifier")
    masked = k_resample(table, k=2, weighted=True, seed=seed)
    weights = frame["w"].to_numpy()
    before, after = (each.frame["income"].to_numpy() @ weights for each in (table, masked.table))
    assert after == pytest.approx(before, abs=1e-9)
    assert all(guarantee.fault(masked.table) == "" for guarantee in masked.guarantees)


def test_weighted_sets_need_weights() -> None:
    with pytest.raises(BadTable, match="weighted needs sampling weights"):
        k_resample(incomes([1.0, 2.0, 3.0]), weighted=True)


def test_samples_of_several_columns_are_sorted_along_their_longest_direction() -> None:
    rng = np.random.default_rng(8)
    along, across = rng.permutation(40).astype(float), rng.normal(size=40)
    points = np.column_stack([along + across / 10, 2 * along - across / 20])
    labels = sets_of_samples(points, 4, np.random.default_rng(3))
    samples = np.random.default_rng(3).permutation(40).reshape(4, 10)
    ranks = np.argsort(np.argsort(along[samples], axis=1), axis=1)
    assert np.array_equal(labels[samples], ranks) or np.array_equal(labels[samples], 9 - ranks)
