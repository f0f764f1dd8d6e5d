"""What a guarantee says, why it cannot be checked, and the edges of what it takes for kept."""

from __future__ import annotations

import math
from datetime import timedelta
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadFile
from discreet.guarantees import (
    GUARANTEES,
    AtMostRecords,
    Compared,
    Guarantee,
    Intervals,
    KAnonymous,
    KMatched,
    LDiverse,
    Multiples,
    NoMaskedNames,
    NoOtherValues,
    OnlyLevels,
    RecordCount,
    SameMeans,
    SameOrder,
    SameTotals,
    SameValues,
    TClose,
    Within,
    WithinRange,
    guarantee_of,
)
from discreet.guarantees.guarantee import ceiling, exact_words, floor
from discreet.table import Table

BEFORE = Table.of(
    pl.DataFrame(
        {
            "x": [1.0, 2.0, 3.0, 6.0],
            "y": [10, 20, 30, 40],
            "school": ["low", "mid", "high", None],
            "w": [1.0, 2.0, 3.0, 4.0],
        }
    ),
    roles={"w": "weight"},
    rest="quasi-identifier",
    orders={"school": ["low", "mid", "high"]},
)
MODEL = {"columns": ("c", "d", "ill"), "confidential": ("ill",)}
SAID: list[tuple[Guarantee, str]] = [
    (
        KAnonymous(columns=("c", "d"), k=3),
        "every combination of 'c', 'd' is shared by at least 3 records",
    ),
    (
        KAnonymous(columns=("c",), k=3, people=True),
        "every combination of 'c' is shared by at least 3 people",
    ),
    (
        KMatched(columns=("c",), k=4),
        "at least 4 records match each on 'c', where missing matches anything",
    ),
    (
        LDiverse(**MODEL, l=2),  # type: ignore[arg-type]
        "every combination of 'c', 'd' has at least 2 different values of 'ill'",
    ),
    (
        LDiverse(**MODEL, l=2.5, variant="entropy"),  # type: ignore[arg-type]
        "every combination of 'c', 'd' has values as diverse as 2.5 equally frequent ones of 'ill'",
    ),
    (
        LDiverse(**MODEL, l=2, c=1.5, variant="recursive"),  # type: ignore[arg-type]
        "every combination of 'c', 'd' has values that are recursively (1.5, 2)-diverse of 'ill'",
    ),
    (
        TClose(**MODEL, t=0.25),  # type: ignore[arg-type]
        "within every combination of 'c', 'd' the values of 'ill' are distributed as in the file, to a "
        "distance of 0.25",
    ),
    (SameValues(columns=("x", "y")), "'x', 'y' keep their values, each as often as in the original"),
    (
        NoOtherValues(columns=("x",), about="the data after step 1 (sample)"),
        "'x' hold no value that they do not hold in the data after step 1 (sample)",
    ),
    (WithinRange(columns=("x",)), "no value of 'x' lies outside the range that it has in the original"),
    (
        SameOrder(columns=("x",)),
        "whoever has more of 'x' than another in the original has no less of it here",
    ),
    (SameMeans(columns=("x",)), "the means of 'x' are those of the original"),
    (SameMeans(columns=("x",), within=0.5), "the means of 'x' are those of the original, to within 0.5"),
    (SameMeans(columns=("x",), weighted=True), "the weighted means of 'x' are those of the original"),
    (Multiples(columns=("x",), base=2.5), "all values of 'x' are multiples of 2.5"),
    (Within(columns=("x",), low=1, high=2.5), "no value of 'x' is below 1 or above 2.5"),
    (Within(columns=("x",), low=1), "no value of 'x' is below 1"),
    (OnlyLevels(columns=("x",), levels=("a",)), "'x' holds at most 1 category"),
    (OnlyLevels(columns=("x", "y"), levels=("a", "b")), "'x', 'y' hold at most 2 categories"),
    (
        Intervals(columns=("x",)),
        "the intervals of 'x' contain the values of the original that they stand for",
    ),
    (
        SameTotals(columns=("c", "w"), weight="w"),
        "the weights in 'w' add up as in the original, in all and in every category of 'c'",
    ),
    (SameTotals(columns=("w",), weight="w"), "the weights in 'w' add up as in the original"),
    (RecordCount(columns=(), records=4), "the file holds 4 records"),
    (
        AtMostRecords(columns=("x", "y"), most=3),
        "there are at most 3 different combinations of 'x', 'y'",
    ),
    (
        NoMaskedNames(columns=("x",), masked={"place": 2, "person": 10}, not_looked_for=("Codes.",)),
        "no name that was masked stands as whole words in 'x' (replaced: person 10, place 2)",
    ),
    (
        NoMaskedNames(columns=("x",), masked={"place": 2}, policy="archive"),
        "no name that was masked stands as whole words in 'x' (replaced: place 2; policy 'archive')",
    ),
    (
        NoMaskedNames(columns=("x", "y"), masked={}),
        "no name that was masked stands as whole words in 'x', 'y' (nothing was found to replace)",
    ),
]


@pytest.mark.parametrize(("guarantee", "said"), SAID, ids=lambda each: type(each).__name__)
def test_a_guarantee_says_in_words_what_its_numbers_are(guarantee: Guarantee, said: str) -> None:
    assert guarantee.says() == said
    told = guarantee.to_dict()
    assert told["guarantee"] == type(guarantee).__name__
    assert told["columns"] == list(guarantee.columns)
    assert told["says"] == said
    assert set(told) == {"guarantee", "columns", "says", *guarantee.shape, *guarantee.later}
    again = guarantee_of(told, "it")
    assert type(again) is type(guarantee)
    assert again.to_dict() == told


def test_every_kind_of_guarantee_is_said_here() -> None:
    assert {type(guarantee).__name__ for guarantee, _ in SAID} == set(GUARANTEES)


@pytest.mark.parametrize(("guarantee", "said"), SAID, ids=lambda each: type(each).__name__)
def test_a_field_of_another_type_a_missing_and_a_strange_one_are_refused(
    guarantee: Guarantee, said: str
) -> None:
    told = guarantee.to_dict()
    values: list[object] = [{}, -1.5, True, "x", math.inf]
    for name in (*guarantee.shape, *guarantee.later):
        for wrong in values:
            if not _fits(name, wrong):
                with pytest.raises(BadFile, match=rf"it, '{name}'.* must be "):
                    guarantee_of({**told, name: wrong}, "it")
    for name in told:
        less = {each: value for each, value in told.items() if each != name}
        if name in guarantee.later and not told[name]:
            # A release of an earlier version, which the default stands for.
            assert guarantee_of(less, "it").to_dict() == told
            continue
        with pytest.raises(BadFile):
            guarantee_of(less, "it")
    with pytest.raises(BadFile, match="it has 1 fields that are not known"):
        guarantee_of({**told, "more": 1}, "it")


def _fits(name: str, value: object) -> bool:
    """Whether a field may hold the value, as far as types go."""
    if name in ("people", "weighted"):
        return isinstance(value, bool)
    if name == "masked":
        return value == {}
    if name in ("about", "weight", "policy"):
        return isinstance(value, str)
    if name in ("low", "high", "base", "l", "c", "t", "within"):
        return value == -1.5
    return False


def of(**columns: list[object]) -> Table:
    return BEFORE.with_values(
        {
            name: pl.Series(name, values, dtype=pl.Float64 if name == "x" else None)
            for name, values in columns.items()
        }
    )


def compared(kind: type[Compared], *columns: str) -> Compared:
    return kind(columns=columns, before=BEFORE)


@pytest.mark.parametrize(
    ("guarantee", "file", "fault"),
    [
        (compared(WithinRange, "x", "y"), of(x=[1.0, 6.0, 6.0, None]), ""),
        (compared(WithinRange, "x", "y"), of(x=[0.9, 6.1, 2.0, 3.0], y=[9, 10, 40, 10]), "3 values outside"),
        (compared(WithinRange, "x"), of(x=[1 - 1e-9, 6 + 1e-9, 2.0, 2.0]), ""),
        (compared(WithinRange, "x"), of(x=[1 - 1e-7, 6 + 1e-7, 2.0, 2.0]), "2 values outside"),
        (compared(WithinRange, "school"), of(school=["high", "low", None, "mid"]), ""),
        (compared(SameOrder, "x", "y"), of(x=[0.0, 0.0, 1.0, 9.0], y=[5, 5, 5, 6]), ""),
        (compared(SameOrder, "x", "y"), of(x=[0.0, 2.0, 1.0, 9.0]), "another order in 'x'"),
        (
            compared(SameOrder, "x", "y"),
            of(x=[0.0, 2.0, 1.0, 9.0], y=[4, 3, 2, 1]),
            "another order in 'x', 'y'",
        ),
        # What is blank has no place in the order; whoever stands on both sides of it still has.
        (compared(SameOrder, "x"), of(x=[1.0, None, 3.0, 6.0]), ""),
        (compared(SameOrder, "x"), of(x=[5.0, None, 3.0, 6.0]), "another order in 'x'"),
        (compared(SameOrder, "x"), of(x=[None] * 4), ""),
        (compared(SameOrder, "x"), of(x=[1.0, 2.0, 2.0 - 1e-10, 6.0]), ""),
        (compared(SameOrder, "school"), of(school=["low", "low", "mid", None]), ""),
        (compared(SameOrder, "school"), of(school=["mid", "low", "high", None]), "another order in 'school'"),
        (compared(NoOtherValues, "x", "y"), of(x=[6.0, 6.0, None, 1.0]), ""),
        (compared(NoOtherValues, "x", "y"), of(x=[6.0, 5.0, 5.0, 1.0]), "new values in 'x'"),
        (
            compared(NoOtherValues, "x", "y"),
            of(x=[6.0, 5.0, 5.0, 1.0], y=[1, 1, 1, 1]),
            "new values in 'x', 'y'",
        ),
        # 1 and 1.0 are the same value, and a number is no text.
        (compared(NoOtherValues, "y"), of(y=[10.0, 20.0, 30.0, 40.0]), ""),
        (AtMostRecords(columns=("x", "school"), most=4), BEFORE, ""),
        (AtMostRecords(columns=("x", "school"), most=3), BEFORE, "4 of them"),
        (AtMostRecords(columns=(), most=0), BEFORE, ""),
        (OnlyLevels(columns=("school",), most=3), BEFORE, ""),
        (OnlyLevels(columns=("x", "school"), most=3), BEFORE, "4 categories"),
        (OnlyLevels(columns=(), most=0), BEFORE, ""),
        (Within(columns=("x",), low=1.0, high=6.0), BEFORE, ""),
        (Within(columns=("x",), low=1.1), BEFORE, "1 values outside"),
    ],
)
def test_what_is_wrong_is_counted_to_the_edge(guarantee: Guarantee, file: Table, fault: str) -> None:
    assert guarantee.fault(file) == fault


def test_people_who_had_the_same_may_have_different_values_now() -> None:
    before = Table.of(pl.DataFrame({"x": [1, 1, 1, 2, 2]}), roles={}, rest="quasi-identifier")
    order = SameOrder(columns=("x",), before=before)

    def fault(*values: float) -> str:
        return order.fault(Table.of(pl.DataFrame({"x": values}), roles={}, rest="quasi-identifier"))

    assert fault(3, 1, 2, 4, 3) == ""
    assert fault(3, 1, 2, 4, 2) == "another order in 'x'"
    assert fault(3, 1, 2, 4) == "1 records more or fewer"
    assert fault(3, 1, 2, 4, 4, 4, 4) == "2 records more or fewer"


@given(
    st.lists(st.tuples(st.none() | st.integers(0, 4), st.none() | st.integers(0, 4)), min_size=1, max_size=7)
)
def test_the_order_is_kept_where_no_two_people_changed_places(
    pairs: list[tuple[int | None, int | None]],
) -> None:
    old, new = (
        Table.of(
            pl.DataFrame({"x": pl.Series([pair[side] for pair in pairs], dtype=pl.Float64)}),
            roles={},
            rest="quasi-identifier",
        )
        for side in (0, 1)
    )
    there = [(one, other) for one, other in pairs if one is not None and other is not None]
    swapped = any(a < c and b > d for a, b in there for c, d in there)
    assert bool(SameOrder(columns=("x",), before=old).fault(new)) == swapped


def test_durations_are_compared_in_whatever_unit_they_are_written() -> None:
    def spans(unit: str) -> Table:
        series = pl.Series("x", [timedelta(days=1), timedelta(hours=2)]).cast(pl.Duration(unit))  # type: ignore[arg-type]
        return Table.of(series.to_frame(), roles={}, rest="quasi-identifier")

    assert SameValues(columns=("x",), before=spans("ms")).fault(spans("ns")) == ""
    assert NoOtherValues(columns=("x",), before=spans("us")).fault(spans("ms")) == ""


def test_why_a_guarantee_cannot_be_checked_is_said() -> None:
    assert KAnonymous(columns=("x",), k=2).unchecked(BEFORE) == ""
    assert KAnonymous(columns=("a", "x", "b"), k=2).unchecked(BEFORE) == "the file has no column 'a', 'b'"
    assert (
        KAnonymous(columns=("x",), k=2, people=True).unchecked(BEFORE)
        == "which records are of one person is not published"
    )
    persons = Table.of(
        pl.DataFrame({"x": [1, 1], "who": ["a", "b"]}), roles={"who": "person"}, rest="quasi-identifier"
    )
    assert KAnonymous(columns=("x",), k=2, people=True).unchecked(persons) == ""
    assert SameOrder(columns=("x",), before=BEFORE).unchecked(BEFORE) == ""
    assert SameOrder(columns=("a",), before=BEFORE).unchecked(BEFORE) == "the file has no column 'a'"
    alone = SameOrder(columns=("a",), about="the data after step 2 (sample)")
    assert alone.unchecked(BEFORE) == "it is about the data after step 2 (sample), which is not here"
    with pytest.raises(TypeError, match="nothing to compare with"):
        alone.fault(BEFORE)
    assert [kind.__name__ for kind in GUARANTEES.values() if kind.in_order] == ["SameOrder"]


def test_weighted_means_depend_on_the_weights_and_others_do_not() -> None:
    assert SameMeans(columns=("x",), before=BEFORE).compared_columns() == ("x",)
    assert SameMeans(columns=("x",), before=BEFORE, weighted=True).compared_columns() == ("x", "w")
    assert SameValues(columns=("x", "y"), before=BEFORE).compared_columns() == ("x", "y")


def test_bounds_that_a_record_shows_are_told_as_they_are_and_others_rounded_outward() -> None:
    for low, high, told in (
        (1.0, 6.0, (1.0, 6.0)),
        (0.123, 6.543, (0.12, 6.6)),
        (1.0, 6.543, (1.0, 6.6)),
        (0.123, 6.0, (0.12, 6.0)),
    ):
        shown = Within(columns=("x",), low=low, high=high).as_shown(BEFORE)
        assert isinstance(shown, Within)
        assert (shown.low, shown.high) == told
    open_ended = Within(columns=("x",)).as_shown(BEFORE)
    assert isinstance(open_ended, Within)
    assert (open_ended.low, open_ended.high) == (None, None)
    same = KAnonymous(columns=("x",), k=2)
    assert same.as_shown(BEFORE) is same


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 8))
def test_rounding_outward_stays_outside_and_as_close_as_the_digits_allow(value: float, digits: int) -> None:
    low, high = floor(value, digits), ceiling(value, digits)
    assert low <= value <= high
    if value != 0 and math.isfinite(10 * value) and abs(value) > 1e-300:
        step = Decimal(10) ** (Decimal(value).adjusted() - digits + 1)
        for near in (low, high):
            assert abs(Decimal(near) - Decimal(value)) <= step * Decimal("1.000001")
            # As few digits as asked for, unless that number would be read as one inside the bound.
            digits_told = len(Decimal(repr(near)).normalize().as_tuple().digits)
            assert near == value or digits_told <= digits


def test_numbers_in_words_have_no_point_where_they_are_whole() -> None:
    assert [exact_words(each) for each in (2.0, -3.0, 0.5, 1e15, 999_999_999_999_999.0, 0.0)] == [
        "2",
        "-3",
        "0.5",
        "1000000000000000.0",
        "999999999999999",
        "0",
    ]
    assert (floor(math.inf), ceiling(-math.inf)) == (math.inf, -math.inf)
