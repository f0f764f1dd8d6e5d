from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, BadTable, Unreachable
from discreet.mask import microaggregate
from discreet.table import Table

ORACLE = json.loads((Path(__file__).parents[1] / "oracle" / "mdav.json").read_text())
VARIANTS = ("mdav", "individual", "zscore", "component", "adaptive")


def table_of(records: Any, **more: Any) -> Table:
    frame = pl.DataFrame(
        np.asarray(records, dtype=float), schema=[f"v{j + 1}" for j in range(len(records[0]))]
    )
    return Table.of(frame, roles={}, rest="quasi-identifier", **more)


def groups_of(labels: Any) -> list[list[int]]:
    return sorted([(np.flatnonzero(labels == each) + 1).tolist() for each in np.unique(labels)])


@st.composite
def records(draw: st.DrawFn) -> list[list[float]]:
    columns = draw(st.integers(1, 3))
    value = st.integers(-5, 5).map(float) | st.floats(-1e6, 1e6, allow_nan=False, width=32)
    return draw(st.lists(st.lists(value, min_size=columns, max_size=columns), min_size=6, max_size=40))


@pytest.mark.parametrize("example", ["age_salary", "fifteen"])
@pytest.mark.parametrize("standardise", [True, False])
def test_mdav_gives_the_groups_of_the_worked_examples(example: str, standardise: bool) -> None:
    case = ORACLE[example]
    masked = microaggregate(table_of(case["records"]), k=case["k"], standardise=standardise)
    assert groups_of(masked.facts["labels"]["+".join(masked.table.names)]) == case["groups"]
    if "masked" in case:
        assert masked.table.frame.to_numpy() == pytest.approx(np.array(case["masked"]))


@given(records(), st.integers(2, 4), st.sampled_from(VARIANTS))
def test_every_combination_masked_together_is_shared_by_k(
    values: list[list[float]], k: int, variant: str
) -> None:
    masked = microaggregate(table_of(values), k=k, variant=variant)
    together = (
        [[name] for name in masked.table.names] if variant == "individual" else [list(masked.table.names)]
    )
    for names in together:
        assert masked.table.frame.group_by(names).len()["len"].min() >= k  # type: ignore[operator]


@given(records(), st.integers(2, 4), st.sampled_from(("mdav", "individual", "zscore", "component")))
def test_groups_have_k_to_2k_minus_1_records(values: list[list[float]], k: int, variant: str) -> None:
    masked = microaggregate(table_of(values), k=k, variant=variant)
    for labels in masked.facts["labels"].values():
        sizes = np.bincount(labels)
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1


@given(records(), st.sampled_from(VARIANTS))
def test_means_of_numeric_columns_are_kept(values: list[list[float]], variant: str) -> None:
    table = table_of(values)
    masked = microaggregate(table, k=3, variant=variant)
    before, after = table.frame.to_numpy(), masked.table.frame.to_numpy()
    scale = np.abs(before).max(axis=0) + 1
    assert np.abs(before.mean(axis=0) - after.mean(axis=0)) == pytest.approx(0, abs=1e-9 * scale.max())


@given(st.lists(st.integers(0, 20), min_size=4, max_size=9), st.integers(2, 3))
def test_individual_ranking_reaches_the_least_possible_loss(values: list[int], k: int) -> None:
    table = table_of([[value] for value in values])
    masked = microaggregate(table, k=k, variant="individual", standardise=False)
    loss = float(((table.frame.to_numpy() - masked.table.frame.to_numpy()) ** 2).sum())
    assert loss == pytest.approx(_least_loss(sorted(values), k), abs=1e-9)


def _least_loss(ordered: list[int], k: int) -> float:
    if len(ordered) == 0:
        return 0.0
    best = float("inf")
    for cut in range(k, len(ordered) + 1):
        rest = len(ordered) - cut
        if rest == 0 or rest >= k:
            group = np.array(ordered[:cut], dtype=float)
            best = min(best, float(((group - group.mean()) ** 2).sum()) + _least_loss(ordered[cut:], k))
    return best


def test_column_groups_are_masked_apart_each_with_its_own_k() -> None:
    values = np.random.default_rng(1).normal(size=(60, 4))
    masked = microaggregate(table_of(values), groups=[["v1", "v2"], ["v3", "v4"]], group_k=[3, 8])
    frame = masked.table.frame
    sizes = [frame.group_by(names).len()["len"].min() for names in (["v1", "v2"], ["v3", "v4"])]
    assert 3 <= sizes[0] <= 5  # type: ignore[operator]
    assert 8 <= sizes[1] <= 15  # type: ignore[operator]


def test_ordinal_columns_get_the_median_of_their_group() -> None:
    frame = pl.DataFrame({"school": ["low", "low", "high", "mid", "mid", "high"]})
    table = Table.of(frame, roles={"school": "quasi-identifier"}, orders={"school": ["low", "mid", "high"]})
    masked = microaggregate(table, k=3)
    assert masked.table.frame["school"].to_list() == ["low", "low", "high", "low", "high", "high"]


@given(
    st.lists(
        st.tuples(st.one_of(st.none(), st.integers(0, 9)), st.one_of(st.none(), st.integers(0, 9))),
        min_size=5,
        max_size=30,
    )
)
def test_missing_values_stay_missing_and_do_not_single_out(
    values: list[tuple[int | None, int | None]],
) -> None:
    frame = pl.DataFrame(values, schema={"a": pl.Int64, "b": pl.Int64}, orient="row")
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    masked = microaggregate(table, k=3)
    for name in ("a", "b"):
        assert (masked.table.frame[name].is_null() | frame[name].is_not_null()).all()
    assert masked.table.frame.group_by(["a", "b"]).len()["len"].min() >= 3  # type: ignore[operator]


def test_k_larger_than_the_file_is_unreachable() -> None:
    with pytest.raises(Unreachable, match="k=5 needs at least 5 records and the table has 3"):
        microaggregate(table_of([[1.0], [2.0], [3.0]]), k=5)


def test_groups_must_name_each_column_once() -> None:
    table = table_of([[1.0, 2.0]] * 6)
    with pytest.raises(BadParameter, match="groups must name each of the columns once"):
        microaggregate(table, groups=[["v1"]])
    with pytest.raises(BadParameter, match="group_k must hold"):
        microaggregate(table, groups=[["v1"], ["v2"]], group_k=[3])


def weighted_table(rows: list[tuple[int, int, int]]) -> Table:
    frame = pl.DataFrame(rows, schema={"a": pl.Int64, "level": pl.Int64, "w": pl.Float64}, orient="row")
    return Table.of(
        frame, roles={"w": "weight"}, scales={"level": "ordinal"}, rest="quasi-identifier", name="survey"
    )


ROWS = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 4), st.integers(0, 5)), min_size=4, max_size=30)


@given(ROWS, st.sampled_from(VARIANTS))
def test_weighted_means_are_kept_when_weighted(rows: list[tuple[int, int, int]], variant: str) -> None:
    table = weighted_table(rows)
    masked = microaggregate(table, k=2, variant=variant, weighted=True)
    weights = table.frame["w"].to_numpy()
    before, after = (each.frame["a"].to_numpy() @ weights for each in (table, masked.table))
    assert after == pytest.approx(before, abs=1e-9)
    assert all(guarantee.fault(masked.table) == "" for guarantee in masked.guarantees)


@given(ROWS)
def test_centres_are_means_and_lower_medians_of_as_many_copies_as_weights(
    rows: list[tuple[int, int, int]],
) -> None:
    masked = microaggregate(weighted_table(rows), k=2, weighted=True)
    labels = masked.facts["labels"]["a+level"]
    for label in np.unique(labels):
        own = [row for row, each in zip(rows, labels, strict=True) if each == label]
        weights = [weight for *_, weight in own] if any(weight for *_, weight in own) else [1] * len(own)
        copies = sorted(
            level for (_, level, _), times in zip(own, weights, strict=True) for _ in range(times)
        )
        found = masked.table.frame.filter(pl.Series(labels == label))
        assert set(found["level"]) == {copies[(len(copies) - 1) // 2]}
        mean = np.average([value for value, *_ in own], weights=weights)
        assert found["a"].to_list() == pytest.approx([mean] * len(own))


def test_weighted_centres_need_weights() -> None:
    with pytest.raises(BadTable, match="weighted needs sampling weights"):
        microaggregate(table_of([[1.0], [2.0], [3.0]]), weighted=True)
