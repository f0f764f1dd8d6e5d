"""A published cell is compared by what it can stand for."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from discreet.comparing import AxisColumn, CategoryColumn, compare_column
from discreet.table import Table


def table(values: list[Any], scale: str, order: list[str] | None = None, dtype: Any = None) -> Table:
    frame = pl.DataFrame({"x": pl.Series(values, dtype=dtype)})
    orders = {"x": order} if order else None
    return Table.of(frame, roles={"x": "quasi-identifier"}, scales={"x": scale}, orders=orders)


def axis(known: Table, published: Table) -> AxisColumn:
    found = compare_column(known, published, "x", np.arange(len(published)))
    assert isinstance(found, AxisColumn)
    return found


def categories(known: Table, published: Table) -> CategoryColumn:
    found = compare_column(known, published, "x", np.arange(len(published)))
    assert isinstance(found, CategoryColumn)
    return found


def stands_for(column: CategoryColumn) -> list[set[int]]:
    """The known levels that each published cell can stand for."""
    everything = set(range(column.levels))
    return [
        everything
        if code < 0
        else {int(code)}
        if code < column.levels
        else set(np.flatnonzero(column.holds[code - column.levels]).tolist())
        for code in column.published.tolist()
    ]


def test_numbers_lie_in_their_bands_and_blanks_are_nowhere() -> None:
    found = axis(table([5, 25, 95, 7], "numeric"), table(["< 20", "[20, 30)", "90+", None], "nominal"))
    assert found.low.tolist()[:3] == [-np.inf, 20, 90]
    assert found.high.tolist()[:3] == [19, 29, np.inf]
    assert np.isnan(found.low[3])
    assert found.banded
    tight = found.tightened()
    assert tight.low.tolist()[:3] == [5, 25, 95]
    assert tight.high.tolist()[:3] == [7, 25, 95]


def test_numbers_as_text_are_the_numbers() -> None:
    found = axis(table([5.0, 25.5], "numeric"), table(["5", "25.50"], "nominal"))
    assert found.low.tolist() == found.high.tolist() == [5.0, 25.5]


def test_days_lie_in_their_month_and_in_a_year_that_is_a_number() -> None:
    days = table([dt.date(1970, 1, 5), dt.date(1970, 3, 1)], "numeric")
    assert axis(days, table(["1970-01", "1970-03-01"], "nominal")).low.tolist() == [0, 59]
    assert axis(days, table([1970, 1970], "numeric")).high.tolist() == [364, 364]


def test_ordered_categories_lie_in_their_runs() -> None:
    known = table(["a", "b", "c"], "ordinal", ["a", "b", "c"])
    found = axis(known, table(["a to b", "a to b", "c"], "nominal"))
    assert (found.low.tolist(), found.high.tolist(), found.steps) == ([0, 0, 2], [1, 1, 2], 3)


def test_a_label_without_meaning_reaches_over_the_people_it_was_published_for() -> None:
    found = axis(table([5, 25, 95, 7], "numeric"), table(["young", "young", "old", None], "nominal"))
    assert (found.low[0], found.high[0]) == (5, 25)
    assert (found.low[2], found.high[2]) == (7, 95)


def test_categories_are_the_same_as_numbers_floats_and_texts() -> None:
    known = table([1, 2, 3], "nominal")
    for published in ([1.0, 2.0, 3.0], ["1", "2", "3"], ["1.0", "2.0", "3.0"]):
        assert stands_for(categories(known, table(published, "nominal"))) == [{0}, {1}, {2}]


def test_a_joined_category_stands_for_all_that_became_it_and_for_whoever_was_blanked() -> None:
    known = table(["nurse", "smith", "baker", "king", "clerk"], "nominal")
    found = categories(known, table(["services", "trades", "trades", None, "clerk"], "nominal"))
    baker, clerk, king, nurse, smith = range(5)
    assert stands_for(found)[0] == {nurse, king}
    assert stands_for(found)[1] == stands_for(found)[2] == {smith, baker, king}
    assert stands_for(found)[4] == {clerk}


def test_a_category_that_others_were_joined_to_stands_for_them_too() -> None:
    known = table(["other", "rare", "usual", "usual"], "nominal")
    found = categories(known, table(["other", "other", "usual", "other"], "nominal"))
    assert stands_for(found)[0] == {0, 1, 2}
    exchanged = categories(table(["a", "b", "a", "b"], "nominal"), table(["b", "a", "a", "b"], "nominal"))
    assert stands_for(exchanged) == [{1}, {0}, {0}, {1}]


def test_sets_and_roots_say_what_they_hold() -> None:
    known = table(["a", "b", "c", "c"], "nominal")
    found = categories(known, table(["{a, b}", "(any)", "*", "c"], "nominal"))
    assert stands_for(found) == [{0, 1}, {0, 1, 2}, {0, 1, 2}, {2}]


def test_bands_of_the_known_file_reach_over_published_numbers() -> None:
    found = axis(table(["[20, 30)", "[30, 40)"], "nominal"), table([25, 31], "numeric"))
    assert (found.known.tolist(), found.known_high.tolist()) == ([20, 30], [29, 39])


def on_a_line(column: CategoryColumn) -> list[set[int]]:
    """The known levels between the ends of each published cell; none for a blank."""
    places, _, first, last = column.on_a_line()
    where = {int(code): place for code, place in zip(column.known, places, strict=True) if code >= 0}
    return [
        {level for level, place in where.items() if begin <= place <= end}
        for begin, end in zip(first, last, strict=True)
    ]


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3), st.booleans()), min_size=1, max_size=20))
def test_categories_of_a_tree_are_neighbours_on_a_line(records: list[tuple[int, int, bool]]) -> None:
    """Levels become themselves, or what is one, two or three steps above them; some are blanked."""
    known = [f"{level:03b}" for level, _, _ in records]
    names = [f"{level:03b}"[: 3 - up] for level, up, _ in records]
    shown = [
        None if blank else name if len(name) == 3 else f"under {name}"
        for name, (_, _, blank) in zip(names, records, strict=True)
    ]
    found = categories(table(known, "nominal", dtype=pl.String), table(shown, "nominal", dtype=pl.String))
    levels = sorted(set(known))
    told = {
        label: {levels.index(one) for one, other in zip(known, shown, strict=True) if other == label}
        for label in shown
    }
    expected = [set() if label is None else told[label] for label in shown]
    assert on_a_line(found) == expected


def test_what_two_overlapping_categories_share_lies_between_the_others() -> None:
    known = table(["x", "y", "y", "z", "u"], "nominal")
    found = categories(known, table(["x or y", "x or y", "y or z", "y or z", "u"], "nominal"))
    assert on_a_line(found) == [{1, 2}, {1, 2}, {2, 3}, {2, 3}, {0}]


def test_a_label_that_holds_every_level_holds_blanks_on_a_line_too() -> None:
    found = categories(table(["x", "y", None], "nominal"), table(["*", "*", "*"], "nominal"))
    _, _, first, last = found.on_a_line()
    assert set(first.tolist()) == {-np.inf}
    assert set(last.tolist()) == {np.inf}
