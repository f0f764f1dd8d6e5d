from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter, BadValues, Unreachable
from discreet.mask import recode
from discreet.table import Scale, Table


def schools() -> Table:
    frame = pl.DataFrame({"school": ["none", "basic", "high", "degree", "doctor", None, "basic"]})
    order = ["none", "basic", "high", "degree", "doctor"]
    return Table.of(frame, roles={"school": "quasi-identifier"}, orders={"school": order})


def test_recoding_joins_the_rarest_categories() -> None:
    table = Table.of(
        pl.DataFrame({"job": ["a"] * 5 + ["b"] * 3 + ["c"] * 2 + ["d"]}), roles={"job": "quasi-identifier"}
    )
    masked = recode(table, rarest=2)
    assert masked.table.frame["job"].to_list() == ["a"] * 5 + ["b"] * 3 + ["other"] * 3
    assert recode(table, rarer_than=0.2).table.frame["job"].to_list() == ["a"] * 5 + ["b"] * 3 + ["other"] * 3
    assert recode(table, rarer_than=0.05).table.frame["job"].equals(table.frame["job"])
    with pytest.raises(BadParameter, match="one of mapping, rarest, rarer_than and level"):
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


def test_the_label_may_be_one_of_those_it_joins_and_no_other_category() -> None:
    frame = pl.DataFrame({"town": ["a"] * 5 + ["b"] * 2 + ["c"]})
    table = Table.of(frame, roles={"town": "quasi-identifier"})
    assert recode(table, rarest=2, label="c").table.frame["town"].to_list() == ["a"] * 5 + ["c"] * 3
    with pytest.raises(BadParameter, match="has a category named like the joined one"):
        recode(table, rarest=2, label="a")
    with pytest.raises(BadParameter, match="has a category named like the joined one"):
        recode(table, rarest=1, label="b")


@given(st.lists(st.sampled_from("abcde"), min_size=2, max_size=30), st.integers(1, 3), st.floats(0.01, 0.9))
def test_the_rarest_are_joined_by_number_or_by_share_and_ties_go_by_name(
    values: list[str], rarest: int, share: float
) -> None:
    counts = Counter(values)
    ranked = sorted(counts, key=lambda each: (counts[each], each))
    below = [each for each in ranked if counts[each] < share * len(values)]
    table = Table.of(pl.DataFrame({"town": values}), roles={"town": "quasi-identifier"})
    ways: list[tuple[dict[str, Any], list[str]]] = [
        ({"rarest": rarest}, ranked[:rarest]),
        ({"rarer_than": share}, below),
    ]
    for asked, joined in ways:
        if len(joined) >= len(ranked):
            with pytest.raises(
                Unreachable, match=f"has {len(ranked)} categories; at most {len(ranked) - 1} can"
            ):
                recode(table, **asked)
            continue
        done = recode(table, **asked)
        expected = ["other" if each in joined else each for each in values]
        assert done.table.frame["town"].to_list() == expected
        assert done.facts["recoded"] == {"town": sum(each in joined for each in values)}
