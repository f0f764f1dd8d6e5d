"""Every masking method on small tables of every type of column, with parameters drawn from what it declares."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet.errors import DiscreetError
from discreet.parameters import Choice, ColumnsKind, Flag, Kind, Numbers, Real, Whole
from discreet.registry import Method, methods
from discreet.results import Masked
from discreet.table import Scale, Table

MASKS = [pytest.param(each, id=each.name) for each in methods("mask")]

SIZES = (1, 2, 3, 7, 25, 60)
EXTREMES = (0.0, 1.0, 1.0 + 1e-12, -1e300, 1e300, 1e-300, 5e-324, 0.1)
START = datetime(2020, 2, 28, 12, 30)

NUMBERS: dict[pl.DataType, st.SearchStrategy[Any]] = {
    pl.Int8(): st.integers(-128, 127),
    pl.Int16(): st.integers(-5, 5),
    pl.Int32(): st.integers(-(2**31), 2**31 - 1),
    pl.Int64(): st.integers(-(2**63), 2**63 - 1),
    pl.UInt8(): st.integers(0, 255),
    pl.UInt16(): st.integers(0, 9),
    pl.UInt32(): st.integers(0, 2**32 - 1),
    pl.UInt64(): st.integers(0, 2**64 - 1),
    pl.Float32(): st.floats(width=32, allow_nan=False, allow_infinity=False),
    pl.Float64(): st.sampled_from(EXTREMES) | st.floats(-1e6, 1e6),
    pl.Decimal(10, 2): st.integers(-999, 999).map(lambda cents: Decimal(cents) / 100),
    pl.Date(): st.integers(-30_000, 30_000).map(lambda days: date(2000, 1, 1) + timedelta(days=days)),
    pl.Datetime("us"): st.integers(0, 10**9).map(lambda seconds: START + timedelta(seconds=seconds)),
    pl.Datetime("ms", "Europe/Vienna"): st.integers(0, 400).map(lambda days: START + timedelta(days=days)),
    pl.Datetime("ns"): st.integers(0, 400).map(lambda days: START + timedelta(days=days)),
    pl.Duration("us"): st.integers(-9, 9).map(lambda hours: timedelta(hours=hours)),
    pl.Time(): st.integers(0, 23).map(lambda hour: time(hour, 59)),
}
LEVELS = ("a", "b", "c", "d")
CATEGORIES: dict[pl.DataType, st.SearchStrategy[Any]] = {
    pl.String(): st.sampled_from(LEVELS),
    pl.Categorical(): st.sampled_from(LEVELS),
    pl.Enum(LEVELS): st.sampled_from(LEVELS),
    pl.Boolean(): st.booleans(),
    pl.Int64(): st.integers(0, 3),
    pl.Date(): st.sampled_from([date(2020, 1, day) for day in (1, 2, 3)]),
}


@st.composite
def columns(draw: st.DrawFn, scale: Scale, count: int) -> tuple[pl.Series, tuple[str, ...]]:
    """One column of a scale, and its order where it has one."""
    kinds = NUMBERS if scale == Scale.NUMERIC else CATEGORIES
    dtype = draw(st.sampled_from(list(kinds)))
    value = kinds[dtype]
    if draw(st.booleans()):
        value = st.sampled_from(draw(st.lists(value, min_size=1, max_size=3)))
    if draw(st.booleans()):
        value = st.none() | value
    series = pl.Series(draw(st.lists(value, min_size=count, max_size=count)), dtype=dtype, strict=False)
    if scale != Scale.ORDINAL:
        return series, ()
    if dtype == pl.Date:
        return series, ()
    if dtype == pl.Int64:
        return series, draw(st.sampled_from([(), ("0", "1", "2", "3"), ("3.0", "2", "1.0", "0"), ("1", "0")]))
    return series, ("false", "true") if dtype == pl.Boolean else LEVELS


@st.composite
def tables(draw: st.DrawFn, scales: list[Scale]) -> Table:
    """A table of one to three quasi-identifiers on these scales, a weight, a stratum, a household and an illness."""
    count = draw(st.sampled_from(SIZES))
    given, orders = {}, {}
    for place in range(draw(st.integers(1, 3))):
        name = f"key{place}"
        scale = draw(st.sampled_from(scales))
        values, order = draw(columns(scale, count))
        given[name] = (values, scale)
        if order:
            orders[name] = order
    frame = pl.DataFrame({name: values for name, (values, _) in given.items()}).with_columns(
        pl.Series("weight", [1.5] * count),
        pl.Series("region", [str(row % 2) for row in range(count)]),
        pl.Series("home", [row // 2 for row in range(count)]),
        pl.Series("illness", [f"i{row % 3}" for row in range(count)]),
    )
    if draw(st.integers(0, 9)) == 0:
        # A table that names people and tells nothing else.
        return Table.of(frame.select(list(given)), roles={}, rest="identifier")
    return Table.of(
        frame,
        roles={"weight": "weight", "region": "stratum", "home": "household", "illness": "confidential"},
        scales={name: str(scale) for name, (_, scale) in given.items()},
        orders=orders,
        rest="quasi-identifier",
    )


def values_of(kind: Kind) -> st.SearchStrategy[Any] | None:
    """Values of a parameter, for the kinds whose values do not depend on the table."""
    if isinstance(kind, Choice):
        return st.sampled_from(kind.among)
    if isinstance(kind, Flag):
        return st.booleans()
    if isinstance(kind, Whole) and kind.usual:
        return st.integers(kind.at_least, kind.usual[1])
    if isinstance(kind, Real) and kind.usual:
        return st.floats(*kind.usual)
    if isinstance(kind, Numbers):
        number = st.sampled_from(EXTREMES) | st.floats(-1e6, 1e6) | st.sampled_from([-1.0, 1e18, 8.64e13])
        return st.lists(number, min_size=kind.fewest, max_size=4, unique=True).map(sorted)
    return None


@st.composite
def parameters(draw: st.DrawFn, method: Method) -> dict[str, Any]:
    """Some of the parameters that a method declares; needed ones, and those of its example, most of the time."""
    given: dict[str, Any] = {}
    for each in method.parameters:
        own = values_of(each.kind)
        if own is None or isinstance(each.kind, ColumnsKind):
            continue
        usual = each.required or each.name in method.example
        if draw(st.integers(0, 3)) < (4 if usual else 1):
            given[each.name] = draw(own)
    if method.random:
        given["seed"] = draw(st.integers(0, 9))
    return given


@pytest.mark.parametrize("method", MASKS)
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_small_table_gives_an_answer_that_keeps_its_guarantees_or_a_named_error(
    method: Method, data: st.DataObject
) -> None:
    table = data.draw(tables(sorted(method.scales)))
    before = table.frame.clone()
    given = data.draw(parameters(method))
    if "unmapped" in {each.name for each in method.parameters}:
        # No word of these tables means anything, so all stand apart.
        given |= {"columns": list(table.keys), "unmapped": "apart"}
    try:
        masked: Masked = method.function(table, **given)
    except DiscreetError:
        masked = Masked(table=table)
    assert table.frame.equals(before, null_equal=True)
    check_answer(method, table, masked)


def check_answer(method: Method, table: Table, masked: Masked) -> None:
    for guarantee in masked.guarantees:
        assert guarantee.fault(masked.table) == "", guarantee.says()
    for name in masked.table.having(scales=[Scale.NUMERIC]):
        if name in table.names:
            assert masked.table.frame[name].dtype.is_temporal() == table.frame[name].dtype.is_temporal(), name
            assert np.isfinite(masked.table.numbers([name])[masked.table.frame[name].is_not_null()]).all(), (
                name
            )
    if method.keeps_rows and masked.origin is None:
        for name in table.names:
            if not name.startswith("key") and name != "weight":
                assert masked.table.frame[name].equals(table.frame[name]), name
