"""Mondrian: parts of at least k that cannot be cut further, published as what holds them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import Unreachable
from discreet.loss import sse
from discreet.mask import microaggregate, mondrian
from discreet.ontology import of_edges
from discreet.table import Table

ORDER = ["low", "middle", "high"]
PLACES = of_edges(
    [("Paris", "France"), ("Lyon", "France"), ("Rome", "Italy"), ("France", "Europe"), ("Italy", "Europe")],
    name="places",
)
ABOVE = {"Paris": ["France", "Europe"], "Lyon": ["France", "Europe"], "Rome": ["Italy", "Europe"]}
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["Paris", "Lyon", "Rome"]),
        st.one_of(st.none(), st.integers(20, 60)),
        st.sampled_from(ORDER),
    ),
    min_size=4,
    max_size=40,
)


def table_of(rows: Any) -> Table:
    frame = pl.DataFrame(rows, schema={"place": pl.String, "age": pl.Int64, "pain": pl.String}, orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier", orders={"pain": ORDER})


def run(rows: Any, **parameters: Any) -> Any:
    return mondrian(table_of(rows), ontology={"place": PLACES}, **parameters)


@settings(max_examples=80)
@given(ROWS, st.integers(2, 4))
def test_every_combination_is_shared_by_k_and_holds_what_it_stands_for(rows: list[Any], k: int) -> None:
    done = run(rows, k=k)
    masked = done.table.frame.rows()
    assert min(Counter(masked).values()) >= k
    for (place, age, pain), (where, years, pains) in zip(rows, masked, strict=True):
        assert where is None or where in {place, *ABOVE[place]}
        if years is not None:
            low, _, high = years.strip("[]").partition(", ")
            assert int(low) <= age <= int(high or low)
        if pains is not None:
            first, _, last = pains.partition(" to ")
            assert ORDER.index(first) <= ORDER.index(pain) <= ORDER.index(last or first)


@settings(max_examples=80)
@given(ROWS, st.integers(2, 4))
def test_what_is_published_is_the_least_that_holds_everybody_alike(rows: list[Any], k: int) -> None:
    masked = run(rows, k=k).table.frame.rows()
    for published in set(masked):
        members = [row for row, other in zip(rows, masked, strict=True) if other == published]
        places = {row[0] for row in members}
        shared = [place for place in ("Paris", "Lyon", "Rome") if places == {place}]
        shared += ["France"] * (places == {"Paris", "Lyon"}) + ["Europe"] * (len(places | {"Lyon"}) == 3)
        shared += ["Europe"] * (places in ({"Lyon", "Rome"}, {"Paris", "Rome"}))
        assert published[0] == shared[0]
        ages = [row[1] for row in members if row[1] is not None]
        # Values of fewer than k among blanks are blanked too.
        if published[1] is not None:
            assert published[1] == (
                f"[{min(ages)}, {max(ages)}]" if min(ages) < max(ages) else str(min(ages))
            )
        pains = sorted({ORDER.index(row[2]) for row in members})
        ends = [ORDER[pains[0]], ORDER[pains[-1]]]
        assert published[2] == (" to ".join(ends) if ends[0] != ends[1] else ends[0])


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=60), st.integers(2, 5))
def test_no_part_could_be_cut_further(rows: list[tuple[int, int]], k: int) -> None:
    if len(rows) < k:
        return
    table = Table.of(pl.DataFrame(rows, schema=["a", "b"], orient="row"), roles={}, rest="quasi-identifier")
    label = mondrian(table, k=k).facts["labels"]
    values = np.array(rows)
    for part in np.unique(label):
        own = values[label == part]
        assert len(own) >= k
        for column in own.T:
            for cut in np.unique(column)[:-1]:
                assert min((column <= cut).sum(), (column > cut).sum()) < k


def test_parts_of_a_line_are_cut_at_the_median() -> None:
    table = Table.of(pl.DataFrame({"age": list(range(20, 32))}), roles={}, rest="quasi-identifier")
    masked = mondrian(table, k=3).table.frame["age"].to_list()
    assert masked == ["[20, 22]"] * 3 + ["[23, 25]"] * 3 + ["[26, 28]"] * 3 + ["[29, 31]"] * 3


def test_branches_are_cut_off_and_small_ones_stay_together() -> None:
    rows = [("Paris", 30, "low")] * 4 + [("Lyon", 30, "low")] * 2 + [("Rome", 30, "low")] * 2
    masked = run(rows, k=4).table.frame["place"].to_list()
    assert masked == ["Europe"] * 8
    masked = run(rows, k=2).table.frame["place"].to_list()
    assert masked == ["Paris"] * 4 + ["Lyon"] * 2 + ["Rome"] * 2
    masked = run([*rows, ("Rome", 30, "low"), ("Rome", 30, "low")], k=4).table.frame["place"].to_list()
    assert masked == ["France"] * 6 + ["Rome"] * 4


def test_means_are_kept_where_they_are_asked_for() -> None:
    generator = np.random.default_rng(1)
    frame = pl.DataFrame({"age": generator.integers(18, 90, 200), "income": generator.lognormal(10, 1, 200)})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    done = mondrian(table, k=5, numbers="mean")
    assert {guarantee.to_dict()["guarantee"] for guarantee in done.guarantees} == {"KAnonymous", "SameMeans"}
    for guarantee in done.guarantees:
        guarantee.check(done.table)
    assert done.table["age"].scale == "numeric"
    assert sse(table, done.table).loss < 2 * sse(table, microaggregate(table, k=5).table).loss


def test_ordered_categories_become_medians_where_averages_are_asked_for() -> None:
    rows = [("Paris", 30, "low"), ("Paris", 30, "low"), ("Paris", 30, "high")]
    done = run(rows, k=3, numbers="mean")
    assert done.table.frame["pain"].to_list() == ["low"] * 3
    assert done.table["pain"].scale == "ordinal"


def test_parts_without_a_value_leave_the_means_of_others_alone() -> None:
    rows = [("Paris", None, "low")] * 3 + [("Paris", 30, "low")] * 2 + [("Paris", 33, "low")]
    assert run(rows, k=3, numbers="mean").table.frame["age"].to_list() == [None, None, None, 31.0, 31.0, 31.0]


def test_a_table_smaller_than_k_is_unreachable() -> None:
    with pytest.raises(Unreachable, match="k=5 needs at least 5 records"):
        run([("Paris", 30, "low")], k=5)
