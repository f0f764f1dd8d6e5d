from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, time

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, BadValues, NotComputable, Unreachable, WrongScale
from discreet.mask import bottom_code, mondrian, recode, recode_numbers, round, top_code
from discreet.results import Masked
from discreet.table import Scale, Table

NUMBERS = st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6, allow_nan=False)), min_size=1, max_size=40)


def numbers(values: Sequence[float | None]) -> Table:
    return Table.of(pl.DataFrame({"x": pl.Series(values, dtype=pl.Float64)}), roles={"x": "quasi-identifier"})


def schools() -> Table:
    frame = pl.DataFrame({"school": ["none", "basic", "high", "degree", "doctor", None, "basic"]})
    order = ["none", "basic", "high", "degree", "doctor"]
    return Table.of(frame, roles={"school": "quasi-identifier"}, orders={"school": order})


@given(NUMBERS, st.floats(0.1, 1e4))
def test_rounding_gives_multiples_of_the_base_at_most_half_of_it_away(
    values: list[float | None], base: float
) -> None:
    table = numbers(values)
    masked = round(table, base=base, seed=1).table.numbers(["x"])
    original = table.numbers(["x"])
    present = ~np.isnan(original)
    assert (np.isnan(masked) == ~present).all()
    assert np.abs(masked - original)[present] == pytest.approx(0, abs=base / 2 + 1e-6)


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


def test_recoding_joins_the_rarest_categories() -> None:
    table = Table.of(
        pl.DataFrame({"job": ["a"] * 5 + ["b"] * 3 + ["c"] * 2 + ["d"]}), roles={"job": "quasi-identifier"}
    )
    masked = recode(table, rarest=2)
    assert masked.table.frame["job"].to_list() == ["a"] * 5 + ["b"] * 3 + ["other"] * 3
    assert recode(table, rarer_than=0.2).table.frame["job"].to_list() == ["a"] * 5 + ["b"] * 3 + ["other"] * 3
    assert recode(table, rarer_than=0.05).table.frame["job"].equals(table.frame["job"])
    with pytest.raises(BadParameter, match="one of mapping, rarest and rarer_than"):
        recode(table, rarest=1, rarer_than=0.1)
    with pytest.raises(Unreachable, match="4 categories; at most 3"):
        recode(table, rarest=4)


def test_recoding_by_a_mapping_keeps_an_order_where_it_joins_neighbours() -> None:
    joined = recode(schools(), mapping={"none": "low", "basic": "low"})
    assert joined.table["school"].scale == Scale.ORDINAL
    assert joined.table["school"].order == ("low", "high", "degree", "doctor")
    mixed = recode(schools(), mapping={"none": "odd", "doctor": "odd"})
    assert mixed.table["school"].scale == Scale.NOMINAL
    with pytest.raises(BadValues, match="names 1 categories"):
        recode(schools(), mapping={"nothing": "low"})


@given(NUMBERS, st.lists(st.integers(-50, 50), min_size=1, max_size=5, unique=True).map(sorted))
def test_each_value_becomes_the_interval_that_holds_it(values: list[float | None], cuts: list[int]) -> None:
    masked = recode_numbers(numbers(values), cuts=cuts).table
    for value, label in zip(values, masked.frame["x"].to_list(), strict=True):
        if value is None:
            assert label is None
        else:
            assert label == masked["x"].order[sum(value >= cut for cut in cuts)]


def test_bins_have_equal_width_or_equally_many_records() -> None:
    table = numbers([float(value) for value in range(8)] + [1000.0])
    width = recode_numbers(table, bins=2).table.frame["x"].value_counts().sort("count")["count"].to_list()
    quantile = (
        recode_numbers(table, bins=3, variant="quantile").table.frame["x"].value_counts()["count"].to_list()
    )
    assert width == [1, 8]
    assert quantile == [3, 3, 3]
    with pytest.raises(NotComputable, match="fewer than two distinct"):
        recode_numbers(numbers([1.0, 1.0]), bins=2)
    with pytest.raises(BadParameter, match="rising"):
        recode_numbers(table, cuts=[3, 1])


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


def inside(value: float, label: str) -> bool:
    if label.startswith("<"):
        return value < float(label[2:])
    if label.startswith(">="):
        return value >= float(label[3:])
    low, high = label[1:-1].split(", ")
    return float(low) <= value < float(high)


@given(
    st.lists(st.integers(0, 40), min_size=2, max_size=30),
    st.sampled_from([1.0, 1e-12, 1 / 3, 1e20]),
    st.integers(2, 6),
    st.sampled_from(["width", "quantile"]),
)
def test_each_interval_as_written_holds_its_values(
    steps: list[int], unit: float, bins: int, variant: str
) -> None:
    values = [1.0 + step * unit for step in steps]
    if len(set(values)) < 2:
        return
    masked = recode_numbers(numbers(values), bins=bins, variant=variant).table
    assert len(set(masked["x"].order)) == len(masked["x"].order)
    assert all(inside(value, label) for value, label in zip(values, masked.frame["x"].to_list(), strict=True))


def test_cuts_are_written_with_all_their_digits() -> None:
    masked = recode_numbers(numbers([0.1, 5.0]), cuts=[0.1 + 0.2, 1.0000000000001]).table
    assert masked["x"].order == (
        "< 0.30000000000000004",
        "[0.30000000000000004, 1.0000000000001)",
        ">= 1.0000000000001",
    )


def test_intervals_of_dates_are_written_as_dates() -> None:
    days = [date(2020, 1, 1), date(2020, 1, 8), date(2020, 1, 31)]
    table = Table.of(pl.DataFrame({"x": days}), roles={"x": "quasi-identifier"})
    masked = recode_numbers(table, bins=3).table.frame["x"].to_list()
    assert masked == ["< 2020-01-11", "< 2020-01-11", ">= 2020-01-21"]


def test_intervals_of_times_of_day_are_written_with_the_parts_of_a_second() -> None:
    times = pl.Series("time", [place * 300_000_000 for place in range(8)]).cast(pl.Time)
    table = Table.of(times.to_frame(), roles={}, rest="quasi-identifier")
    masked = recode_numbers(table, bins=2)
    assert masked.table["time"].order == ("< 00:00:01.050", ">= 00:00:01.050")
    parts = mondrian(table, k=4).table.frame["time"].unique().sort().to_list()
    assert parts == ["[00:00:00, 00:00:00.900]", "[00:00:01.200, 00:00:02.100]"]


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
