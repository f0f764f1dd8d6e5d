from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadTable
from discreet.mask import fuzzy_microaggregate
from discreet.table import Table


def table_of(records: Any, **more: Any) -> Table:
    frame = pl.DataFrame(
        np.asarray(records, dtype=float), schema=[f"v{j + 1}" for j in range(len(records[0]))]
    )
    return Table.of(frame, roles={}, rest="quasi-identifier", **more)


@st.composite
def records(draw: st.DrawFn) -> list[list[float]]:
    columns = draw(st.integers(1, 3))
    value = st.integers(-5, 5).map(float) | st.floats(-1e6, 1e6, allow_nan=False, width=32)
    return draw(st.lists(st.lists(value, min_size=columns, max_size=columns), min_size=6, max_size=40))


def weighted_table(rows: list[tuple[int, int, int]]) -> Table:
    frame = pl.DataFrame(rows, schema={"a": pl.Int64, "level": pl.Int64, "w": pl.Float64}, orient="row")
    return Table.of(
        frame, roles={"w": "weight"}, scales={"level": "ordinal"}, rest="quasi-identifier", name="survey"
    )


@given(records(), st.integers(2, 4))
def test_fuzzy_has_at_most_as_many_different_records_as_groups(values: list[list[float]], k: int) -> None:
    masked = fuzzy_microaggregate(table_of(values), k=k, seed=4)
    assert masked.table.frame.unique().height <= len(values) // k
    assert masked.facts["clusters"] <= len(values) // k


def test_fuzziness_near_one_gives_each_record_its_nearest_cluster() -> None:
    values = [[0.0], [0.1], [0.2], [10.0], [10.1], [10.2]]
    masked = fuzzy_microaggregate(table_of(values), k=3, fuzziness=1.01, seed=1)
    assert masked.table.frame["v1"].to_list() == pytest.approx([0.1] * 3 + [10.1] * 3, abs=1e-6)


def test_much_fuzziness_lets_records_draw_far_clusters() -> None:
    values = np.random.default_rng(5).normal(size=(90, 2))
    near = fuzzy_microaggregate(table_of(values), k=3, fuzziness=1.05, seed=2).table.frame.to_numpy()
    far = fuzzy_microaggregate(table_of(values), k=3, fuzziness=3.0, seed=2).table.frame.to_numpy()
    assert ((far - values) ** 2).sum() > 2 * ((near - values) ** 2).sum()


def test_fuzzy_centres_count_records_by_their_weight_when_weighted() -> None:
    # Two clusters far apart, so that each record is drawn to its own; one record of each weighs nine times the other.
    table = weighted_table([(0, 0, 9), (10, 0, 1), (1000, 4, 9), (1010, 4, 1)])
    masked = fuzzy_microaggregate(table, columns=["a"], k=2, fuzziness=1.05, weighted=True, seed=1)
    assert masked.table.frame["a"].to_list() == pytest.approx([1.0, 1.0, 1001.0, 1001.0], abs=0.1)
    plain = fuzzy_microaggregate(table, columns=["a"], k=2, fuzziness=1.05, seed=1)
    assert plain.table.frame["a"].to_list() == pytest.approx([5.0, 5.0, 1005.0, 1005.0], abs=0.1)


def test_fuzzy_centres_need_weights_when_weighted() -> None:
    with pytest.raises(BadTable, match="weighted needs sampling weights"):
        fuzzy_microaggregate(table_of([[1.0], [2.0], [3.0]]), weighted=True)
