from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import time

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, BadValues, NotComputable, Unreachable, WrongScale
from discreet.mask import bottom_code, top_code
from discreet.results import Masked
from discreet.table import Table

NUMBERS = st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6, allow_nan=False)), min_size=1, max_size=40)


def numbers(values: Sequence[float | None]) -> Table:
    return Table.of(pl.DataFrame({"x": pl.Series(values, dtype=pl.Float64)}), roles={"x": "quasi-identifier"})


def schools() -> Table:
    frame = pl.DataFrame({"school": ["none", "basic", "high", "degree", "doctor", None, "basic"]})
    order = ["none", "basic", "high", "degree", "doctor"]
    return Table.of(frame, roles={"school": "quasi-identifier"}, orders={"school": order})


@given(NUMBERS, st.floats(-100, 100))
def test_no_value_lies_beyond_the_threshold(values: list[float | None], threshold: float) -> None:
    table = numbers(values)
    top = top_code(table, threshold=threshold).table.numbers(["x"])
    bottom = bottom_code(table, threshold=threshold).table.numbers(["x"])
    assert not (top > threshold).any()
    assert not (bottom < threshold).any()


def test_a_share_codes_that_share_of_the_records() -> None:
    table = numbers([float(value) for value in range(100)])
    assert top_code(table, share=0.05).facts["coded"] == {"x": 5}
    assert bottom_code(table, share=0.05).facts["coded"] == {"x": 5}


def test_coding_by_the_mean_keeps_the_mean() -> None:
    table = numbers([1.0, 2.0, 3.0, 10.0, 20.0])
    masked = top_code(table, threshold=5, replace="mean").table.frame["x"]
    assert masked.to_list() == [1.0, 2.0, 3.0, 15.0, 15.0]


def test_top_coding_an_ordinal_column_joins_its_highest_levels() -> None:
    masked = top_code(schools(), categories=2)
    assert masked.table["school"].order == ("none", "basic", "high", "degree or more")
    assert masked.table.frame["school"].to_list()[3:6] == ["degree or more", "degree or more", None]
    named = bottom_code(schools(), categories=2, label="little")
    assert named.table["school"].order == ("little", "high", "degree", "doctor")


def test_coding_says_what_it_needs() -> None:
    with pytest.raises(BadParameter, match="either threshold or share"):
        top_code(numbers([1.0]))
    with pytest.raises(BadParameter, match="ordinal columns need categories"):
        top_code(schools())
    with pytest.raises(WrongScale, match="for ordinal columns"):
        top_code(numbers([1.0]), threshold=1, categories=1)
    with pytest.raises(Unreachable, match="at most 4 of them"):
        top_code(schools(), categories=5)
    with pytest.raises(NotComputable, match="has no values"):
        top_code(numbers([None]), share=0.1)


def test_levels_that_are_true_and_false_are_coded_like_others() -> None:
    frame = pl.DataFrame({"x": [True, False, True, None]})
    table = Table.of(frame, roles={"x": "quasi-identifier"}, orders={"x": ["false", "true"]})
    masked = top_code(table, categories=1, label="yes")
    assert masked.table.frame["x"].to_list() == ["yes", "false", "yes", None]
    assert all(guarantee.fault(masked.table) == "" for guarantee in masked.guarantees)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=1, max_size=30),
    st.floats(0.05, 0.6),
    st.sampled_from([top_code, bottom_code]),
)
def test_a_weighted_share_codes_as_many_copies_of_records_as_their_weights(
    rows: list[tuple[int, int]], share: float, code: Callable[..., Masked]
) -> None:
    frame = pl.DataFrame(rows, schema={"x": pl.Float64, "w": pl.Float64}, orient="row")
    table = Table.of(frame, roles={"x": "quasi-identifier", "w": "weight"})
    copies = [float(value) for value, times in rows for _ in range(times)]
    if not copies:
        with pytest.raises(NotComputable, match="weigh anything"):
            code(table, share=share, weighted=True)
        return
    found = set(code(table, share=share, weighted=True).table.frame.filter(pl.col("w") > 0)["x"])
    assert found == set(code(numbers(copies), share=share).table.frame["x"])


def test_coding_by_the_weighted_mean_keeps_weighted_totals() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 8.0, 20.0], "w": [5.0, 3.0, 1.0, 0.5]})
    table = Table.of(frame, roles={"x": "quasi-identifier", "w": "weight"})
    masked = top_code(table, share=0.2, replace="mean", weighted=True).table.frame
    assert masked["x"].to_list() == pytest.approx([1.0, 2.0, 12.0, 12.0])
    with pytest.raises(BadParameter, match="weighted has no meaning without share"):
        top_code(table, threshold=2.0, weighted=True)


@given(st.lists(st.integers(0, 9).map(float), min_size=2, max_size=30), st.floats(0.05, 0.9))
def test_no_value_lies_beyond_the_mean_that_replaces_what_did(values: list[float], share: float) -> None:
    low = bottom_code(numbers(values), share=share, replace="mean")
    coded = low.table.frame["x"].to_numpy()
    changed = coded != np.array(values)
    assert len(set(coded[changed])) <= 1
    assert (coded >= coded[changed].min(initial=np.inf)).all() or not changed.any()
    assert changed.sum() <= share * len(values) + 1e-9


@pytest.mark.parametrize("mask", [top_code, bottom_code])
def test_the_mean_of_times_that_is_between_two_units_keeps_its_guarantee(mask: Callable[..., Masked]) -> None:
    times = [time(0, 59, 0, place) for place in (0, 1, 1, *range(10, 20), 90, 91, 91)]
    table = Table.of(pl.DataFrame({"at": times}), roles={}, rest="quasi-identifier", scales={"at": "numeric"})
    masked = mask(table, columns=["at"], share=0.2, replace="mean")
    assert [guarantee.fault(masked.table) for guarantee in masked.guarantees] == [""]


def test_an_order_that_lacks_a_value_is_told_before_anything_is_guaranteed() -> None:
    levels = Table.of(
        pl.DataFrame({"x": [0, 0, 2]}),
        roles={"x": "quasi-identifier"},
        scales={"x": "ordinal"},
        orders={"x": ("1", "0")},
    )
    for code in (bottom_code, top_code):
        with pytest.raises(BadValues, match="order"):
            code(levels, categories=1)
