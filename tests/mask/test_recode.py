from __future__ import annotations

import polars as pl
import pytest

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
